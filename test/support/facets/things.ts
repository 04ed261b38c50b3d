// Random objects to count, and what counting by brute force needs to know of them. All numbers are such that
// sums are exact in doubles, so that their order does not matter.

import { formatDouble } from '../../../engine/json/write';
import type { Random } from '../random';

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const FIELDS = {
  tag: KEYWORD,
  path: KEYWORD,
  words: { type: 'string' },
  flag: { type: 'boolean' },
  one: { type: 'integer' },
  n: { type: 'integer' },
  big: { type: 'long' },
  half: { type: 'double' },
  day: { type: 'date' },
  at: { type: 'geo_point' },
};

/** The properties of a mapping for {@link Thing}s, `kids` nested. */
export const THING_PROPERTIES = { ...FIELDS, kids: { type: 'nested', properties: FIELDS } };

/** A document, or a nested object of one. */
export interface Thing {
  readonly tag: readonly string[];
  readonly path: readonly string[];
  readonly words: string;
  readonly flag: readonly boolean[];
  readonly one: readonly number[];
  readonly n: readonly number[];
  readonly big: readonly number[];
  readonly half: readonly number[];
  readonly day: readonly number[];
  /** Degrees east on the equator. */
  readonly at: readonly number[];
  readonly kids: readonly Thing[];
}

/** The fields of numbers. */
export type NumberName = 'one' | 'n' | 'big' | 'half' | 'day';
export const NUMBERS: readonly NumberName[] = ['one', 'n', 'big', 'half', 'day'];

/** Something that has no value anywhere. */
export const NOTHING: Thing = {
  tag: [],
  path: [],
  words: '',
  flag: [],
  one: [],
  n: [],
  big: [],
  half: [],
  day: [],
  at: [],
  kids: [],
};

const NAMES = ['', 'Z', 'a', 'é', '\uffe6', '😀', '__proto__', 'constructor'];
const PATHS = ['a', 'a/b', 'a/b/c', 'a/x', '/a/b', 'a//b', 'b/', 'ü/c'];
const WORDS = ['fox', 'dog', 'Fox', 'the', 'é'];

/** No, one or several things, `most` at most. */
export function some<T>(random: Random, make: () => T, most: number): T[] {
  return Array.from({ length: random.below(most + 1) }, make);
}

/** A random thing; `depth` 0: with nested ones. */
export function makeThing(random: Random, depth = 0): Thing {
  return {
    tag: some(random, () => (random.chance(0.2) ? random.pick(NAMES) : `t${random.below(30)}`), 2),
    path: some(random, () => random.pick(PATHS), 2),
    words: some(random, () => random.pick(WORDS), 3).join(' '),
    flag: some(random, () => random.chance(0.5), 1),
    one: some(random, () => random.below(5), 1),
    n: some(random, () => random.between(-40, 40), 3),
    big: some(random, () => random.pick([7, -7, 2 ** 33, 2 ** 42]), 2),
    half: some(random, () => random.between(-9, 9) / 2, 2),
    day: some(random, () => random.between(-400, 20_000) * 7_654_321, 2),
    at: some(random, () => random.between(-20, 20), 2),
    kids: depth > 0 ? [] : some(random, () => makeThing(random, 1), 2),
  };
}

/** The source of the document. */
export function sourceOf(thing: Thing): string {
  const points = (given: Thing): object => ({
    ...given,
    at: given.at.map((lon) => ({ lat: 0, lon })),
    kids: given.kids.map(points),
  });
  return JSON.stringify(points(thing));
}

/** The distinct numbers of a field, ascending. */
export function numbersOf(thing: Thing, field: NumberName): number[] {
  return [...new Set(thing[field])].sort((a, b) => a - b);
}

/** A double as answers show it. */
export function double(x: number): string {
  return Number.isFinite(x) ? formatDouble(x) : `"${x}"`;
}

/** Text by its bytes, numbers by their size. */
export function compareTerms(a: string | number, b: string | number): number {
  if (typeof a === 'number') return a - (b as number);
  return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
}

/** A count, and what was folded in. */
export class Sums {
  count = 0;
  readonly values: number[] = [];

  get total(): number {
    return this.values.reduce((sum, value) => sum + value, 0);
  }
  get min(): string {
    return double(Math.min(...this.values));
  }
  get max(): string {
    return double(Math.max(...this.values));
  }
  mean(ofNothing: number): string {
    return double(this.values.length === 0 ? ofNothing : this.total / this.values.length);
  }
}

/** Sums by key. */
export class Buckets<K> {
  readonly map = new Map<K, Sums>();

  at(key: K): Sums {
    let sums = this.map.get(key);
    if (sums === undefined) this.map.set(key, (sums = new Sums()));
    return sums;
  }
}

/** A facet, and the text of its answer as counting thing by thing has it. */
export interface Asked {
  /** The definition without its frame. @param path what stands before the names of fields */
  readonly request: (path: string) => Readonly<Record<string, object>>;
  readonly answer: (things: readonly Thing[]) => string;
}

/** Where numbers come from: a field, or a script that gives one for every thing. */
export interface NumberSource {
  readonly field: NumberName | null;
  readonly members: (path: string) => object;
  readonly of: (thing: Thing) => readonly number[];
}

/** The numbers of a field. */
function fieldSource(field: NumberName): NumberSource {
  return {
    field,
    members: (path) => ({ value_field: path + field }),
    of: (thing) => numbersOf(thing, field),
  };
}

/** `k` times the smallest number of a field and one more. */
function scriptSource(random: Random): NumberSource {
  const { text, of } = script(random, 'k');
  const k = random.between(-3, 3);
  return {
    field: null,
    members: (path) => ({ value_script: text(path), params: { k } }),
    of: (thing) => [of(thing, k)],
  };
}

/** A script of one factor, as text and as what it gives. */
export function script(random: Random, factor: string) {
  const field = random.pick(['one', 'n', 'half'] as const);
  return {
    text: (path: string) => `doc['${path}${field}'].value * ${factor} + 1`,
    of: (thing: Thing, by: number) => (numbersOf(thing, field)[0] ?? 0) * by + 1,
  };
}

/** A field or a script. */
export function anySource(random: Random): NumberSource {
  return random.chance(0.3) ? scriptSource(random) : fieldSource(random.pick(NUMBERS));
}

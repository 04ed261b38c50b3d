// Facets through the whole engine against counting by brute force over the source documents: random
// sequences of writes, updates, deletions, refreshes and merges on several shards, with nested objects,
// so that counts come from many segments, with and without deleted documents.

import type { Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, toSegments, searchFor } from '../support/engine';
import { Random, rounds, testSeed } from '../support/random';
import { TEST_WORKERS } from '../support/workers';

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const KIDS = { tag: KEYWORD, n: { type: 'integer' } };
const MAPPING = {
  properties: {
    tag: KEYWORD,
    one: KEYWORD,
    words: { type: 'string' },
    long: { type: 'long' },
    half: { type: 'double' },
    rank: { type: 'integer' },
    kids: { type: 'nested', properties: { ...KIDS, parts: { type: 'nested', properties: KIDS } } },
  },
};

interface Thing {
  readonly tag: readonly string[];
  readonly one?: string;
  readonly words?: string;
  readonly long?: readonly bigint[];
  readonly half?: readonly number[];
  readonly rank?: number;
  readonly n?: readonly number[];
  readonly kids?: readonly Thing[];
  readonly parts?: readonly Thing[];
}

type Term = string | bigint | number;

const LONGS = [0n, -1n, 7n, 9007199254740992n, 9007199254740993n, -9223372036854775808n];
const WORDS = ['fox', 'dog', 'cat', 'the', 'é'];
const NAMES = ['', 'Z', 'a', 'é', '\uffe6', '😀', '__proto__', 'constructor'];
const ORDERS = ['count', 'reverse_count', 'term', 'reverse_term'] as const;

interface Field {
  readonly name: string;
  readonly nested: 'kids' | 'kids.parts' | null;
  readonly of: (thing: Thing) => readonly Term[];
}

const FIELDS: readonly Field[] = [
  { name: 'tag', nested: null, of: (thing) => thing.tag },
  { name: 'words', nested: null, of: (thing) => (thing.words ?? '').split(' ').filter(Boolean) },
  { name: 'long', nested: null, of: (thing) => thing.long ?? [] },
  { name: 'half', nested: null, of: (thing) => thing.half ?? [] },
  { name: 'one', nested: null, of: (thing) => (thing.one === undefined ? [] : [thing.one]) },
  {
    name: 'rank',
    nested: null,
    of: (thing) => (thing.rank === undefined ? [] : [BigInt(thing.rank)]),
  },
  { name: 'kids.tag', nested: 'kids', of: (thing) => thing.tag },
  { name: 'kids.n', nested: 'kids', of: (thing) => (thing.n ?? []).map(BigInt) },
  { name: 'kids.parts.tag', nested: 'kids.parts', of: (thing) => thing.tag },
  { name: 'kids.parts.n', nested: 'kids.parts', of: (thing) => (thing.n ?? []).map(BigInt) },
  // Not on this level: missing everywhere.
  { name: 'tag', nested: 'kids', of: () => [] },
];

function some<T>(random: Random, items: readonly T[], most: number): T[] {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(items));
}

function nestedThings(random: Random, below: (random: Random) => Partial<Thing>): Thing[] {
  return Array.from({ length: random.below(3) }, () => ({
    tag: some(random, NAMES, 2),
    n: some(random, [1, 2, 3], 2),
    ...below(random),
  }));
}

/** `spread`: how many different tags there are besides the odd ones. */
function makeThing(random: Random, spread: number): Thing {
  const tags = some(random, NAMES, 2);
  // Skewed, so that some are frequent; and many to a document where there are many.
  for (let i = random.below(3 + spread / 100); i > 0; i--) {
    tags.push(`t${Math.floor(spread * random.next() ** 3)}`);
  }
  return {
    tag: tags,
    ...(random.chance(0.9) ? { one: `o${random.below(spread)}` } : {}),
    ...(random.chance(0.7) ? { words: some(random, WORDS, 4).join(' ') } : {}),
    ...(random.chance(0.7) ? { long: some(random, LONGS, 2) } : {}),
    ...(random.chance(0.7) ? { half: some(random, [0.5, -1.5, 2, 1024.25], 2) } : {}),
    ...(random.chance(0.9) ? { rank: random.below(100) } : {}),
    kids: nestedThings(random, (deeper) => ({ parts: nestedThings(deeper, () => ({})) })),
  };
}

function json(thing: Thing): string {
  return JSON.stringify(thing, (_key, value: unknown) =>
    typeof value === 'bigint' ? `#${value}#` : value,
  ).replace(/"#(-?\d+)#"/g, '$1');
}

function inScope(things: readonly Thing[], nested: Field['nested']): readonly Thing[] {
  if (nested === null) return things;
  const kids = things.flatMap((thing) => thing.kids ?? []);
  return nested === 'kids' ? kids : kids.flatMap((kid) => kid.parts ?? []);
}

function compare(a: Term, b: Term): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a < (b as typeof a) ? -1 : a > (b as typeof a) ? 1 : 0;
}

function shownDouble(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function shown(term: Term): string {
  if (typeof term === 'string') return JSON.stringify(term);
  return typeof term === 'bigint' ? String(term) : shownDouble(term);
}

interface Asked {
  readonly order: (typeof ORDERS)[number];
  readonly size: number;
  readonly exclude: readonly Term[];
}

/** The terms facet as text, counted document by document. */
function terms(things: readonly Thing[], field: Field, asked: Asked): string {
  const counts = new Map<Term, number>();
  let missing = 0;
  let total = 0;
  for (const thing of things) {
    const distinct = new Set(field.of(thing));
    if (distinct.size === 0) missing++;
    total += distinct.size;
    for (const term of distinct) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  for (const term of asked.exclude) counts.delete(term);
  const entries = [...counts];
  const sign = asked.order === 'count' || asked.order === 'reverse_term' ? -1 : 1;
  const byCount = asked.order === 'count' || asked.order === 'reverse_count';
  entries.sort((a, b) => sign * ((byCount ? a[1] - b[1] : 0) || compare(a[0], b[0])));
  const first = entries.slice(0, asked.size);
  const other = first.reduce((left, [, count]) => left - count, total);
  const list = first.map(([term, count]) => `{"term":${shown(term)},"count":${count}}`);
  return `{"_type":"terms","missing":${missing},"total":${total},"other":${other},"terms":[${list.join(',')}]}`;
}

/** Count, total, min and max of a statistical facet as text; all sums here are exact. */
function statistics(things: readonly Thing[], field: Field): string {
  const values = things.flatMap((thing) => [...new Set(field.of(thing))].map(Number));
  const total = values.reduce((sum, value) => sum + value, 0);
  const least = values.length === 0 ? '"Infinity"' : shownDouble(Math.min(...values));
  const most = values.length === 0 ? '"-Infinity"' : shownDouble(Math.max(...values));
  return `"count":${values.length},"total":${shownDouble(total)},"min":${least},"max":${most},`;
}

class Sequence {
  private readonly written = new Map<string, Thing>();
  private visible: readonly Thing[] = [];
  private nextId = 0;
  checks = 0;

  constructor(
    private readonly engine: Engine,
    private readonly random: Random,
    private readonly spread: number,
  ) {}

  async step(): Promise<void> {
    const { engine, random } = this;
    const dice = random.next();
    if (dice < 0.5) await this.write();
    else if (dice < 0.92) await this.refresh();
    else if (dice < 0.96)
      await engine.maintenance.optimize([], OPEN_INDICES, toSegments(random.between(1, 3)));
    else await this.deleteMany();
    // Optimizing refreshes, too.
    if (dice >= 0.92 && dice < 0.96) this.look();
    if (dice >= 0.5) await this.check();
  }

  private look(): void {
    this.visible = [...this.written.values()];
  }

  private async refresh(): Promise<void> {
    await this.engine.maintenance.refresh([], OPEN_INDICES);
    this.look();
  }

  /** A bulk of new and replaced documents, some of them written twice or deleted again at once. */
  private async write(): Promise<void> {
    const { random } = this;
    const actions = [];
    for (let i = random.between(1, 80); i > 0; i--) {
      const isNew = this.nextId === 0 || random.chance(0.7);
      const id = String(isNew ? this.nextId++ : random.below(this.nextId));
      if (random.chance(0.1)) {
        this.written.delete(id);
        actions.push(deletion(id));
        continue;
      }
      const thing = makeThing(random, this.spread);
      this.written.set(id, thing);
      actions.push({ kind: 'index', request: indexRequest('i', 'doc', id, json(thing)) } as const);
    }
    await this.engine.bulk(actions, false);
  }

  private async deleteMany(): Promise<void> {
    const share = this.random.next();
    const ids = [...this.written.keys()].filter(() => this.random.chance(share));
    for (const id of ids) this.written.delete(id);
    await this.engine.bulk(ids.map(deletion), true);
    // A bulk refreshes the shards that it writes to.
    await this.refresh();
  }

  async check(): Promise<void> {
    const { random } = this;
    const facets: Record<string, object> = {};
    const expected: string[] = [];
    const floor = random.pick([-1, 30, 98]);
    const isGlobal = random.chance(0.3);
    const matching = this.visible.filter((thing) => (thing.rank ?? -1) >= floor || floor < 0);
    for (const [i, field] of FIELDS.entries()) {
      const scope = inScope(isGlobal ? this.visible : matching, field.nested);
      const frame = {
        global: isGlobal,
        ...(field.nested === null ? {} : { nested: field.nested }),
      };
      const exclude = random.chance(0.2) && field.name.endsWith('tag') ? ['a', 't1', 'none'] : [];
      const asked = {
        order: random.pick(ORDERS),
        size: random.pick([0, 1, 3, 10, 100, 5000]),
        exclude,
      };
      facets[`t${i}`] = { terms: { field: field.name, ...asked }, ...frame };
      expected.push(terms(scope, field, asked));
      if (/n$|half|rank/.test(field.name)) {
        facets[`s${i}`] = { statistical: { field: field.name }, ...frame };
        expected.push(statistics(scope, field));
      }
    }
    const query = floor < 0 ? { match_all: {} } : { range: { rank: { gte: floor } } };
    const found = await searchFor(this.engine, 'i', { size: 0, query, facets });
    expect(found.total).toBe(matching.length);
    const texts = [...(found.facets as ReadonlyMap<string, never>).values()].map(writeJson);
    texts.forEach((text, i) => {
      if (text.startsWith('{"_type":"terms"')) expect(text).toBe(expected[i]);
      else expect(text).toContain(expected[i]);
    });
    this.checks++;
  }
}

function deletion(id: string) {
  const request = { ...indexRequest('i', 'doc', id, {}), id };
  return { kind: 'delete', request } as const;
}

const STEPS = rounds(36, 120);

test.each(
  [
    [1, 3, 4],
    [2, 1, 40],
    [3, 1, 5000],
    [4, 2, 5000],
  ].slice(TEST_WORKERS === 0 ? 0 : 3),
)('facets count exactly (sequence %i, %i shards, %i tags)', async (number, shards, spread) => {
  const seed = testSeed(number);
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open();
    const settings = { number_of_shards: shards, refresh_interval: '-1' };
    const body = JSON.stringify({ settings, mappings: { doc: MAPPING } });
    await engine.admin.createIndex('i', parseJsonObject(body));
    const sequence = new Sequence(engine, new Random(seed), spread);
    for (let step = 0; step < STEPS; step++) await sequence.step();
    await folder.restart();
    expect(sequence.checks).toBeGreaterThan(STEPS / 6);
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  } finally {
    await folder.remove();
  }
});

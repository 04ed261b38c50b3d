// Random scripts of the language of requests, for documents of a mapping of their own.

import type { Random } from '../support/random';

/** A mapping with a field of each kind that scripts read. */
export const SCRIPT_MAPPING = {
  properties: {
    tag: { type: 'string', index: 'not_analyzed' },
    text: { type: 'string' },
    n: { type: 'integer' },
    long: { type: 'long' },
    half: { type: 'double' },
    flag: { type: 'boolean' },
    when: { type: 'date' },
    place: { type: 'geo_point' },
    kids: { type: 'nested', properties: { m: { type: 'integer' } } },
  },
};

/** Parameters that scripts name. */
export const SCRIPT_PARAMS = { p: 3, q: 2.5, big: 4_294_967_296, word: 'b', list: [1, 2, 'b'] };

/** A document of the mapping; some have several values, some none. */
export function scriptedDocument(random: Random): object {
  const some = <T>(make: () => T): T | undefined => (random.chance(0.8) ? make() : undefined);
  return {
    tag: some(() => Array.from({ length: 1 + random.below(3) }, () => random.pick(TEXTS))),
    text: some(() => `${random.pick(TEXTS)} ${random.pick(TEXTS)}`),
    n: some(() => [random.below(9) - 4, random.below(9)]),
    long: some(() => random.below(2 ** 30) * random.pick([1, 3_000_000, -5])),
    half: some(() => random.below(200) / 8 - 5),
    flag: some(() => random.chance(0.5)),
    when: some(
      () =>
        `201${random.below(10)}-0${1 + random.below(9)}-1${random.below(10)}T0${random.below(10)}:11:12`,
    ),
    place: some(() => ({ lat: random.below(1600) / 10 - 80, lon: random.below(3500) / 10 - 175 })),
    kids: some(() => Array.from({ length: random.below(3) }, () => ({ m: random.below(10) }))),
  };
}

const TEXTS = ['a', 'b', 'ab', 'Zed', 'é😀', '42', ''];

const NUMBERS = [
  '0',
  '1',
  '2',
  '7',
  '3L',
  '1.5',
  '0.25d',
  '-4',
  '1.5f',
  '2147483647',
  'p',
  'q',
  'big',
  "doc['n'].value",
  'doc.long.value',
  "doc['half'].value",
  "doc['n'].values.size()",
  "doc['when'].value",
  "doc['when'].date.hourOfDay",
  "doc['when'].date.dayOfWeek",
  "doc['when'].date.weekOfWeekyear",
  "doc['when'].date.getYear()",
  "doc['place'].empty ? 0 : doc['place'].lat",
  "doc['place'].arcDistanceInKmWithDefault(10, 20, 5)",
  'Math.PI',
  '_score',
] as const;

const WORDS = [
  "'a'",
  '"b$p"',
  'word',
  "doc['tag'].value",
  "doc['text'].value",
  "doc['flag'].value",
  "(doc['tag'].value ?: 'none')",
  '"${doc[\'n\'].value}-x"',
] as const;

const LISTS = ["[1, 2L, 'b']", "doc['tag'].values", "doc['n'].values", 'list', '(1..4)'] as const;

/** A number, or rarely something else. */
export function randomNumber(random: Random, depth: number): string {
  const own = (): string =>
    random.chance(0.04) ? randomText(random, 0) : randomNumber(random, depth - 1);
  if (depth <= 0) return `(${random.pick(NUMBERS)})`;
  const kind = random.below(10);
  if (kind < 4) return `(${own()} ${random.pick(['+', '-', '*', '/', '%', '<=>'])} ${own()})`;
  if (kind < 5) return `(${randomTruth(random, depth - 1)} ? ${own()} : ${own()})`;
  if (kind < 6) return `Math.${random.pick(['abs', 'floor', 'round', 'sqrt', 'signum'])}(${own()})`;
  if (kind < 7) return `${random.pick(['max', 'min', 'Math.max'])}(${own()}, ${own()})`;
  if (kind < 8) return `(${random.pick(['int', 'long', 'double', 'float'])}) ${own()}`;
  if (kind < 9) return `(${own()} ${random.pick(['&', '|', '**', '<<'])} ${random.below(5)})`;
  return `(-${own()})`;
}

/** A text. */
export function randomText(random: Random, depth: number): string {
  if (depth <= 0) return random.pick(WORDS);
  const own = (): string => randomText(random, depth - 1);
  const kind = random.below(5);
  if (kind === 0) return `(${own()} + ${randomNumber(random, depth - 1)})`;
  if (kind === 1) return `(${own()} + ${own()})`;
  if (kind === 2) return `${random.pick(LISTS)}.join('-')`;
  if (kind === 3) return `(${randomTruth(random, depth - 1)} ? ${own()} : ${own()})`;
  return `('' + ${random.pick(LISTS)})`;
}

/** A condition, or something that may stand as one. */
export function randomTruth(random: Random, depth: number): string {
  const kind = random.below(8);
  const number = (): string => randomNumber(random, depth - 1);
  if (kind === 0) return `(${number()} ${random.pick(['<', '<=', '>', '>='])} ${number()})`;
  if (kind === 1) return `(${number()} ${random.pick(['==', '!='])} ${number()})`;
  if (kind === 2)
    return `(${random.pick(WORDS)} ${random.pick(['==', '<', '!='])} ${random.pick(WORDS)})`;
  if (kind === 3) return `!${randomTruth(random, depth - 1)}`;
  if (kind === 4) {
    return `(${randomTruth(random, 0)} ${random.pick(['&&', '||'])} ${randomTruth(random, 0)})`;
  }
  if (kind === 5) return `(${random.pick(['1', '2L', "'b'", 'p'])} in ${random.pick(LISTS)})`;
  if (kind === 6)
    return random.pick(["doc['tag'].empty", "doc['n'].isEmpty()", "doc['half'].values"]);
  return `${random.pick(LISTS)}.contains(${random.pick(["'b'", '1', 'word'])})`;
}

/** Statements around an expression of these. */
export function randomScript(random: Random, make: () => string): string {
  switch (random.below(7)) {
    case 0:
      return `def x = ${make()}; x`;
    case 1:
      return `y = ${randomNumber(random, 1)}; if (${randomTruth(random, 1)}) { y = ${make()} } return y`;
    case 2:
      return `def s = 0; for (v in ${random.pick(LISTS)}) { if (s > 3) { break }; s += ${make()} }; s`;
    case 3:
      return `int s = 0; for (int i = 0; i < ${random.below(6)}; i++) { s += ${make()} }; return s`;
    case 4:
      return `if (${randomTruth(random, 1)}) { return ${make()} } else { ${make()} }`;
    default:
      return make();
  }
}

/** A formula of the language `expression`. */
export function randomFormula(random: Random, depth: number): string {
  const own = (): string => randomFormula(random, depth - 1);
  if (depth <= 0) {
    return random.pick(['1', '2.5', 'p', "doc['n'].value", "doc['half'].value", '_score']);
  }
  const kind = random.below(6);
  if (kind < 3)
    return `(${own()} ${random.pick(['+', '-', '*', '/', '%', '<', '==', '&', '>>>'])} ${own()})`;
  if (kind === 3) return `(${own()} ${random.pick(['&&', '||'])} ${own()} ? ${own()} : ${own()})`;
  if (kind === 4)
    return `${random.pick(['abs', 'sqrt', 'ln', 'floor', 'sinh', 'atanh'])}(${own()})`;
  return `${random.pick(['max', 'min', 'pow', 'atan2', 'logn'])}(${own()}, ${own()})`;
}

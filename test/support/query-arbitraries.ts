// Random documents (two levels of nested objects) and random query trees on them.

import fc from 'fast-check';
import type { PhraseSlot, Query, Rewrite } from '../../engine/query/ast/query';
import { FIELDS, type TestObject } from './query-segments';
import { spansOfField } from './span-arbitraries';

const TERMS = ['a', 'b', 'ab', 'ba', 'abc', 'abd', 'zz'];
const KEYS = ['x', 'xy', 'xyz', 'y', 'yx'];

const text = fc
  .array(fc.constantFrom(...TERMS, '_', 'a', 'b'), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(' ').replace(/( _)+$/, ''));
const few = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(values, { maxLength: 2 });
/** Or null. */
const open = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(values, { nil: null });
const int = fc.integer({ min: -3, max: 6 });
const long = fc.oneof(fc.bigInt({ min: -2n, max: 4n }), fc.constantFrom(2n ** 60n, -(2n ** 62n)));
const double = fc.constantFrom(-1.5, 0, 0.25, 1e300);

const inner = fc.record({ values: fc.record({ r: few(text) }) });
const middle = fc.record({
  values: fc.record({ a: few(text), m: few(int) }),
  nested: fc.array(inner, { maxLength: 2 }),
});
/** A root document. */
export const document = fc.record({
  values: fc.record({
    _type: fc.constantFrom(['p'], ['q']),
    t: few(text),
    u: few(text),
    k: few(fc.constantFrom(...KEYS)),
    n: few(int),
    l: few(long),
    d: few(double),
  }),
  nested: fc.oneof(fc.constant([]), fc.array(middle, { maxLength: 2 })),
});

/** Without empty lists, and with an id for each root. */
export function cleaned(object: TestObject, uid?: string): TestObject {
  const values = Object.fromEntries(
    Object.entries(object.values).filter(([, list]) => list.length > 0),
  );
  return {
    values: uid === undefined ? values : { ...values, _uid: [uid] },
    nested: (object.nested ?? []).map((each) => cleaned(each)),
  };
}

const boost = fc.constantFrom(1, 1, 2, 0.5, 3.3);
const rewrite: fc.Arbitrary<Rewrite> = fc.oneof(
  fc.constant<Rewrite>({ method: 'constant' }),
  fc.constant<Rewrite>({ method: 'scoringBoolean', limit: 1024 }),
  fc.record({
    method: fc.constant('topTerms' as const),
    size: fc.integer({ min: 1, max: 3 }),
    boost: fc.boolean(),
  }),
);

interface Level {
  readonly texts: readonly number[];
  readonly nested: {
    readonly path: string;
    readonly parentPath: string | null;
    readonly level: Level;
  }[];
}
const INNER: Level = { texts: [FIELDS.r.id], nested: [] };
const MIDDLE: Level = {
  texts: [FIELDS.a.id],
  nested: [{ path: 'c.r', parentPath: 'c', level: INNER }],
};
/** Where queries of root documents start. */
export const ROOT: Level = {
  texts: [FIELDS.t.id, FIELDS.u.id, FIELDS.k.id],
  nested: [
    { path: 'c', parentPath: null, level: MIDDLE },
    { path: 'c.r', parentPath: null, level: INNER },
  ],
};

const term = fc.constantFrom(...TERMS, ...KEYS, 'absent');
const distinct = (count: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom('a', 'b', 'ab', 'ba'), { minLength: count, maxLength: count });

/** Slots at ascending positions. Sloppy phrases have distinct single terms: all the model knows. */
const phrase: fc.Arbitrary<{ slots: PhraseSlot[]; slop: number }> = fc.oneof(
  fc.record({
    slots: fc
      .array(
        fc.tuple(
          fc.uniqueArray(term, { minLength: 1, maxLength: 2 }),
          fc.integer({ min: 1, max: 2 }),
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((slots) => {
        let position = 0;
        // The first is beyond 0 where words were left out before it.
        return slots.map(([terms, step], i) => ({
          terms,
          position: (position += i === 0 ? step - 1 : step),
        }));
      }),
    slop: fc.constant(0),
  }),
  fc.record({
    slots: fc
      .integer({ min: 2, max: 3 })
      .chain(distinct)
      .map((terms) => terms.map((each, position) => ({ terms: [each], position }))),
    slop: fc.integer({ min: 1, max: 4 }),
  }),
);

function leaf(level: Level): fc.Arbitrary<Query> {
  const field = fc.constantFrom(...level.texts);
  const positional = fc.constantFrom(
    ...level.texts.filter((id) => id !== FIELDS.u.id && id !== FIELDS.k.id),
  );
  const leaves: fc.Arbitrary<Query>[] = [
    fc.record({ kind: fc.constant('term' as const), field, term, boost, scored: fc.boolean() }),
    fc.record({
      kind: fc.constant('term' as const),
      field,
      term,
      boost,
      scored: fc.constant(true),
    }),
    fc.record({ kind: fc.constant('matchAll' as const), boost }),
    fc.constant<Query>({ kind: 'matchNone' }),
    fc.record({
      kind: fc.constant('termSet' as const),
      field,
      terms: fc.uniqueArray(term, { maxLength: 4 }).map((terms) => terms.sort()),
      boost,
    }),
    fc.record({
      kind: fc.constant('stringRange' as const),
      field,
      from: open(term),
      to: open(term),
      includeFrom: fc.boolean(),
      includeTo: fc.boolean(),
      boost,
    }),
    fc.record({
      kind: fc.constant('prefix' as const),
      field,
      prefix: fc.constantFrom('', 'a', 'ab', 'x', 'q'),
      boost,
      rewrite,
    }),
    fc.record({
      kind: fc.constant('wildcard' as const),
      field,
      pattern: fc.constantFrom('*', 'a*', '?b', '*b?', 'ab', 'x?*', '*z*'),
      boost,
      rewrite,
    }),
    fc.record({
      kind: fc.constant('fuzzy' as const),
      field,
      term: fc.constantFrom('ab', 'abc', 'abcd', 'b', 'xyz'),
      maxEdits: fc.integer({ min: 0, max: 2 }),
      prefixLength: fc.integer({ min: 0, max: 2 }),
      maxExpansions: fc.constantFrom(1, 2, 50),
      transpositions: fc.constant(false),
      boost,
      rewrite: open(rewrite),
    }),
    fc
      .tuple(positional, phrase, boost)
      .map(([id, shape, b]): Query => ({ kind: 'phrase', field: id, ...shape, boost: b })),
    fc
      .tuple(positional, fc.array(term, { maxLength: 2 }), fc.constantFrom('a', 'ab', 'q'), boost)
      .map(([id, terms, prefix, b]): Query => ({
        kind: 'phrasePrefix',
        field: id,
        slots: terms.map((each, position) => ({ terms: [each], position })),
        prefixes: [prefix],
        prefixPosition: terms.length,
        slop: 0,
        maxExpansions: 2,
        boost: b,
      })),
    fc.record({ kind: fc.constant('spans' as const), tree: positional.chain(spansOfField), boost }),
    fc.record({
      kind: fc.constant('exists' as const),
      fields: fc.uniqueArray(fc.constantFrom(...level.texts, FIELDS.n.id, FIELDS.m.id), {
        maxLength: 2,
      }),
      boost,
    }),
    fc.record({
      kind: fc.constant('numericRange' as const),
      field: fc.constantFrom(FIELDS.n.id, FIELDS.m.id),
      from: open(int),
      to: open(int),
      boost,
    }),
    fc.record({
      kind: fc.constant('numericRange' as const),
      field: fc.constant(FIELDS.l.id),
      from: open(long),
      to: open(long),
      boost,
    }),
    fc.record({
      kind: fc.constant('numericRange' as const),
      field: fc.constant(FIELDS.d.id),
      from: open(double),
      to: open(double),
      boost,
    }),
    fc.record({
      kind: fc.constant('numberSet' as const),
      field: fc.constant(FIELDS.n.id),
      values: fc.uniqueArray(int, { maxLength: 3 }),
      boost,
    }),
    fc.record({
      kind: fc.constant('numberSet' as const),
      field: fc.constant(FIELDS.l.id),
      values: fc.uniqueArray(long, { maxLength: 3 }),
      boost,
    }),
    fc.record({
      kind: fc.constant('types' as const),
      types: fc.constantFrom(['p'], ['p', 'q'], ['z']),
      boost,
    }),
    fc.record({
      kind: fc.constant('uids' as const),
      uids: fc.uniqueArray(fc.constantFrom('p#0', 'p#1', 'p#2', 'p#9'), { maxLength: 3 }),
      boost,
    }),
  ];
  return fc.oneof(...leaves);
}

/** Query trees of some depth. */
export function tree(level: Level, depth: number): fc.Arbitrary<Query> {
  if (depth === 0) return leaf(level);
  const child = tree(level, depth - 1);
  const clauses = (max: number): fc.Arbitrary<Query[]> => fc.array(child, { maxLength: max });
  const choices: { weight: number; arbitrary: fc.Arbitrary<Query> }[] = [
    { weight: 2, arbitrary: leaf(level) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('bool' as const),
        must: clauses(2),
        should: clauses(4),
        mustNot: fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: clauses(1) },
        ),
        minimumShouldMatch: fc.constantFrom(0, 0, 0, 1, 2),
        disableCoord: fc.boolean(),
        boost,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('bool' as const),
        must: fc.constant([]),
        should: fc.array(leaf(level), { minLength: 7, maxLength: 12 }),
        mustNot: fc.constant([]),
        minimumShouldMatch: fc.constantFrom(0, 1, 2, 3),
        disableCoord: fc.boolean(),
        boost,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('disMax' as const),
        queries: fc.array(child, { minLength: 1, maxLength: 3 }),
        tieBreaker: fc.constantFrom(0, 0.3, 1),
        boost,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('constantScore' as const), query: child, boost }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('filtered' as const),
        query: child,
        filter: child,
        boost,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('boosting' as const),
        positive: child,
        negative: child,
        negativeBoost: fc.constantFrom(0.2, 1, 2),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('named' as const),
        name: fc.constant('x'),
        query: child,
      }),
    },
  ];
  for (const { path, parentPath, level: below } of level.nested) {
    choices.push({
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('nested' as const),
        path: fc.constant(path),
        parentPath: fc.constant(parentPath),
        query: tree(below, depth - 1),
        scoreMode: fc.constantFrom('avg' as const, 'max' as const, 'sum' as const, 'none' as const),
        boost,
      }),
    });
  }
  return fc.oneof(...choices);
}

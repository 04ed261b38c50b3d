// What running a query does beyond scores: expansion limits, names, keys, limits, errors.

import { EngineError } from '../../../../engine/errors';
import { canonicalKey } from '../../../../engine/query/ast/canonical';
import { createWeight } from '../../../../engine/query/weights/create-weight';
import { matchedNames } from '../../../../engine/query/named';
import { MATCH_ALL, type Query } from '../../../../engine/query/ast/query';
import { prepareQuery } from '../../../../engine/query/statistics';
import { Bitset } from '../../../../engine/segment/contract/bitset';
import { FIELDS, segmentOf, withLiveDocs } from '../../../support/query-segments';
import { bool, docs, members, T, term } from '../../../support/query-builders';

function errorOf(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('expansion', () => {
  const words = Array.from({ length: 1030 }, (_, i) => `w${String(i).padStart(4, '0')}`);
  const wide = segmentOf([{ values: { t: [words.join(' ')] } }]);

  test('a scoring rewrite over more than 1,024 terms is an error', () => {
    const query: Query = {
      kind: 'prefix',
      field: T,
      prefix: 'w',
      boost: 1,
      rewrite: { method: 'scoringBoolean', limit: 1024 },
    };
    const error = errorOf(() => prepareQuery(query, [wide]));
    expect(error.toWireString()).toBe('TooManyClauses[maxClauseCount is set to 1024]');
    expect(error.status).toBe(500);
    const narrower = prepareQuery({ ...query, prefix: 'w00' }, [wide]).query;
    expect(narrower).toMatchObject({ kind: 'bool', disableCoord: true });
  });

  test('top terms of a prefix are its first terms; filters are expanded as well', () => {
    const prefix: Query = {
      kind: 'prefix',
      field: T,
      prefix: 'w',
      boost: 2,
      rewrite: { method: 'topTerms', size: 2, boost: true },
    };
    const { query, statistics } = prepareQuery({ kind: 'constantScore', query: prefix, boost: 1 }, [
      wide,
    ]);
    expect(query).toMatchObject({
      query: {
        should: [
          { term: 'w0000', scored: false, boost: 2 },
          { term: 'w0001', scored: false, boost: 2 },
        ],
      },
    });
    expect(statistics.docFreqs.size).toBe(0);
  });

  test('a phrase prefix takes the first terms of all segments together', () => {
    const readers = [
      segmentOf([{ values: { t: ['a bb a bd'] } }]),
      segmentOf([{ values: { t: ['a ba a bc'] } }]),
    ];
    const { query } = prepareQuery(
      {
        kind: 'phrasePrefix',
        field: T,
        slots: [{ terms: ['a'], position: 0 }],
        prefixes: ['b'],
        prefixPosition: 1,
        slop: 0,
        maxExpansions: 3,
        boost: 1,
      },
      readers,
    );
    expect(query).toMatchObject({ kind: 'phrase', slots: [{}, { terms: ['ba', 'bb', 'bc'] }] });
  });
});

describe('phrases', () => {
  const reader = segmentOf([{ values: { u: ['x y'], k: ['x'] } }]);

  test.each([FIELDS.u, FIELDS.k])('need positions: $name', (field) => {
    const slots = ['x', 'y'].map((text, position) => ({ terms: [text], position }));
    const query: Query = { kind: 'phrase', field: field.id, slots, slop: 0, boost: 1 };
    const error = errorOf(() => docs(query, reader));
    expect(error.toWireString()).toBe(
      `IllegalStateException[field "${field.name}" was indexed without position data; cannot run PhraseQuery (term=x)]`,
    );
    expect(error.status).toBe(500);
  });

  test('with a first term that does not occur match nothing, positions or not', () => {
    const slots = ['absent', 'x'].map((text, position) => ({ terms: [text], position }));
    expect(docs({ kind: 'phrase', field: FIELDS.u.id, slots, slop: 0, boost: 1 }, reader)).toEqual(
      [],
    );
  });

  test('see holes that removed words left', () => {
    const texts = segmentOf([
      { values: { t: ['king _ _ hill'] } },
      { values: { t: ['king hill'] } },
    ]);
    const phrase = (distance: number, slop: number): Query => ({
      kind: 'phrase',
      field: T,
      slots: [
        { terms: ['king'], position: 0 },
        { terms: ['hill'], position: distance },
      ],
      slop,
      boost: 1,
    });
    expect(docs(phrase(3, 0), texts)).toEqual([0]);
    expect(docs(phrase(1, 0), texts)).toEqual([1]);
    expect(docs(phrase(1, 2), texts)).toEqual([0, 1]);
  });
});

describe('nested documents', () => {
  const reader = segmentOf([
    {
      values: { t: ['root'] },
      nested: [{ values: { a: ['x'], m: [1] } }, { values: { a: ['y'] } }],
    },
    { values: { t: ['root'] } },
    {
      values: { t: ['root'] },
      nested: [{ values: { a: ['y'] }, nested: [{ values: { r: ['z'] } }] }],
    },
  ]);
  const nested = (query: Query, path = 'c', parentPath: string | null = null): Query => ({
    kind: 'nested',
    path,
    parentPath,
    query,
    scoreMode: 'avg',
    boost: 1,
  });
  const roots = (query: Query): number[] =>
    docs(query, reader)
      .filter((doc) => reader.roots!.has(doc))
      .map((doc) => reader.sequenceOf(doc));

  test('take part at their path only', () => {
    expect(roots(nested(MATCH_ALL))).toEqual([1, 3]);
    expect(roots(nested(bool({ must: [MATCH_ALL], mustNot: [term('x', FIELDS.a.id)] })))).toEqual([
      1, 3,
    ]);
    expect(roots(nested(term('root')))).toEqual([]);
    expect(roots(nested(term('z', FIELDS.r.id)))).toEqual([]);
    expect(roots(term('x', FIELDS.a.id))).toEqual([]);
  });

  test('join across levels and to the level above', () => {
    expect(roots(nested(term('z', FIELDS.r.id), 'c.r'))).toEqual([3]);
    expect(roots(nested(nested(term('z', FIELDS.r.id), 'c.r', 'c')))).toEqual([3]);
  });
});

describe('limit', () => {
  const live = new Bitset(3).not();
  live.remove(0);
  const readers = [
    withLiveDocs(
      segmentOf(
        ['a', 'a b', 'b'].map((text) => ({ values: { t: [text] } })),
        1,
      ),
      live,
    ),
    segmentOf(
      ['a', 'b', 'a'].map((text) => ({ values: { t: [text] } })),
      4,
    ),
  ];
  const found = (query: Query): number[] => {
    const prepared = prepareQuery(query, readers);
    const weight = createWeight(prepared.query, prepared.statistics);
    return readers.flatMap((reader) =>
      members(weight.matches(reader))
        .filter((doc) => reader.liveDocs?.has(doc) ?? true)
        .map((doc) => reader.sequenceOf(doc)),
    );
  };

  test('counts live documents of the shard, not of each segment', () => {
    expect(found({ kind: 'limit', count: 3 })).toEqual([2, 3, 4]);
    expect(found({ kind: 'limit', count: 0 })).toEqual([]);
  });

  test('as a filter counts what the query matches', () => {
    const limited = (count: number): Query => ({
      kind: 'filtered',
      query: term('b'),
      filter: { kind: 'limit', count },
      boost: 1,
    });
    expect(found(limited(2))).toEqual([2, 3]);
    expect(found(limited(3))).toEqual([2, 3, 5]);
  });
});

describe('named queries', () => {
  const reader = segmentOf([
    { values: { t: ['a b'], n: [1] }, nested: [{ values: { a: ['x'] } }] },
    { values: { t: ['b'], n: [2] }, nested: [{ values: { a: ['y'] } }] },
  ]);
  const named = (name: string, query: Query): Query => ({ kind: 'named', name, query });
  const namesOf = (query: Query): string[][] => {
    const names = matchedNames(query, [reader]);
    return members(reader.roots).map((doc) => names.namesOf(reader, doc).sort());
  };

  test('are told per document wherever they stand', () => {
    const query = bool({
      must: [named('m', term('b'))],
      should: [named('s', term('a')), named('s', term('zzz'))],
      mustNot: [named('n', term('zzz'))],
    });
    expect(namesOf(named('all', query))).toEqual([
      ['all', 'm', 's'],
      ['all', 'm'],
    ]);
  });

  test('inside nested queries count for the document that holds the objects', () => {
    const query: Query = {
      kind: 'nested',
      path: 'c',
      parentPath: null,
      query: bool({
        should: [named('x', term('x', FIELDS.a.id)), named('y', term('y', FIELDS.a.id))],
      }),
      scoreMode: 'avg',
      boost: 1,
    };
    expect(namesOf(query)).toEqual([['x'], ['y']]);
  });

  test('may be asked in any order', () => {
    const names = matchedNames(named('a', term('a')), [reader]);
    const [first, second] = members(reader.roots) as [number, number];
    expect(names.namesOf(reader, second)).toEqual([]);
    expect(names.namesOf(reader, first)).toEqual(['a']);
    expect(names.namesOf(reader, second)).toEqual([]);
    expect(matchedNames(term('a'), [reader]).isEmpty).toBe(true);
  });
});

describe('canonical keys', () => {
  test('tell trees apart and ignore names and the order of members', () => {
    const range = (from: number | bigint): Query => ({
      kind: 'numericRange',
      field: 44,
      from,
      to: null,
      boost: 1,
    });
    expect(canonicalKey(range(1n))).not.toBe(canonicalKey(range(1)));
    expect(canonicalKey(range(2n ** 60n))).toContain('1152921504606846976n');
    expect(canonicalKey(range(0))).not.toBe(canonicalKey(range(-0)));
    expect(canonicalKey({ kind: 'named', name: 'x', query: term('a') })).toBe(
      canonicalKey(term('a')),
    );
    expect(canonicalKey({ boost: 1, scored: true, term: 'a', field: T, kind: 'term' })).toBe(
      canonicalKey(term('a')),
    );
    expect(canonicalKey(term('a,b'))).not.toBe(canonicalKey(term('a')));
    expect(canonicalKey(bool({ must: [term('a')] }))).not.toBe(
      canonicalKey(bool({ should: [term('a')] })),
    );
  });
});

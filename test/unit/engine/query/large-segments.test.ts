// Queries on a segment of thousands of documents, where other scorers and sets are chosen.

import { bindUnscored } from '../../../../engine/query/weights/create-weight';
import { type Query } from '../../../../engine/query/ast/query';
import { Bitset, NO_MORE_DOCS } from '../../../../engine/segment/contract/bitset';
import { FIELDS, segmentOf, type TestObject } from '../../../support/query-segments';
import { bool, docs, members, term } from '../../../support/query-builders';

describe('large segments', () => {
  const size = 6000;
  const documents: TestObject[] = Array.from({ length: size }, (_, i) => ({
    values: {
      t: [
        `common${i % 3 === 0 ? ' third' : ''}${i % 997 === 0 ? ' rare' : ''}${i % 2 === 0 ? ' even' : ''}`,
      ],
      k: [`key${String(i).padStart(5, '0')}`, ...(i % 5 === 0 ? ['fifth'] : [])],
      n: [i % 100],
      l: [BigInt(i) * 1000n],
      _uid: [`p#${i}`],
    },
  }));
  const reader = segmentOf(documents);
  const expected = (test: (i: number) => boolean): number[] =>
    documents.map((_, i) => i).filter(test);

  const cases: [string, Query, (i: number) => boolean][] = [
    [
      'a broad range',
      { kind: 'numericRange', field: FIELDS.n.id, from: 5, to: 90, boost: 1 },
      (i) => i % 100 >= 5 && i % 100 <= 90,
    ],
    [
      'a narrow range',
      { kind: 'numericRange', field: FIELDS.n.id, from: 7, to: 8, boost: 1 },
      (i) => i % 100 === 7 || i % 100 === 8,
    ],
    [
      'a broad range of longs',
      { kind: 'numericRange', field: FIELDS.l.id, from: 1_000_001n, to: null, boost: 1 },
      (i) => i * 1000 > 1_000_001,
    ],
    [
      'a prefix of thousands of terms',
      {
        kind: 'prefix',
        field: FIELDS.k.id,
        prefix: 'key03',
        boost: 1,
        rewrite: { method: 'constant' },
      },
      (i) => i >= 3000 && i < 4000,
    ],
    [
      'a wildcard',
      {
        kind: 'wildcard',
        field: FIELDS.k.id,
        pattern: 'key*7?1',
        boost: 1,
        rewrite: { method: 'constant' },
      },
      (i) => /7.1$/.test(String(i).padStart(5, '0')),
    ],
    [
      'a regular expression',
      {
        kind: 'regexp',
        field: FIELDS.k.id,
        pattern: 'key0[25]9.{2}|fif.*',
        flags: 0xffff,
        boost: 1,
        rewrite: { method: 'constant' },
      },
      (i) => i % 5 === 0 || (i >= 2900 && i < 3000) || (i >= 5900 && i < 6000),
    ],
    [
      'few ids',
      { kind: 'uids', uids: ['p#17', 'p#5999', 'p#x', 'p#18'], boost: 1 },
      (i) => [17, 18, 5999].includes(i),
    ],
    [
      'many ids and numbers',
      bool({
        must: [
          { kind: 'uids', uids: Array.from({ length: 300 }, (_, i) => `p#${i * 7}`), boost: 1 },
          {
            kind: 'numberSet',
            field: FIELDS.l.id,
            values: Array.from({ length: 200 }, (_, i) => BigInt(i) * 14_000n),
            boost: 1,
          },
        ],
      }),
      (i) => i % 14 === 0 && i < 2100,
    ],
    [
      'a rare term in a common filter',
      { kind: 'filtered', query: term('rare'), filter: term('even'), boost: 1 },
      (i) => i % 1994 === 0,
    ],
    [
      'a common term in a rare filter',
      { kind: 'filtered', query: term('even'), filter: term('rare'), boost: 1 },
      (i) => i % 1994 === 0,
    ],
    [
      'a common term in a common filter',
      { kind: 'filtered', query: term('even'), filter: term('third'), boost: 1 },
      (i) => i % 6 === 0,
    ],
    [
      'required, excluded and optional clauses',
      bool({
        must: [term('common'), term('third')],
        should: [term('rare')],
        mustNot: [term('even')],
      }),
      (i) => i % 3 === 0 && i % 2 === 1,
    ],
    [
      'a rare required clause',
      bool({ must: [term('rare'), term('common'), term('third')] }),
      (i) => i % (997 * 3) === 0,
    ],
  ];

  test.each(cases)('%s', (_name, query, matches) => {
    const wanted = expected(matches);
    expect(docs(query, reader)).toEqual(wanted);
    expect(members(bindUnscored(query).matches(reader))).toEqual(wanted);
    const into = new Bitset(size);
    into.add(1);
    into.or(bindUnscored(query).matches(reader)!);
    const scorer = bindUnscored(query).scorer(reader)!;
    for (let target = 500; target < size; target += 777) {
      const next = wanted.find((doc) => doc >= target) ?? NO_MORE_DOCS;
      if (scorer.doc < target) expect(scorer.advance(target)).toBe(next);
      if (next === NO_MORE_DOCS) break;
    }
  });
});

// The worked example of the reference notes, digit by digit, and the arithmetic under it.

import { createWeight } from '../../../../engine/query/weights/create-weight';
import type { Query } from '../../../../engine/query/ast/query';
import { coord, queryNorm, sloppyFactor } from '../../../../engine/query/scoring/similarity';
import { idf, tf } from '../../../../engine/similarity/index';
import { mergeStatistics, prepareQuery } from '../../../../engine/query/statistics';
import { NO_MORE_DOCS } from '../../../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../../../engine/segment/contract/reader';
import { FIELDS, segmentOf } from '../../../support/query-segments';

const T = FIELDS.t.id;
const TEXTS = [
  'the quick brown fox',
  'quick quick fox jumps over the lazy dog',
  'brown dog',
  'lazy brown dog sleeps all day long in the warm sun',
  'fox',
];
const segment = segmentOf(TEXTS.map((text) => ({ values: { t: [text] } })));

/** The shortest digits that give the same float32. */
function digits(value: number): number {
  for (let precision = 1; precision <= 9; precision++) {
    const rounded = Number(value.toPrecision(precision));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

function scores(query: Query, readers: readonly SegmentReader[] = [segment]): [number, number][] {
  const prepared = prepareQuery(query, readers);
  const weight = createWeight(prepared.query, prepared.statistics);
  const hits: [number, number][] = [];
  for (const reader of readers) {
    const scorer = weight.scorer(reader);
    if (scorer === null) continue;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      hits.push([reader.sequenceOf(doc), digits(scorer.score())]);
    }
  }
  return hits.sort((a, b) => b[1] - a[1]);
}

function term(text: string, boost = 1): Query {
  return { kind: 'term', field: T, term: text, boost, scored: true };
}

function any(...should: Query[]): Query {
  return {
    kind: 'bool',
    must: [],
    should,
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: false,
    boost: 1,
  };
}

describe('scores', () => {
  test('the factors', () => {
    expect(digits(idf(3, 5))).toBe(1.2231436);
    expect(digits(idf(2, 5))).toBe(1.5108256);
    expect(digits(tf(2))).toBe(1.4142135);
    expect(digits(queryNorm(Math.fround(3.7786744)))).toBe(0.5144347);
    expect(queryNorm(0)).toBe(1);
    expect(coord(1, 2)).toBe(0.5);
    expect(coord(1, 1)).toBe(1);
    expect(sloppyFactor(1)).toBe(0.5);
  });

  test('a term', () => {
    expect(scores(term('fox'))).toEqual([
      [5, 1.2231436],
      [1, 0.6115718],
      [2, 0.38223237],
    ]);
  });

  test('a boost on the whole query changes nothing', () => {
    expect(scores(term('fox', 4))).toEqual(scores(term('fox')));
  });

  test('any of two terms', () => {
    expect(scores(any(term('quick'), term('fox')))).toEqual([
      [1, 0.97194064],
      [2, 0.75945926],
      [5, 0.3848178],
    ]);
  });

  test('a phrase', () => {
    const slots = ['quick', 'fox'].map((text, position) => ({ terms: [text], position }));
    expect(scores({ kind: 'phrase', field: T, slots, slop: 0, boost: 1 })).toEqual([
      [2, 0.85436535],
    ]);
  });

  test('a phrase prefix adds the idf of every expansion', () => {
    expect(
      scores({
        kind: 'phrasePrefix',
        field: T,
        slots: [{ terms: ['brown'], position: 0 }],
        prefixes: ['d'],
        prefixPosition: 1,
        slop: 0,
        maxExpansions: 50,
        boost: 1,
      }),
    ).toEqual([
      [3, 2.7266111],
      [4, 1.0906445],
    ]);
  });

  test('not analyzed terms have no norm, and frequencies count once', () => {
    const keys = segmentOf([
      { values: { k: ['a', 'b'] } },
      { values: { k: ['a', 'a', 'a'] } },
      { values: { k: ['c'] } },
    ]);
    const query = any(
      { kind: 'term', field: FIELDS.k.id, term: 'a', boost: 1, scored: true },
      { kind: 'term', field: FIELDS.k.id, term: 'b', boost: 1, scored: true },
    );
    const found = scores(query, [keys]);
    expect(found.map(([id]) => id)).toEqual([1, 2]);
    const qn = queryNorm(Math.fround(idf(2, 3) ** 2 + idf(1, 3) ** 2));
    expect(found[0]![1]).toBeCloseTo(qn * (idf(2, 3) ** 2 + idf(1, 3) ** 2), 5);
    expect(found[1]![1]).toBeCloseTo((qn * idf(2, 3) ** 2) / 2, 5);
  });

  test('constant scores: alone 1, beside a term their boost times the query norm', () => {
    const constant: Query = { kind: 'constantScore', query: term('fox'), boost: 2.5 };
    expect(scores(constant).map(([, score]) => score)).toEqual([1, 1, 1]);
    const sum = scores(any(constant, term('zzz'))).map(([, score]) => score);
    const weight = idf(0, 5);
    expect(sum[0]).toBeCloseTo((2.5 / Math.sqrt(2.5 ** 2 + weight ** 2)) * 0.5, 6);
  });

  test('statistics cover all segments of the shard', () => {
    const halves = [
      segmentOf(
        TEXTS.slice(0, 2).map((text) => ({ values: { t: [text] } })),
        1,
      ),
      segmentOf(
        TEXTS.slice(2).map((text) => ({ values: { t: [text] } })),
        3,
      ),
    ];
    const query = any(term('quick'), term('fox'), term('dog'));
    expect(scores(query, halves)).toEqual(scores(query));
    const { statistics } = prepareQuery(query, halves);
    expect(statistics.maxDoc).toBe(5);
    expect(statistics.docFreqs.get(T)?.get('fox')).toBe(3);
    expect(statistics.fields.get(T)).toEqual({ maxDoc: 5, sumTotalTermFreq: 26 });
  });

  test('merged statistics of shards are their sums, so that sharding does not show', () => {
    const shards = [
      segmentOf(
        TEXTS.slice(0, 2).map((text) => ({ values: { t: [text] } })),
        1,
      ),
      segmentOf(
        TEXTS.slice(2).map((text) => ({ values: { t: [text] } })),
        3,
      ),
    ];
    const query = any(term('quick'), term('fox'));
    const prepared = shards.map((shard) => prepareQuery(query, [shard]));
    const merged = mergeStatistics(prepared.map((each) => each.statistics));
    const hits: [number, number][] = [];
    shards.forEach((shard, i) => {
      const scorer = createWeight(prepared[i]!.query, merged).scorer(shard);
      if (scorer === null) return;
      for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
        hits.push([shard.sequenceOf(doc), digits(scorer.score())]);
      }
    });
    expect(hits.sort((a, b) => b[1] - a[1])).toEqual(scores(query));
  });

  test('blended frequencies hold within a shard and give way to merged statistics', () => {
    const query: Query = {
      kind: 'blended',
      terms: [
        { field: T, term: 'fox', boost: 1 },
        { field: FIELDS.u.id, term: 'fox', boost: 1 },
      ],
      asBool: false,
      tieBreaker: 0,
      boost: 1,
    };
    const shard = segmentOf([
      { values: { t: ['fox'], u: ['dog dog dog'] } },
      { values: { t: ['fox'], u: ['fox'] } },
      { values: { t: ['dog'], u: ['dog'] } },
    ]);
    const { query: expanded, statistics } = prepareQuery(query, [shard]);
    expect(expanded).toMatchObject({
      kind: 'disMax',
      queries: [{ docFreq: 2 }, { docFreq: 3 }],
    });
    const best = (merged: boolean): number => {
      const own = merged
        ? mergeStatistics([statistics, prepareQuery(query, []).statistics])
        : statistics;
      const scorer = createWeight(expanded, own).scorer(shard)!;
      scorer.advance(1);
      return scorer.score();
    };
    expect(best(true)).toBeGreaterThan(best(false));
  });
});

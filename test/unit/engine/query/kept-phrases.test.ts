// The documents of a phrase are kept per segment from its second use on, and tell the same as looking again.

import { createWeight } from '../../../../engine/query/weights/create-weight';
import type { Query } from '../../../../engine/query/ast/query';
import { prepareQuery } from '../../../../engine/query/statistics';
import { Bitset, NO_MORE_DOCS } from '../../../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../../../engine/segment/contract/reader';
import { FIELDS, segmentOf, withLiveDocs } from '../../../support/query-segments';

type Phrase = Extract<Query, { kind: 'phrase' }>;

function segment(): SegmentReader {
  const texts = ['red shirt', 'red shirt', 'shirt red', 'a red big shirt', 'red shirt red', 'blue'];
  return segmentOf(
    Array.from({ length: 300 }, (_, i) => ({ values: { t: [texts[i % texts.length]!] } })),
  );
}

function phrase(words: readonly (readonly string[])[], slop = 0): Phrase {
  const slots = words.map((terms, position) => ({ terms, position }));
  return { kind: 'phrase', field: FIELDS.t.id, slots, slop, boost: 1 };
}

/** Documents and scores by going through them, from each third document and one by one. */
function walked(query: Query, on: SegmentReader): string[] {
  const prepared = prepareQuery(query, [on]);
  const scorer = createWeight(prepared.query, prepared.statistics).scorer(on);
  if (scorer === null) return [];
  const found: string[] = [String(scorer.cost)];
  for (let doc = scorer.nextDoc(), n = 0; doc !== NO_MORE_DOCS; n++) {
    found.push(`${doc} ${scorer.score()}`);
    doc = n % 3 === 0 ? scorer.advance(doc + 7) : scorer.nextDoc();
  }
  return found;
}

function matched(query: Query, on: SegmentReader): number {
  const prepared = prepareQuery(query, [on]);
  return createWeight(prepared.query, prepared.statistics).matches(on)?.count() ?? 0;
}

const PHRASES: readonly [name: string, query: Phrase][] = [
  ['exact', phrase([['red'], ['shirt']])],
  ['with a gap', phrase([['red'], ['shirt']], 1)],
  [
    'with several words at a place',
    phrase([
      ['red', 'big'],
      ['shirt', 'red'],
    ]),
  ],
  ['in a conjunction', phrase([['shirt'], ['red']])],
];

test.each(PHRASES)('%s: kept from the second use on', (_name, query) => {
  const on = segment();
  const put = jest.spyOn(on.cache, 'put');
  const kept = () => put.mock.calls.filter(([, kind]) => kind === 'phrase').length;
  const first = walked(query, on);
  expect(first.length).toBeGreaterThan(10);
  expect(kept()).toBe(0);
  expect(walked(query, on)).toEqual(first);
  expect(kept()).toBe(1);
  expect(walked(query, on)).toEqual(first);
  expect(matched(query, on)).toBe(matched(query, segment()));
  expect(kept()).toBe(1);
});

test('a phrase is another one by its slop, its words and what is a word of its places', () => {
  const on = segment();
  const queries = [
    phrase([['red'], ['shirt']]),
    phrase([['red'], ['shirt']], 1),
    phrase([['shirt'], ['red']]),
    phrase([['red', 'big'], ['shirt']]),
    phrase([['red'], ['shirt'], ['red']]),
  ];
  const first = queries.map((query) => matched(query, segment()));
  expect(first).toEqual([150, 200, 100, 200, 50]);
  for (let use = 1; use <= 3; use++) {
    expect(queries.map((query) => matched(query, on))).toEqual(first);
  }
});

test('what is kept does not depend on deletions', () => {
  const on = segment();
  const query = phrase([['red'], ['shirt']]);
  const all = [matched(query, on), matched(query, on)];
  const live = Bitset.full(300);
  live.remove(0);
  expect(matched(query, withLiveDocs(on, live))).toBe(all[0]);
  expect(all[1]).toBe(all[0]);
});

test('a phrase of which a word is nowhere is not kept', () => {
  const on = segment();
  const put = jest.spyOn(on.cache, 'put');
  const query = phrase([['red'], ['nowhere']]);
  for (let use = 0; use < 3; use++) expect(walked(query, on)).toEqual([]);
  expect(put.mock.calls.filter(([, kind]) => kind === 'phrase')).toEqual([]);
});

// Filters are kept per segment from their second use on, and only those whose answer cannot change.

import { createWeight } from '../../../../engine/query/weights/create-weight';
import type { Query } from '../../../../engine/query/ast/query';
import { prepareQuery } from '../../../../engine/query/statistics';
import { Bitset } from '../../../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../../../engine/segment/contract/reader';
import { FIELDS, segmentOf, withLiveDocs } from '../../../support/query-segments';

const segment = segmentOf(
  Array.from({ length: 200 }, (_, i) => ({ values: { n: [i], k: [`x${i % 7}`] } })),
);

function run(filter: Query, on: SegmentReader): number {
  const query: Query = { kind: 'constantScore', query: filter, boost: 1 };
  const prepared = prepareQuery(query, [on]);
  return createWeight(prepared.query, prepared.statistics).matches(on)?.count() ?? 0;
}

/** What is kept after each of three uses. */
function keptAfter(filter: Query, on = segment): boolean[] {
  const kept: boolean[] = [];
  const put = jest.spyOn(on.cache, 'put');
  const first = run(filter, on);
  kept.push(put.mock.calls.some(([, kind]) => kind === 'filter'));
  for (let use = 2; use <= 3; use++) {
    expect(run(filter, on)).toBe(first);
    kept.push(put.mock.calls.some(([, kind]) => kind === 'filter'));
  }
  expect(put.mock.calls.filter(([, kind]) => kind === 'filter').length).toBeLessThanOrEqual(1);
  put.mockRestore();
  return kept;
}

const range: Query = { kind: 'numericRange', field: FIELDS.n.id, from: 10, to: 49, boost: 1 };

test('a filter is kept when it comes again', () => {
  expect(keptAfter(range)).toEqual([false, true, true]);
  expect(run(range, segment)).toBe(40);
});

test('one without documents is kept as such', () => {
  expect(keptAfter({ ...range, from: 1000, to: 2000 })).toEqual([false, true, true]);
});

test('what depends on deletions is not kept', () => {
  const limit: Query = { kind: 'limit', count: 5 };
  expect(keptAfter(limit)).toEqual([false, false, false]);
  const live = Bitset.full(200);
  live.remove(0);
  expect(run(limit, withLiveDocs(segment, live))).toBe(6);
});

test('what is kept does not depend on deletions', () => {
  const live = Bitset.full(200);
  live.remove(20);
  expect(run(range, withLiveDocs(segment, live))).toBe(40);
});

test('other bounds are another filter', () => {
  expect(run({ ...range, to: 50 }, segment)).toBe(41);
});

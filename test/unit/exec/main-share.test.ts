// When main takes a search of a given size, told from what the estimate and its spare time say.

import type { SearchJob } from '../../../engine/exec/executor';
import { MainSearches, type MainShare } from '../../../engine/exec/main-searches';
import type { SpareTime } from '../../../engine/exec/spare-time';

/** Everything, which is expected to cost as much as reading an eighth of the documents' postings. */
function everything(docCount: number): SearchJob {
  const plan = {
    query: { kind: 'matchAll', boost: 1 },
    postFilter: null,
    sort: null,
    window: 10,
    facets: [],
  };
  const planned = { plan, page: { size: 10 }, fetch: { scriptFields: [] } };
  const shards = [{ view: { segments: [{ docCount }] }, planned }];
  return { shards, globalStatistics: false } as unknown as SearchJob;
}

const SHARE: MainShare = { small: 100, spare: 1000, cacheBytes: 1e6 };

function main(share: MainShare, hasTime: boolean): MainSearches {
  const time = { has: () => hasTime } as SpareTime;
  return new MainSearches(() => [], share, time);
}

test('small searches always run on main, larger ones while it has time', () => {
  for (const hasTime of [true, false]) {
    expect(main(SHARE, hasTime).takes(everything(800))).toBe(true);
    expect(main(SHARE, hasTime).takes(everything(808))).toBe(hasTime);
    expect(main(SHARE, hasTime).takes(everything(8000))).toBe(hasTime);
    expect(main(SHARE, hasTime).takes(everything(8008))).toBe(false);
  }
});

test('a cache too small for the documents keeps larger searches away', () => {
  expect(main({ ...SHARE, cacheBytes: 1e5 }, true).takes(everything(8000))).toBe(false);
  expect(main({ ...SHARE, cacheBytes: 1e5 }, true).takes(everything(800))).toBe(true);
});

test('nothing runs on main where its share is nothing', () => {
  expect(main({ ...SHARE, small: 0, spare: 0 }, true).takes(everything(0))).toBe(false);
});

test('scores by the terms of all shards are left to workers', () => {
  const job = { ...everything(8), globalStatistics: true };
  expect(main(SHARE, true).takes(job)).toBe(false);
});

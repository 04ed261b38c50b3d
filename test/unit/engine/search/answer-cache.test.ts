// Answers that only count come from main when they are asked for again, and only while nothing has changed.

import { ByteCache } from '../../../../engine/common/index';
import type { Engine } from '../../../../engine/index';
import type { SearchJob } from '../../../../engine/search/plan/executor';
import { AnswerCache } from '../../../../engine/search/run/answer-cache';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../../../support/engine';
import { until } from '../../../support/until';
import { TEST_THREADS } from '../../../support/workers';

const DOCS = 100;
const TERMS = { t: { terms: { field: 'tag' } } };

let folder: EngineFolder;
let engine: Engine;

beforeAll(async () => {
  folder = await EngineFolder.create();
  engine = await folder.open({
    changes: { workers: 1 },
    threads: { ...TEST_THREADS, smallSearchPostings: 0 },
  });
  for (let i = 0; i < DOCS; i++) await write(i);
  await refresh();
});
afterAll(() => folder.remove());

const write = (i: number) =>
  engine.index(indexRequest('i', 'doc', String(i), { n: i, tag: `t${i % 7}` }));
const refresh = () => engine.maintenance.refresh([], OPEN_INDICES);

/** The answer, and how many requests the worker got for it. */
async function ask(body: object): Promise<{ answer: object; sent: number }> {
  const completed = async () => (await engine.local.threads()).search[0]!.completed;
  const before = await completed();
  const { total, hits, facets, aggregations } = await searchFor(engine, 'i', body);
  return { answer: { total, hits, facets, aggregations }, sent: (await completed()) - before };
}

/** Asks until the answer is kept. Segments that are merged meanwhile are others. */
async function askUntilKept(body: object): Promise<object> {
  const { answer } = await ask(body);
  await until(async () => {
    const { answer: again, sent } = await ask(body);
    expect(again).toEqual(answer);
    return sent === 0;
  });
  return answer;
}

const COUNTING: Record<string, object> = {
  aggregations: { size: 0, aggs: { ...TERMS, s: { stats: { field: 'n' } } } },
  facets: { size: 0, facets: TERMS, query: { range: { n: { gte: 3 } } } },
  both: { size: 0, facets: TERMS, aggs: TERMS, filter: { term: { tag: 't1' } } },
};

test.each(Object.entries(COUNTING))(
  '%s are answered by main when they come again',
  async (_, body) => {
    const answer = await askUntilKept(body);
    await write(DOCS);
    await refresh();
    const { answer: changed, sent: again } = await ask(body);
    expect(again).toBeGreaterThan(0);
    expect(changed).not.toEqual(answer);
    await askUntilKept(body);
    await engine.delete({ ...indexRequest('i', 'doc', String(DOCS), {}), id: String(DOCS) });
    await refresh();
    expect((await ask(body)).answer).toEqual(answer);
  },
);

const OTHERS: Record<string, object> = {
  'with hits': { size: 1, aggs: TERMS },
  'without counts': { size: 0, query: { match: { tag: 't1' } } },
  'by chance': { size: 0, aggs: { s: { sum: { script: 'Math.random()' } } } },
  'by a script as filter': {
    size: 0,
    query: { filtered: { filter: { script: { script: 'Math.random() < 2' } } } },
    facets: TERMS,
  },
  'a facet by a script': { size: 0, facets: { s: { statistical: { script: '1 + 1' } } } },
  'decided by scores': { size: 0, min_score: 0.1, aggs: TERMS },
};

test.each(Object.entries(OTHERS))('other answers are not kept: %s', async (_, body) => {
  await ask(body);
  await ask(body);
  expect((await ask(body)).sent).toBeGreaterThan(0);
});

test('what differs only in how it is shown is another answer', async () => {
  const ordered = (order: object) => ({
    size: 0,
    aggs: { t: { terms: { field: 'tag', order } } },
  });
  const up = await askUntilKept(ordered({ _term: 'asc' }));
  const down = await askUntilKept(ordered({ _term: 'desc' }));
  expect(down).not.toEqual(up);
  const facet = (order: string) => ({ size: 0, facets: { t: { terms: { field: 'tag', order } } } });
  const first = await askUntilKept(facet('term'));
  const last = await askUntilKept(facet('reverse_term'));
  expect(last).not.toEqual(first);
  const named = (name: string) => ({ size: 0, aggs: { [name]: TERMS.t } });
  expect(await askUntilKept(named('a'))).not.toEqual(await askUntilKept(named('b')));
});

test('a plan that cannot be told from others is not named', () => {
  const keyOf = (of: object) => {
    const aggregation = { type: 'stats', spec: { values: { script: null, field: 1 } }, subs: [] };
    const query = { kind: 'matchAll', boost: 1 };
    const plan = { query, scope: null, postFilter: null, minScore: null, facets: [], ...of };
    const planned = { plan: { ...plan, aggregations: [aggregation] }, page: { size: 0 } };
    const snapshot = { segments: [{ id: 1, deletionChunks: [] }] };
    const job = { shards: [{ snapshot, position: 0, planned }], isScroll: false };
    return new AnswerCache(new ByteCache(1 << 20)).keyOf(job as unknown as SearchJob);
  };
  expect(keyOf({ of: 1 })).toEqual(keyOf({ of: 1 }));
  expect(keyOf({ of: 1 })).not.toEqual(keyOf({ of: 2 }));
  expect(keyOf({ of: new Date(0) })).toBeNull();
});

test('a kept plan is named by all else that the search is about', () => {
  const aggregation = { type: 'stats', spec: { values: { script: null, field: 1 } }, subs: [] };
  const query = { kind: 'matchAll', boost: 1 };
  const of = { query, scope: null, postFilter: null, minScore: null, facets: [] };
  const plan = { ...of, aggregations: [aggregation] };
  const page = { from: 0, size: 0 };
  const segments = [{ id: 1, deletionChunks: [] }];
  const snapshot = { shardId: 1, segments };
  const search = (changes: object, ofShard: object = {}) => {
    const shard = { snapshot, position: 0, planned: { plan, page, name: 'kept' }, ...ofShard };
    const flags = { globalStatistics: false, rescoresGlobally: true, pagePerShard: false };
    return { shards: [shard], shardCount: 1, ...flags, ...changes } as unknown as SearchJob;
  };
  const deleted = [{ id: 1, deletionChunks: [7] }];
  const searches = [
    search({}),
    search({ globalStatistics: true }),
    search({ rescoresGlobally: false }),
    search({ pagePerShard: true }),
    search({ shardCount: 2 }),
    search({ isScroll: true }),
    search({ timesShards: true }),
    search({ onlySuggests: true }),
    search({}, { position: 1 }),
    search({}, { snapshot: { shardId: 2, segments } }),
    search({}, { snapshot: { shardId: 1, segments: deleted } }),
    search({}, { snapshot: { shardId: 1, segments, view: { key: 'v' } } }),
    search({}, { planned: { plan, page: { from: 1, size: 0 }, name: 'kept' } }),
    search({}, { planned: { plan, page: { from: 0, size: 1 }, name: 'kept' } }),
    search({ withoutHits: true }, { planned: { plan, page: { from: 0, size: 1 }, name: 'kept' } }),
  ];
  const fresh = searches.map((job) => new AnswerCache(new ByteCache(1 << 20)).keyOf(job));
  const shown = fresh.filter((key) => key !== null).map(({ text }) => text);
  // Hits, scrolls, times and suggestions alone are not kept; pages of no hits differ by where they begin.
  expect(fresh.filter((key) => key === null)).toHaveLength(4);
  expect(new Set(shown).size).toBe(shown.length);
  const cache = new AnswerCache(new ByteCache(1 << 20));
  for (let use = 0; use < 2; use++) {
    for (const [i, job] of searches.entries()) {
      expect(cache.keyOf(job)).toEqual(fresh[i]);
      expect(cache.keyOf(job)).toEqual(fresh[i]);
      expect(cache.keyOf(searches[0]!)).toEqual(fresh[0]);
    }
  }
});

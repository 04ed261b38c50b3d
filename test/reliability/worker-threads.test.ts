// A real engine whose threads are killed under it.

import workerThreads from 'node:worker_threads';
import type { Engine } from '../../engine/index';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor, toSegments } from '../support/engine';

import { TEST_THREADS } from '../support/workers';

const running = new Map<string, workerThreads.Worker>();
const Original = workerThreads.Worker;

beforeAll(() => {
  // The engine takes the class from the module at each start of a thread.
  const module = jest.requireActual<{ Worker: typeof Original }>('node:worker_threads');
  jest.spyOn(module, 'Worker').mockImplementation((path, options) => {
    const worker = new Original(path, options);
    running.set(options?.name ?? '', worker);
    return worker;
  });
});
afterAll(() => jest.restoreAllMocks());

async function fill(engine: Engine, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    const source = { n: i, tag: `t${i % 7}`, all: 'x' };
    await engine.index(indexRequest('i', 'doc', String(i), source, { refresh: i % 10 === 9 }));
  }
  await engine.maintenance.refresh([], OPEN_INDICES);
}

const BODY = {
  query: { match: { all: 'x' } },
  sort: ['n'],
  size: 7,
  facets: { tag: { terms: { field: 'tag' } } },
};

async function answer(engine: Engine): Promise<string> {
  const { total, hits, facets } = await searchFor(engine, 'i', BODY);
  return `${total} ${hits.map(({ _id }) => _id).join()} ${writeJson(facets as never)}`;
}

test('killed search workers cost at most the requests they worked on; answers stay the same', async () => {
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open({ changes: { workers: 3 }, threads: TEST_THREADS });
    await fill(engine, 0, 120);
    const expected = await answer(engine);
    for (const name of ['search-0', 'search-1', 'search-2']) {
      const searches = Array.from({ length: 12 }, () => answer(engine));
      await running.get(name)!.terminate();
      const failed: unknown[] = [];
      for (const outcome of await Promise.allSettled(searches)) {
        if (outcome.status === 'fulfilled') expect(outcome.value).toBe(expected);
        else failed.push(outcome.reason);
      }
      expect(failed.length).toBeLessThanOrEqual(1);
      for (const error of failed) expect(error).toMatchObject({ status: 503 });
      expect(await answer(engine)).toBe(expected);
    }
    expect((await engine.local.threads()).search.map(({ replaced }) => replaced)).toEqual([
      1, 1, 1,
    ]);
  } finally {
    await folder.remove();
  }
});

test('an indexer killed during builds and merges loses nothing', async () => {
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open({ changes: { workers: 1 }, threads: TEST_THREADS });
    await fill(engine, 0, 50);
    const writes = fill(engine, 50, 100);
    const merge = engine.maintenance.optimize([], OPEN_INDICES, toSegments(1));
    await running.get('indexer')!.terminate();
    await Promise.all([writes, merge]);
    expect((await searchFor(engine, 'i', BODY)).total).toBe(100);
    expect((await engine.local.threads()).indexer[0]!.replaced).toBe(1);
    const again = await folder.restart({ changes: { workers: 0 } });
    expect((await searchFor(again, 'i', BODY)).total).toBe(100);
  } finally {
    await folder.remove();
  }
});

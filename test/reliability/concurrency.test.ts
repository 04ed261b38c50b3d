// Writers, readers and administrators at the same time: no update is lost, no search sees half of anything,
// and closing, opening and deleting indices in between never mixes up what is on disk.

import type { Engine } from '../../engine/index';
import { EngineError } from '../../engine/errors';
import type { JsonOutput } from '../../engine/json/json';
import { writeJson } from '../../engine/json/write';
import {
  EngineFolder,
  getRequest,
  indexRequest,
  OPEN_INDICES,
  toSegments,
  searchFor,
} from '../support/engine';
import { FaultPlan } from '../support/faulty-database';

const ALL_INDICES = { ...OPEN_INDICES, expandClosed: true, forbidClosed: false };

let folder: EngineFolder;
let engine: Engine;
/** Ends background writers, also those of a test that failed. */
let over = false;
beforeEach(async () => {
  over = false;
  folder = await EngineFolder.create();
});
afterEach(async () => {
  over = true;
  await folder.remove();
});

async function valueOf(id: string): Promise<{ n: number; version: number }> {
  const { source, version } = await engine.get(getRequest('i', 'doc', id));
  return { n: (JSON.parse(source!.toString()) as { n: number }).n, version };
}

function bulkOf(index: string, count: number, from = 0) {
  return Array.from({ length: count }, (_, i) => ({
    kind: 'index' as const,
    request: indexRequest(index, 'doc', String(from + i), { n: from + i }),
  }));
}

/** Repeats `work` until the test is over; being refused is fine. @returns how often it succeeded. */
async function untilOver(work: () => Promise<void>): Promise<number> {
  let done = 0;
  while (!over) {
    try {
      await work();
      done++;
    } catch (error) {
      if (!(error instanceof EngineError) || ![403, 404, 503].includes(error.status)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  return done;
}

test('eight clients that read, increment and write with versions lose no update', async () => {
  engine = await folder.open();
  await engine.index(indexRequest('i', 'doc', '1', { n: 0 }));
  let successes = 0;
  const client = async () => {
    for (let i = 0; i < 60; i++) {
      const { n, version } = await valueOf('1');
      try {
        await engine.index(
          indexRequest('i', 'doc', '1', { n: n + 1 }, { version, refresh: i % 20 === 0 }),
        );
        successes++;
      } catch (error) {
        if (!(error instanceof EngineError) || error.status !== 409) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(successes).toBeGreaterThan(60);
  expect(await valueOf('1')).toEqual({ n: successes, version: successes + 1 });
});

test('hits, facets and fetched documents of a search are of one snapshot', async () => {
  engine = await folder.open({
    changes: { indexDefaults: new Map([['index.number_of_shards', '2']]) },
  });
  await engine.index(
    indexRequest('i', 'doc', 'first', { n: [1, -1], tag: 't' }, { refresh: true }),
  );
  let round = 0;
  // The sum of all values is 0 at any time: every document holds both signs.
  const writer = untilOver(async () => {
    round++;
    const actions = Array.from({ length: 30 }, (_, i) => ({
      kind: 'index' as const,
      request: indexRequest('i', 'doc', String(i), { n: [round, -round], tag: `t${i % 3}` }),
    }));
    await engine.bulk(actions, round % 3 === 0);
    const id = String(round % 30);
    await engine.delete({ ...indexRequest('i', 'doc', id, {}), id, refresh: round % 5 === 0 });
    if (round % 8 === 0) await engine.maintenance.optimize(['i'], OPEN_INDICES, toSegments(1));
  });
  for (let i = 0; i < 100 || round < 12; i++) {
    const { total, hits, facets } = await searchFor(engine, 'i', {
      size: 100,
      facets: {
        sum: { statistical: { field: 'n' } },
        tags: { terms: { field: 'tag' } },
      },
    });
    const { sum, tags } = JSON.parse(writeJson(facets as JsonOutput)) as {
      sum: { total: number; count: number };
      tags: { total: number; missing: number };
    };
    expect(hits).toHaveLength(total);
    expect(tags.total + tags.missing).toBe(total);
    expect(sum).toMatchObject({ total: 0, count: total * 2 });
    await new Promise((resolve) => setImmediate(resolve));
  }
  over = true;
  await writer;
});

test('documents survive closing and opening while writers go on', async () => {
  engine = await folder.open();
  await engine.admin.createIndex('i', new Map());
  const acknowledged = new Map<string, number>();
  let counter = 0;
  const writers = [0, 1, 2].map((writer) =>
    untilOver(async () => {
      const n = ++counter;
      const id = `${writer}-${n % 7}`;
      await engine.index(indexRequest('i', 'doc', id, { n, [`f${n % 40}`]: n }));
      acknowledged.set(id, n);
    }),
  );
  for (let i = 0; i < 25; i++) {
    // Both at once, and twice, as impatient clients do.
    await Promise.all([
      engine.admin.closeIndices(['i'], OPEN_INDICES).catch(acceptClosed),
      engine.admin.openIndices(['i'], ALL_INDICES),
    ]);
    await Promise.all([
      engine.admin.openIndices(['i'], ALL_INDICES),
      engine.admin.createIndex(`other${i}`, new Map()),
      engine.admin.openIndices(['i'], ALL_INDICES),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  over = true;
  await Promise.all(writers);
  const check = async () => {
    await engine.maintenance.refresh(['i'], OPEN_INDICES);
    for (const [id, n] of acknowledged) expect((await valueOf(id)).n).toBe(n);
    const { hits, total } = await searchFor(engine, 'i', { size: 100 });
    expect(total).toBe(acknowledged.size);
    for (const { _id, _source } of hits) expect(_source['n']).toBe(acknowledged.get(_id));
  };
  await check();
  engine = await folder.restart();
  await check();
});

function acceptClosed(error: unknown): void {
  if (!(error instanceof EngineError) || error.wireName !== 'IndexClosedException') throw error;
}

test('an index may be deleted in the middle of a bulk, a refresh and a merge', async () => {
  engine = await folder.open();
  for (let i = 0; i < 12; i++) {
    await engine.admin.createIndex('i', new Map());
    const bulk = engine.bulk(bulkOf('i', 1000), true);
    const search = searchFor(engine, 'i', {}).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, i * 3));
    const optimize = engine.maintenance
      .optimize(['i'], OPEN_INDICES, toSegments(1))
      .catch((error: unknown) => error);
    await engine.admin.deleteIndices(['i'], OPEN_INDICES);
    const items = await bulk.catch((error: unknown) => error);
    if (items instanceof Error) expect(items).toMatchObject({ status: 503 });
    await Promise.all([search, optimize]);
  }
  expect(engine.state().indices.size).toBeLessThanOrEqual(1);
});

test.each([false, true])(
  'a bulk that a failing batch cuts in two harms nothing (taking effect: %s)',
  async (landed) => {
    const plan = new FaultPlan(0, 'write', landed);
    engine = await folder.open({ wrap: plan.wrap, reopenDelayMs: 0 });
    await engine.admin.createIndex('i', new Map());
    let cut = 0;
    for (let n = 1; n <= 8; n++) {
      plan.failAt = plan.count + n;
      // Larger than several batches, so that storage is open again while its last chunks are parsed.
      await engine.bulk(bulkOf('i', 3000, n * 10_000), false).catch((error: unknown) => {
        expect(error).toMatchObject({ status: 503 });
        cut++;
      });
      // How many batches a bulk takes depends on how quickly it is parsed: it may have ended before the
      // fault.
      plan.failAt = 0;
      const id = `after ${n}`;
      await untilHealed(() => engine.index(indexRequest('i', 'doc', id, { n })));
      await untilHealed(() => engine.index(indexRequest('i', 'doc', id, { n: n + 1 })));
    }
    expect(cut).toBeGreaterThan(1);
    await engine.maintenance.refresh(['i'], OPEN_INDICES);
    const query = {
      query: { ids: { values: Array.from({ length: 8 }, (_, n) => `after ${n + 1}`) } },
    };
    const before = await searchFor(engine, 'i', query);
    expect(before.total).toBe(8);
    engine = await folder.restart();
    for (let n = 1; n <= 8; n++) expect((await valueOf(`after ${n}`)).n).toBe(n + 1);
    // A sequence number given out twice would have put one document in the place of another.
    const { hits, total } = await searchFor(engine, 'i', { size: 30_000 });
    expect(new Set(hits.map(({ _id }) => _id)).size).toBe(total);
    for (const { _id, _source } of hits) {
      const n = _id.startsWith('after') ? Number(_id.slice(6)) + 1 : Number(_id);
      expect(_source['n']).toBe(n);
    }
  },
);

async function untilHealed(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 503) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

test('a refresh shows what was acknowledged before it, also when it joins one that waits', async () => {
  engine = await folder.open();
  await engine.admin.createIndex('i', new Map());
  const writer = async (client: number) => {
    for (let i = 0; i < 25; i++) {
      const id = `${client}-${i}`;
      await engine.index(indexRequest('i', 'doc', id, { n: i }));
      await engine.maintenance.refresh(['i'], OPEN_INDICES);
      const { total } = await searchFor(engine, 'i', { query: { ids: { values: [id] } } });
      expect({ id, total }).toEqual({ id, total: 1 });
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, client) => writer(client)));
});

// Before the disk is full: what would make the data grow is refused, everything else goes on, and the node
// heals by itself. Free space is what the test says.

import request from 'supertest';
import type { Engine } from '../../engine/index';
import { createApp } from '../../server/http/app';
import { createLogger } from '../../server/config/logger';
import {
  EngineFolder,
  getRequest,
  indexRequest,
  OPEN_INDICES,
  searchFor,
  toSegments,
} from '../support/engine';
import { testSettings } from '../support/settings';
import type { DiskStats, DiskSpace } from '../../engine/api/local-stats';
import { until } from '../support/until';

const LIMIT = 1_000_000;
const REFUSED = {
  status: 503,
  wireName: 'ClusterBlockException',
  message: 'blocked by: [SERVICE_UNAVAILABLE/100/disk space low, writes refused];',
};

let folder: EngineFolder;
let available: number;
/** What reading the free space fails with, instead. */
let failure: Error | null;

const readSpace = (): Promise<DiskSpace> => {
  if (failure !== null) return Promise.reject(failure);
  return Promise.resolve({ total: 10_000_000, free: available, available });
};

function open(): Promise<Engine> {
  return folder.open({ readSpace, diskCheckMs: 2, changes: { minFreeBytes: LIMIT } });
}

/** Sets the free space and waits until the node has seen it. */
async function setSpace(engine: Engine, bytes: number, isLow: boolean): Promise<void> {
  available = bytes;
  await until(
    async () => {
      const disk = await diskOf(engine);
      return disk.isLow === isLow && disk.available === bytes;
    },
    () => `the disk is not ${isLow ? 'low' : 'fine'}`,
  );
}

async function diskOf(engine: Engine): Promise<DiskStats> {
  return (await engine.nodeStats()).local!.disk;
}

beforeEach(async () => {
  folder = await EngineFolder.create();
  available = 5 * LIMIT;
  failure = null;
});
afterEach(() => folder.remove());

test('writes are refused below the limit, and accepted from twice as much on', async () => {
  const engine = await open();
  await engine.index(indexRequest('i', 'doc', '1', { n: 1 }));
  await engine.index(indexRequest('other', 'doc', '1', { n: 1 }));
  for (let round = 0; round < 2; round++) {
    await setSpace(engine, LIMIT - 1, true);
    expect(await engine.nodeStats()).toMatchObject({
      isWritable: false,
      local: { storageFailures: 0 },
    });
    const refused = [
      () => engine.index(indexRequest('i', 'doc', 'x', { n: 1 })),
      () => engine.bulk([{ kind: 'index', request: indexRequest('i', 'doc', 'x', {}) }], false),
      () => engine.admin.createIndex('new', new Map()),
      () => engine.maintenance.optimize([], OPEN_INDICES, toSegments(1)),
    ];
    for (const write of refused) await expect(write()).rejects.toMatchObject(REFUSED);
    // Above the limit, but not far enough.
    await setSpace(engine, 2 * LIMIT - 1, true);
    await expect(refused[0]!()).rejects.toMatchObject(REFUSED);
    await setSpace(engine, 2 * LIMIT, false);
    await engine.index(indexRequest('i', 'doc', `round-${round}`, { n: 2 }));
  }
  expect((await engine.get(getRequest('i', 'doc', 'x'))).found).toBe(false);
});

test('a disk that is smaller than twice the limit recovers a quarter of the way', async () => {
  const engine = await folder.open({
    readSpace,
    diskCheckMs: 2,
    changes: { minFreeBytes: 8 * LIMIT },
  });
  await setSpace(engine, 5 * LIMIT, true);
  await setSpace(engine, 8.5 * LIMIT - 1, true);
  await setSpace(engine, 8.5 * LIMIT, false);
});

test('reads, refreshes, aliases and deletions of indices go on', async () => {
  const engine = await open();
  await engine.index(indexRequest('i', 'doc', '1', { n: 1 }));
  await engine.index(indexRequest('other', 'doc', '1', { n: 1 }));
  await setSpace(engine, LIMIT / 2, true);
  await engine.maintenance.refresh([], OPEN_INDICES);
  expect((await searchFor(engine, 'i', {})).total).toBe(1);
  expect((await engine.get(getRequest('i', 'doc', '1'))).found).toBe(true);
  await engine.admin.deleteIndices(['other'], OPEN_INDICES);
  expect([...engine.state().indices.keys()]).toEqual(['i']);
});

test('a node starts on such a disk, and clients are told when to come back', async () => {
  let engine = await open();
  await engine.index(indexRequest('i', 'doc', '1', { n: 1 }));
  await engine.close();
  available = 10;
  engine = await open();
  const handler = createApp(engine, testSettings(), createLogger('silent'));
  const answer = await request(handler).put('/i/doc/2').send('{}');
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('30');
  expect((await request(handler).get('/i/doc/1')).status).toBe(200);
  await setSpace(engine, 5 * LIMIT, false);
  expect((await request(handler).put('/i/doc/2').send('{}')).status).toBe(201);
});

test('near the end of the disk refreshes wait, also at a start, and indices can be deleted', async () => {
  let engine = await open();
  await engine.index(indexRequest('i', 'doc', '1', { n: 1 }));
  await engine.maintenance.refresh([], OPEN_INDICES);
  await engine.index(indexRequest('i', 'doc', '2', { n: 2 }));
  await engine.index(indexRequest('other', 'doc', '1', { n: 1 }));
  await setSpace(engine, LIMIT / 4 - 1, true);
  await expect(engine.maintenance.refresh(['i'], OPEN_INDICES)).rejects.toMatchObject({
    ...REFUSED,
    message: 'blocked by: [SERVICE_UNAVAILABLE/100/disk space low, refreshes refused];',
  });
  await engine.close();
  engine = await open();
  expect((await searchFor(engine, 'i', {})).total).toBe(1);
  expect((await engine.get(getRequest('i', 'doc', '2'))).found).toBe(true);
  await engine.admin.deleteIndices(['other'], OPEN_INDICES);
  await setSpace(engine, 5 * LIMIT, false);
  await engine.maintenance.refresh([], OPEN_INDICES);
  expect((await searchFor(engine, 'i', {})).total).toBe(2);
});

test('merges wait for space', async () => {
  const engine = await open();
  const write = async (from: number) => {
    for (let i = from; i < from + 25; i++) {
      await engine.index(indexRequest('i', 'doc', String(i), { n: i }, { refresh: true }));
    }
  };
  const merges = async () => (await engine.nodeStats()).local!.shards.operations.merges;
  await write(0);
  await setSpace(engine, 10, true);
  await until(async () => (await merges()).current === 0);
  const done = (await merges()).total;
  await engine.maintenance.refresh([], OPEN_INDICES);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await merges()).toMatchObject({ total: done, current: 0 });
  await setSpace(engine, 5 * LIMIT, false);
  await write(25);
  await until(async () => (await merges()).total > done);
});

test('where free space cannot be read, things stay as they were', async () => {
  const engine = await open();
  failure = new Error('no such file system');
  available = 0;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await engine.index(indexRequest('i', 'doc', '1', { n: 1 }));
  failure = null;
  await setSpace(engine, 0, true);
  failure = new Error('no such file system');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(engine.index(indexRequest('i', 'doc', '2', { n: 1 }))).rejects.toMatchObject(
    REFUSED,
  );
});

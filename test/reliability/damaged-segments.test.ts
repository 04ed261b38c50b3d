// Damage to the `segments` database, which holds nothing that the document log does not: the node starts and
// serves, searches of what is damaged say so and never give a wrong answer, and it is built again by itself.

import { cp, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type Engine } from '../../engine/index';
import { EngineError } from '../../engine/errors';
import { clusterHealth } from '../../server/stats/cluster-health';
import { KeyPrefix } from '../../storage/keys';
import { LevelDatabase } from '../../storage/level-database';
import { SegmentDamageError } from '../../storage/errors';
import type { KeyValueDatabase, WriteOperation } from '../../storage/key-value-database';
import { getRequest, indexRequest, nodeSettings, OPEN_INDICES, searchFor } from '../support/engine';
import { FaultPlan } from '../support/faulty-database';
import { until } from '../support/until';
import { TEST_WORKERS } from '../support/workers';

const DOCUMENTS = 30;
const DELETED = 4;
const ALL = { gte: Buffer.from([0]), lt: Buffer.from([255]) };
const QUERY = { size: 50, query: { match: { text: 'common' } }, sort: [{ n: 'asc' }] };

let root: string;
let intact: string;
let path: string;
let expected: unknown;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-damaged-segments-'));
  intact = join(root, 'intact');
  const engine = await start(intact);
  for (const index of ['a', 'b']) {
    for (let i = 0; i < DOCUMENTS; i++) {
      const source = { n: i, text: `word${i % 5} common` };
      await engine.index(indexRequest(index, 'doc', String(i), source, { refresh: i % 8 === 7 }));
    }
    for (let i = 0; i < DELETED; i++) {
      await engine.delete({ ...indexRequest(index, 'doc', String(i), {}), id: String(i) });
    }
    // Replaced twice, in different slices.
    for (const n of [100, 200]) {
      await engine.index(indexRequest(index, 'doc', '7', { n, text: 'common' }, { refresh: true }));
    }
  }
  expected = (await searchFor(engine, 'a', QUERY)).hits;
  await engine.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  path = join(root, 'copy');
  await cp(intact, path, { recursive: true });
});
afterEach(() => rm(path, { recursive: true, force: true }));

function start(
  folder: string,
  options: { workers?: number; wrap?: FaultPlan['wrap'] } = {},
): Promise<Engine> {
  const { workers = TEST_WORKERS, ...rest } = options;
  return openEngine({ settings: nodeSettings(folder, { workers }), reopenDelayMs: 1, ...rest });
}

const rebuilds = async (engine: Engine): Promise<number> =>
  (await engine.nodeStats()).local!.shards.operations.rebuilds.total;

/** Searches until the answer is whole again; every other one has to name what is wrong. */
async function healed(engine: Engine, index: string): Promise<{ refused: number }> {
  let refused = 0;
  await until(async () => {
    try {
      const { hits } = await searchFor(engine, index, QUERY);
      expect(hits.map(({ _id, _source }) => [_id, _source])).toEqual(rightHits());
      return true;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      expect(error.toWireString()).toContain('CorruptIndexException');
      expect(error.toWireString()).toContain(`[${index}][0]`);
      refused++;
      return false;
    }
  });
  return { refused };
}

function rightHits(): unknown {
  return (expected as { _id: string; _source: unknown }[]).map(({ _id, _source }) => [
    _id,
    _source,
  ]);
}

async function filesOf(name: 'log' | 'segments', pattern: RegExp): Promise<string[]> {
  const names = await readdir(join(path, name));
  return names.filter((file) => pattern.test(file)).map((file) => join(path, name, file));
}

/** Moves what is in write-ahead files into tables. */
async function intoTables(): Promise<void> {
  const database = await LevelDatabase.open('segments', join(path, 'segments'), false);
  await database.flush();
  await database.close();
}

async function spoil(file: string, at: number | 'all'): Promise<void> {
  const bytes = await readFile(file);
  if (at === 'all') bytes.fill(0x5a);
  else for (let i = at; i < Math.min(bytes.length, at + 64); i++) bytes[i]! ^= 0xff;
  await writeFile(file, bytes);
}

/** Damages the stored values of all segments of both indices, past LevelDB's own checks. */
async function spoilBlocks(prefix: number): Promise<number> {
  const database = await LevelDatabase.open('segments', join(path, 'segments'), false);
  let spoiled = 0;
  for await (const slice of database.scan(ALL, { sliceBytes: 1024 * 1024 })) {
    for (const [key, value] of slice) {
      if (key[0] !== prefix) continue;
      value[value.length >> 1]! ^= 1;
      await database.batch([{ type: 'put', key, value }]);
      spoiled++;
    }
  }
  await database.close();
  return spoiled;
}

const structures: readonly [string, () => Promise<void>][] = [
  ['CURRENT is gone', () => rm(join(path, 'segments', 'CURRENT'))],
  ['CURRENT is damaged', () => writeFile(join(path, 'segments', 'CURRENT'), 'MANIFEST-999999\n')],
  [
    'the list of files is damaged',
    async () => {
      for (const file of await filesOf('segments', /^MANIFEST/)) await spoil(file, 'all');
    },
  ],
  [
    'a table is gone',
    async () => {
      await intoTables();
      for (const file of await filesOf('segments', /\.ldb$/)) await rm(file);
    },
  ],
  [
    'tables are damaged throughout',
    async () => {
      await intoTables();
      for (const file of await filesOf('segments', /\.ldb$/)) await spoil(file, 'all');
    },
  ],
  [
    'tables are cut off',
    async () => {
      await intoTables();
      for (const file of await filesOf('segments', /\.ldb$/)) {
        const handle = await open(file, 'r+');
        await handle.truncate(10);
        await handle.close();
      }
    },
  ],
  ['the database is gone', () => rm(join(path, 'segments'), { recursive: true })],
];

test.each(structures)('%s: the node starts and builds all segments again', async (_, damage) => {
  await damage();
  let engine = await start(path);
  for (const index of ['a', 'b']) await healed(engine, index);
  const { local } = await engine.nodeStats();
  expect(local).toMatchObject({ segmentsSetAside: 1, storageFailures: 0 });
  expect(local!.shards.operations.rebuilds.total).toBe(2);
  expect(clusterHealth(await engine.maintenance.stats(['a', 'b'])).status).toBe('green');
  await engine.close();
  // Nothing is done twice.
  engine = await start(path);
  await healed(engine, 'a');
  expect(await rebuilds(engine)).toBe(0);
  expect((await engine.nodeStats()).local).toMatchObject({ segmentsSetAside: 0 });
  await engine.close();
});

test('one damaged database is kept, and not one for each time', async () => {
  for (let round = 0; round < 3; round++) {
    await rm(join(path, 'segments', 'CURRENT'));
    const engine = await start(path);
    await healed(engine, 'b');
    await engine.close();
  }
  const kept = (await readdir(path)).filter((name) => name.startsWith('damaged-'));
  expect(kept).toEqual([expect.stringMatching(/^damaged-segments-/)]);
});

test('a damaged log is never repaired by itself', async () => {
  await rm(join(path, 'log', 'CURRENT'));
  await rm(join(path, 'segments', 'CURRENT'));
  const before = await readdir(path);
  await expect(start(path)).rejects.toMatchObject({ code: 'STORAGE_CORRUPTION' });
  expect(await readdir(path)).toEqual(before);
});

describe.each([0, 1])('found while serving, with %d workers', (workers) => {
  test('damaged blocks: searches name the shard, and it is built again', async () => {
    expect(await spoilBlocks(KeyPrefix.block)).toBeGreaterThan(1);
    const engine = await start(path, { workers });
    // Documents need no segments.
    expect((await engine.get(getRequest('a', 'doc', '7'))).version).toBe(3);
    const { refused } = await healed(engine, 'a');
    expect(refused).toBeGreaterThan(0);
    expect(await rebuilds(engine)).toBe(1);
    await healed(engine, 'b');
    expect(await rebuilds(engine)).toBe(2);
    expect((await readdir(join(path, 'damaged-blocks'))).length).toBe(2);
    await engine.close();
  });

  test('damaged deletions', async () => {
    expect(await spoilBlocks(KeyPrefix.deletions)).toBeGreaterThan(1);
    const engine = await start(path, { workers });
    expect((await healed(engine, 'a')).refused).toBeGreaterThan(0);
    expect(await rebuilds(engine)).toBe(1);
    await engine.close();
  });

  test('damage that a build meets first', async () => {
    await spoilBlocks(KeyPrefix.block);
    const engine = await start(path, { workers });
    // A replacement looks into the segments that hold what is replaced.
    await engine.index(indexRequest('a', 'doc', '8', { n: 8, text: 'word3 common' }));
    await engine.maintenance.refresh(['a'], OPEN_INDICES);
    await healed(engine, 'a');
    expect(await rebuilds(engine)).toBe(1);
    await engine.close();
  });

  test('damage that the start meets, over records that no segment has', async () => {
    const before = await start(path, { workers });
    await before.index(indexRequest('a', 'doc', '8', { n: 8, text: 'word3 common' }));
    // As a kill leaves it: closing builds what there is.
    const killed = `${path}-killed`;
    await cp(path, killed, { recursive: true });
    await before.close();
    await rm(path, { recursive: true });
    await rename(killed, path);
    await spoilBlocks(KeyPrefix.block);
    const engine = await start(path, { workers });
    await healed(engine, 'a');
    expect(await rebuilds(engine)).toBe(1);
    await engine.close();
  });

  test('damage that a merge meets first', async () => {
    await spoilBlocks(KeyPrefix.block);
    const engine = await start(path, { workers });
    const { failed } = await engine.maintenance.optimize(['a'], OPEN_INDICES, {
      maxSegments: 1,
      onlyExpungeDeletes: false,
    });
    expect(failed).toBe(1);
    await healed(engine, 'a');
    expect(await rebuilds(engine)).toBe(1);
    await engine.close();
  });
});

test('documents written while a shard is built again are found, and none twice', async () => {
  await spoilBlocks(KeyPrefix.block);
  const engine = await start(path);
  await expect(searchFor(engine, 'a', QUERY)).rejects.toThrow();
  await engine.index(
    indexRequest('a', 'doc', 'new', { n: 1000, text: 'other' }, { refresh: true }),
  );
  await engine.index(indexRequest('a', 'doc', '7', { n: 200, text: 'common' }, { refresh: true }));
  await healed(engine, 'a');
  expect((await searchFor(engine, 'a', {})).total).toBe(DOCUMENTS - DELETED + 1);
  await engine.close();
});

test('a batch that fails over damage has the database set aside, without a restart', async () => {
  const plan = new FaultPlan();
  const engine = await start(path, { workers: 0, wrap: plan.wrap });
  await searchFor(engine, 'a', QUERY);
  // What LevelDB says once a compaction has met a damaged table.
  plan.outage = new SegmentDamageError('cannot write to the segments database: bad block');
  await engine
    .index(indexRequest('a', 'doc', '7', { n: 200, text: 'common' }))
    .catch(() => undefined);
  await until(async () => (await engine.nodeStats()).local!.storageFailures > 0);
  plan.outage = null;
  await until(async () => (await engine.nodeStats()).isWritable);
  await healed(engine, 'a');
  expect((await engine.nodeStats()).local!.segmentsSetAside).toBeGreaterThan(0);
  await engine.close();
});

test('a rebuild that was not ended goes on after a restart, and nothing half built is shown', async () => {
  await spoilBlocks(KeyPrefix.block);
  let hold = Promise.resolve();
  let isHeld = false;
  const wrap = (database: KeyValueDatabase): KeyValueDatabase => {
    if (database.name !== 'segments') return database;
    const batch = async (operations: readonly WriteOperation[]): Promise<void> => {
      isHeld = true;
      await hold;
      await database.batch(operations);
    };
    return Object.assign(Object.create(database) as KeyValueDatabase, { batch });
  };
  let engine = await start(path, { workers: 0, wrap });
  let release = (): void => undefined;
  hold = new Promise((resolve) => (release = resolve));
  isHeld = false;
  await expect(searchFor(engine, 'a', QUERY)).rejects.toThrow('CorruptIndexException');
  // The first write there comes after the commit point was replaced.
  await until(() => isHeld);
  expect((await engine.nodeStats()).totals.rebuildingShards).toBe(1);
  const health = clusterHealth(await engine.maintenance.stats(['a', 'b']));
  expect(health).toMatchObject({ status: 'red', initializing: 1, activePrimaries: 1 });
  const killed = join(root, 'killed');
  await cp(path, killed, { recursive: true });
  release();
  await engine.close();

  // Without space to build anything.
  let available = 1;
  const readSpace = () => Promise.resolve({ total: 1e9, free: available, available });
  engine = await openEngine({
    settings: nodeSettings(killed, { workers: 0, minFreeBytes: 1e6 }),
    readSpace,
    diskCheckMs: 2,
  });
  await expect(searchFor(engine, 'a', QUERY)).rejects.toThrow('being built again');
  expect((await engine.get(getRequest('a', 'doc', '7'))).found).toBe(true);
  available = 1e9;
  await healed(engine, 'a');
  expect(await rebuilds(engine)).toBe(1);
  await engine.close();
  await rm(killed, { recursive: true });
});

test('a shard that is damaged again and again is given up, and says so', async () => {
  const plan = new FaultPlan();
  plan.damage = (key, value) => (key[0] === KeyPrefix.block ? undefined : value);
  const engine = await start(path, { workers: 0, wrap: plan.wrap });
  await until(async () => {
    await searchFor(engine, 'a', QUERY).catch(() => undefined);
    return (await engine.nodeStats()).totals.damagedShards === 1;
  });
  await expect(searchFor(engine, 'a', QUERY)).rejects.toThrow('run verify');
  await engine.close();
});

// Damaged values on disk: whatever is broken, an answer is the undamaged one or says what is broken; other
// indices answer fully, and the process lives. A node whose common parts are broken does not start, and says
// why.

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type Engine } from '../../engine/index';
import { EngineError } from '../../engine/errors';
import { parseJsonObject } from '../../engine/json/parse';
import { StorageError } from '../../storage/errors';
import type { DatabaseName } from '../../storage/key-value-database';
import { clusterHealth } from '../../server/stats/cluster-health';
import { KeyPrefix, shardOfKey } from '../../storage/keys';
import { LevelDatabase } from '../../storage/level-database';
import { answers } from '../support/answers';
import { indexRequest, nodeSettings, OPEN_INDICES, toSegments } from '../support/engine';
import { Random, testSeed } from '../support/random';

const DOCUMENTS = 24;
const IDS = Array.from({ length: DOCUMENTS }, (_, i) => String(i));

let root: string;
let intact: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-damage-'));
  intact = join(root, 'intact');
  const engine = await open(intact);
  const mapping =
    '{"mappings":{"doc":{"properties":{"tag":{"type":"string","index":"not_analyzed"}}}}}';
  for (const index of ['damaged', 'healthy']) {
    await engine.admin.createIndex(index, parseJsonObject(mapping));
    for (let i = 0; i < DOCUMENTS; i++) {
      const source = { n: i, text: `word${i % 5} common`, tag: `t${i % 7}` };
      // Several segments with deletions.
      await engine.index(indexRequest(index, 'doc', String(i), source, { refresh: i % 8 === 7 }));
      if (i % 6 === 5) {
        await engine.delete({ ...indexRequest(index, 'doc', String(i - 3), {}), id: `${i - 3}` });
      }
    }
    await engine.maintenance.refresh([index], OPEN_INDICES);
    await engine.admin.updateAliases([
      {
        kind: 'add',
        indices: [index],
        aliases: ['both'],
        filter: undefined,
        indexRouting: undefined,
        searchRouting: undefined,
      },
    ]);
  }
  await engine.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

function open(path: string): Promise<Engine> {
  return openEngine({ settings: nodeSettings(path), reopenDelayMs: 1 });
}

interface Findings {
  readonly refused: string | null;
  /** Answers that differ from the undamaged node's and do not name damage. */
  readonly wrong: string[];
  /** Answers that name damage. */
  readonly named: number;
}

/** Opens a damaged folder and compares its answers with those of the intact one. */
async function examine(
  path: string,
  expected: Map<string, Map<string, string>>,
): Promise<Findings> {
  let engine: Engine;
  try {
    engine = await open(path);
  } catch (error) {
    if (!(error instanceof StorageError) && !(error instanceof EngineError)) throw error;
    return { refused: error.message, wrong: [], named: 0 };
  }
  const wrong: string[] = [];
  let named = 0;
  try {
    for (const [index, right] of expected) {
      for (const [name, answer] of await answers(engine, index, IDS)) {
        if (answer === right.get(name)) continue;
        if (answer.includes('CorruptIndexException')) named++;
        else wrong.push(`${index} ${name}: ${answer} instead of ${right.get(name)}`);
      }
    }
    // Maintenance runs over all indices and reports what it could not do.
    const { failed } = await engine.maintenance.refresh([], OPEN_INDICES);
    await engine.maintenance.optimize(['healthy'], OPEN_INDICES, toSegments(1));
    if (failed > 0) named++;
  } finally {
    await engine.close();
  }
  return { refused: null, wrong, named };
}

async function expectedAnswers(): Promise<Map<string, Map<string, string>>> {
  const engine = await open(intact);
  const expected = new Map<string, Map<string, string>>();
  for (const index of ['damaged', 'healthy'])
    expected.set(index, await answers(engine, index, IDS));
  await engine.close();
  return expected;
}

/** The keys of the index that is to be damaged, or of the node as a whole. */
async function keysOf(path: string, name: DatabaseName): Promise<[Buffer, Buffer][]> {
  const database = await LevelDatabase.open(name, join(path, name), false);
  const entries: [Buffer, Buffer][] = [];
  const all = { gte: Buffer.from([0]), lt: Buffer.from([255]) };
  for await (const slice of database.scan(all, { sliceBytes: 1024 * 1024 })) {
    for (const [key, value] of slice) entries.push([key, value]);
  }
  await database.close();
  return entries;
}

/** Replaces a stored value, past all checks. */
async function overwrite(
  path: string,
  name: DatabaseName,
  key: Buffer,
  value: Buffer,
): Promise<void> {
  const database = await LevelDatabase.open(name, join(path, name), false);
  await database.batch([{ type: 'put', key, value }]);
  await database.close();
}

test('a damaged value fails its shard or its document and nothing else', async () => {
  const random = new Random(testSeed(20140303));
  const expected = await expectedAnswers();
  const firstShard = 1;
  const ofShard = (key: Buffer, prefix: number) =>
    key[0] === prefix && shardOfKey(key) === firstShard;
  const log = await keysOf(intact, 'log');
  const records = log.filter(([key]) => ofShard(key, KeyPrefix.record));
  const uids = log.filter(([key]) => ofShard(key, KeyPrefix.uid));
  const commits = log.filter(([key]) => ofShard(key, KeyPrefix.commit));
  const segments = (await keysOf(intact, 'segments')).filter(
    ([key]) => key[0] !== KeyPrefix.identity,
  );
  const targets: ['log' | 'segments', Buffer, Buffer][] = [
    ...[random.pick(records), random.pick(uids), ...commits].map(
      ([key, value]): ['log', Buffer, Buffer] => ['log', key, value],
    ),
    ...segments.map(([key, value]): ['segments', Buffer, Buffer] => ['segments', key, value]),
  ];
  expect(targets.length).toBeGreaterThan(8);
  let named = 0;
  for (const [name, key, value] of targets) {
    const path = join(root, 'copy');
    await cp(intact, path, { recursive: true });
    const damaged = Buffer.from(value);
    const at = random.below(damaged.length);
    damaged[at]! ^= 1 << random.below(8);
    await overwrite(path, name, key, damaged);
    const findings = await examine(path, expected);
    expect({ key: key.toString('hex'), ...findings }).toMatchObject({ refused: null, wrong: [] });
    named += findings.named;
    await rm(path, { recursive: true });
  }
  expect(named).toBeGreaterThan(targets.length);
});

test('a damaged part of the whole node stops the start with a reason', async () => {
  const expected = await expectedAnswers();
  const metadata = (await keysOf(intact, 'log')).filter(([key]) => key[0] === KeyPrefix.metadata);
  const path = join(root, 'copy');
  await cp(intact, path, { recursive: true });
  const [key, value] = metadata[0]!;
  const damaged = Buffer.from(value);
  damaged[0]! ^= 1;
  await overwrite(path, 'log', key, damaged);
  const { refused } = await examine(path, expected);
  expect(refused).toContain('is damaged: checksum mismatch');
  await rm(path, { recursive: true });
});

test('a damaged commit point makes its index red, and the index can be closed and deleted', async () => {
  const [key, value] = (await keysOf(intact, 'log')).find(([key]) => key[0] === KeyPrefix.commit)!;
  const path = join(root, 'copy');
  await cp(intact, path, { recursive: true });
  const damaged = Buffer.from(value);
  damaged[1]! ^= 1;
  await overwrite(path, 'log', key, damaged);
  const engine = await open(path);
  try {
    const health = async (index: string) =>
      clusterHealth(await engine.maintenance.stats([index])).status;
    expect([await health('damaged'), await health('healthy')]).toEqual(['red', 'green']);
    const write = engine.index(indexRequest('damaged', 'doc', 'x', { n: 1 }));
    await expect(write).rejects.toMatchObject({ wireName: 'CorruptIndexException' });
    const items = await engine.bulk(
      ['damaged', 'healthy'].map((index) => ({
        kind: 'index',
        request: indexRequest(index, 'doc', 'x', { n: 1 }),
      })),
      true,
    );
    expect(items.map(({ kind }) => kind)).toEqual(['error', 'index']);
    await engine.admin.closeIndices(['damaged'], OPEN_INDICES);
    await engine.admin.openIndices(['damaged'], { ...OPEN_INDICES, forbidClosed: false });
    await engine.admin.deleteIndices(['damaged'], OPEN_INDICES);
    expect([...engine.state().indices.keys()]).toEqual(['healthy']);
  } finally {
    await engine.close();
    await rm(path, { recursive: true });
  }
});

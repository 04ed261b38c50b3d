// Snapshots while writes go on, and under SIGKILL: nothing acknowledged before the start is missing, older
// snapshots stay whole, and an index is restored wholly or not at all.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectFolder } from '../../storage/inspect/inspect';
import {
  openEngine,
  type Engine,
  type IndicesOptions,
  type RestoreRequest,
} from '../../engine/index';
import {
  EngineFolder,
  indexRequest,
  nodeSettings,
  OPEN_INDICES,
  searchFor,
} from '../support/engine';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';
import { StoredKeys } from '../support/stored-keys';
import { until } from '../support/until';

const KILLS = repetitions('SNAPSHOT_KILLS', 2, 20);

const LENIENT: IndicesOptions = { ...OPEN_INDICES, ignoreUnavailable: true, forbidClosed: false };

function restoreRequest(snapshot: string, name: string): RestoreRequest {
  return {
    repository: 'r',
    snapshot,
    indices: ['a'],
    ignoreUnavailable: true,
    renamePattern: '.+',
    renameReplacement: name,
    includeAliases: false,
    includeGlobalState: false,
    partial: false,
    indexSettings: new Map(),
    ignoreIndexSettings: [],
  };
}

async function putRepository(engine: Engine): Promise<void> {
  const settings = new Map([['location', 'r']]);
  await engine.snapshots.putRepository({ name: 'r', type: 'fs', settings, verify: true });
}

async function take(engine: Engine, snapshot: string): Promise<void> {
  const { completed } = await engine.snapshots.create({
    repository: 'r',
    snapshot,
    indices: ['a'],
    options: LENIENT,
    includeGlobalState: false,
    partial: false,
  });
  expect((await completed).state).toBe('SUCCESS');
}

test('a snapshot is a prefix of what is written meanwhile', async () => {
  const random = new Random(testSeed(20140302));
  const folder = await EngineFolder.create();
  try {
    const changes = { repositoryPaths: [join(folder.path, 'repositories')] };
    const engine = await folder.open({ changes });
    await putRepository(engine);
    let acknowledged = 0;
    let stopped = false;
    // Writes 1, 2, 3 ...; each also replaces the document `last`.
    const writer = async (): Promise<void> => {
      for (let n = 1; !stopped; n++) {
        const items = await engine.bulk(
          [
            { kind: 'index', request: indexRequest('a', 't', String(n), { n }) },
            { kind: 'index', request: indexRequest('a', 't', 'last', { last: n }) },
          ],
          random.chance(0.1),
        );
        expect(items).toHaveLength(2);
        acknowledged = n;
      }
    };
    const writing = writer();
    await until(() => acknowledged >= 20);
    for (let round = 0; round < 6; round++) {
      const before = acknowledged;
      await take(engine, `s${round}`);
      const { completed } = await engine.snapshots.restore(
        restoreRequest(`s${round}`, `copy${round}`),
      );
      await completed;
      const numbers = await searchFor(engine, `copy${round}`, {
        size: 0,
        query: { range: { n: { gte: 1 } } },
      });
      const last = await searchFor(engine, `copy${round}`, {
        query: { range: { last: { gte: 0 } } },
      });
      expect(numbers.total).toBeGreaterThanOrEqual(before);
      const highest = await searchFor(engine, `copy${round}`, { sort: [{ n: 'desc' }], size: 1 });
      // No hole: as many as the highest number, and exactly one `last`, which is not older.
      expect(highest.hits[0]!._source['n']).toBe(numbers.total);
      expect(last.total).toBe(1);
      expect(last.hits[0]!._source['last']).toBeGreaterThanOrEqual(numbers.total - 1);
    }
    stopped = true;
    await writing;
  } finally {
    await folder.remove();
  }
});

describe('SIGKILL', () => {
  const documents = 6000;
  const cycles = KILLS;
  let folder: string;
  let server: ServerProcess;
  let random: Random;
  /** How long a snapshot takes here. A kill comes within that time; all of its outcomes are right. */
  let snapshotMs = 0;

  const start = async (): Promise<void> => {
    const settings = [`path.repo=${folder}`, 'node.workers=0'];
    // A port of its own each time: while the server is down another process may take it.
    server = await ServerProcess.start(join(folder, 'data'), await freePort(), settings);
  };
  const ok = async (method: string, path: string, body?: object | string): Promise<unknown> => {
    const answer = await server.send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  /** Kills the server some time after a request was sent, and starts it again. */
  const killDuring = async (method: string, path: string, body?: object): Promise<void> => {
    server.send(method, path, body).catch(() => undefined);
    await sleep(random.next() * snapshotMs);
    await server.kill();
    await start();
  };

  beforeAll(async () => {
    random = new Random(testSeed(20140303));
    folder = await mkdtemp(join(tmpdir(), 'facetd-snapshot-kill-'));
    await start();
    await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
    await ok('PUT', '/a', { settings: { number_of_shards: 2 } });
    for (let from = 0; from < documents; from += 2000) {
      const lines = Array.from(
        { length: 2000 },
        (_, i) =>
          `{"index":{"_id":"${from + i}"}}\n{"n":${from + i},"text":"${'word '.repeat(40)}"}\n`,
      );
      await ok('POST', '/a/t/_bulk', lines.join(''));
    }
    const began = performance.now();
    await ok('PUT', '/_snapshot/r/first?wait_for_completion=true');
    snapshotMs = performance.now() - began;
  });

  afterAll(async () => {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test('while a snapshot is made leaves it out or whole, and older ones whole', async () => {
    for (let cycle = 0; cycle < cycles; cycle++) {
      await ok('PUT', `/a/t/${random.below(documents)}`, { n: -1, cycle });
      await killDuring('PUT', `/_snapshot/r/s${cycle}`);
      expect(await ok('POST', '/_snapshot/r/first/_verify')).toMatchObject({ documents });
      const { status, body } = await server.send('POST', `/_snapshot/r/s${cycle}/_verify`);
      if (status === 404) continue;
      expect(body).toMatchObject({ documents });
      await ok('DELETE', `/_snapshot/r/s${cycle}`);
    }
    await ok('PUT', '/_snapshot/r/last?wait_for_completion=true');
    await ok('DELETE', '/_snapshot/r/last');
    expect(await ok('POST', '/_snapshot/r/first/_verify')).toMatchObject({ documents });
  });

  test('while an index is restored leaves it out or whole, and nothing behind', async () => {
    const body = { rename_pattern: '.+', rename_replacement: 'copy' };
    for (let cycle = 0; cycle < cycles; cycle++) {
      await killDuring('POST', '/_snapshot/r/first/_restore', body);
      const { status, body: counted } = await server.send('GET', '/copy/_count');
      if (status === 404) continue;
      expect(counted).toMatchObject({ count: documents });
      await ok('DELETE', '/copy');
    }
    await ok('DELETE', '/_snapshot/r');
    await server.stop();
    const keys = new StoredKeys();
    const engine = await openEngine({
      settings: nodeSettings(join(folder, 'data')),
      wrap: keys.wrap(),
    });
    const mayStay = (problem: string) => problem.endsWith('metadata repositories');
    expect(await keys.settle(engine, mayStay)).toEqual([]);
    await engine.close();
    expect((await inspectFolder(join(folder, 'data'), () => undefined)).problems).toEqual([]);
  });
});

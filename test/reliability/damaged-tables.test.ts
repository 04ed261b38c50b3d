// Damage in the keys of tables, over which LevelDB ends the process. A start after that finds and marks it:
// the node serves the rest and says what is damaged, instead of ending again and again. `npm test` builds
// first.

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyPrefix, sequenceOf } from '../../storage/keys';
import { Storage } from '../../storage/index';
import { breakIndices, breakKeys } from '../support/broken-keys';
import { Random } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';
import { until } from '../support/until';

const DOCUMENTS = 60;
/** Its record is in a block of records only. */
const DAMAGED = 30;
/** Starts after the one that finds the damage. */
const ROUNDS = process.env['LONG'] === undefined ? 1 : 2;
const SETTINGS = ['node.workers=1', 'index.refresh_interval=-1'];

let root: string;
let intact: string;
let data: string;
let server: ServerProcess | null = null;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-damaged-tables-'));
  intact = join(root, 'intact');
  const random = new Random(7);
  const node = await ServerProcess.start(intact, await freePort(), SETTINGS);
  const index = { settings: { number_of_shards: 1 }, aliases: { a: {} } };
  expect((await node.send('PUT', '/i', index)).status).toBe(200);
  for (let id = 0; id < DOCUMENTS; id++) {
    const noise = Array.from({ length: 200 }, () => `x${random.below(1e9)}`).join(' ');
    expect((await node.send('PUT', `/i/t/${id}`, { n: id, noise })).status).toBe(201);
    // Segments of their own, whose blocks are not all read at the start.
    if (id % 10 === 9) await node.send('POST', '/i/_refresh');
  }
  await node.send('POST', '/i/_flush');
  expect(await node.stop()).toBe(0);
  // What write-ahead files hold goes into tables.
  for (let i = 0; i < 2; i++) await (await Storage.open({ path: intact })).close();
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  data = join(root, 'copy');
  await cp(intact, data, { recursive: true });
});
afterEach(async () => {
  await server?.kill();
  server = null;
  await rm(data, { recursive: true, force: true });
});

async function start(...settings: string[]): Promise<ServerProcess> {
  server = await ServerProcess.start(data, await freePort(), [...SETTINGS, ...settings]);
  return server;
}

const isDamagedRecord = (key: Buffer): boolean =>
  key[0] === KeyPrefix.record && sequenceOf(key) === DAMAGED + 1;

/** A request over which the process ends. */
async function dies(node: ServerProcess, method: string, path: string): Promise<void> {
  await expect(node.send(method, path)).rejects.toThrow();
  await until(() => !node.isRunning);
  expect(node.log()).toContain('Assertion');
}

/** Statuses of all documents, and what is said of the damaged ones. */
async function readAll(node: ServerProcess): Promise<{ readonly found: number; said: string[] }> {
  let found = 0;
  const said: string[] = [];
  for (let id = 0; id < DOCUMENTS; id++) {
    const { status, body } = await node.send('GET', `/i/t/${id}`);
    if (status === 200) {
      expect(body).toMatchObject({ found: true, _source: { n: id } });
      found++;
    } else {
      expect(status).toBe(500);
      said.push(JSON.stringify(body));
    }
  }
  return { found, said };
}

test('a key of the document log: the start after it names the table and serves the rest', async () => {
  const [file] = await breakKeys(data, 'log', isDamagedRecord);
  expect(file).toBeDefined();
  await dies(await start(), 'GET', `/i/t/${DAMAGED}`);
  // Without the check it would happen again and again.
  await dies(await start('node.check_after_crash=false'), 'GET', `/i/t/${DAMAGED}`);
  for (let round = 0; round < ROUNDS; round++) {
    const node = await start();
    expect(node.log()).toMatch(new RegExp(`table ${file} is damaged: block at \\d+ has a wrong`));
    const { found, said } = await readAll(node);
    expect(found).toBeGreaterThan(DOCUMENTS / 2);
    expect(said.length).toBeGreaterThan(0);
    for (const text of said) expect(text).toMatch(/CorruptIndexException\[.*, run verify\]/);
    const metrics = String((await node.send('GET', '/_metrics')).body);
    expect(metrics).toContain('facetd_damaged_tables 1');
    // LevelDB merges tables whenever it likes, and takes no writes when it fails over the damaged one.
    const { status, body } = await node.send('PUT', `/i/t/new${round}`, { n: 1 });
    if (status >= 300) expect(JSON.stringify(body)).toMatch(/is damaged: .*, run verify\]/);
    expect(node.isRunning).toBe(true);
    await node.kill();
  }
});

test('a key of the segments: the start after it builds again what cannot be read', async () => {
  const files = await breakKeys(data, 'segments', (key) => key[0] === KeyPrefix.block);
  expect(files.length).toBeGreaterThan(0);
  // The first search reads them, or the start does.
  const first = ServerProcess.launch(data, await freePort(), SETTINGS);
  server = first;
  await first.answers().catch(() => undefined);
  await first.send('GET', '/i/_search?q=n:7').catch(() => undefined);
  await until(() => !first.isRunning);
  expect(first.log()).toContain('Assertion');
  const node = await start();
  expect(node.log()).toContain(`table ${files[0]} is damaged`);
  await until(async () => {
    const { status, body } = await node.send('GET', '/i/_search?q=n:7');
    if (status === 200) expect(body).toMatchObject({ hits: { total: 1 } });
    else expect(JSON.stringify(body)).toContain('are being built again');
    return status === 200;
  });
  expect((await readAll(node)).found).toBe(DOCUMENTS);
});

test('the index of a table of the log: it is named, and nothing is answered wrongly', async () => {
  const files = await breakIndices(data, 'log');
  const first = ServerProcess.launch(data, await freePort(), SETTINGS);
  server = first;
  await expect(first.answers()).rejects.toThrow(/Assertion|SIGABRT/);
  // Metadata is in these tables, too.
  const second = ServerProcess.launch(data, await freePort(), SETTINGS);
  server = second;
  await expect(second.answers()).rejects.toThrow(/cannot (read|scan|open).*Corruption/);
  expect(second.log()).toContain(`table ${files[0]} is damaged`);
  expect(second.log()).not.toContain('Assertion');
});

test('damage is found in the background as well, and the node goes on without the process', async () => {
  // In process: a real one checks first after half a minute.
  const [file] = await breakKeys(data, 'log', isDamagedRecord);
  const warnings: string[] = [];
  const failures: string[] = [];
  const storage = await Storage.open({
    path: data,
    tableChecks: { firstMs: 1, pauseMs: 1 },
    onWarning: (message) => warnings.push(message),
    onFailure: (error) => failures.push(String(error.cause)),
  });
  await until(() => storage.stats().damagedTables === 1);
  expect(warnings.join()).toContain(`the table ${file} is damaged`);
  expect(failures.join()).toContain(`the table ${file} is damaged`);
  await storage.reopen();
  // Once: what is marked is not news.
  const told = [warnings.length, failures.length];
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([warnings.length, failures.length]).toEqual(told);
  await storage.close();
});

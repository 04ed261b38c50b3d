// Two servers that write to one repository: they take turns, no snapshot loses a chunk to the other, and a
// name is given once. `npm test` builds first.

import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random, testSeed } from '../support/random';
import { freePort, ServerProcess, type HttpAnswer } from '../support/server-process';
import { until } from '../support/until';

const ROUNDS = process.env['LONG'] === '1' ? 40 : 2;
const DOCUMENTS = 1500;

let root: string;
let servers: ServerProcess[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-shared-repository-'));
  servers = [];
  for (const name of ['a', 'b']) servers.push(await start(name));
});
afterEach(async () => {
  for (const server of servers) await server.kill();
  await rm(root, { recursive: true, force: true });
});

async function start(name: string): Promise<ServerProcess> {
  const settings = [`path.repo=${join(root, 'repo')}`, 'node.workers=0'];
  const server = await ServerProcess.start(join(root, name), await freePort(), settings);
  const { status } = await server.send('PUT', '/_snapshot/r', {
    type: 'fs',
    settings: { location: 'shared', compress: false },
  });
  expect(status).toBe(200);
  return server;
}

/** Documents that no two rounds have in common, so that each snapshot has chunks of its own. */
async function fill(server: ServerProcess, random: Random): Promise<void> {
  const lines: string[] = [];
  for (let i = 0; i < DOCUMENTS; i++) {
    let text = '';
    while (text.length < 1500) text += random.below(2 ** 30).toString(36);
    lines.push(`{"index":{"_index":"i","_type":"t","_id":"${i}"}}`, JSON.stringify({ text }));
  }
  expect((await server.send('POST', '/_bulk', `${lines.join('\n')}\n`)).status).toBe(200);
}

const take = (server: ServerProcess, name: string): Promise<HttpAnswer> =>
  server.send('PUT', `/_snapshot/r/${name}?wait_for_completion=true`);

async function snapshotNames(server: ServerProcess): Promise<string[]> {
  const { body } = await server.send('GET', '/_snapshot/r/_all');
  return (body as { snapshots: { snapshot: string }[] }).snapshots.map(({ snapshot }) => snapshot);
}

test('snapshots of both are whole, and of one name there is one', async () => {
  const random = new Random(testSeed(20140412));
  const [a, b] = servers as [ServerProcess, ServerProcess];
  const made: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([fill(a, random), fill(b, random)]);
    const both = await Promise.all([take(a, `same-${round}`), take(b, `same-${round}`)]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect([400, 503]).toContain(statuses[1]);
    made.push(`same-${round}`);
    // One takes a snapshot while the other deletes one, which removes what no manifest names.
    await Promise.all([fill(a, random), fill(b, random)]);
    const [taken, deleted] = await Promise.all([
      take(a, `own-${round}`),
      b.send('DELETE', `/_snapshot/r/same-${round}`),
    ]);
    for (const { status } of [taken, deleted]) expect([200, 503]).toContain(status);
    if (taken.status === 200) made.push(`own-${round}`);
    if (deleted.status === 200) made.splice(made.indexOf(`same-${round}`), 1);
    expect((await snapshotNames(b)).sort()).toEqual([...made].sort());
    for (const name of made) {
      const { status, body } = await b.send('POST', `/_snapshot/r/${name}/_verify`);
      expect({ status, body }).toMatchObject({ status: 200 });
    }
  }
  expect(await readdir(join(root, 'repo', 'shared', 'snapshots'))).not.toContain('lock');
}, 300_000);

test('the lock of a server that was killed is taken over at once, that of another machine when it is old', async () => {
  const [a, b] = servers as [ServerProcess, ServerProcess];
  const lock = join(root, 'repo', 'shared', 'snapshots', 'lock');
  const random = new Random(testSeed(20140413));
  await fill(a, random);
  const asked = take(a, 'killed').catch(() => null);
  await until(async () => (await readFile(lock, 'utf8').catch(() => '')).includes('"pid"'));
  process.kill(a.pid, 'SIGSTOP');
  const owner = JSON.parse(await readFile(lock, 'utf8')) as { pid: number };
  expect(owner.pid).toBe(a.pid);
  const { status, body } = await take(b, 'meanwhile');
  expect(status).toBe(503);
  expect(JSON.stringify(body)).toContain(`process [${a.pid}]`);
  await a.kill();
  await asked;
  await writeFile(lock, JSON.stringify(owner));
  expect((await take(b, 'after')).status).toBe(200);

  await writeFile(lock, JSON.stringify({ ...owner, token: 'x', place: 'elsewhere' }));
  expect((await take(b, 'refused')).status).toBe(503);
  expect((await b.send('DELETE', '/_snapshot/r/after')).status).toBe(503);
  const old = new Date(Date.now() - 61_000);
  await utimes(lock, old, old);
  expect((await take(b, 'old')).status).toBe(200);
  expect((await b.send('DELETE', '/_snapshot/r/after')).status).toBe(200);
});

test('a snapshot whose lock has gone to another node is not made', async () => {
  const [a] = servers as [ServerProcess, ServerProcess];
  const lock = join(root, 'repo', 'shared', 'snapshots', 'lock');
  await fill(a, new Random(testSeed(20140414)));
  const asked = take(a, 'lost');
  await until(async () => (await readFile(lock, 'utf8').catch(() => '')).includes('"pid"'));
  process.kill(a.pid, 'SIGSTOP');
  await writeFile(lock, '{"token":"other","node":"n","host":"h","place":"p","pid":1}');
  process.kill(a.pid, 'SIGCONT');
  const { status, body } = await asked;
  expect(status).toBe(503);
  expect(JSON.stringify(body)).toContain('its lock has gone to another node');
  expect(await snapshotNames(a)).toEqual([]);
  expect(await readFile(lock, 'utf8')).toContain('other');
});

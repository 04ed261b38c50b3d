// The compiled program itself: its exit codes and its end. `npm test` builds first.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatched, type NodeChild, type WatchedNode } from '../support/child';
import { request } from 'node:http';
import { canSharePort } from '../../server/http-threads/http-threads';
import { note } from '../support/figures';
import { onlyWhere } from '../support/only-where';
import { until } from '../support/until';

const MAIN = join(__dirname, '..', '..', 'dist', 'server', 'main.js');

let folder: string;
const running: NodeChild[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facetd-program-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]): WatchedNode {
  const started = startWatched(MAIN, args, folder);
  running.push(started.child);
  return started;
}

async function run(...args: string[]): Promise<[number | null, string]> {
  const { child, output } = start(...args);
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, output()];
}
async function listening(output: () => string): Promise<string> {
  const address = () => /listening on (http:[^"\s]+)/.exec(output())?.[1];
  await until(() => address() !== undefined, output);
  return address()!;
}

test('version and help end at once', async () => {
  expect(await run('--version')).toEqual([0, expect.stringMatching(/^facetd \d+\.\d+\.\d+\n$/)]);
  const [code, help] = await run('--help');
  expect(code).toBe(0);
  expect(help).toContain('http.max_content_length (default: 100mb)');
});

test('a bad configuration is one clear line and exit code 78', async () => {
  expect(await run('--set', 'htp.port=1')).toEqual([
    78,
    'facetd: unknown setting htp.port in --set; did you mean http.port? --help lists all\n',
  ]);
  const [code, output] = await run('--host', '0.0.0.0');
  expect(code).toBe(78);
  expect(output).toContain('network.insecure_bind');
});

test('sub-commands are programs with the exit codes and the output of their own', async () => {
  expect(await run('verify')).toEqual([
    64,
    expect.stringMatching(/^facetd verify: --data FOLDER is /),
  ]);
  expect(await run('repair', '--help')).toEqual([
    0,
    expect.stringMatching(/^facetd repair: .*\n\nusage: facetd repair --data FOLDER --yes\n/),
  ]);
  expect(await run('verify', '--data', 'nowhere')).toEqual([
    2,
    expect.stringMatching(/^facetd verify: .*\n$/),
  ]);
});

test('serves until SIGTERM, keeps what it acknowledged, and ends with 0', async () => {
  const options = ['--port', '0', '--data', 'data', '--set', 'node.workers=0'];
  const first = start(...options);
  const address = await listening(first.output);
  const put = await fetch(`${address}/i/t/1`, { method: 'PUT', body: '{"a":1}' });
  expect(put.status).toBe(201);
  first.child.kill('SIGTERM');
  expect(await once(first.child, 'close')).toEqual([0, null]);

  const second = start(...options);
  const again = await fetch(`${await listening(second.output)}/i/t/1/_source`);
  expect(await again.text()).toBe('{"a":1}');
  second.child.kill('SIGINT');
  expect(await once(second.child, 'close')).toEqual([0, null]);
});

/** Writes document after document until the server is gone. @returns ids that were acknowledged */
async function writeOn(address: string, writer: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let n = 0; ; n++) {
    const id = `${writer}-${n}`;
    const request = { method: 'PUT', body: `{"n":${n}}` };
    const answer = await fetch(`${address}/i/t/${id}`, request).catch(() => null);
    if (answer === null) return acknowledged;
    if (answer.status === 201) acknowledged.push(id);
    // Closing, and not gone yet.
    else expect(answer.status).toBe(503);
  }
}

test.each([
  ['one signal ends in order', 1, 0],
  ['a second one ends at once', 2, 1],
])('under load %s, and nothing acknowledged is lost', async (_, signals, code) => {
  const options = ['--port', '0', '--data', 'data', '--set', 'node.workers=0'];
  const first = start(...options);
  const address = await listening(first.output);
  const writers = [1, 2, 3, 4].map((writer) => writeOn(address, writer));
  const count = async () =>
    ((await (await fetch(`${address}/i/_count`)).json()) as { count: number }).count;
  await until(async () => (await count()) > 50);
  const closed = once(first.child, 'close');
  // One more whose body does not come to an end: the first signal waits for it.
  const { hostname, port } = new URL(address);
  const unfinished = connect(Number(port), hostname).on('error', () => undefined);
  unfinished.write('PUT /i/t/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n{');
  await count();
  first.child.kill('SIGTERM');
  await until(() => first.output().includes('stopping'), first.output);
  if (signals === 2) first.child.kill('SIGTERM');
  else unfinished.write('"a":"bcd"}');
  expect(await closed).toEqual([code, null]);
  const acknowledged = (await Promise.all(writers)).flat();
  unfinished.destroy();
  expect(acknowledged.length).toBeGreaterThan(50);
  const again = await listening(start(...options).output);
  const found = await fetch(`${again}/i/t/_mget`, {
    method: 'POST',
    body: JSON.stringify({ ids: acknowledged }),
  });
  const { docs } = (await found.json()) as { docs: { _id: string; found: boolean }[] };
  expect(docs.filter((document) => !document.found)).toEqual([]);
  expect(docs).toHaveLength(acknowledged.length);
  note('ends under load', { signals, code, acknowledged: acknowledged.length });
});

test('a node for other machines starts with a key, and answers its holder only', async () => {
  const options = ['--host', '0.0.0.0', '--port', '0', '--data', 'data'];
  const open = ['--set', 'http.authentication=true', '--set', 'node.workers=0'];
  const [code, output] = await run(...options, ...open);
  expect(code).toBe(78);
  expect(output).toMatch(/there is no key.*facetd keys create admin --role admin --data /);
  const [made, printed] = await run('keys', 'create', 'admin', '--role', 'admin', '--data', 'data');
  expect(made).toBe(0);
  const { id, secret } = JSON.parse(printed) as { id: string; secret: string };
  const [listed, list] = await run('keys', 'list', '--data', 'data');
  writeFileSync(join(folder, 'secret'), 'one that was chosen', { mode: 0o644 });
  const chosen = ['keys', 'create', 'two', '--role', 'monitor', '--data', 'data'];
  const [loose, why] = await run(...chosen, '--secret-file', 'secret');
  expect([loose, why]).toEqual([78, expect.stringMatching(/may be read by others.*chmod 600/)]);
  expect([listed, list]).toEqual([0, expect.not.stringContaining(secret)]);
  const server = start(...options, ...open);
  const address = (await listening(server.output)).replace('0.0.0.0', '127.0.0.1');
  expect((await fetch(address)).status).toBe(401);
  const Authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  expect((await fetch(address, { headers: { Authorization } })).status).toBe(200);
  const url = address.replace('://', `://${id}:${secret}@`);
  const [asked, more] = await run('keys', 'create', 'one', '--read', 'logs-*', '--url', url);
  expect([asked, more]).toEqual([0, expect.stringContaining('"id":"one"')]);
});

test('a port that is taken is a failure', async () => {
  const first = start('--port', '0', '--data', 'data', '--set', 'node.workers=0');
  const port = new URL(await listening(first.output)).port;
  const [code, output] = await run('--port', port, '--data', 'other', '--set', 'node.workers=0');
  expect(code).toBe(1);
  expect(output).toContain(`facetd: port ${port} of 127.0.0.1 is taken by another process`);
  // By whom is known where /proc is.
  if (process.platform === 'linux') expect(output).toContain(`(process ${first.child.pid}: `);
  expect(output).toContain('choose another port (--port 9201');
});

/** On a connection of its own, so that any thread may get it. */
function fetched(method: string, url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

onlyWhere(canSharePort(), 'Linux and Node 22.12')(
  'threads share a port, show what others acknowledged, and leave no room for another process',
  async () => {
    const data = join(folder, 'data');
    const threads = ['--set', 'http.threads=3', '--set', 'logger.level=info'];
    const { child, output } = start('--port', '0', '--data', data, ...threads);
    const address = await listening(output);
    for (let i = 1; i <= 20; i++) {
      await fetched('PUT', `${address}/i/doc/${i}?refresh=true`, `{"n":${i}}`);
      const counted = await Promise.all(
        Array.from({ length: 8 }, () => fetched('GET', `${address}/i/_count`)),
      );
      for (const text of counted) expect(text).toContain(`{"count":${i},`);
    }
    const metrics = await fetched('GET', `${address}/_metrics`);
    for (const thread of [0, 1, 2]) expect(metrics).toContain(`"http-${thread}"`);
    const port = new URL(address).port;
    const [code, refusal] = await run('--port', port, '--data', join(folder, 'other'), ...threads);
    expect([code, refusal]).toEqual([1, expect.stringContaining('is taken by another process')]);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output()).not.toContain('"level":50');
  },
);

onlyWhere(!canSharePort(), 'Node before 22.12')(
  'where threads cannot share a port the main thread takes requests, and says so',
  async () => {
    const data = join(folder, 'data');
    const { child, output } = start('--port', '0', '--data', data, '--set', 'http.threads=2');
    const address = await listening(output);
    expect(output()).toContain('the main thread takes requests');
    expect(await fetched('GET', `${address}/_cat/indices`)).toBe('');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  },
);

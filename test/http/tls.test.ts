// TLS, with the program as it is started: who gets a connection, which certificate they see, and that clients
// of 1.x come in with a key.

import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Client } from 'elasticsearch';
import { startWatched, type NodeChild, type WatchedNode } from '../support/child';
import { until } from '../support/until';

const MAIN = join(__dirname, '..', '..', 'dist', 'server', 'main.js');
const FIXTURES = join(__dirname, '..', 'fixtures', 'tls');
const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name));

let folder: string;
const running: NodeChild[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facetd-tls-'));
  use('');
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a certificate and its key where the node looks for them. */
function use(prefix: string): void {
  for (const name of ['certificate.pem', 'key.pem']) {
    copyFileSync(join(FIXTURES, prefix + name), join(folder, name));
    chmodSync(join(folder, name), 0o600);
  }
}

function start(...args: string[]): WatchedNode {
  const started = startWatched(MAIN, args, folder);
  running.push(started.child);
  return started;
}

const COMMON = [
  ...['--port', '0', '--data', 'data', '--set', 'node.workers=0'],
  ...['--set', 'http.tls.certificate=certificate.pem', '--set', 'http.tls.key=key.pem'],
];

async function listening(output: () => string): Promise<number> {
  const port = () => /listening on https:\/\/[^"\s]+:(\d+)/.exec(output())?.[1];
  await until(() => port() !== undefined, output);
  return Number(port());
}

/** The status of a request, or why there is no connection. */
function status(port: number, ca: Buffer, more: object = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const url = `https://127.0.0.1:${port}/`;
    const request = get(url, { ca, agent: false, ...more }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

test('connections are TLS 1.2 or later, and certificates are read again on SIGHUP', async () => {
  const { child, output } = start(...COMMON);
  const port = await listening(output);
  expect(await status(port, fixture('certificate.pem'))).toBe(200);
  expect(await status(port, fixture('other-certificate.pem'))).toMatch(/SELF_SIGNED|UNABLE/);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  const old = connect({
    port,
    host: '127.0.0.1',
    ca: fixture('certificate.pem'),
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
  });
  const [refused] = (await once(old, 'error').catch((error: unknown) => [error])) as [Error];
  expect(refused.message).toMatch(/protocol|version|alert/i);
  use('other-');
  child.kill('SIGHUP');
  const seen = () => status(port, fixture('other-certificate.pem'));
  for (let i = 0; i < 200 && (await seen()) !== 200; i++)
    await new Promise((r) => setTimeout(r, 25));
  expect(await seen()).toBe(200);
  // A key that others may read changes nothing.
  use('');
  chmodSync(join(folder, 'key.pem'), 0o644);
  child.kill('SIGHUP');
  await until(() => output().includes('certificates stay as they were'), output);
  expect(await seen()).toBe(200);
});

test('a private key that others may read is refused, and half of a pair', async () => {
  chmodSync(join(folder, 'key.pem'), 0o640);
  const loose = start(...COMMON);
  expect(await once(loose.child, 'close')).toEqual([78, null]);
  expect(loose.output()).toMatch(/http\.tls\.key: .*may be read by others.*chmod 600/);
  use('');
  chmodSync(join(folder, 'certificate.pem'), 0o606);
  const open = start(...COMMON);
  expect(await once(open.child, 'close')).toEqual([78, null]);
  expect(open.output()).toMatch(/certificate\.pem, or its folder, may be written by every user/);
  const half = start('--set', 'http.tls.key=key.pem');
  expect(await once(half.child, 'close')).toEqual([78, null]);
});

test('clients need a certificate where they are asked for one', async () => {
  copyFileSync(join(FIXTURES, 'other-certificate.pem'), join(folder, 'clients.pem'));
  const { output } = start(...COMMON, '--set', 'http.tls.client_ca=clients.pem');
  const port = await listening(output);
  const ca = fixture('certificate.pem');
  expect(typeof (await status(port, ca))).toBe('string');
  const own = { cert: fixture('other-certificate.pem'), key: fixture('other-key.pem') };
  expect(await status(port, ca, own)).toBe(200);
});

test('clients that look for nodes find it where it speaks TLS', async () => {
  const { output } = start(...COMMON);
  const port = await listening(output);
  const url = `https://127.0.0.1:${port}/_nodes/http`;
  const asked = get(url, { ca: fixture('certificate.pem'), agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const { nodes } = (await json(answer)) as { nodes: Record<string, object> };
  const address = `inet[/127.0.0.1:${port}]`;
  expect(Object.values(nodes)[0]).toMatchObject({ http_address: address, https_address: address });
});

test('a client of 1.x works with a key by Basic authentication over TLS', async () => {
  const made = start('keys', 'create', 'app', '--write', 'books*', '--data', 'data');
  await once(made.child, 'close');
  const { secret } = JSON.parse(made.output()) as { secret: string };
  const { output } = start(...COMMON, '--set', 'http.authentication=true');
  const port = await listening(output);
  const client = new Client({
    host: {
      protocol: 'https',
      host: 'localhost',
      port,
      auth: `app:${secret}`,
    },
    ssl: { ca: fixture('certificate.pem').toString(), rejectUnauthorized: true },
    apiVersion: '1.7',
    log: [],
  });
  try {
    await client.index({
      index: 'books-1',
      type: 'b',
      id: '1',
      body: { title: 'one' },
      refresh: true,
    });
    const found = (await client.search({ index: 'books*', q: 'title:one' })) as {
      hits: { total: number };
    };
    expect(found.hits.total).toBe(1);
    await expect(client.indices['delete']!({ index: 'books-1' })).rejects.toMatchObject({
      status: 403,
    });
    await expect(client.search({ index: 'other' })).rejects.toMatchObject({ status: 403 });
  } finally {
    client.close();
  }
  const denied = () =>
    output()
      .split('\n')
      .filter((line) => line.includes('"audit":"denied"'));
  // A line is written after its answer.
  await until(() => denied().length === 2, output);
  const audited = denied();
  expect(JSON.parse(audited[0]!)).toMatchObject({
    audit: 'denied',
    key: 'app',
    method: 'DELETE',
    path: '/books-1',
    status: 403,
  });
  expect(output()).not.toContain(secret);
});

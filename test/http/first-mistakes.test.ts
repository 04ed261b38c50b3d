// What people do wrong in the first minutes: each program says what is wrong and what to do next, once.
// `npm test` builds first.

import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { startNode } from '../support/child';

const DIST = join(__dirname, '..', '..', 'dist');

let folder: string;
/** A server of another kind: it answers any request alike. */
let other: Server;
let answer = { status: 200, text: '' };
let otherUrl: string;
const changed: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-mistakes-'));
  other = createServer((request, response) => {
    if (request.method !== 'GET') changed.push(`${request.method} ${request.url}`);
    response.writeHead(answer.status, { 'Content-Type': 'text/plain' }).end(answer.text);
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  otherUrl = `http://127.0.0.1:${(other.address() as { port: number }).port}`;
});
afterAll(async () => {
  other.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

async function run(program: string, args: readonly string[]): Promise<Ended> {
  const child = startNode(join(DIST, `${program}.js`), args, folder);
  let out = '';
  let error = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (error += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, error };
}

test.each<[string, string, string[], number, RegExp]>([
  [
    'no scheme',
    'scripts/backup',
    ['--url', 'localhost:9200'],
    78,
    /^--url localhost:9200 is not the address of a server; did you mean http:\/\/localhost:9200\?\n$/,
  ],
  [
    'a key that cannot be read',
    'scripts/backup',
    ['--url', 'http://me:100%@localhost:9200'],
    78,
    /^the key in the address of --url has a %.*%25\n$/,
  ],
  [
    'a folder to serve that is none',
    'server/main',
    ['--set', 'http.static.kibana=nowhere', '--data', 'd'],
    78,
    /^facetd: http\.static\.kibana .*nowhere is not a folder\n$/,
  ],
  [
    'another scheme',
    'scripts/restore',
    ['--list', '--url', 'ftp://x'],
    78,
    /^--url ftp:\/\/x .*begin with http:\/\/ or https:\/\/\n$/,
  ],
  [
    'nobody there',
    'scripts/backup',
    ['--url', 'http://127.0.0.1:2'],
    1,
    /^nothing answers at http:\/\/127\.0\.0\.1:2 \(ECONNREFUSED\): is facetd running there\?.*--url.*\n$/,
  ],
  [
    'a misspelt option',
    'scripts/backup',
    ['--kepe', '3'],
    78,
    /^there is no option --kepe; did you mean --keep\?.*\n$/,
  ],
  [
    'into, and no location',
    'scripts/restore',
    ['--into', 'x'],
    78,
    /^--into needs --location.*\n$/,
  ],
  [
    'no data folder',
    'scripts/check/verify',
    [],
    64,
    /^facetd verify: --data FOLDER is needed.*\n$/,
  ],
  [
    'repair without yes',
    'scripts/check/repair',
    ['--data', 'x'],
    64,
    /^facetd repair: nothing was changed: --yes is needed.*facetd verify --data .*\n$/,
  ],
  [
    'keys of nowhere',
    'scripts/keys',
    ['list'],
    78,
    /^where are the keys\? --data FOLDER.*--url URL.*\n$/,
  ],
  [
    'a misspelt command',
    'server/main',
    ['bakcup'],
    78,
    /^facetd: there is no command bakcup; did you mean facetd backup\?.*\n$/,
  ],
  [
    'a misspelt index setting',
    'server/main',
    ['--set', 'index.number_of_shard=2'],
    78,
    /^facetd: unknown setting index\.number_of_shard in --set; did you mean index\.number_of_shards\?.*\n$/,
  ],
  [
    'an address of another machine',
    'server/main',
    [
      '--host',
      '192.0.2.1',
      '--insecure-bind',
      '--port',
      '0',
      '--data',
      'd',
      '--set',
      'logger.level=error',
    ],
    1,
    /^facetd: 192\.0\.2\.1 is no address of this machine: set network\.host.*\n$/,
  ],
])('%s', async (_name, program, args, code, message) => {
  expect(await run(program, args)).toEqual({
    code,
    out: '',
    error: expect.stringMatching(message) as unknown,
  });
});

test('with --json an error is one line of JSON, and nothing else', async () => {
  const { code, out, error } = await run('scripts/backup', ['--url', 'x:1', '--json']);
  expect([code, error]).toEqual([78, '']);
  expect(JSON.parse(out)).toEqual({
    ok: false,
    error: expect.stringContaining('http://x:1') as unknown,
  });
});

test('servers of another kind are named, and left alone', async () => {
  const runs = async (program: string): Promise<string> => {
    const { code, error } = await run(program, ['--url', otherUrl]);
    expect(code).toBe(1);
    return error;
  };
  answer = { status: 404, text: '<html><body>\nnot here' };
  for (const program of ['scripts/demo', 'scripts/backup']) {
    expect(await runs(program)).toMatch(
      / is no facetd: GET \/\S* gets 404 <html><body> not here\n$/,
    );
  }
  answer = {
    status: 200,
    text: '{"version":{"number":"8.11.0"},"tagline":"You Know, for Search"}',
  };
  expect(await runs('scripts/demo')).toMatch(
    / is a server of version 8\.11\.0, and nothing was changed there/,
  );
  answer = { status: 200, text: '{"couchdb":"Welcome"}' };
  expect(await runs('scripts/demo')).toMatch(
    / is a server of another kind, and nothing was changed/,
  );
  answer = {
    status: 404,
    text: '{"error":"RepositoryMissingException[[backup] missing]","status":404}',
  };
  expect(await runs('scripts/restore')).toMatch(
    / knows no repository backup: --location FOLDER names /,
  );
  answer = { status: 401, text: '{"error":"x","status":401}' };
  expect(await runs('scripts/backup')).toMatch(/asks for a key.*FACETD_CLIENT_KEY/);
  expect(changed).toEqual([]);
});

test.each([
  ['18.20.8', true],
  ['20.18.3', true],
  ['21.7.3', true],
  ['22.11.0', true],
  ['20.19.0', false],
  ['22.12.0', false],
  ['24.0.0', false],
])('Node %s is too old: %s', async (version, isTooOld) => {
  const program = await readFile(join(DIST, 'server', 'main.js'), 'utf8');
  const [, check = ''] = program.split('\n');
  const said: unknown[] = [];
  const pretended = {
    versions: { node: version },
    execPath: '/usr/bin/node',
    exit: (code: number) => said.push(code),
  };
  const console = { error: (...words: string[]) => said.push(words.join(' ')) };
  runInNewContext(check, { process: pretended, console });
  const message: unknown = expect.stringMatching(
    /^facetd: Node [\d.]+ is too old: 24, 22\.12 or 20\.19 is needed/,
  );
  expect(said).toEqual(isTooOld ? [message, 78] : []);
});

test('an address with or without TLS where it is the other way round, and a certificate of nobody', async () => {
  const read = (name: string) => readFile(join(__dirname, '..', 'fixtures', 'tls', name));
  const secure = createTlsServer({
    cert: await read('certificate.pem'),
    key: await read('key.pem'),
  }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const { port } = secure.address() as { port: number };
  const tries: [program: string, url: string, says: RegExp][] = [
    ['scripts/backup', `https://localhost:${port}`, /SELF_SIGNED.*NODE_EXTRA_CA_CERTS=FILE/],
    ['scripts/backup', `http://localhost:${port}`, /where TLS is spoken.*https:/],
    ['scripts/backup', otherUrl.replace('http:', 'https:'), /no TLS is spoken there; try http:/],
    ['scripts/keys', `https://localhost:${port}`, /SELF_SIGNED.*NODE_EXTRA_CA_CERTS=FILE/],
  ];
  try {
    const ended = tries.map(([program, url]) =>
      run(program, [...(program === 'scripts/keys' ? ['list'] : []), '--url', url]),
    );
    for (const [i, { code, error }] of (await Promise.all(ended)).entries()) {
      expect(error).toMatch(tries[i]![2]);
      expect([code, error.trim().split('\n').length]).toEqual([1, 1]);
    }
  } finally {
    secure.close();
  }
});

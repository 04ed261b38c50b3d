// facetd-import from one server to another: facetd as the source, and a server as old ones are.

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeJson } from '../../engine/json/index';
import { Connection, UnreachableError } from '../../scripts/importing/connection';
import { ServerCopy, type CopyOptions } from '../../scripts/importing/copy';
import { ServerDump } from '../../scripts/importing/dump';
import { dumpItem, filesOf, type FileOptions } from '../../scripts/importing/files';
import { FileLoad } from '../../scripts/importing/load';
import { OldServer } from '../../scripts/importing/old-server';
import { reportLines, type ImportReport } from '../../scripts/importing/report';
import { ImportState } from '../../scripts/importing/state';
import { Target } from '../../scripts/importing/target';
import { createTestApp, type TestApp } from '../support/app';
import { startNode } from '../support/child';
import { OldServerDouble, type Mood, type OldIndex } from '../support/old-server';
import { until } from '../support/until';

/** A node that listens, and a connection to it. */
interface Listening {
  readonly url: string;
  readonly connection: Connection;
  readonly server: Server;
  readonly app: TestApp;
}

const RETRIES = 1;
let folder: string;
let source: Listening;
let target: Listening;
/** Called with the line of each request to the target. */
let onTarget: (line: string) => void = () => undefined;

async function listen(hear: (line: string) => void): Promise<Listening> {
  const app = await createTestApp({ 'index.refresh_interval': '-1' });
  const server = app.handler.listen(0, '127.0.0.1');
  server.prependListener('request', (request: { method?: string; url?: string }) =>
    hear(`${request.method} ${request.url}`),
  );
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    connection: new Connection({ option: '--to', url, retries: RETRIES }),
    server,
    app,
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-import-'));
  source = await listen(() => undefined);
  target = await listen((line) => onTarget(line));
});

afterEach(async () => {
  onTarget = () => undefined;
  for (const { connection } of [source, target]) {
    await connection.text('DELETE', '/_all');
    await connection.text('DELETE', '/_template/*');
  }
  await rm(join(folder, 'state.json'), { force: true });
});

afterAll(async () => {
  for (const { app, connection, server } of [source, target]) {
    connection.close();
    server.closeAllConnections();
    server.close();
    await app.close();
  }
  await rm(folder, { recursive: true });
});

async function run(options: Partial<CopyOptions> = {}, from = source.url): Promise<ImportReport> {
  const left = new Connection({ option: '--from', url: from, retries: RETRIES });
  const copy = new ServerCopy(
    await OldServer.open(left),
    await Target.open(target.connection, RETRIES),
    ImportState.open(join(folder, 'state.json'), left.url, target.url),
    {
      indices: '*',
      parallel: 2,
      level: 'facets',
      isMirror: false,
      isMerge: false,
      isQuiet: true,
      ...options,
    },
  );
  try {
    return await copy.run();
  } finally {
    left.close();
  }
}

/** Sends a request to a node, and gives the parsed answer. */
async function ask(
  { connection }: Listening,
  method: string,
  path: string,
  body?: string | object,
): Promise<unknown> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const answer = await connection.text(method, path, text);
  return answer === '' ? null : (JSON.parse(answer) as unknown);
}

const bulk = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

async function loadShirts(count: number): Promise<void> {
  await ask(source, 'PUT', '/shirts', {
    settings: { number_of_shards: 2 },
    mappings: { shirt: { properties: { color: { type: 'string', index: 'not_analyzed' } } } },
  });
  const lines = Array.from({ length: count }, (_, n) => [
    { index: { _index: 'shirts', _type: 'shirt', _id: String(n) } },
    { color: n % 2 === 0 ? 'red' : 'blue', n },
  ]);
  await ask(source, 'POST', '/_bulk?refresh=true', bulk(lines.flat()));
}

test('everything of an index is carried over, as it is told by the server', async () => {
  const alias = { filter: { term: { k: 'a' } }, index_routing: '1', search_routing: '1,2' };
  await ask(source, 'PUT', '/family', {
    settings: { number_of_shards: 3, analysis: { analyzer: { own: { type: 'keyword' } } } },
    mappings: {
      parent: {
        properties: {
          k: { type: 'string', analyzer: 'keyword' },
          text: { type: 'string', analyzer: 'own' },
        },
      },
      child: { _parent: { type: 'parent' } },
      dated: { _timestamp: { enabled: true }, _ttl: { enabled: true } },
    },
    aliases: { plain: {}, ['sales']: alias },
    warmers: { warm: { types: ['parent'], source: { query: { match_all: {} } } } },
  });
  await ask(source, 'PUT', '/_template/logs', { template: 'logs-*', aliases: { all: {} } });
  await ask(source, 'PUT', '/_scripts/groovy/twice', { script: 'x * 2' });
  const times = { _timestamp: 1_400_000_000_000, _ttl: 3_000_000_000_000 };
  await ask(
    source,
    'POST',
    '/family/_bulk?refresh=true',
    bulk([
      {
        index: {
          _type: 'parent',
          _id: 'p',
          _version: 5_000_000_000,
          _version_type: 'external',
        },
      },
      // Digits, blanks and a line break in a later request stay as they are.
      '{"k":"a","big":9007199254740993,"price":4.0}',
      { index: { _type: 'child', _id: 'c', _parent: 'p' } },
      { n: 1 },
      { index: { _type: 'child', _id: 'far', _parent: 'p', _routing: 'elsewhere' } },
      { n: 2 },
      { index: { _type: 'dated', _id: 'd', ...times } },
      { n: 3 },
      { index: { _type: '.percolator', _id: 'red' } },
      { query: { term: { k: 'a' } }, color: 'red' },
    ]),
  );
  await ask(source, 'PUT', '/family/parent/lines?refresh=true', '{"k":\n"b" // blank\n}');
  const report = await run();
  expect(reportLines(report).filter((line) => !line.startsWith('note'))).toEqual([
    'ok       .scripts: 1 documents read, 1 on both sides, checksums equal',
    'ok       family: 6 documents read, 6 on both sides, checksums equal, 1 keyword fields compared',
  ]);
  expect(report.ok).toBe(true);
  const told = (await ask(target, 'GET', '/family')) as Record<string, Record<string, unknown>>;
  expect(told['family']).toMatchObject({
    aliases: { plain: {}, sales: alias },
    warmers: { warm: { types: ['parent'], source: { query: { match_all: {} } } } },
    settings: {
      index: { number_of_shards: '3', analysis: { analyzer: { own: { type: 'keyword' } } } },
    },
  });
  expect(await ask(target, 'GET', '/_template/logs')).toEqual(
    await ask(source, 'GET', '/_template/logs'),
  );
  expect(await target.connection.text('GET', '/family/parent/p')).toBe(
    await source.connection.text('GET', '/family/parent/p'),
  );
  expect(
    await ask(target, 'GET', '/family/child/far?routing=elsewhere&fields=_parent'),
  ).toMatchObject({
    found: true,
    fields: { _parent: 'p' },
  });
  const search = { fielddata_fields: ['_timestamp', '_ttl'] };
  expect(await ask(target, 'POST', '/family/dated/_search', search)).toMatchObject({
    hits: {
      hits: [{ fields: { _timestamp: times._timestamp, _ttl: times._timestamp + times._ttl } }],
    },
  });
  expect(await ask(target, 'GET', '/family/parent/_percolate', { doc: { k: 'a' } })).toMatchObject({
    matches: [{ _id: 'red' }],
  });
});

test('a run goes on where an earlier one was killed, and writes nothing twice', async () => {
  await loadShirts(60);
  await ask(source, 'PUT', '/coats/coat/1?refresh=true', {});
  const program = join(__dirname, '..', '..', 'dist', 'scripts', 'import.js');
  const state = join(folder, 'state.json');
  const args = [
    '--quiet',
    '--from',
    source.url,
    '--to',
    target.url,
    '--state',
    state,
    '--parallel',
    '1',
  ];
  const child = startNode(program, args, folder);
  let bulks = 0;
  onTarget = (line) => {
    // The third one is of the second slice of shirts; whether it is still written or not is open.
    if (line.startsWith('POST /_bulk') && ++bulks === 3) child.kill('SIGKILL');
  };
  await once(child, 'exit');
  expect(bulks).toBe(3);
  expect(existsSync(state)).toBe(true);
  onTarget = () => undefined;
  const report = await run();
  expect(report.ok).toBe(true);
  const verdict = report.indices['shirts']!.verified!;
  expect(verdict.source).toEqual({
    documents: 60,
    checksum: expect.stringMatching(/^[\da-f]{32}$/) as string,
  });
  expect(verdict.target).toEqual(verdict.source);
  expect(report.indices['coats']!.documents).toMatchObject({ read: 1, written: 1, present: 0 });
  // A run after the last one compares, and writes nothing.
  onTarget = (line) => void (line.startsWith('POST /_bulk') && bulks++);
  expect((await run()).ok).toBe(true);
  expect(bulks).toBe(3);
});

test('what the target refuses is told with the reason', async () => {
  await loadShirts(4);
  await ask(target, 'PUT', '/shirts', {
    mappings: { shirt: { properties: { color: { type: 'long' } } } },
  });
  await expect(run()).rejects.toThrow(
    /the target has shirts already; --merge writes into what is there/,
  );
  const report = await run({ isMerge: true });
  expect(report.ok).toBe(false);
  const { differences, documents } = report.indices['shirts']!;
  expect(documents).toMatchObject({ read: 4, written: 0, refused: 4 });
  expect(differences).toEqual([
    expect.stringMatching(/^4 are missing in the target: shirt\/\d, /),
    expect.stringMatching(
      /^2 refused, such as shirt\/\d: MapperParsingException\[failed to parse \[color\]\]/,
    ),
    expect.stringMatching(/^2 refused, such as shirt\/\d: MapperParsing/),
  ]);
});

test('what has changed in the source meanwhile is copied again, and with --mirror deleted', async () => {
  await loadShirts(10);
  expect((await run()).ok).toBe(true);
  await ask(source, 'PUT', '/shirts/shirt/1', { color: 'green' });
  await ask(source, 'PUT', '/shirts/shirt/new', { color: 'new' });
  await ask(source, 'DELETE', '/shirts/shirt/2?refresh=true');
  const report = await run();
  expect(report.indices['shirts']!.verified!.mended).toBe(2);
  expect(report.indices['shirts']!.differences).toEqual([
    '1 are in the target only: deleted in the source, or written to the target: shirt/2',
  ]);
  // Names that are more than names in paths.
  for (const id of ['..', 'a/b?c#d', '%2e%2e']) {
    const action = { index: { _index: 'shirts', _type: 'shirt', _id: id } };
    await ask(target, 'POST', '/_bulk?refresh=true', bulk([action, {}]));
  }
  expect((await run({ isMirror: true })).ok).toBe(true);
  expect(await ask(target, 'GET', '/shirts/_count')).toMatchObject({ count: 10 });
  // Written to the target: it stays, and is told.
  await ask(target, 'PUT', '/shirts/shirt/1', { color: 'later' });
  await ask(target, 'POST', '/shirts/_refresh');
  expect((await run()).indices['shirts']!.differences).toEqual([
    '1 have a later version in the target: they were written there: shirt/1',
  ]);
});

test('an index that nobody may write to stays so, also when it is looked at again', async () => {
  await loadShirts(3);
  await ask(source, 'POST', '/_aliases', {
    actions: [{ add: { index: 'shirts', alias: 'all' } }],
  });
  await ask(source, 'PUT', '/shirts/_warmer/w', { query: { match_all: {} } });
  await ask(source, 'PUT', '/shirts/_settings', { 'index.blocks.read_only': true });
  try {
    for (let time = 0; time < 2; time++) {
      expect(reportLines(await run())[0]).toMatch(
        /^ok {7}shirts: 3 documents read, 3 on both sides/,
      );
    }
    await expect(ask(target, 'PUT', '/shirts/shirt/9', {})).rejects.toThrow(
      /ClusterBlockException/,
    );
  } finally {
    for (const node of [source, target]) {
      await ask(node, 'PUT', '/shirts/_settings', { 'index.blocks.read_only': false });
    }
  }
});

test('without a comparison refusals still count', async () => {
  await loadShirts(2);
  await ask(target, 'PUT', '/shirts', {
    mappings: { shirt: { properties: { color: { type: 'long' } } } },
  });
  const report = await run({ isMerge: true, level: 'none' });
  expect(report.ok).toBe(false);
  expect(report.indices['shirts']!.refusals).toHaveLength(2);
});

test('patterns choose indices, and a closed one is told', async () => {
  for (const name of ['logs-1', 'logs-2', 'other']) {
    await ask(source, 'PUT', `/${name}/t/1?refresh=true`, {});
  }
  await ask(source, 'POST', '/logs-2/_close');
  const report = await run({ indices: 'logs-*,-*3', level: 'counts' });
  expect(Object.keys(report.indices)).toEqual(['logs-1']);
  expect(report.problems).toEqual([
    'index [logs-2] is closed: nothing of it can be read; open it and run again',
  ]);
  await expect(run({ indices: 'none*' })).rejects.toThrow('the source has no index [none*]');
});

test('a server that is not there is told at once', async () => {
  const nobody = new Connection({ option: '--from', url: 'http://127.0.0.1:1', retries: 1000 });
  await expect(OldServer.open(nobody)).rejects.toThrow(
    'http://127.0.0.1:1 does not answer GET /: connect ECONNREFUSED 127.0.0.1:1',
  );
});

test('keys and headers go with each request, and never in the name of a server', async () => {
  const old = await OldServerDouble.start({});
  const url = new URL(old.url);
  const headers = ['X-Proxy: a: b'];
  const connection = new Connection({
    ...{ option: '--from', retries: 0, headers },
    url: `http://me:se%20cret@${url.host}`,
    key: 'not:used',
  });
  await OldServer.open(connection);
  connection.close();
  await old.close();
  expect(connection.url).toBe(url.href);
  expect(connection.showsItsKey).toBe(false);
  expect(old.headers.at(-1)).toMatchObject({
    authorization: `Basic ${Buffer.from('me:se cret').toString('base64')}`,
    'x-proxy': 'a: b',
  });
});

test('a state file of another import is not used', async () => {
  await loadShirts(1);
  await run();
  expect(() => ImportState.open(join(folder, 'state.json'), 'http://else', target.url)).toThrow(
    /is of an import from http:\/\/127.*name another file with --state/,
  );
});

const OLD: Readonly<Record<string, OldIndex>> = {
  books: {
    settings: {
      'index.number_of_shards': '1',
      'index.version.created': '901399',
      'index.uuid': 'x',
    },
    mappings: {
      book: {
        _timestamp: { enabled: true },
        properties: { tag: { type: 'string', index: 'not_analyzed' } },
      },
    },
    aliases: { shelf: { filter: { term: { tag: 'a' } }, index_routing: '1', search_routing: '1' } },
    documents: [
      { type: 'book', id: '1', version: 3, source: '{"tag":"a"}', fields: { _routing: 'r' } },
      { type: 'book', id: '2', source: '{tag: "b", // comment\n n: 1.50}' },
      { type: 'book', id: '3', version: -1, source: '{"tag":"c"}' },
    ],
  },
  _percolator: {
    settings: { 'index.number_of_shards': '1' },
    mappings: { books: {} },
    documents: [{ type: 'books', id: 'q', source: '{"query":{"term":{"tag":"a"}}}' }],
  },
};

async function runOld(
  indices: Readonly<Record<string, OldIndex>>,
  moods: readonly Mood[] = [],
): Promise<{ readonly report: ImportReport; readonly requests: readonly string[] }> {
  const old = await OldServerDouble.start(indices, moods);
  try {
    return { report: await run({ level: 'checksums' }, old.url), requests: old.requests };
  } finally {
    await old.close();
  }
}

test('a server of 0.90 with its own shapes and percolator queries', async () => {
  const { report, requests } = await runOld(OLD);
  expect(report.indices['books']!.differences).toEqual([
    'type [book] does not store _timestamp: its documents get the time of import',
  ]);
  expect(report.indices['books']!.verified).toMatchObject({ target: { documents: 4 } });
  expect(requests.some((line) => line.includes('preference=_shards:0'))).toBe(true);
  expect(await ask(target, 'GET', '/books/book/1?routing=r')).toMatchObject({ _version: 3 });
  expect(await ask(target, 'GET', '/books/book/3')).toMatchObject({ _version: 0 });
  expect(await ask(target, 'GET', '/books/book/2')).toMatchObject({
    _source: { tag: 'b', n: 1.5 },
  });
  expect(await ask(target, 'GET', '/books/_aliases')).toEqual({
    books: { aliases: OLD['books']!.aliases },
  });
  expect(await ask(target, 'GET', '/books/book/_percolate', { doc: { tag: 'a' } })).toMatchObject({
    matches: [{ _id: 'q' }],
  });
});

test('a document that spoils the page it is on is asked for by itself', async () => {
  // Pages have two; the one before has been written when the second cannot be read.
  const documents = ['1', '2', '3', '4'].map((id) => ({
    ...{ type: 'book', id },
    source: `{"n":${id}}${id === '3' ? ' and more' : ''}`,
  }));
  const { report } = await runOld({ books: { documents } });
  expect(report.indices['books']).toMatchObject({
    ok: true,
    documents: { read: 4, written: 2, present: 2 },
    verified: { target: { documents: 4 } },
  });
  expect(await ask(target, 'GET', '/books/book/3')).toMatchObject({ _source: { n: 3 } });
  const old = await OldServerDouble.start({ books: { documents } });
  const path = join(folder, 'spoilt');
  expect((await dump(path, old.url)).ok).toBe(true);
  await old.close();
  expect(readFileSync(join(path, 'books.json'), 'utf8').trim().split('\n')).toHaveLength(4);
});

test('busy servers are asked again, and a lost scroll begins anew', async () => {
  const documents = Array.from({ length: 7 }, (_, n) => ({ type: 'b', id: `${n}`, source: '{}' }));
  const partial = {
    _scroll_id: 'x',
    _shards: { total: 2, failed: 1, failures: [{ reason: 'shard is away' }] },
    hits: { total: 1, hits: [] },
  };
  const { report, requests } = await runOld({ books: { documents } }, [
    { on: 'POST /books/_search', status: 503, body: '{"error":"busy","status":503}' },
    { on: 'POST /_search/scroll', status: 404, body: '{"error":"SearchContextMissing"}' },
    { on: 'POST /_search/scroll', status: 200, body: JSON.stringify(partial) },
  ]);
  expect(report.ok).toBe(true);
  expect(report.indices['books']!.documents).toMatchObject({ read: 7, refused: 0 });
  const begun = requests.filter(
    (line) => line.startsWith('POST /books/_search') && line.includes('"_source"'),
  );
  expect(begun).toHaveLength(4);
});

/** Dumps the source into a folder. */
async function dump(path: string, from = source.url): Promise<ImportReport> {
  const left = new Connection({ option: '--from', url: from, retries: RETRIES });
  const state = ImportState.open(join(folder, 'dump-state.json'), left.url, path);
  const options = { indices: '*', parallel: 2, level: 'facets', isQuiet: true } as const;
  try {
    return await new ServerDump(await OldServer.open(left), path, state, options, dumpItem).run();
  } finally {
    left.close();
    await rm(join(folder, 'dump-state.json'), { force: true });
  }
}

async function load(path: string, options: Partial<FileOptions> = {}): Promise<ImportReport> {
  const { items, templates } = await filesOf(path, { indices: '*', ...options });
  const to = await Target.open(target.connection, RETRIES);
  const state = ImportState.open(join(folder, 'state.json'), path, target.url);
  const how = { level: 'facets', isMerge: false, isQuiet: true } as const;
  return new FileLoad(path, items, templates, to, state, how).run();
}

test('a dump holds everything, and gives it back', async () => {
  await loadShirts(20);
  await ask(source, 'POST', '/_aliases', {
    actions: [{ add: { index: 'shirts', alias: 'red', filter: { term: { color: 'red' } } } }],
  });
  await ask(source, 'PUT', '/_template/logs', { template: 'logs-*' });
  await ask(
    source,
    'PUT',
    '/shirts/shirt/1?refresh=true',
    '{"color":\n"green","n":9007199254740993}',
  );
  const path = join(folder, 'dump');
  const dumped = await dump(path);
  expect(dumped.indices['shirts']).toMatchObject({
    ok: true,
    documents: { read: 20, written: 20 },
    verified: { source: { documents: 20 }, target: { documents: 20 } },
  });
  expect(readdirSync(path).sort()).toEqual([
    'shirts.alias.json',
    'shirts.json',
    'shirts.mapping.json',
    'shirts.settings.json',
    'shirts.warmer.json',
    'templates.template.json',
  ]);
  const lines = readFileSync(join(path, 'shirts.json'), 'utf8').trim().split('\n');
  expect(lines).toContain(
    '{"_index":"shirts","_type":"shirt","_id":"1","_version":2,"_source":{"color": "green","n":9007199254740993}}',
  );
  const loaded = await load(path);
  expect(reportLines(loaded)).toEqual([
    'ok       shirts: 20 documents read, 20 on both sides, checksums equal',
  ]);
  for (const read of ['/shirts/_mapping', '/shirts/_aliases', '/_template', '/shirts/shirt/7']) {
    expect(await target.connection.text('GET', read)).toBe(
      await source.connection.text('GET', read),
    );
  }
});

test('an index whose name leads out of the folder is not dumped', async () => {
  const old = await OldServerDouble.start({ '../above': { documents: [] } });
  const path = join(folder, 'inner');
  await expect(dump(path, old.url)).rejects.toThrow('index [../above] has no name for a file');
  await old.close();
  expect(readdirSync(path)).toEqual([]);
});

test('lines of elasticdump and of _bulk, packed, with what is none of both', async () => {
  const path = join(folder, 'lines.json.gz');
  const lines = [
    '{"_index":"old","_type":"t","_id":"1","_score":1,"_source":{"n":1},"fields":{"_routing":"r"}}',
    '{"index":{"_index":"old","_id":"2"}}',
    '{"n":2}',
    '',
    '{"neither":true}',
    '{"_index":"old","_type":"t","_id":"3","_source":{"n":3}',
    '{"_index":"old","_type":"t","_source":{"n":4}}',
  ];
  writeFileSync(path, gzipSync(lines.join('\n')));
  const report = await load(path, { type: 'own' });
  expect(report.ok).toBe(false);
  expect(report.problems).toEqual([
    `${path}: refused 1, such as record 3: line 5: a line that is neither a hit nor an action`,
    expect.stringMatching(/: refused 1, such as record 4: line 6: no JSON: /),
  ]);
  expect(report.indices['old']).toMatchObject({ ok: true, verified: { target: { documents: 3 } } });
  // One without an id has the number of its place.
  expect(await ask(target, 'GET', '/old/own/5')).toMatchObject({ _source: { n: 4 } });
});

test('a folder of elasticdump 6, with JSON in texts, and its parts by themselves', async () => {
  const path = join(folder, 'six');
  mkdirSync(path);
  const parts = {
    'old.json': { _index: 'old', _type: 't', _id: '1', _score: 1, _source: { n: 1 } },
    'old.mapping.json': { old: { mappings: { t: { properties: { n: { type: 'short' } } } } } },
    'old.settings.json': JSON.stringify({ old: { settings: { index: { number_of_shards: 3 } } } }),
    'old.alias.json': JSON.stringify({ old: { aliases: { older: {} } } }),
  };
  for (const [name, content] of Object.entries(parts)) {
    writeFileSync(join(path, name), `${JSON.stringify(content)}\n`);
  }
  expect(await load(path)).toMatchObject({ ok: true });
  expect(await ask(target, 'GET', '/old')).toMatchObject({
    old: {
      aliases: { older: {} },
      mappings: { t: { properties: { n: { type: 'short' } } } },
      settings: { index: { number_of_shards: '3' } },
    },
  });
  for (const part of ['mapping', 'settings', 'alias']) {
    await expect(filesOf(join(path, `old.${part}.json`), { indices: '*' })).rejects.toThrow(
      `is the ${part} of an index, no documents`,
    );
  }
});

test('a load goes on behind the last batch that was written', async () => {
  const path = join(folder, 'many.json');
  const lines = Array.from(
    { length: 2500 },
    (_, n) => `{"_index":"many","_type":"t","_id":"${n}","_source":{"n":${n}}}`,
  );
  writeFileSync(path, lines.join('\n'));
  let bulks = 0;
  const breaking = new Connection({ option: '--to', url: target.url, retries: 0 });
  onTarget = (line) => {
    if (line.startsWith('POST /_bulk') && ++bulks === 2) breaking.close();
  };
  const { items, templates } = await filesOf(path, { indices: '*' });
  const state = ImportState.open(join(folder, 'state.json'), path, target.url);
  const to = await Target.open(breaking, 0);
  const how = { level: 'facets', isMerge: false, isQuiet: true } as const;
  const broken = new FileLoad(path, items, templates, to, state, how);
  await expect(broken.run()).rejects.toThrow(UnreachableError);
  onTarget = (line) => void (line.startsWith('POST /_bulk') && bulks++);
  const report = await load(path);
  expect(report.indices['many']).toMatchObject({
    ok: true,
    verified: { target: { documents: 2500 } },
  });
  expect(report.documents).toMatchObject({ read: 2500, written: 2500 });
  expect(bulks).toBe(4);
});

test('a table gets a mapping by its values', async () => {
  const path = join(folder, 'My Shirts.csv');
  const rows = [
    '\ufeffid,name,color,price,stock,on sale,made,size.eu,code',
    ...Array.from(
      { length: 30 },
      (_, n) =>
        `s${n},"Shirt ""${n}"",\nwith a collar",dark red,${n}.50,${n},${n % 2 === 0},2014-01-02 03:04:05,${n},0${n}`,
    ),
  ];
  writeFileSync(path, `${rows.join('\r\n')}\r\n`);
  const { guessed } = await filesOf(path, { indices: '*', idField: 'id' });
  const keyword = { type: 'string', index: 'not_analyzed' };
  const date = { type: 'date', format: 'yyyy-MM-dd HH:mm:ss||dateOptionalTime' };
  expect(guessed!.documents).toBe(30);
  expect(JSON.parse(writeJson(guessed!.mapping))).toEqual({
    properties: {
      id: keyword,
      name: { type: 'string', fields: { raw: { ...keyword, ignore_above: 256 } } },
      color: keyword,
      price: { type: 'double' },
      stock: { type: 'long' },
      'on sale': { type: 'boolean' },
      made: date,
      size: { properties: { eu: { type: 'long' } } },
      code: keyword,
    },
  });
  const report = await load(path, { idField: 'id' });
  expect(report.indices['my-shirts']).toMatchObject({ ok: true, documents: { written: 30 } });
  expect(await ask(target, 'GET', '/my-shirts/document/s7/_source')).toEqual({
    id: 's7',
    name: 'Shirt "7",\nwith a collar',
    color: 'dark red',
    price: 7.5,
    stock: 7,
    'on sale': false,
    made: '2014-01-02 03:04:05',
    size: { eu: 7 },
    code: '07',
  });
  const search = {
    query: { range: { made: { lt: '2015-01-01' } } },
    facets: { c: { terms: { field: 'color' } } },
  };
  expect(await ask(target, 'POST', '/my-shirts/_search', search)).toMatchObject({
    hits: { total: 30 },
    facets: { c: { terms: [{ term: 'dark red', count: 30 }] } },
  });
});

test('JSON without ids: a list, lines, or objects over several lines', async () => {
  const objects = [
    '{"at": {"lat": 1.5, "lon": 2}, "tags": ["a", "b"], "n": 1, "when": "2014-01-02"}',
    '{"n": 9007199254740993,\n "tags": "with } and \\" in it", "none": null, "x": 1.5}',
  ];
  const mapping = {
    properties: {
      at: { type: 'geo_point' },
      tags: {
        type: 'string',
        fields: { raw: { type: 'string', index: 'not_analyzed', ignore_above: 256 } },
      },
      n: { type: 'long' },
      when: { type: 'date', format: 'dateOptionalTime' },
      x: { type: 'double' },
    },
  };
  for (const [form, text] of Object.entries({
    list: `[${objects.join(' ,\n')}]`,
    lines: objects.map((one) => one.replace('\n', '')).join('\n'),
    apart: objects.join('\n\n'),
  })) {
    const path = join(folder, `${form}.json`);
    writeFileSync(path, text);
    const { guessed } = await filesOf(path, { indices: '*' });
    expect(JSON.parse(writeJson(guessed!.mapping))).toEqual(mapping);
    expect((await load(path)).indices[form]).toMatchObject({ ok: true, documents: { written: 2 } });
    expect(await target.connection.text('GET', `/${form}/document/2/_source`)).toContain(
      '"n": 9007199254740993',
    );
    await rm(join(folder, 'state.json'));
  }
  const broken = join(folder, 'broken.json');
  for (const [text, reason] of [
    ['[{"n":1},', 'the file ends in the middle of an object'],
    ['{"n":1} 7', '"7" stands where an object was expected'],
    ['\n', 'broken.json is empty'],
  ] as const) {
    writeFileSync(broken, text);
    await expect(filesOf(broken, { indices: '*' })).rejects.toThrow(reason);
  }
});

test('a table that is none is refused before anything is made', async () => {
  const path = join(folder, 'odd.csv');
  for (const [text, reason] of [
    ['a,b\n1,2,3\n', /Invalid Record Length/],
    ['a,b\n"1,2\n', /Quote Not Closed/],
    ['a,,b\n', 'column 2 has no name'],
    ['a,b,a\n', 'column 3 has the name of another one: a'],
  ] as const) {
    writeFileSync(path, text);
    await expect(filesOf(path, { indices: '*' })).rejects.toThrow(reason);
  }
  expect(await ask(target, 'GET', '/_settings')).toEqual({});
});

test('into a data folder, going on after a kill; the server over it ends as well', async () => {
  await loadShirts(40);
  await ask(source, 'PUT', '/coats/coat/1?refresh=true', {});
  const program = join(__dirname, '..', '..', 'dist', 'scripts', 'import.js');
  const data = join(folder, 'data');
  const state = join(folder, 'state.json');
  const args = ['--from', source.url, '--into', data, '--state', state, '--quiet', '--json'];
  const child = startNode(program, [...args, '--parallel', '1'], folder);
  let scrolls = 0;
  const kill = ({ method, url }: { method?: string; url?: string }): void => {
    const isPage = method === 'POST' && url?.startsWith('/_search/scroll') === true;
    // It says where it is now and then only.
    if (isPage && ++scrolls >= 4 && existsSync(state)) child.kill('SIGKILL');
  };
  source.server.prependListener('request', kill);
  await once(child, 'exit');
  source.server.off('request', kill);
  expect(existsSync(state)).toBe(true);
  let output = '';
  const goOn = async (): Promise<boolean> => {
    const again = startNode(program, args, folder);
    output = '';
    again.stdout.on('data', (part: Buffer) => (output += part.toString()));
    const [code] = (await once(again, 'close')) as [number];
    return code === 0;
  };
  // The server of the killed one may still be ending.
  await until(goOn, () => output);
  const report = JSON.parse(output) as ImportReport;
  expect(report).toMatchObject({ ok: true, to: data, indices: { shirts: { ok: true } } });
  expect(report.indices['shirts']!.verified!.target.documents).toBe(40);
});

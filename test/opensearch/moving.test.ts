// Everything of an embedded facetd moved to one over OpenSearch, and back to another embedded one, by
// `facetd-import`: both sides tell the same.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode } from '../support/child';
import { onlyWhere } from '../support/only-where';
import { freePort, ServerProcess } from '../support/server-process';

const url = process.env['OPENSEARCH_URL'] ?? '';
const there = onlyWhere(url !== '', 'OPENSEARCH_URL');
const PROGRAM = join(__dirname, '..', '..', 'dist', 'scripts', 'import.js');
const prefix = `test-${randomUUID()}`;
const DOCUMENTS = 300;
let folder: string;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-moving-'));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await rm(folder, { recursive: true, force: true });
  if (url !== '') await fetch(`${url}/${prefix}*`, { method: 'DELETE' });
});

async function start(name: string, settings: readonly string[] = []): Promise<ServerProcess> {
  const server = await ServerProcess.start(join(folder, name), await freePort(), settings);
  servers.push(server);
  return server;
}

async function done(
  server: ServerProcess,
  method: string,
  path: string,
  body?: string | object,
): Promise<unknown> {
  const answer = await server.send(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

async function move(from: ServerProcess, to: ServerProcess): Promise<string> {
  const at = ({ port }: ServerProcess) => `http://127.0.0.1:${port}`;
  const state = join(folder, `${from.port}-${to.port}.json`);
  const args = ['--from', at(from), '--to', at(to), '--state', state, '--quiet'];
  const child = startNode(PROGRAM, args);
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return `${code}: ${output}`;
}

async function fill(server: ServerProcess): Promise<void> {
  const kind = { type: 'string', index: 'not_analyzed' };
  const mappings = {
    plain: { properties: { kind } },
    child: { _parent: { type: 'plain' } },
    routed: { _routing: { required: true } },
  };
  await done(server, 'PUT', '/things', { settings: { number_of_shards: 3 }, mappings });
  await done(server, 'PUT', '/others', { settings: { number_of_shards: 1 } });
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => {
    const of = [
      { index: { _index: 'things', _type: 'plain', _id: `${i}` } },
      { index: { _index: 'things', _type: 'child', _id: `${i}`, parent: `${i % 7}` } },
      { index: { _index: 'things', _type: 'routed', _id: `${i}`, routing: `r${i % 5}` } },
      { index: { _index: 'others', _type: 'plain', _id: `${i}` } },
    ];
    const source = { kind: `kind ${i % 11}`, n: i, long: `9007199254740${100 + i}`, at: [i, 2.5] };
    return `${JSON.stringify(of[i % of.length])}\n${JSON.stringify(source)}\n`;
  });
  await done(server, 'POST', '/_bulk', lines.join(''));
  for (let version = 2; version < 5; version++)
    await done(server, 'PUT', '/things/plain/0', { kind: 'new', n: version });
  const actions = [
    { add: { index: 'things', alias: 'all' } },
    { add: { index: 'others', alias: 'all' } },
    { add: { index: 'things', alias: 'some', filter: { term: { kind: 'kind 3' } } } },
    { add: { index: 'things', alias: 'placed', routing: 'r1' } },
    { add: { index: 'things', alias: 'both', index_routing: 'r2', search_routing: 'r1,r2' } },
  ];
  await done(server, 'POST', '/_aliases', { actions });
  await done(server, 'PUT', '/_template/logs', { template: 'log-*', aliases: { logs: {} } });
  await done(server, 'POST', '/_refresh');
}

/** What a server tells, without what belongs to a run. */
async function told(server: ServerProcess): Promise<unknown> {
  const facets = {
    kinds: { terms: { field: 'kind', size: 20 } },
    numbers: { statistical: { field: 'n' } },
  };
  const counted = await Promise.all(
    ['all', 'some', 'placed', 'both'].map(async (alias) => {
      const body = await done(server, 'POST', `/${alias}/_search`, { size: 0, facets });
      const { hits, facets: values } = body as Record<string, unknown>;
      return { alias, hits, values };
    }),
  );
  return {
    counted,
    aliases: await done(server, 'GET', '/_aliases'),
    mappings: await done(server, 'GET', '/_mapping'),
    template: await done(server, 'GET', '/_template/logs'),
    document: await done(server, 'GET', '/things/plain/0'),
    child: await done(server, 'GET', '/things/child/1?parent=1'),
  };
}

there('everything is carried over to OpenSearch, and back', async () => {
  const embedded = await start('embedded');
  const over = await start('over', [
    'engine.backend=opensearch',
    `opensearch.hosts=${url}`,
    `opensearch.prefix=${prefix}`,
  ]);
  const back = await start('back');
  await fill(embedded);
  const before = await told(embedded);
  expect(await move(embedded, over)).toMatch(/^0: /);
  expect(await told(over)).toEqual(before);
  expect(await move(over, back)).toMatch(/^0: /);
  expect(await told(back)).toEqual(before);
});

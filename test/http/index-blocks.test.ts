// What blocks forbid: set by `index.blocks.*`, or by closing an index (reference server).

import { HttpClient } from '../support/http-client';

let client: HttpClient;
beforeAll(async () => {
  client = await HttpClient.start();
});
afterAll(() => client.close());
beforeEach(async () => {
  await client.ok('PUT', '/blocked', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { a: { type: 'string' } } } },
    aliases: { name: {} },
  });
  await client.ok('PUT', '/free');
  await client.ok('PUT', '/blocked/t/1?refresh=true', { a: 'x' });
});
afterEach(async () => {
  await client.send('PUT', '/blocked/_settings', { 'index.blocks.read_only': false });
  await client.send('PUT', '/blocked/_settings', { 'index.blocks.metadata': false });
  await client.reset();
});

const block = (kind: string) =>
  client.ok('PUT', '/blocked/_settings', { [`index.blocks.${kind}`]: true });
const forbidden = (text: string) => `403 ClusterBlockException[blocked by: [FORBIDDEN/${text}];]`;
const READ_ONLY = forbidden('5/index read-only (api)');
const READ = forbidden('7/index read (api)');
const WRITE = forbidden('8/index write (api)');
const METADATA = forbidden('9/index metadata (api)');
const CLOSED = forbidden('4/index closed');

test.each([
  '/_search',
  '/_count',
  '/blocked/_search',
  '/name/_count',
  '/*/t/_search',
  '/blocked/t/1',
])('a read block refuses GET %s', async (path) => {
  await block('read');
  expect(await client.error('GET', path)).toBe(READ);
  expect((await client.send('GET', '/free/_count')).status).toBe(200);
});

test.each(['_refresh', '_flush', '_optimize', '_close', '_open'])(
  'read_only and metadata blocks refuse POST %s',
  async (operation) => {
    await block('read_only');
    expect(await client.error('POST', `/blocked/${operation}`)).toBe(READ_ONLY);
    await client.ok('PUT', '/blocked/_settings', { 'index.blocks.read_only': false });
    await block('metadata');
    expect(await client.error('POST', `/name/${operation}`)).toBe(METADATA);
  },
);

test.each([
  '/_alias',
  '/blocked/_alias/name',
  '/_aliases',
  '/_settings',
  '/blocked/_settings/index.*',
  '/_mapping',
  '/blocked',
  '/_cat/indices',
  '/_cat/aliases',
  '/_cat/shards',
])('a metadata block refuses GET %s', async (path) => {
  await block('metadata');
  expect(await client.error('GET', path)).toBe(METADATA);
});

test.each(['/blocked', '/name', '/*', '/blocked/t', '/_alias/name'])(
  'a metadata block refuses HEAD %s',
  async (path) => {
    await block('metadata');
    expect((await client.send('HEAD', path)).status).toBe(403);
  },
);

test('aliases of a blocked index cannot be changed by its name, but behind a pattern or an alias', async () => {
  await block('read_only');
  expect(await client.error('PUT', '/blocked/_alias/a')).toBe(READ_ONLY);
  await client.ok('PUT', '/b*/_alias/a');
  await client.ok('POST', '/_aliases', { actions: [{ add: { index: 'name', alias: 'b' } }] });
  expect(await client.ok('GET', '/blocked/_alias')).toEqual({
    blocked: { aliases: { name: {}, a: {}, b: {} } },
  });
});

test('a write block keeps a type from being deleted: its documents would go', async () => {
  await block('write');
  expect(await client.error('DELETE', '/blocked/_mapping/t')).toBe(WRITE);
  await client.ok('PUT', '/blocked/_alias/a');
});

test('searches that expand to closed indices are refused, refreshes skip them', async () => {
  await client.ok('POST', '/blocked/_close');
  for (const path of ['/_search', '/_count', '/_all/_count']) {
    expect(await client.error('GET', `${path}?expand_wildcards=open,closed`)).toBe(CLOSED);
    expect((await client.send('GET', path)).status).toBe(200);
  }
  expect(await client.ok('POST', '/_refresh?expand_wildcards=closed')).toEqual({
    _shards: { total: 0, successful: 0, failed: 0 },
  });
});

test('the cluster state shows blocks of all indices, whichever are asked for', async () => {
  await block('write');
  await client.ok('POST', '/blocked/_close');
  const blocks = {
    indices: {
      blocked: {
        4: { description: 'index closed', retryable: false, levels: ['read', 'write'] },
        8: { description: 'index write (api)', retryable: false, levels: ['write'] },
      },
    },
  };
  expect(await client.ok('GET', '/_cluster/state/blocks/free')).toMatchObject({ blocks });
});

// Searches from templates: inline, stored, from files, and as a query.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient } from '../support/http-client';

let http: HttpClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-templates-'));
  await mkdir(join(folder, 'scripts'));
  await writeFile(
    join(folder, 'scripts', 'by_k.mustache'),
    '{"query":{"term":{"k":"{{k}}"}},"fields":[]}',
  );
  http = await HttpClient.start({ 'path.conf': folder });
  await http.ok('PUT', '/i', {
    settings: { number_of_shards: 2 },
    mappings: { t: { properties: { k: { type: 'string', index: 'not_analyzed' } } } },
  });
  for (const [id, k] of ['x', 'y', 'y'].entries()) await http.ok('PUT', `/i/t/${id}`, { k });
  await http.ok('POST', '/i/_refresh');
  await http.ok('PUT', '/i/_alias/ys', { filter: { term: { k: 'y' } } });
  await http.ok('PUT', '/_search/template/stored', {
    template: '{"size":{{#all}}9{{/all}}{{^all}}0{{/all}},"fields":[]}',
  });
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true, force: true });
});

interface Found {
  hits: { total: number; hits: unknown[] };
}
async function figures(body: object, path = '/i/_search/template'): Promise<readonly number[]> {
  const { hits } = (await http.ok('POST', path, body)) as Found;
  return [hits.total, hits.hits.length];
}

const BY_K = { query: { term: { k: '{{k}}' } }, size: '{{n}}' };

test.each([
  ['an object', { template: BY_K, params: { k: 'y', n: 1 } }, [2, 1]],
  ['a text', { template: JSON.stringify(BY_K), params: { k: 'y', n: 1 } }, [2, 1]],
  [
    'a list',
    {
      template: { query: { terms: { k: ['{{#k}}', '{{.}}', '{{/k}}'] } } },
      params: { k: ['x', 'y'] },
    },
    [3, 3],
  ],
  ['stored', { template: { id: 'stored' }, params: { all: true } }, [3, 3]],
  ['stored, by the body', { id: 'stored' }, [3, 0]],
  ['stored, with its language', { id: '/mustache/stored' }, [3, 0]],
  ['a file', { file: 'by_k', params: { k: 'x' } }, [1, 1]],
  ['a file by its name', { template: 'by_k', params: { k: 'x' } }, [1, 1]],
])('%s', async (_, body, expected) => {
  expect(await figures(body)).toEqual(expected);
});

test('an alias, types and parameters of the URL have their effect', async () => {
  const everything = { template: { query: { match_all: {} } } };
  expect(await figures(everything, '/ys/_search/template')).toEqual([2, 2]);
  expect(await figures(everything, '/i/none/_search/template')).toEqual([0, 0]);
  expect(await figures(everything, '/_search/template?q=k:x&size=0')).toEqual([1, 0]);
  expect(await figures(everything, '/i/_search/template?search_type=count')).toEqual([3, 0]);
});

test.each([
  ['no template', { params: {} }, 400, 'Template must have [template] field configured'],
  ['an unknown one', { id: 'zz' }, 400, 'Unable to find script [.scripts/mustache/zz]'],
  ['an unknown file', { template: 'zz' }, 400, 'Unable to find on disk script zz'],
  [
    'tags that do not match',
    { template: { a: '{{x' } },
    500,
    'MustacheException[Improperly closed',
  ],
  [
    'a broken result',
    { template: '{"a":"{{{x}}}"}', params: { x: '"' } },
    400,
    'JsonParseException',
  ],
  ['an unknown element', { template: { bogus: 1 } }, 400, 'No parser for element [bogus]'],
])('%s', async (_, body, status, text) => {
  const [answered, { error }] = (await http.pair('POST', '/i/_search/template', body)) as [
    number,
    { error: string },
  ];
  expect([answered, error]).toEqual([status, expect.stringContaining(text)]);
});

test('as a query, also within another and of several indices', async () => {
  const template = { query: { term: { k: '{{k}}' } }, params: { k: 'y' } };
  expect(await figures({ query: { template } }, '/i/_search')).toEqual([2, 2]);
  const must = [
    { template },
    { template: { query: '{"term":{"k":"{{k}}"}}', params: { k: 'x' } } },
  ];
  expect(await figures({ query: { bool: { must } } }, '/i/_search')).toEqual([0, 0]);
  expect(await http.ok('POST', '/i/_count', { query: { template } })).toMatchObject({ count: 2 });
});

test('stored templates have versions', async () => {
  const path = '/_search/template/versions';
  expect(await http.pair('PUT', path, { template: { size: 0 } })).toEqual([
    201,
    { _id: 'versions', _version: 1, created: true },
  ]);
  expect(await http.pair('PUT', `${path}/_create`, { template: {} })).toMatchObject([409, {}]);
  expect(await http.pair('PUT', path, { query: { match_all: {} } })).toMatchObject([200, {}]);
  expect(await http.ok('GET', path)).toEqual({
    lang: 'mustache',
    _id: 'versions',
    found: true,
    _version: 2,
    template: '{"query":{"match_all":{}}}',
  });
  expect(await http.pair('PUT', path, { template: '{{#x}}' })).toMatchObject([
    400,
    { error: expect.stringContaining('lang [mustache]]; nested: MustacheException') as string },
  ]);
  expect(await http.ok('DELETE', path)).toMatchObject({ found: true, _version: 3 });
  expect(await http.pair('GET', path)).toEqual([
    404,
    { lang: 'mustache', _id: 'versions', found: false },
  ]);
});

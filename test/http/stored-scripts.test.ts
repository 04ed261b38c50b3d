// Scripts by name: the API of stored ones, script files, and everything that takes scripts.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient } from '../support/http-client';

let http: HttpClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-scripts-'));
  await mkdir(join(folder, 'scripts', 'math'), { recursive: true });
  await writeFile(join(folder, 'scripts', 'math', 'triple.groovy'), "doc['n'].value * 3");
  await writeFile(join(folder, 'scripts', 'half.expression'), "doc['n'].value / 2");
  await writeFile(join(folder, 'scripts', 'bump.mvel'), 'ctx._source.n += by');
  http = await HttpClient.start({ 'path.conf': folder });
  await http.ok('PUT', '/i', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: { n: { type: 'integer' }, k: { type: 'string' }, g: { type: 'geo_point' } },
      },
    },
  });
  await http.ok('PUT', '/i/t/1', { n: 3, k: 'x', g: [0, 0] });
  await http.ok('PUT', '/i/t/2', { n: 8, k: 'y', g: [0, 0] });
  await http.ok('POST', '/i/_refresh');
  await http.ok('PUT', '/_scripts/groovy/times', { script: "doc['n'].value * f" });
  await http.ok('PUT', '/_scripts/groovy/big', { script: "doc['n'].value > f" });
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true, force: true });
});

interface Found {
  hits: { hits: { _id: string; _score: number; sort?: unknown[]; fields?: object }[] };
  facets: Record<string, Record<string, unknown>>;
}
const search = (body: object): Promise<Found> =>
  http.ok('POST', '/i/_search', body) as Promise<Found>;

describe('the API', () => {
  const path = '/_scripts/groovy/api';
  test('counts versions, also across deletions', async () => {
    expect(await http.pair('GET', path)).toEqual([
      404,
      { lang: 'groovy', _id: 'api', found: false },
    ]);
    const put = { _id: 'api', _version: 1, created: true };
    expect(await http.pair('PUT', path, { script: '1' })).toEqual([201, put]);
    expect(await http.pair('POST', path, { script: '1 + 2' })).toEqual([
      200,
      { _id: 'api', _version: 2, created: false },
    ]);
    const shown = { lang: 'groovy', _id: 'api', found: true, _version: 2, script: '1 + 2' };
    expect(await http.pair('GET', path)).toEqual([200, shown]);
    const gone = { found: true, _index: '.scripts', _type: 'groovy', _id: 'api', _version: 3 };
    expect(await http.pair('DELETE', path)).toEqual([200, gone]);
    expect(await http.pair('DELETE', path)).toEqual([404, { ...gone, found: false, _version: 4 }]);
    expect(await http.pair('PUT', `${path}/_create`, { script: '1' })).toEqual([
      201,
      { ...put, _version: 5 },
    ]);
    const external = `${path}?version=9&version_type=external`;
    expect(await http.pair('PUT', external, { script: '1' })).toEqual([
      200,
      { _id: 'api', _version: 9, created: false },
    ]);
  });

  test('refuses conflicts', async () => {
    await http.ok('PUT', '/_scripts/groovy/c', { script: '1' });
    const exists =
      '409 DocumentAlreadyExistsException[[.scripts][0] [groovy][c]: document already exists]';
    expect(await http.error('PUT', '/_scripts/groovy/c/_create', { script: '1' })).toBe(exists);
    expect(await http.error('PUT', '/_scripts/groovy/c?op_type=create', { script: '1' })).toBe(
      exists,
    );
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const body = method === 'PUT' ? { script: '2' } : undefined;
      expect(await http.error(method, '/_scripts/groovy/c?version=5', body)).toBe(
        '409 VersionConflictEngineException[[.scripts][0] [groovy][c]: version conflict, current [1], provided [5]]',
      );
    }
    expect(await http.pair('PUT', '/_scripts/groovy/c?op_type=foo', { script: '1' })).toEqual([
      400,
      { error: 'opType [foo] not allowed, either [index] or [create] are allowed' },
    ]);
  });

  test.each([
    [
      'groovy/e',
      '{"foo":"1"}',
      'ElasticsearchIllegalArgumentException[Unable to find script in : {"foo":"1"}]',
    ],
    ['groovy/e', '', 'ElasticsearchParseException[Failed to derive xcontent]'],
    [
      'python/e',
      '{"script":"1"}',
      'ElasticsearchIllegalArgumentException[script_lang not supported [python]]',
    ],
    [
      'groovy/e',
      '{"script":"1 +* ("}',
      'ElasticsearchIllegalArgumentException[Unable to parse [1 +* (] lang [groovy]]; nested: GroovyScriptCompilationException[',
    ],
    [
      'groovy/e',
      '{"script":"1"',
      'ElasticsearchIllegalArgumentException[failed to parse template script]; nested: JsonParseException[',
    ],
  ])('%s %s', async (path, body, error) => {
    expect(await http.error('PUT', `/_scripts/${path}`, body)).toContain(`400 ${error}`);
    expect((await http.send('GET', `/_scripts/groovy/e`)).status).toBe(404);
  });

  test('names are data', async () => {
    await http.ok('PUT', '/_scripts/groovy/__proto__', { script: '40 + 2' });
    const { hits } = await search({ script_fields: { a: { script_id: '__proto__' } } });
    expect(hits.hits[0]!.fields).toEqual({ a: [42] });
  });
});

describe('use', () => {
  const params = { f: 2 };
  test('script fields, filters, sorting, scores', async () => {
    const fields = await search({
      script_fields: {
        a: { script_id: 'times', params },
        b: { script_file: 'math_triple' },
        c: { script: 'math_triple' },
        d: { file: 'half', lang: 'expression' },
        e: { script_id: '/groovy/times', lang: 'groovy', params },
      },
      sort: 'n',
    });
    expect(fields.hits.hits[0]!.fields).toEqual({ a: [6], b: [9], c: [9], d: [1.5], e: [6] });
    const filter = { script: { script_id: 'big', params: { f: 5 } } };
    expect((await search({ filter })).hits.hits.map((hit) => hit._id)).toEqual(['2']);
    const sort = { _script: { script_id: 'times', type: 'number', params: { f: -1 } } };
    expect((await search({ sort })).hits.hits.map((hit) => hit.sort)).toEqual([[-8], [-3]]);
    const query = { function_score: { script_score: { script_file: 'math_triple' } } };
    expect((await search({ query })).hits.hits.map((hit) => hit._score)).toEqual([24, 9]);
  });

  test('facets', async () => {
    const value = { value_script_id: 'times', params };
    const { facets } = await search({
      facets: {
        terms: { terms: { field: 'k', script_id: 'times', params } },
        file: { terms: { script_file: 'math_triple' } },
        statistical: { statistical: { script_id: 'times', params } },
        histogram: { histogram: { field: 'n', interval: 1, ...value } },
        scripted: { histogram: { key_script_file: 'math_triple', ...value } },
        date: { date_histogram: { field: 'n', interval: 'day', ...value } },
        stats: { terms_stats: { key_field: 'k', ...value } },
        range: { range: { key_script_id: 'times', ...value, ranges: [{ from: 10 }] } },
        geo: { geo_distance: { g: [0, 0], ...value, ranges: [{ to: 3 }] } },
      },
    });
    const sums = (name: string, list: string): unknown[] =>
      (facets[name]![list] as { total: number }[]).map(({ total }) => total);
    expect(facets['terms']).toMatchObject({ total: 2, terms: [{ term: '6' }, { term: '16' }] });
    expect(facets['file']).toMatchObject({ terms: [{ term: '9' }, { term: '24' }] });
    expect(facets['statistical']).toMatchObject({ total: 22 });
    expect(sums('histogram', 'entries')).toEqual([6, 16]);
    expect(facets['scripted']).toMatchObject({ entries: [{ key: 9 }, { key: 24 }] });
    expect(sums('date', 'entries')).toEqual([22]);
    expect(sums('stats', 'terms')).toEqual([16, 6]);
    expect(sums('range', 'ranges')).toEqual([16]);
    expect(sums('geo', 'ranges')).toEqual([22]);
  });

  test('updates', async () => {
    await http.ok('PUT', '/_scripts/groovy/up', { script: 'ctx._source.n += by' });
    await http.ok('PUT', '/updates/u/1', { n: 1 });
    const by = { params: { by: 2 } };
    await http.ok('POST', '/updates/u/1/_update', { script_id: 'up', ...by });
    await http.ok('POST', '/updates/u/1/_update', { script_file: 'bump', lang: 'mvel', ...by });
    await http.ok('POST', '/updates/u/1/_update', { script: { id: 'up', ...by } });
    await http.ok('POST', '/updates/u/1/_update?script_id=up', by);
    const lines = [
      { update: { _id: '1' } },
      { script_id: 'up', ...by },
      { update: { _id: '1' } },
      { script_id: 'no' },
    ];
    const bulk = await http.ok(
      'POST',
      '/updates/u/_bulk',
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    expect(await http.ok('GET', '/updates/u/1/_source')).toEqual({ n: 11 });
    const missing =
      'ElasticsearchIllegalArgumentException[failed to execute script]; nested: ElasticsearchIllegalArgumentException[Unable to find script [.scripts/groovy/no]]; ';
    expect(bulk).toMatchObject({
      errors: true,
      items: [{}, { update: { status: 400, error: missing } }],
    });
    expect(await http.error('POST', '/updates/u/1/_update', { script_id: 'no' })).toBe(
      `400 ${missing}`,
    );
    expect(await http.error('POST', '/updates/u/9/_update', { script_id: 'no' })).toContain(
      '404 DocumentMissingException',
    );
    expect(await http.error('POST', '/updates/u/1/_update', { script_id: 'up', script: '1' })).toBe(
      '500 ScriptParameterParseException[Only one of [script, script_file, script_id] is allowed.]',
    );
  });

  test('a changed script is the one that runs', async () => {
    const first = async (): Promise<unknown> => {
      const found = await search({
        query: { filtered: { filter: { script: { script_id: 'moving', _cache: true } } } },
        facets: { a: { statistical: { script_id: 'moving2' } } },
      });
      return [found.hits.hits.length, found.facets['a']!['total']];
    };
    await http.ok('PUT', '/_scripts/groovy/moving', { script: "doc['n'].value > 5" });
    await http.ok('PUT', '/_scripts/groovy/moving2', { script: '1' });
    for (let i = 0; i < 3; i++) expect(await first()).toEqual([1, 1]);
    await http.ok('PUT', '/_scripts/groovy/moving', { script: "doc['n'].value < 50" });
    await http.ok('PUT', '/_scripts/groovy/moving2', { script: '2' });
    const more = (await first()) as [number, number];
    expect(more[1]).toBe(more[0] * 2);
    expect(more[0]).toBe(2);
  });

  test.each([
    [{ script_fields: { a: { script_id: 'no' } } }, 'Unable to find script [.scripts/groovy/no]'],
    [
      { script_fields: { a: { script_id: 'times', lang: 'mvel' } } },
      'Unable to find script [.scripts/mvel/times]',
    ],
    [{ script_fields: { a: { script_file: 'no' } } }, 'Unable to find on disk script no'],
    [
      { script_fields: { a: { script_id: 'times', lang: 'python' } } },
      'script_lang not supported [python]',
    ],
    [
      { script_fields: { a: { script_id: 'groovy/times' } } },
      'Illegal index script format [groovy/times] should be /lang/id',
    ],
    [
      { script_fields: { a: { script_id: '/groovy/times', lang: 'expression' } } },
      'ElasticsearchIllegalStateException[Conflicting script language, found [groovy] expected + [expression]]',
    ],
    [
      { script_fields: { a: { script: '1', script_id: 'times' } } },
      'ScriptParameterParseException[Only one of',
    ],
    [{ filter: { script: { script_file: 'no' } } }, 'Unable to find on disk script no'],
    [
      { sort: { _script: { script_id: 'no', type: 'number' } } },
      'Unable to find script [.scripts/groovy/no]',
    ],
    [
      { query: { function_score: { script_score: { script_id: 'no' } } } },
      'QueryParsingException[[i] script_score the script could not be loaded]; nested: ElasticsearchIllegalArgumentException[Unable to find script [.scripts/groovy/no]]',
    ],
    [
      { facets: { a: { terms: { script_id: 'no' } } } },
      'Unable to find script [.scripts/groovy/no]',
    ],
    [
      { facets: { a: { terms_stats: { key_field: 'k', script_id: 'times' } } } },
      'either [value_field] or [script] are required to be set for terms stats facet',
    ],
  ])('%j', async (body, error) => {
    const text = await http.error('POST', '/i/_search', body);
    expect(text).toContain('400 SearchPhaseExecutionException');
    expect(text).toContain(error);
  });
});

describe('the index of stored scripts', () => {
  const index = '/.scripts';
  beforeEach(() => http.send('DELETE', index));

  test('is made by the first script, with a shard of its own kind and scripts that are not indexed', async () => {
    expect(await http.error('GET', '/_scripts/groovy/a')).toBe(
      '404 IndexMissingException[[.scripts] missing]',
    );
    await http.ok('PUT', '/_scripts/groovy/a', { script: '1', tags: ['sum', 'price'] });
    await http.ok('PUT', '/_search/template/b', { template: { query: { match_all: {} } } });
    const unread = { type: 'object', enabled: false };
    expect(await http.ok('GET', `${index}/_mapping`)).toEqual({
      '.scripts': {
        mappings: {
          groovy: { properties: { tags: { type: 'string' }, script: unread, template: unread } },
          mustache: { properties: { script: unread, template: unread } },
        },
      },
    });
    const [row] = (await http.ok('GET', '/_cat/indices/.scripts?format=json')) as object[];
    expect(row).toMatchObject({ index: '.scripts', pri: '1', rep: '0', 'docs.count': '2' });
    expect(await http.ok('GET', `${index}/groovy/a/_source`)).toEqual({
      script: '1',
      tags: ['sum', 'price'],
    });
    const found = (await http.ok('GET', `${index}/_search?q=tags:price`)) as Found;
    expect(found.hits.hits).toMatchObject([{ _index: '.scripts', _type: 'groovy', _id: 'a' }]);
    await http.ok('DELETE', '/_scripts/groovy/a');
    expect(await http.ok('GET', `${index}/_count`)).toMatchObject({ count: 1 });
  });

  test('can be written, closed and deleted like others, and the scripts with it', async () => {
    const use = {
      script_fields: { a: { script_id: 'direct' } },
      query: { ids: { values: ['1'] } },
    };
    const first = async (): Promise<unknown> => (await search(use)).hits.hits[0]!.fields;
    await http.ok('PUT', `${index}/groovy/direct`, { script: '40 + 2' });
    expect(await first()).toEqual({ a: [42] });
    await http.ok('PUT', `${index}/groovy/direct`, { template: '1', script: '2' });
    expect(await first()).toEqual({ a: [1] });
    expect(await http.ok('GET', '/_scripts/groovy/direct')).toMatchObject({ script: '1' });
    const failure = async (): Promise<string> => http.error('POST', '/i/_search', use);
    await http.ok('PUT', `${index}/groovy/direct`, { script: '1 +* (' });
    expect(await failure()).toContain('GroovyScriptCompilationException');
    await http.ok('POST', `${index}/_close`);
    expect(await failure()).toContain('nested: IndexClosedException[[.scripts] closed]; ');
    expect(await http.error('PUT', '/_scripts/groovy/direct', { script: '1' })).toBe(
      '403 IndexClosedException[[.scripts] closed]',
    );
    await http.ok('DELETE', index);
    expect(await failure()).toContain('nested: IndexMissingException[[.scripts] missing]; ');
    expect(await http.error('POST', '/i/t/1/_update', { script_id: 'direct' })).toBe(
      '400 ElasticsearchIllegalArgumentException[failed to execute script]; nested: IndexMissingException[[.scripts] missing]; ',
    );
  });

  test('may be an alias', async () => {
    await http.ok('PUT', '/real');
    await http.ok('PUT', '/real/_alias/.scripts');
    await http.ok('PUT', '/_scripts/groovy/a', { script: '7' });
    expect(await http.ok('GET', '/real/groovy/a/_source')).toEqual({ script: '7' });
    expect(await http.ok('GET', '/_scripts/groovy/a')).toMatchObject({ found: true, script: '7' });
    await http.ok('DELETE', '/real');
  });
});

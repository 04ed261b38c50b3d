// What clients can add is limited, whichever way they add it (docs/limits.md).

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpClient } from '../support/http-client';
import { SnapshotNode } from '../support/snapshot-node';

const illegal = (text: string): string => `400 ElasticsearchIllegalArgumentException[${text}]`;

describe('a node', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({
      'cluster.max_indices': '3',
      'cluster.max_shards_per_index': '4',
      'cluster.max_shards_per_node': '6',
      'cluster.max_aliases': '3',
      'cluster.max_templates': '2',
      'cluster.max_warmers_per_index': '2',
      'cluster.max_persistent_settings': '2',
      'cluster.max_settings_per_index': '20',
      'cluster.max_settings_size_per_index': '2000',
      'http.max_bulk_actions': '3',
    });
  });
  afterAll(() => http.close());
  afterEach(async () => {
    await http.reset();
    await http.ok('DELETE', '/_template/*');
  });

  const noRoom = illegal(
    'limit of [3] indices has been exceeded: there would be [4] (cluster.max_indices)',
  );

  async function threeIndices(): Promise<void> {
    for (const name of ['a', 'b', 'c']) await http.ok('PUT', `/${name}`);
  }

  test('has a limited number of indices, however they are created', async () => {
    await threeIndices();
    expect(await http.error('PUT', '/d')).toBe(noRoom);
    expect(await http.error('PUT', '/d/t/1', { n: 1 })).toBe(noRoom);
    expect(await http.error('DELETE', '/d/t/1')).toBe(noRoom);
    expect(await http.error('POST', '/d/t/1/_update', { doc: {} })).toBe(noRoom);
    const bulk =
      '{"index":{"_index":"d","_type":"t"}}\n{}\n{"index":{"_index":"a","_type":"t"}}\n{}\n';
    const { items } = (await http.ok('POST', '/_bulk', bulk)) as {
      items: { create: { status: number; error?: string } }[];
    };
    expect(items.map(({ create }) => `${create.status} ${create.error ?? ''}`)).toEqual([
      noRoom,
      '201 ',
    ]);
    // A closed one counts, a deleted one does not.
    await http.ok('POST', '/a/_close');
    expect(await http.error('PUT', '/d')).toBe(noRoom);
    await http.ok('DELETE', '/a');
    await http.ok('PUT', '/d');
  });

  test('has a limited number of settings in an index, however it gets them', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`index.x${n}`, 'y']));
    const tooMany =
      /^400 .*limit of \[20\] settings of index \[a\] has been exceeded: there would be \[\d+\] \(cluster\.max_settings_per_index\)/;
    expect(await http.error('PUT', '/a', { settings: many(30) })).toMatch(tooMany);
    await http.ok('PUT', '/_template/x', { template: 'a*', settings: many(18) });
    expect(await http.error('PUT', '/a/t/1', {})).toMatch(tooMany);
    await http.ok('DELETE', '/_template/x');
    await http.ok('PUT', '/a', { settings: many(5) });
    expect(await http.error('PUT', '/a/_settings', many(30))).toMatch(tooMany);
    await http.ok('POST', '/a/_close');
    const others = { 'index.max_analyzed_size': '1mb', ...many(20) };
    expect(await http.error('PUT', '/a/_settings', others)).toMatch(tooMany);
    await http.ok('PUT', '/a/_settings', many(6));
  });

  test('has settings of a limited size in an index, lists of words included', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`);
    const stop = (stopwords: unknown) => ({
      analysis: { filter: { f: { type: 'stop', stopwords } } },
    });
    const tooLarge =
      /^400 .*limit of \[2000\] bytes of settings of index \[a\] has been exceeded: there would be \[\d+\] \(cluster\.max_settings_size_per_index\)/;
    expect(await http.error('PUT', '/a', { settings: stop(words(60)) })).toMatch(tooLarge);
    expect(await http.error('PUT', '/a', { settings: stop(words(60).join()) })).toMatch(tooLarge);
    await http.ok('PUT', '/a', { settings: stop(words(20)) });
    await http.ok('POST', '/a/_close');
    expect(await http.error('PUT', '/a/_settings', stop(words(60)))).toMatch(tooLarge);
    await http.ok('PUT', '/a/_settings', stop(words(30)));
    await http.ok('POST', '/a/_open');
    const { tokens } = (await http.ok(
      'GET',
      '/a/_analyze?tokenizer=whitespace&filters=f&text=word29+word30',
    )) as {
      tokens: { token: string }[];
    };
    expect(tokens.map(({ token }) => token)).toEqual(['word30']);
  });

  test('creates as many indices for a bulk as there is room for', async () => {
    await http.ok('PUT', '/a');
    const bulk = ['b', 'c', 'd']
      .map((name) => `{"index":{"_index":"${name}","_type":"t"}}\n{}\n`)
      .join('');
    const { items } = (await http.ok('POST', '/_bulk', bulk)) as {
      items: { create: { status: number } }[];
    };
    expect(items.map(({ create }) => create.status)).toEqual([201, 201, 400]);
    expect(Object.keys((await http.ok('GET', '/_aliases')) as object)).toEqual(['a', 'b', 'c']);
  });

  test('has a limited number of shards, of one index and of all', async () => {
    expect(await http.error('PUT', '/a', { number_of_shards: 5 })).toMatch(
      /^400 IndexCreationException.*index must have at most 4 primary shards/,
    );
    await http.ok('PUT', '/_template/t', { template: 'x*', settings: { number_of_shards: 5 } });
    expect(await http.error('PUT', '/x')).toMatch(/^400 IndexCreation.*at most 4 primary shards/);
    expect(await http.error('PUT', '/x/t/1', {})).toMatch(/^400 .*at most 4 primary shards/);
    await http.ok('PUT', '/a', { number_of_shards: 4 });
    expect(await http.error('PUT', '/b', { number_of_shards: 3 })).toBe(
      illegal(
        'limit of [6] shards has been exceeded: there would be [7] (cluster.max_shards_per_node)',
      ),
    );
    await http.ok('PUT', '/b', { number_of_shards: 2 });
  });

  test('has a limited number of aliases, however they are added', async () => {
    const tooMany = illegal(
      'limit of [3] aliases has been exceeded: there would be [4] (cluster.max_aliases)',
    );
    await http.ok('PUT', '/a', { aliases: { one: {}, two: {} } });
    await http.ok('PUT', '/b');
    const add = (index: string, alias: string) => ({ add: { index, alias } });
    expect(await http.error('POST', '/_aliases', { actions: [add('*', 'three')] })).toBe(tooMany);
    await http.ok('POST', '/_aliases', { actions: [add('a', 'three'), add('a', 'two')] });
    expect(await http.error('PUT', '/b/_alias/one')).toBe(tooMany);
    expect(await http.error('PUT', '/c', { aliases: { four: {} } })).toBe(tooMany);
    await http.ok('PUT', '/_template/t', { template: 'x*', aliases: { five: {} } });
    expect(await http.error('PUT', '/x/t/1', {})).toBe(tooMany);
    // One that goes makes room in the same request.
    const remove = { remove: { index: 'a', alias: 'one' } };
    await http.ok('POST', '/_aliases', { actions: [remove, add('b', 'one')] });
  });

  test('has a limited number of templates, warmers and settings', async () => {
    for (const name of ['a', 'b']) await http.ok('PUT', `/_template/${name}`, { template: 'q' });
    expect(await http.error('PUT', '/_template/c', { template: 'q' })).toBe(
      illegal(
        'limit of [2] index templates has been exceeded: there would be [3] (cluster.max_templates)',
      ),
    );
    await http.ok('PUT', '/_template/b', { template: 'r' });
    const settings = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x${n}`, 'y']));
    for (const nested of [settings, { index: settings }]) {
      expect(await http.error('PUT', '/_template/b', { template: 'r', settings: nested })).toBe(
        illegal(
          'limit of [20] settings of template [b] has been exceeded: there would be [21] (cluster.max_settings_per_index)',
        ),
      );
    }

    const warmers = { a: { source: {} }, b: { source: {} }, c: { source: {} } };
    const tooManyWarmers = illegal(
      'limit of [2] warmers of index [i] has been exceeded: there would be [3] (cluster.max_warmers_per_index)',
    );
    expect(await http.error('PUT', '/i', { warmers })).toBe(tooManyWarmers);
    await http.ok('PUT', '/i');
    for (const name of ['a', 'b']) await http.ok('PUT', `/i/_warmer/${name}`, {});
    expect(await http.error('PUT', '/i/_warmer/c', {})).toBe(tooManyWarmers);

    for (const [scope, what] of [
      ['persistent', 'persistent'],
      ['transient', 'transient'],
    ] as const) {
      await http.ok('PUT', '/_cluster/settings', { [scope]: { 'logger.a': '1', 'logger.b': '1' } });
      expect(await http.error('PUT', '/_cluster/settings', { [scope]: { 'logger.c': '1' } })).toBe(
        illegal(
          `limit of [2] ${what} settings has been exceeded: there would be [3] (cluster.max_persistent_settings)`,
        ),
      );
    }
  });

  test('takes a limited number of actions in a bulk', async () => {
    await http.ok('PUT', '/a');
    const bulk = (actions: number): string => '{"index":{}}\n{}\n'.repeat(actions);
    await http.ok('POST', '/a/t/_bulk', bulk(3));
    expect(await http.error('POST', '/a/t/_bulk', bulk(4))).toBe(
      illegal('limit of [3] actions in a bulk request has been exceeded (http.max_bulk_actions)'),
    );
  });
});

describe('what clients define', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'cluster.max_definitions_size': '3500' });
  });
  afterAll(() => http.close());
  afterEach(async () => {
    await http.reset();
    await http.ok('DELETE', '/_template/*');
  });

  const filler = 'x'.repeat(2000);
  const tooLarge =
    /limit of \[3500\] bytes of (?:templates, aliases, warmers, keys and|transient) settings has been exceeded: there would be \[\d+\] \(cluster\.max_definitions_size\)/;
  const template = { template: 'q', mappings: { t: { _meta: { filler } } } };
  const filter = { term: { tag: filler } };
  test.each<[string, string, string, object]>([
    ['templates', 'PUT', '/_template/b', template],
    ['filters of aliases', 'PUT', '/i/_alias/a', { filter }],
    ['aliases of new indices', 'PUT', '/new', { aliases: { a: { filter } } }],
    ['warmers', 'PUT', '/i/_warmer/w', { query: filter }],
    [
      'keys',
      'PUT',
      '/_facetd/keys/k',
      { role: { indices: [{ names: ['i'], privileges: ['read'], filter }] } },
    ],
    ['stored settings', 'PUT', '/_cluster/settings', { persistent: { 'logger.a': filler } }],
  ])('has a limited size together: %s', async (_what, method, path, body) => {
    const mappings = { t: { properties: { tag: { type: 'string' } } } };
    await http.ok('PUT', '/_template/i', { template: '*', mappings });
    await http.ok('PUT', '/i');
    await http.ok('PUT', '/_template/a', template);
    expect(await http.error(method, path, body)).toMatch(tooLarge);
    await http.ok('DELETE', '/_template/a');
    await http.ok(method, path, body);
    if (path.startsWith('/_facetd')) await http.ok('DELETE', path);
    if (path === '/_cluster/settings') {
      await http.ok(method, path, { persistent: { 'logger.a': '' } });
    }
  });

  test('has a limited size for settings that are not stored', async () => {
    const setting = (name: string) => ({ transient: { [name]: filler } });
    await http.ok('PUT', '/_cluster/settings', setting('logger.a'));
    expect(await http.error('PUT', '/_cluster/settings', setting('logger.b'))).toMatch(tooLarge);
  });
});

describe('an index', () => {
  let http: HttpClient;
  beforeAll(async () => {
    // A type counts ten.
    http = await HttpClient.start({
      'cluster.max_fields_per_index': '15',
      'cluster.max_mapping_depth': '3',
    });
  });
  afterAll(() => http.close());
  afterEach(() => http.reset());

  const total =
    '400 MapperParsingException[limit of total fields [15] in index [i] has been exceeded (cluster.max_fields_per_index)]';
  const fields = (count: number, prefix = 'f') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));
  const properties = (count: number, prefix = 'p') =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`${prefix}${i}`, { type: 'long' }]),
    );
  async function mapped(): Promise<string[]> {
    const answer = (await http.ok('GET', '/i/_mapping')) as {
      i: { mappings: { t?: { properties?: object } } };
    };
    return Object.keys(answer.i.mappings.t?.properties ?? {});
  }

  test('refuses a document with too many new fields, and takes none of them', async () => {
    await http.ok('PUT', '/i/t/1', fields(3));
    expect(await http.error('PUT', '/i/t/2', fields(3, 'g'))).toBe(total);
    expect((await http.send('GET', '/i/t/2')).status).toBe(404);
    expect(await mapped()).toEqual(['f0', 'f1', 'f2']);
    await http.ok('PUT', '/i/t/2', fields(2, 'g'));
    await http.ok('PUT', '/i/t/3', { ...fields(2, 'g'), ...fields(3) });
    expect(await http.error('POST', '/i/t/3/_update', { doc: { h: 1 } })).toBe(total);
    expect(await http.error('PUT', '/i/u/1', {})).toBe(total);
  });

  test('refuses of the documents of a bulk those for whose fields there is no room', async () => {
    await http.ok('PUT', '/i/t/1', fields(3));
    const bulk = ['{"g0":1}', '{"g1":1,"g2":1}', '{"g3":1}', '{"f0":1}', '{"g4":1}']
      .map((source) => `{"index":{}}\n${source}\n`)
      .join('');
    const { items } = (await http.ok('POST', '/i/t/_bulk', bulk)) as {
      items: { create: { status: number } }[];
    };
    expect(items.map(({ create }) => create.status)).toEqual([201, 400, 201, 201, 400]);
    expect(await mapped()).toEqual(['f0', 'f1', 'f2', 'g0', 'g3']);
  });

  test.each([
    ['objects', { properties: { a: { properties: properties(5) } } }],
    ['multi-fields', { properties: { a: { type: 'string', fields: properties(5) } } }],
    [
      'dynamic templates',
      {
        dynamic_templates: Array.from({ length: 6 }, (_, i) => ({
          [`d${i}`]: { match: `x${i}*`, mapping: { type: 'long' } },
        })),
      },
    ],
    ['fields', { properties: properties(6) }],
  ])('counts %s', async (_what, mapping) => {
    expect(await http.error('PUT', '/i', { mappings: { t: mapping } })).toContain(total.slice(4));
    await http.ok('PUT', '/i');
    expect(await http.error('PUT', '/i/_mapping/t', { t: mapping })).toBe(total);
  });

  test('counts what templates bring along', async () => {
    const t = { properties: properties(6) };
    await http.ok('PUT', '/_template/x', { template: 'i', mappings: { t } });
    expect(await http.error('PUT', '/i/t/1', {})).toContain(total.slice(4));
    await http.ok('DELETE', '/_template/x');
  });

  test('has a limited depth of objects', async () => {
    const deep =
      '400 MapperParsingException[limit of mapping depth [3] in index [i] has been exceeded (cluster.max_mapping_depth)]';
    await http.ok('PUT', '/i/t/1', { a: { b: { c: 1 } } });
    expect(await http.error('PUT', '/i/t/2', { a: { b: { d: { e: 1 } } } })).toBe(deep);
    expect(
      await http.error('PUT', '/i/t/2', { a: [{ b: { d: {} } }, { b: { d: { e: {} } } }] }),
    ).toBe(deep);
    const inner = { properties: { b: { properties: { c: { properties: properties(1) } } } } };
    expect(await http.error('PUT', '/i/_mapping/t', { properties: { x: inner } })).toBe(deep);
    expect(await mapped()).toEqual(['a']);
  });
});

test('a restore is refused before it begins when there is no room for the indices', async () => {
  const source = await SnapshotNode.start();
  await source.repo('r', 'shared');
  for (const name of ['a', 'b']) await source.fill(name, 0, 1);
  await source.http.ok('PUT', '/a/t/wide', { f1: 1, f2: 2, f3: 3, f4: 4, f5: 5, f6: 6 });
  await source.take('r/s');
  const target = await HttpClient.start({
    'path.repo': source.root,
    'cluster.max_indices': '1',
    'cluster.max_fields_per_index': '12',
  });
  try {
    const location = join(source.root, 'shared');
    await target.ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location } });
    // Not even begun: it would be accepted then.
    expect(await target.error('POST', '/_snapshot/r/s/_restore')).toBe(
      illegal('limit of [1] indices has been exceeded: there would be [2] (cluster.max_indices)'),
    );
    // What is nonsense in its settings as well.
    const nonsense = { indices: 'a', index_settings: { 'index.refresh_interval': 'often' } };
    expect(await target.error('POST', '/_snapshot/r/s/_restore', nonsense)).toContain(
      "can't process the settings: [[index.refresh_interval] - cannot parse value [often] as time]",
    );
    // Mappings come as they were.
    const one = await target.ok('POST', '/_snapshot/r/s/_restore?wait_for_completion=true', {
      indices: 'a',
    });
    expect(one).toMatchObject({ snapshot: { indices: ['a'] } });
    await target.ok('PUT', '/a/t/2', { f6: 6 });
    expect(await target.error('PUT', '/a/t/3', { f7: 7 })).toContain('limit of total fields [12]');
  } finally {
    await target.close();
    await source.close();
    await rm(source.root, { recursive: true, force: true });
  }
});

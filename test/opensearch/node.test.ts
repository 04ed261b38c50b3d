// Nodes over a cluster of OpenSearch: documents and versions there, the cluster state that several nodes
// change, and what is left of indices that are deleted. Needs a server of OpenSearch 2.19 that nobody else
// writes to: OPENSEARCH_URL says where it is.

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { openOpenSearchEngine, type SearchEngine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/index';
import { getRequest, indexRequest, nodeSettings, OPEN_INDICES } from '../support/engine';
import { onlyWhere } from '../support/only-where';

const url = process.env['OPENSEARCH_URL'] ?? '';
const there = onlyWhere(url !== '', 'OPENSEARCH_URL');
const prefix = `test-${randomUUID()}`;
const engines: SearchEngine[] = [];

async function open(): Promise<SearchEngine> {
  const engine = await openOpenSearchEngine({
    settings: nodeSettings(tmpdir()),
    openSearch: {
      hosts: [url],
      prefix,
      pollMs: 50,
      username: null,
      password: null,
      certificateAuthority: null,
      timeoutMs: 30_000,
      retries: 2,
    },
  });
  engines.push(engine);
  return engine;
}

const body = (text: object) => parseJsonObject(JSON.stringify(text));
const sourceOf = async (engine: SearchEngine, index: string, id: string) =>
  (await engine.get(getRequest(index, 't', id))).source?.toString();

/** Resolves when something is so: others see changes of the state within their polling time. */
async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !condition();) {
    if (Date.now() > end) throw new Error('it is never so');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

afterAll(async () => {
  if (url === '') return;
  await fetch(`${url}/${prefix}*`, { method: 'DELETE' });
  await Promise.all(engines.map((engine) => engine.close()));
});

there('documents keep source, versions and conflicts', async () => {
  const engine = await open();
  const source = '{"a": 1.50, "a": 2.0, "long":9007199254740993}';
  const first = await engine.index(indexRequest('versions', 't', '1', source));
  expect(first).toMatchObject({ version: 1, created: true });
  expect(await sourceOf(engine, 'versions', '1')).toBe(source);
  expect(await engine.index(indexRequest('versions', 't', '1', { b: 2 }))).toMatchObject({
    version: 2,
    created: false,
  });
  const stale = engine.index(indexRequest('versions', 't', '1', { c: 3 }, { version: 1 }));
  await expect(stale).rejects.toMatchObject({
    wireName: 'VersionConflictEngineException',
    message: '[versions][0] [t][1]: version conflict, current [2], provided [1]',
  });
  const again = engine.index(indexRequest('versions', 't', '1', { c: 3 }, { create: true }));
  await expect(again).rejects.toMatchObject({ wireName: 'DocumentAlreadyExistsException' });
  const bound = indexRequest('versions', 't', '1', { c: 3 }, { version: 2 });
  expect(await engine.index(bound)).toMatchObject({ version: 3 });
  const external = { version: 40, versionType: 'external' } as const;
  expect(await engine.index(indexRequest('versions', 't', 'e', {}, external))).toMatchObject({
    version: 40,
  });
  await expect(engine.index(indexRequest('versions', 't', 'e', {}, external))).rejects.toThrow(
    'current [40], provided [40]',
  );
});

there('a forced version is taken unless it is lower than the one that there is', async () => {
  const engine = await open();
  const force = (version: number, source: object) =>
    engine.index(indexRequest('forced', 't', '1', source, { version, versionType: 'force' }));
  expect(await force(5, { a: 1 })).toMatchObject({ version: 5, created: true });
  expect(await force(5, { a: 2 })).toMatchObject({ version: 5, created: false });
  expect(await force(9, { a: 3 })).toMatchObject({ version: 9 });
  await expect(force(8, { a: 4 })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('[force] with a version below') as string,
  });
  expect(await sourceOf(engine, 'forced', '1')).toBe('{"a":3}');
  expect(await engine.index(indexRequest('forced', 't', '1', { a: 5 }))).toMatchObject({
    version: 10,
  });
});

there('writes of one bulk see those before them', async () => {
  const engine = await open();
  const write = (source: object, more: object = {}) =>
    ({ kind: 'index', request: indexRequest('bulks', 't', '1', source, more) }) as const;
  const items = await engine.bulk(
    [write({ n: 1 }), write({ n: 2 }, { version: 1 }), write({ n: 3 }, { version: 1 })],
    false,
  );
  expect(items.map(({ kind }) => kind)).toEqual(['index', 'index', 'error']);
  expect(await sourceOf(engine, 'bulks', '1')).toBe('{"n":2}');
});

there('nodes change one state, and see what others change', async () => {
  const [one, other] = [await open(), await open()];
  await one.admin.createIndex('shared', body({ aliases: { name: {} } }));
  await until(() => other.state().indices.has('shared'));
  const put = (engine: SearchEngine, alias: string) =>
    engine.admin.updateAliases([
      {
        kind: 'add',
        indices: ['shared'],
        aliases: [alias],
        filter: undefined,
        indexRouting: undefined,
        searchRouting: undefined,
      },
    ]);
  const names = Array.from({ length: 40 }, (_, i) => `alias-${i}`);
  await Promise.all(names.map((name, i) => put(i % 2 === 0 ? one : other, name)));
  for (const engine of [one, other]) {
    await until(
      () => engine.state().version === Math.max(...engines.map((e) => e.state().version)),
    );
    const { aliases } = engine.state().indices.get('shared')!;
    expect([...aliases.keys()].sort()).toEqual([...names, 'name'].sort());
  }
  // Both write a field that neither knows of: it has one type.
  const outcomes = await Promise.allSettled([
    one.index(indexRequest('shared', 't', '1', { new: 7 })),
    other.index(indexRequest('shared', 't', '2', { new: 'text' })),
  ]);
  const fields = one.state().indices.get('shared')!.fields;
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect([...fields.values()].filter(({ name }) => name === 'new')).toHaveLength(1);
});

there('a deleted index leaves nothing behind, and nothing brings it back', async () => {
  const [one, other] = [await open(), await open()];
  await one.index(indexRequest('doomed', 't', '1', { a: 1 }));
  await until(() => other.state().indices.has('doomed'));
  const uuid = Buffer.from(one.state().indices.get('doomed')!.uuid).toString('hex');
  const isThere = async () => (await fetch(`${url}/${prefix}-i-${uuid}`)).status === 200;
  expect(await isThere()).toBe(true);
  await one.admin.deleteIndices(['doomed'], OPEN_INDICES);
  // Whether it knows of the deletion yet or makes the index anew: the data of the old one stays gone.
  await other.index(indexRequest('doomed', 't', '2', { a: 2 })).catch(() => undefined);
  for (let i = 0; i < 200 && (await isThere()); i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await isThere()).toBe(false);
});

there('a write waits for a majority of many copies, and for no longer than a while', async () => {
  const engine = await open();
  const settings = { settings: { number_of_shards: 1, number_of_replicas: 8 } };
  await engine.admin.createIndex('copies', body(settings));
  await expect(engine.index(indexRequest('copies', 't', '1', {}))).rejects.toMatchObject({
    wireName: 'UnavailableShardsException',
    status: 503,
  });
  const fewer = parseJsonObject('{"number_of_replicas":1}');
  await engine.admin.updateSettings(['copies'], fewer, OPEN_INDICES);
  // OpenSearch is told of settings after the change of the state.
  const write = () => engine.index(indexRequest('copies', 't', '1', {}));
  expect(await write().catch(write)).toMatchObject({ created: true });
});

there('a node counts what it asks of the cluster', async () => {
  const engine = await open();
  const before = (await engine.nodeStats()).backend!;
  const { requests, failures } = before;
  await engine.index(indexRequest('counted', 't', '1', {}));
  const after = (await engine.nodeStats()).backend!;
  expect(after.requests).toBeGreaterThan(requests);
  expect(after.failures).toBe(failures);
  expect(after.milliseconds).toBeGreaterThan(0);
});

there('an index tells of the copies that it has in the cluster', async () => {
  const engine = await open();
  await engine.admin.createIndex('told', body({ settings: { number_of_replicas: 1 } }));
  await engine.index(indexRequest('told', 't', '1', {}));
  const header = await engine.maintenance.refresh(['told'], OPEN_INDICES);
  const [stats] = await engine.maintenance.stats(['told']);
  const started = stats!.shards.reduce((sum, shard) => sum + 1 + shard.startedReplicas, 0);
  expect(header).toMatchObject({ total: 2 * stats!.primaries, failed: 0 });
  expect(header.successful).toBeLessThanOrEqual(started);
  expect(header.successful).toBeGreaterThanOrEqual(stats!.primaries);
});

there('stored scripts and templates are read for searches, sorts and updates', async () => {
  const engine = await open();
  const searched = (members: object, isTemplate = false) =>
    engine.search({
      indices: ['scripted'],
      types: [],
      options: OPEN_INDICES,
      searchType: undefined,
      body: body(members),
      bodyText: JSON.stringify(members),
      params: new Map(),
      routing: undefined,
      preference: undefined,
      isTemplate,
    });
  await engine.index(indexRequest('scripted', 't', '1', { n: 4 }));
  await engine.index(indexRequest('scripted', 't', '2', { n: 6 }));
  await engine.maintenance.refresh(['scripted'], OPEN_INDICES);
  const above = { filtered: { filter: { script: { script_id: 'above', params: { p: 5 } } } } };
  await expect(searched({ query: above })).rejects.toThrow('[.scripts] missing');
  const version = { version: undefined, versionType: 'internal' } as const;
  const put = (lang: string, id: string, source: object) =>
    engine.storedScripts.put({ lang, id }, Buffer.from(JSON.stringify(source)), version, false);
  await put('groovy', 'above', { script: "doc['n'].value > p" });
  await put('groovy', 'more', { script: 'ctx._source.n += 1' });
  await put('mustache', 'match', { template: { query: { match: { n: '{{n}}' } } } });
  expect((await searched({ query: above })).total).toBe(1);
  expect((await searched({ template: { id: 'match' }, params: { n: 4 } }, true)).total).toBe(1);
  await expect(searched({ template: { id: 'other' } }, true)).rejects.toThrow(
    'Unable to find script [.scripts/mustache/other]',
  );
  const { source: _, create: __, ...write } = indexRequest('scripted', 't', '1', {});
  const update = { ...write, id: '1', body: body({ script_id: 'more' }), retryOnConflict: 0 };
  await engine.update({ ...update, fields: undefined });
  expect(await sourceOf(engine, 'scripted', '1')).toBe('{"n":5}');
});

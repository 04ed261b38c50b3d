// Settings and parameters that were once accepted without effect (docs/compatibility.md lists those that
// still are).

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({ 'index.refresh_interval': '17s' });
});
afterAll(() => http.close());
afterEach(() => http.reset());

const refused = (index: string, key: string, problem: string): string =>
  `400 IndexCreationException[[${index}] failed to create index]; nested: ElasticsearchIllegalArgumentException[can't process the settings: [[${key}] - ${problem}]]; `;

test.each<[string, unknown, string]>([
  ['max_analyzed_size', 'much', 'Failed to parse [much]'],
  ['gc_deletes', 'soon', 'cannot parse value [soon] as time'],
  ['refresh_interval', ['1s'], 'a single value is expected'],
  ['refresh_interval', 'often', 'cannot parse value [often] as time'],
  [
    'merge.policy.merge_factor',
    1,
    'the value of the setting index.merge.policy.merge_factor must be >= 2',
  ],
  ['cache.query.enable', 'maybe', 'cannot parse value [maybe] as a boolean'],
  ['search.slowlog.threshold.query.warn', 'x', 'cannot parse value [x] as time'],
  ['creation_date', 'yesterday', 'cannot parse value [yesterday] as a long'],
  ['version.created', 'new', 'cannot parse value [new] as an integer'],
  [
    'number_of_replicas',
    101,
    'the value of the setting index.number_of_replicas must be at most 100',
  ],
])('an index is not created with %s: %j', async (name, value, problem) => {
  const expected = refused('i', `index.${name}`, problem);
  expect(await http.error('PUT', '/i', { settings: { [name]: value } })).toBe(expected);
  await http.ok('PUT', '/_template/x', { template: 'i', settings: { [name]: value } });
  try {
    // Templates hold lists as numbered settings.
    const error = await http.error('PUT', '/i/t/1', {});
    expect(error.replace('refresh_interval.0', 'refresh_interval')).toBe(expected);
  } finally {
    await http.ok('DELETE', '/_template/x');
  }
});

test('replicas are bounded when they are changed, too', async () => {
  await http.ok('PUT', '/i');
  expect(await http.error('PUT', '/i/_settings', { number_of_replicas: 101 })).toContain(
    'must be at most 100',
  );
});

test('settings of the node become part of new indices', async () => {
  await http.ok('PUT', '/i');
  await http.ok('PUT', '/j', { refresh_interval: '3s' });
  const interval = { settings: { index: { refresh_interval: '17s' } } };
  expect(await http.ok('GET', '/i/_settings/index.refresh_interval')).toEqual({ i: interval });
  expect(await http.ok('GET', '/j/_settings/index.refresh_interval')).toEqual({
    j: { settings: { index: { refresh_interval: '3s' } } },
  });
});

test('versions of deleted documents are forgotten when index.gc_deletes says so', async () => {
  for (const [index, gcDeletes, version] of [
    ['i', '0s', 1],
    ['j', '1m', 3],
  ] as const) {
    await http.ok('PUT', `/${index}`, { gc_deletes: gcDeletes });
    await http.ok('PUT', `/${index}/t/1`, {});
    await http.ok('DELETE', `/${index}/t/1`);
    expect(await http.ok('PUT', `/${index}/t/1`, {})).toMatchObject({ _version: version });
  }
});

test('unmapped fields are refused where the index does not allow them', async () => {
  await http.ok('PUT', '/i', { 'index.query.parse.allow_unmapped_fields': false });
  expect(await http.error('GET', '/i/_search?q=none:1')).toContain(
    'QueryParsingException[[i] Strict field resolution and no field mapping can be found for the field with name [none]]',
  );
  expect(await http.ok('GET', '/i/_search')).toMatchObject({ hits: { total: 0 } });
});

test('the URL of an update may say that the document is an upsert', async () => {
  await http.ok('PUT', '/i');
  expect(
    (await http.send('POST', '/i/t/1/_update?doc_as_upsert=true', { doc: { n: 1 } })).status,
  ).toBe(201);
  const body = { doc: { n: 1 }, doc_as_upsert: false };
  expect((await http.send('POST', '/i/t/2/_update?doc_as_upsert=true', body)).status).toBe(404);
});

test('deleting by pattern can be forbidden while the node runs', async () => {
  await http.ok('PUT', '/i');
  const requireNames = (value: boolean | string) =>
    http.ok('PUT', '/_cluster/settings', {
      transient: { 'action.destructive_requires_name': value },
    });
  expect(await requireNames(true)).toMatchObject({
    transient: { action: { destructive_requires_name: 'true' } },
  });
  for (const path of ['/_all', '/i*']) {
    expect(await http.error('DELETE', path)).toBe(
      '400 ElasticsearchIllegalArgumentException[Wildcard expressions or all indices are not allowed]',
    );
  }
  await requireNames(false);
  await http.ok('DELETE', '/i*');
});

test.each([
  ['cluster.blocks.read_only', true, 'the setting [cluster.blocks.read_only] is not supported yet'],
  [
    'indices.ttl.interval',
    'often',
    "can't process the settings: [[indices.ttl.interval] - cannot parse value [often] as time]",
  ],
])('the cluster setting %s cannot be %s', async (name, value, text) => {
  for (const scope of ['persistent', 'transient']) {
    const error = await http.error('PUT', '/_cluster/settings', { [scope]: { [name]: value } });
    expect(error).toBe(`400 ElasticsearchIllegalArgumentException[${text}]`);
  }
  expect(await http.ok('GET', '/_cluster/settings')).not.toHaveProperty('persistent.cluster');
});

test.each([
  ['PUT', '/_cluster/settings?master_timeout=x', { transient: {} }],
  ['GET', '/_cluster/pending_tasks?master_timeout=x', undefined],
  ['POST', '/_cluster/reroute?timeout=x', {}],
])('%s %s is refused', async (method, path, body) => {
  expect(await http.error(method, path, body)).toContain(
    'ElasticsearchParseException[Failed to parse [x]]',
  );
});

test('what a script makes of the routing has no effect', async () => {
  await http.ok('PUT', '/i', { number_of_shards: 5, refresh_interval: '-1' });
  for (let n = 0; n < 10; n++) {
    await http.ok('PUT', `/i/t/${n}`, { n });
    const script = `ctx._routing = "r${n}"; ctx._parent = "p"; ctx._source.moved = true`;
    await http.ok('POST', `/i/t/${n}/_update?refresh=true`, { script });
    expect(await http.ok('GET', `/i/t/${n}?fields=_routing,moved`)).toMatchObject({
      _version: 2,
      fields: { moved: [true] },
    });
  }
  const found = (await http.ok('GET', '/i/_search?q=moved:true')) as { hits: { total: number } };
  expect(found.hits.total).toBe(10);
});

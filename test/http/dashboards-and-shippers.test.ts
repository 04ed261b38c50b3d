// What dashboards and log shippers of the time send, and what they read of the answers: logstash and fluentd
// write, Kibana 3, Grafana and elasticsearch-head show.

import { HttpClient } from '../support/http-client';

let http: HttpClient;

const DAYS = ['logstash-2015.01.01', 'logstash-2015.01.02'];
const LIST = DAYS.join(',');
const HOUR = 3_600_000;
const START = Date.parse('2015-01-01T22:00:00Z');
const EVENTS = Array.from({ length: 8 }, (_, i) => ({
  '@timestamp': new Date(START + i * (HOUR / 2)).toISOString(),
  '@version': '1',
  host: i % 3 === 0 ? 'web-1' : 'web-2',
  message: i % 2 === 0 ? 'GET /index.html' : 'POST /login failed',
  bytes: 100 * (i + 1),
}));

const TEMPLATE = {
  template: 'logstash-*',
  settings: { 'index.refresh_interval': '5s' },
  mappings: {
    _default_: {
      _all: { enabled: true, omit_norms: true },
      dynamic_templates: [
        {
          message_field: {
            match: 'message',
            match_mapping_type: 'string',
            mapping: { type: 'string', index: 'analyzed', omit_norms: true },
          },
        },
        {
          string_fields: {
            match: '*',
            match_mapping_type: 'string',
            mapping: {
              type: 'string',
              index: 'analyzed',
              omit_norms: true,
              fields: { raw: { type: 'string', index: 'not_analyzed', ignore_above: 256 } },
            },
          },
        },
      ],
      properties: {
        '@version': { type: 'string', index: 'not_analyzed' },
        geoip: {
          type: 'object',
          dynamic: true,
          properties: { location: { type: 'geo_point' } },
        },
      },
    },
  },
};

interface Hit {
  readonly _index: string;
  readonly _type: string;
  readonly _id: string;
  readonly _version?: number;
  readonly _source: Record<string, unknown>;
  readonly fields?: Record<string, unknown[]>;
  readonly sort?: unknown[];
  readonly highlight?: Record<string, string[]>;
}

interface Found {
  readonly hits: { readonly total: number; readonly hits: readonly Hit[] };
  readonly facets: Readonly<Record<string, Record<string, unknown>>>;
}

const search = (path: string, body: object): Promise<Found> =>
  http.ok('POST', path, body) as Promise<Found>;

beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());

describe('shippers', () => {
  test('logstash installs its template once, and writes with ids and routing of null', async () => {
    expect((await http.send('HEAD', '/')).status).toBe(200);
    expect((await http.send('HEAD', '/_template/logstash')).status).toBe(404);
    await http.ok('PUT', '/_template/logstash', TEMPLATE);
    expect((await http.send('HEAD', '/_template/logstash')).status).toBe(200);
    const lines = EVENTS.slice(0, 4).map((event) => {
      const action = { _id: null, _index: DAYS[0], _type: 'logs', _routing: null };
      return `${JSON.stringify({ index: action })}\n${JSON.stringify(event)}\n`;
    });
    const answer = (await http.ok('POST', '/_bulk', lines.join(''))) as {
      errors: boolean;
      items: { create: { _id: string; status: number } }[];
    };
    expect(answer.errors).toBe(false);
    expect(answer.items.map(({ create }) => create.status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answer.items.map(({ create }) => create._id)).size).toBe(4);
  });

  test('fluentd writes without ids, and reads what went wrong item by item', async () => {
    const action = JSON.stringify({ index: { _index: DAYS[1], _type: 'fluentd' } });
    const lines = EVENTS.slice(4).map((event) => `${action}\n${JSON.stringify(event)}\n`);
    const bad = `${action}\n${JSON.stringify({ '@timestamp': 'yesterday' })}\n`;
    expect(await http.ok('POST', '/_bulk', lines.join(''))).toMatchObject({ errors: false });
    expect(await http.ok('POST', '/_bulk', bad)).toMatchObject({
      errors: true,
      items: [
        { create: { status: 400, error: expect.stringContaining('MapperParsing') as string } },
      ],
    });
    await http.ok('POST', `/${LIST}/_refresh`);
  });

  test('the template gives fields their raw values', async () => {
    const mapping = (await http.ok('GET', `/${DAYS[0]}/_mapping`)) as Record<string, object>;
    expect(mapping[DAYS[0]!]).toMatchObject({
      mappings: { logs: { properties: { host: { fields: { raw: { index: 'not_analyzed' } } } } } },
    });
  });
});

/** A query of Kibana within a range of time. */
function kibana(query: string, from = START, to = START + 4 * HOUR): object {
  return {
    filtered: {
      query: { bool: { should: [{ query_string: { query } }] } },
      filter: { bool: { must: [{ range: { '@timestamp': { from, to } } }] } },
    },
  };
}

const facetFilter = (query = '*', from?: number, to?: number) => ({
  fquery: { query: kibana(query, from, to), _cache: true },
});

describe('Kibana 3', () => {
  test('asks for the version, and which days there are', async () => {
    const { nodes } = (await http.ok('GET', '/_nodes')) as {
      nodes: Record<string, { version: string }>;
    };
    for (const { version } of Object.values(nodes)) expect(version).toMatch(/^1\.\d+\.\d+$/);
    const absent = 'logstash-2014.12.31';
    const path = `/${absent},${LIST}/_aliases?ignore_missing=true`;
    expect(await http.ok('GET', path)).toEqual({
      [DAYS[0]!]: { aliases: {} },
      [DAYS[1]!]: { aliases: {} },
    });
  });

  test('finds its fields in the mapping', async () => {
    const answer = (await http.ok('GET', `/${LIST}/_mapping`)) as Record<
      string,
      { mappings: Record<string, { properties: Record<string, unknown> }> }
    >;
    expect(Object.keys(answer[DAYS[0]!]!.mappings['logs']!.properties)).toEqual(
      expect.arrayContaining(['@timestamp', '@version', 'bytes', 'geoip', 'host', 'message']),
    );
    expect(Object.keys(answer[DAYS[1]!]!.mappings)).toContain('fluentd');
  });

  test('histogram: counts by time, and means', async () => {
    const facets = {
      0: {
        date_histogram: { field: '@timestamp', interval: '1h' },
        global: true,
        facet_filter: facetFilter('message:get'),
      },
      1: {
        date_histogram: { key_field: '@timestamp', value_field: 'bytes', interval: '1h' },
        global: true,
        facet_filter: facetFilter(),
      },
    };
    const found = await search(`/${LIST}/_search?search_type=count`, { facets, size: 0 });
    const times = [0, 1, 2, 3].map((hour) => START + hour * HOUR);
    expect(found.facets['0']!['entries']).toEqual(times.map((time) => ({ time, count: 1 })));
    expect(found.facets['1']!['entries']).toEqual(
      times.map((time, i): unknown =>
        expect.objectContaining({ time, count: 2, mean: 150 + 200 * i }),
      ),
    );
  });

  test('terms, terms_stats, stats and hits of panels', async () => {
    const facets = {
      terms: {
        terms: { field: 'host.raw', size: 10, order: 'count', exclude: [] },
        facet_filter: facetFilter(),
      },
      means: {
        terms_stats: { key_field: 'host.raw', value_field: 'bytes', size: 10, order: 'mean' },
        facet_filter: facetFilter(),
      },
      stats: { statistical: { field: 'bytes' }, facet_filter: facetFilter() },
      hits: { query: kibana('message:failed') },
    };
    const found = await search(`/${LIST}/_search`, { facets, size: 0 });
    expect(found.facets).toMatchObject({
      terms: {
        missing: 0,
        total: 8,
        other: 0,
        terms: [
          { term: 'web-2', count: 5 },
          { term: 'web-1', count: 3 },
        ],
      },
      means: {
        terms: [
          { term: 'web-2', count: 5, total: 2400, mean: 480 },
          { term: 'web-1', count: 3, total: 1200, mean: 400 },
        ],
      },
      stats: { count: 8, min: 100, max: 800, mean: 450, total: 3600 },
      hits: { count: 4 },
    });
  });

  test('a table: sorted by a field that not every index has, highlighted in no field', async () => {
    const found = await search(`/${LIST}/_search`, {
      query: kibana('failed', START, START + HOUR),
      highlight: {
        fields: {},
        fragment_size: 2147483647,
        pre_tags: ['@start-highlight@'],
        post_tags: ['@end-highlight@'],
      },
      size: 500,
      sort: [
        { '@timestamp': { order: 'desc', ignore_unmapped: true } },
        { 'no such field': { order: 'desc', ignore_unmapped: true } },
      ],
    });
    expect(found.hits.total).toBe(1);
    expect(found.hits.hits[0]).toMatchObject({
      _index: DAYS[0],
      _type: 'logs',
      _source: { message: 'POST /login failed', '@version': '1' },
      sort: [START + HOUR / 2, expect.anything()],
    });
    expect(found.hits.hits[0]).not.toHaveProperty('highlight');
  });

  test('saves, loads, finds and deletes dashboards, also for a time', async () => {
    const dashboard = {
      user: 'guest',
      group: 'guest',
      title: 'Web Logs',
      dashboard: '{"rows":[]}',
    };
    const path = '/kibana-int/dashboard/Web%20Logs';
    expect(await http.pair('PUT', path, dashboard)).toEqual([
      201,
      expect.objectContaining({ _id: 'Web Logs', created: true }),
    ]);
    await http.ok('PUT', '/kibana-int/temp/x?ttl=30d', dashboard);
    expect(await http.ok('GET', `${path}?1795207732737`)).toMatchObject({
      found: true,
      _source: { dashboard: '{"rows":[]}' },
    });
    await http.ok('POST', '/kibana-int/_refresh');
    const query = { query_string: { query: 'title:*' } };
    const found = await search('/kibana-int/dashboard/_search', {
      query,
      facets: { tags: { terms: { field: 'tags', order: 'term', size: 50 } } },
      size: 20,
      sort: ['_uid'],
    });
    expect(found.hits.hits.map(({ _id }) => _id)).toEqual(['Web Logs']);
    expect(found.facets['tags']).toEqual({
      _type: 'terms',
      missing: 1,
      total: 0,
      other: 0,
      terms: [],
    });
    expect(await http.ok('DELETE', path)).toMatchObject({ found: true });
    expect((await http.send('GET', path)).status).toBe(404);
  });
});

describe('Grafana', () => {
  test('shows events as annotations', async () => {
    const found = await search(`/${LIST}/_search`, {
      fields: ['@timestamp', '_source'],
      query: kibana('message:failed', START, START + 2 * HOUR),
      size: 100,
    });
    expect(found.hits.hits).toHaveLength(2);
    for (const { _source, fields } of found.hits.hits) {
      expect(fields?.['@timestamp']).toEqual([_source['@timestamp']]);
    }
  });

  test('2.x asks for many things in one request, by headers with lists', async () => {
    const header = { search_type: 'query_then_fetch', ignore_unavailable: true };
    const lines = [
      { ...header, index: [...DAYS, 'logstash-2015.01.03'] },
      { query: kibana('*'), size: 1, sort: { '@timestamp': { order: 'desc' } } },
      { ...header, search_type: 'count', index: DAYS },
      { query: kibana('message:get'), size: 0 },
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { responses } = (await http.ok('POST', '/_msearch', body)) as { responses: Found[] };
    expect(responses.map(({ hits }) => hits.total)).toEqual([8, 4]);
    expect(responses[0]!.hits.hits[0]!._source).toEqual(EVENTS.at(-1));
  });

  test('keeps dashboards with tags', async () => {
    const saved = { title: 'CPU', tags: ['ops', 'prod'], dashboard: '{}' };
    await http.ok('PUT', '/grafana-dash/dashboard/cpu', saved);
    await http.ok('POST', '/grafana-dash/_refresh');
    const found = await search('/grafana-dash/dashboard/_search', {
      query: { query_string: { query: 'title:CPU* AND tags:ops' } },
      facets: { tags: { terms: { field: 'tags', order: 'term', size: 50 } } },
      size: 20,
      sort: ['_uid'],
    });
    expect(found.hits.hits[0]).toMatchObject({ _id: 'cpu', _source: { tags: ['ops', 'prod'] } });
    expect(found.facets['tags']!['terms']).toEqual([
      { term: 'ops', count: 1 },
      { term: 'prod', count: 1 },
    ]);
  });
});

describe('elasticsearch-head', () => {
  test('reads the overview of the cluster', async () => {
    const state = (await http.ok('GET', '/_cluster/state')) as {
      cluster_name: string;
      master_node: string;
      nodes: Record<string, { name: string; attributes: object }>;
      metadata: {
        indices: Record<string, { state: string; aliases: string[]; settings: object }>;
        templates: Record<string, { template: string }>;
      };
      routing_table: { indices: Record<string, { shards: Record<string, object[]> }> };
      routing_nodes: { nodes: Record<string, object[]>; unassigned: object[] };
    };
    expect(Object.keys(state.nodes)).toContain(state.master_node);
    expect(state.metadata.templates['logstash']?.template).toBe('logstash-*');
    for (const day of DAYS) {
      expect(state.metadata.indices[day]).toMatchObject({ state: 'open', aliases: [] });
      expect(state.routing_table.indices[day]!.shards['0']![0]).toMatchObject({
        state: 'STARTED',
        primary: true,
        node: state.master_node,
        shard: 0,
        index: day,
      });
    }
    expect(state.routing_nodes.nodes[state.master_node]!.length).toBeGreaterThan(0);
    expect(await http.ok('GET', '/_cluster/health')).toMatchObject({
      cluster_name: state.cluster_name,
      status: expect.stringMatching(/^(green|yellow)$/) as string,
      number_of_nodes: 1,
      unassigned_shards: expect.any(Number) as number,
    });
  });

  test('reads sizes and counts', async () => {
    const stats = (await http.ok('GET', '/_stats')) as { indices: Record<string, unknown> };
    const part = {
      docs: { count: 4, deleted: expect.any(Number) as number },
      store: { size_in_bytes: expect.any(Number) as number },
    };
    expect(stats.indices[DAYS[0]!]).toMatchObject({ primaries: part, total: part });
    const nodes = (await http.ok('GET', '/_nodes/stats?human=true')) as {
      nodes: Record<string, object>;
    };
    expect(Object.values(nodes.nodes)[0]).toMatchObject({
      name: expect.any(String) as string,
      indices: {
        docs: { count: expect.any(Number) as number },
        store: { size: expect.any(String) as string },
      },
      jvm: { mem: { heap_used_in_bytes: expect.any(Number) as number } },
      fs: { total: { total_in_bytes: expect.any(Number) as number } },
    });
  });

  test('browses documents with their versions, with elements that say nothing', async () => {
    const found = await search('/_search', {
      query: {
        bool: { must: [{ term: { _all: 'failed' } }], must_not: [], should: [] },
      },
      from: 0,
      size: 50,
      sort: [],
      facets: {},
      version: true,
    });
    expect(found.hits.total).toBe(4);
    expect(found.hits.hits.map(({ _version }) => _version)).toEqual([1, 1, 1, 1]);
  });

  test('adds aliases, and closes and opens an index', async () => {
    const add = (index: string) => ({ add: { index, alias: 'recent' } });
    await http.ok('POST', '/_aliases', { actions: DAYS.map(add) });
    expect((await search('/recent/_search', { size: 0 })).hits.total).toBe(8);
    expect(await http.ok('POST', `/${DAYS[0]}/_close`)).toEqual({ acknowledged: true });
    const state = (await http.ok('GET', '/_cluster/state')) as {
      metadata: { indices: Record<string, { state: string; aliases: string[] }> };
    };
    expect(state.metadata.indices[DAYS[0]!]).toMatchObject({ state: 'close', aliases: ['recent'] });
    await http.ok('POST', `/${DAYS[0]}/_open`);
    expect((await search('/recent/_search', { size: 0 })).hits.total).toBe(8);
  });
});

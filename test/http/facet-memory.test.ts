// What facets hold in memory: columns, as the statistics of indices and nodes tell it, and remembered counts,
// of which they tell how many segments were counted. All of it within the memory of the node.

import { HttpClient } from '../support/http-client';

interface FieldData {
  readonly memory_size_in_bytes: number;
  readonly evictions: number;
  readonly fields?: Readonly<Record<string, { readonly memory_size_in_bytes: number }>>;
}

/** What is remembered of facets: `miss_count` is how many segments were counted. */
interface CachedTokens {
  readonly memory_size_in_bytes: number;
  readonly evictions: number;
  readonly hit_count: number;
  readonly miss_count: number;
}

let http: HttpClient;
afterEach(() => http.close());

/** Documents whose fields have many different values each. */
async function load(documents: number, make: (n: number) => object): Promise<void> {
  const lines: string[] = [];
  for (let n = 0; n < documents; n++) lines.push('{"index":{}}', JSON.stringify(make(n)));
  await http.ok('POST', '/i/t/_bulk?refresh=true', lines.join('\n') + '\n');
}

const facet = (definition: object): Promise<unknown> =>
  http.ok('POST', '/i/_search?search_type=count', { facets: { f: definition } });

async function fieldData(parameters = ''): Promise<FieldData> {
  const stats = (await http.ok('GET', `/i/_stats/fielddata?${parameters}`)) as {
    _all: { total: { fielddata: FieldData } };
  };
  return stats._all.total.fielddata;
}

async function nodeFieldData(parameters: string): Promise<FieldData> {
  const stats = (await http.ok('GET', `/_nodes/stats/indices/fielddata?${parameters}`)) as {
    nodes: Record<string, { indices: { fielddata: FieldData } }>;
  };
  return Object.values(stats.nodes)[0]!.indices.fielddata;
}

describe('columns', () => {
  test('are told by field', async () => {
    http = await HttpClient.start();
    await http.ok('PUT', '/i', { settings: { number_of_shards: 2 } });
    await load(50, (n) => ({ tag: `t${n}`, total: n, other: 'x' }));
    // Where all documents are in scope the dictionary knows the counts.
    await facet({ terms: { field: 'tag' }, facet_filter: { range: { total: { lt: 30 } } } });
    await facet({ statistical: { field: 'total' } });
    const all = await fieldData();
    expect(all).toEqual({ memory_size_in_bytes: expect.any(Number) as number, evictions: 0 });
    const { fields, ...rest } = await fieldData('fields=t*,other');
    expect(rest).toEqual(all);
    expect(Object.keys(fields!).sort()).toEqual(['tag', 'total']);
    const { tag, total } = fields!;
    expect(tag!.memory_size_in_bytes).toBeGreaterThan(0);
    expect(total!.memory_size_in_bytes).toBeGreaterThan(0);
    expect((await fieldData('fielddata_fields=tag')).fields).toEqual({ tag });
    expect((await fieldData('fields=none')).fields).toEqual({});
    expect((await nodeFieldData('fields=tag')).fields).toEqual({ tag });
  });

  test('of every kind are told, by index and by node', async () => {
    http = await HttpClient.start();
    await http.ok('PUT', '/i', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { place: { type: 'geo_point' } } } },
    });
    const path = (n: number) => `a/${n % 7}/${n}`;
    await load(300, (n) => ({ words: `w${n} w${n % 5}`, path: path(n), n, place: `1,${n % 90}` }));
    const narrow = { facet_filter: { range: { n: { lt: 290 } } } };
    // What is made for a field, in which a request, and which time it is asked.
    const columns: readonly [string, object, number][] = [
      ['n', { statistical: { field: 'n' } }, 1],
      ['words', { terms: { field: 'words' } }, 1],
      ['n', { terms: { field: 'n' } }, 1],
      ['path', { terms: { field: 'path', hierarchy: { depth: 2 } } }, 1],
      ['place', { geo_distance: { place: '1,1', ranges: [{ to: 1e6 }] } }, 1],
      ['n', { histogram: { field: 'n', interval: 10 } }, 2],
      ['n', { date_histogram: { field: 'n', interval: 'second' } }, 2],
      ['n', { range: { field: 'n', ranges: [{ to: 100 }, { from: 100 }] } }, 2],
    ];
    let known: Readonly<Record<string, { readonly memory_size_in_bytes: number }>> = {};
    for (const [field, definition, times] of columns) {
      for (let time = 0; time < times; time++) await facet({ ...definition, ...narrow });
      const { fields, ...all } = await fieldData('fields=*');
      const told = [definition, fields![field]!.memory_size_in_bytes] as const;
      expect(told).toEqual([definition, expect.any(Number)]);
      expect(told[1]).toBeGreaterThan(known[field]?.memory_size_in_bytes ?? 0);
      expect(await nodeFieldData('fields=*')).toEqual({ ...all, fields });
      known = fields!;
    }
  });
});

/** Bytes in all caches together. */
async function held(): Promise<number> {
  const stats = (await http.ok('GET', '/_nodes/stats/breaker')) as {
    nodes: Record<string, { breakers: { parent: { estimated_size_in_bytes: number } } }>;
  };
  return Object.values(stats.nodes)[0]!.breakers.parent.estimated_size_in_bytes;
}

async function remembered(): Promise<CachedTokens> {
  const stats = (await http.ok('GET', '/_nodes/stats/indices/query_cache')) as {
    nodes: Record<string, { indices: { query_cache: CachedTokens } }>;
  };
  return Object.values(stats.nodes)[0]!.indices.query_cache;
}

/** How many segments it took to answer. */
async function segmentsCounted(definition: object): Promise<number> {
  const before = await remembered();
  await facet(definition);
  return (await remembered()).miss_count - before.miss_count;
}

describe('counts', () => {
  const SEGMENTS = 3;
  const put = (id: string) =>
    http.ok('PUT', `/i/t/${id}?refresh=true`, {
      tag: `t${id}`,
      n: Number(id),
      at: { lat: 1, lon: 2 },
      day: '2014-03-01',
      kids: [{ n: 1 }],
    });

  test.each<[string, object]>([
    ['terms', { terms: { field: 'tag' } }],
    ['terms of numbers', { terms: { field: 'n', size: 1 } }],
    ['several fields', { terms: { fields: ['tag', 'n'] } }],
    ['levels', { terms: { field: 'tag', hierarchy: {} } }],
    ['terms_stats', { terms_stats: { key_field: 'tag', value_field: 'n' } }],
    ['statistical', { statistical: { field: 'n' } }],
    ['histogram', { histogram: { field: 'n', interval: 2 } }],
    ['histogram with values', { histogram: { field: 'n', value_field: 'day', interval: 2 } }],
    ['date_histogram', { date_histogram: { field: 'day', interval: 'month' } }],
    ['range', { range: { field: 'n', ranges: [{ to: 2 }] } }],
    ['filter', { filter: { term: { tag: 't1' } } }],
    ['query', { query: { term: { tag: 't1' } } }],
    ['geo_distance', { geo_distance: { at: '1,2', ranges: [{ to: 10 }] } }],
    ['a facet_filter', { terms: { field: 'tag' }, facet_filter: { range: { n: { lt: 9 } } } }],
    ['a global facet', { terms: { field: 'tag' }, global: true }],
    ['nested objects', { statistical: { field: 'kids.n' }, nested: 'kids' }],
  ])('are remembered by segment: %s', async (_name, definition) => {
    http = await HttpClient.start();
    await http.ok('PUT', '/i', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { at: { type: 'geo_point' }, kids: { type: 'nested' } } } },
    });
    for (let id = 0; id < SEGMENTS; id++) await put(String(id));
    // What comes only once is not kept.
    const times = [];
    for (let time = 0; time < 4; time++) times.push(await segmentsCounted(definition));
    expect(times).toEqual([SEGMENTS, SEGMENTS, 0, 0]);
    // A small refresh: just the new segment.
    await put('7');
    expect(await segmentsCounted(definition)).toBe(1);
    await facet(definition);
    expect(await segmentsCounted(definition)).toBe(0);
    expect((await remembered()).memory_size_in_bytes).toBeGreaterThan(0);
    // A deletion: just the segment that has it. (What it left empty is not there any more.)
    const answer = JSON.stringify(await facet(definition));
    await http.ok(
      'POST',
      '/i/t/_bulk?refresh=true',
      '{"index":{}}\n{"n":3}\n{"index":{"_id":"x"}}\n{"n":4}\n',
    );
    for (let time = 0; time < 3; time++) await facet(definition);
    await http.ok('DELETE', '/i/t/x?refresh=true');
    expect(await segmentsCounted(definition)).toBe(1);
    expect(JSON.stringify(await facet(definition))).not.toBe(answer);
  });

  test('by scripts are made anew each time', async () => {
    http = await HttpClient.start();
    for (let id = 0; id < SEGMENTS; id++) await put(String(id));
    const scripted = { statistical: { script: "doc['n'].value" } };
    for (let time = 0; time < 3; time++) expect(await segmentsCounted(scripted)).toBe(SEGMENTS);
  });
});

test('what is used least recently makes room for the rest, within the memory of the node', async () => {
  const budget = 16 * 1024 * 1024;
  http = await HttpClient.start({ 'node.memory': '16mb' });
  await http.ok('PUT', '/i', { settings: { number_of_shards: 1 } });
  await load(20_000, (n) => ({ tag: `t${n}`, n, other: n / 7 }));
  // Nothing is left to merge meanwhile.
  await http.ok('POST', '/i/_optimize?max_num_segments=1');
  const asked = (least: number) => ({
    terms: { field: 'tag', size: 1 },
    facet_filter: { range: { n: { gte: least } } },
  });
  // A column, and counts, that nobody asks for again; and counts that somebody does.
  await facet({ range: { field: 'other', ranges: [{ to: 7 }] } });
  const [often, once] = [asked(1), asked(2)];
  for (const one of [often, often, once, once]) await facet(one);
  expect(Object.keys((await fieldData('fields=*')).fields!)).toContain('other');
  expect(await segmentsCounted(once)).toBe(0);
  for (let least = 3; least < 200; least++) {
    for (let time = 0; time < 2; time++) await facet(asked(least));
    if (least % 20 === 0) {
      expect(await held()).toBeLessThanOrEqual(budget);
      expect(await segmentsCounted(often)).toBe(0);
    }
  }
  const counts = await remembered();
  expect(counts.evictions).toBeGreaterThan(0);
  expect(counts.memory_size_in_bytes).toBeGreaterThan(budget / 4);
  const { evictions, fields } = await fieldData('fields=*');
  expect(evictions).toBeGreaterThan(0);
  expect(await nodeFieldData('fields=*')).toMatchObject({ evictions, fields });
  expect(Object.keys(fields!)).not.toContain('other');
  expect(await segmentsCounted(once)).toBe(1);
  expect(await segmentsCounted(asked(199))).toBe(0);
});

// What columns of facets hold in memory, as the statistics of indices and nodes tell it.

import { HttpClient } from '../support/http-client';

interface FieldData {
  readonly memory_size_in_bytes: number;
  readonly evictions: number;
  readonly fields?: Readonly<Record<string, { readonly memory_size_in_bytes: number }>>;
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
});

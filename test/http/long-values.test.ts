// Integers beyond 2^53 keep all their bits wherever they go: index, sorting, facets, `_source` and scripts.

import { HttpClient } from '../support/http-client';

const VALUES = [
  '9007199254740992',
  '9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
  '-9223372036854775808',
];

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { l: { type: 'long' } } } },
  });
  for (const [i, value] of VALUES.entries()) {
    await http.ok('PUT', `/i/t/${i}`, `{"l":${value},"dyn":${value}}`);
  }
  await http.ok('POST', '/i/_refresh');
});
afterAll(() => http.close());

/** The answer's text: parsing it would lose the digits in question. */
async function search(body: string): Promise<string> {
  return (await http.send('POST', '/i/_search', body)).text;
}

async function ids(query: string): Promise<string[]> {
  const text = await search(`{"fields":[],"query":${query}}`);
  return [...text.matchAll(/"_id":"(\d)"/g)].map(([, id]) => id!).sort();
}

test.each(['l', 'dyn'])('terms and ranges of %s tell neighbours apart', async (field) => {
  for (const [i, value] of VALUES.entries()) {
    expect(await ids(`{"term":{"${field}":${value}}}`)).toEqual([String(i)]);
    expect(await ids(`{"match":{"${field}":"${value}"}}`)).toEqual([String(i)]);
    expect(await ids(`{"filtered":{"filter":{"terms":{"${field}":[${value},1]}}}}`)).toEqual([
      String(i),
    ]);
  }
  expect(await ids(`{"range":{"${field}":{"gt":9007199254740992}}}`)).toEqual(['1', '2', '3']);
  expect(await ids(`{"range":{"${field}":{"gte":"9223372036854775807"}}}`)).toEqual(['3']);
  expect(await ids(`{"range":{"${field}":{"lt":9007199254740993}}}`)).toEqual(['0', '4']);
});

test('sort values, source, facets and scripts print all digits', async () => {
  const sorted = await search('{"sort":"l"}');
  const order = [4, 0, 1, 2, 3].map((i) => VALUES[i]!);
  expect([...sorted.matchAll(/"sort":\[(-?\d+)\]/g)].map(([, value]) => value)).toEqual(order);
  expect([...sorted.matchAll(/"l":(-?\d+)/g)].map(([, value]) => value)).toEqual(order);
  const facet = await search('{"size":0,"facets":{"f":{"terms":{"field":"l","order":"term"}}}}');
  expect([...facet.matchAll(/"term":(-?\d+)/g)].map(([, value]) => value)).toEqual(order);
  const script = await search(
    `{"query":{"term":{"l":9007199254740993}},"script_fields":{"v":{"script":"doc['l'].value + 1"}}}`,
  );
  expect(script).toContain('"v":[9007199254740994]');
});

test('averages of them are rounded once', async () => {
  await http.ok('PUT', '/m/t/1?refresh=true', '{"m":[9007199254740995,3]}');
  const { text } = await http.send('POST', '/m/_search', '{"sort":{"m":{"mode":"avg"}}}');
  expect(text).toContain('"sort":[4503599627370499]');
});

test('updates keep them, by document and by script', async () => {
  await http.ok('PUT', '/i/t/u', `{"l":9007199254740993}`);
  await http.ok('POST', '/i/t/u/_update', '{"doc":{"d":9223372036854775807}}');
  await http.ok('POST', '/i/t/u/_update', { script: 'ctx._source.l += 2' });
  const { text } = await http.send('GET', '/i/t/u');
  expect(text).toContain('"_source":{"l":9007199254740995,"d":9223372036854775807}');
});

// Lists that are longer than anybody needs, and what they are compared with (docs/limits.md).

import { rm } from 'node:fs/promises';
import { SnapshotNode } from '../support/snapshot-node';
import type { HttpClient } from '../support/http-client';

let node: SnapshotNode;
let http: HttpClient;
beforeAll(async () => {
  node = await SnapshotNode.start();
  ({ http } = node);
  await http.ok('PUT', '/i/t/1?refresh', {
    a: 'x',
    o: Array.from({ length: 40_000 }, (_, b) => ({ b })),
  });
});
afterAll(async () => {
  await node.close();
  await rm(node.root, { recursive: true, force: true });
});

const list = (count: number, item: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => item(n));
const illegal = (text: string): string => `400 ElasticsearchIllegalArgumentException[${text}]`;

test('date formats that are alternatives of each other', async () => {
  const formats = list(101, (n) => `yyyy'${n}'`);
  const refused = 'more than [100] date formats are alternatives of each other';
  const dynamic = { mappings: { t: { dynamic_date_formats: formats } } };
  expect(await http.error('PUT', '/d', dynamic)).toContain(refused);
  const date = { type: 'date', format: formats.join('||') };
  expect(await http.error('PUT', '/i/_mapping/d', { properties: { d: date } })).toContain(refused);
});

test('names of fields of one document are looked up in one reading of it', async () => {
  const names = list(2500, (n) => `f${n}`);
  // Parsed anew for each of them, it would take a minute.
  expect(await http.ok('GET', `/i/t/1?fields=a,${names.join()}`)).toMatchObject({
    fields: { a: ['x'] },
  });
  const docs = [{ _index: 'i', _type: 't', _id: '1', fields: list(10_001, (n) => `f${n}`) }];
  expect(JSON.stringify(await http.ok('POST', '/_mget', { docs }))).toContain(
    'request has more than [10000] names of fields of a document',
  );
});

test('patterns of parts of one document', async () => {
  const patterns = list(1000, (n) => `*f${n}*`);
  // Those of 40,000 objects are the same.
  expect(await http.ok('GET', `/i/t/1?_source_include=${patterns.join()}`)).toMatchObject({
    _source: { o: [] },
  });

  const wide = Object.fromEntries(list(1001, (n) => `m${n}`).map((name) => [name, 1]));
  await http.ok('PUT', '/i/w/1', wide);
  expect(await http.error('GET', `/i/w/1?_source_include=${patterns.join()}`)).toBe(
    illegal('patterns of field names would be compared with more than [1000000] names of fields'),
  );
  const same = list(3000, () => '*b').join();
  const { _source } = (await http.ok('GET', `/i/t/1?_source_include=${same}`)) as {
    _source: { o: object[] };
  };
  expect(_source.o).toHaveLength(40_000);
});

test('indices and routing values of a search', async () => {
  const search = async (header: object): Promise<string> => {
    const body = `${JSON.stringify(header)}\n{}\n`;
    return JSON.stringify(await http.ok('POST', '/_msearch', body));
  };
  const index = list(10_001, (n) => `i${n}`);
  expect(await search({ index })).toContain('request names more than [10000] indices and patterns');
  const routing = list(10_001, (n) => `r${n}`).join();
  const refused = 'a search has more than [10000] routing values';
  expect(await search({ index: 'i', routing })).toContain(refused);
  await http.ok('PUT', '/i/_alias/routed', { search_routing: list(10_000, (n) => `r${n}`).join() });
  expect(await search({ index: 'routed' })).toContain('"total":1');
});

test('commas without anything between them', async () => {
  const commas = ','.repeat(3_000_000);
  expect(await http.error('DELETE', '/_search/scroll', commas)).toContain(
    'no scroll ids specified',
  );
});

test('snapshots that are named again and again', async () => {
  await node.repo('r', 'repo');
  await node.take('r/s');
  const names = list(3000, () => 's').join();
  const { snapshots } = (await http.ok('GET', `/_snapshot/r/${names}`)) as { snapshots: object[] };
  expect(snapshots).toHaveLength(1);
  expect(await http.ok('GET', `/_snapshot/r/${names}/_status`)).toMatchObject({
    snapshots: [{ snapshot: 's' }],
  });
  expect(await http.error('GET', '/_snapshot/r/s,missing')).toContain('[r:missing] is missing');
});

test('what a restore is asked for', async () => {
  await node.repo('q', 'other');
  await node.take('q/s');
  const restore = (body: object) => http.error('POST', '/_snapshot/q/s/_restore', body);
  expect(await restore({ rename_pattern: '(.)', rename_replacement: '$1'.repeat(501) })).toContain(
    'rename_replacement has more than [1000] characters',
  );
  expect(await restore({ rename_pattern: '', rename_replacement: 'x'.repeat(1000) })).toMatch(
    /^400 InvalidIndexNameException/,
  );
  expect(await restore({ indices: list(1_000_001, () => 'i').join() })).toContain(
    'names and patterns are too many for the [1] indices or settings of a snapshot',
  );
  const settings = { location: 'x', other: 'y'.repeat(17_000) };
  expect(await http.error('PUT', '/_snapshot/w', { type: 'fs', settings })).toBe(
    illegal('settings of repository [w] have more than [16384] characters'),
  );
});

test('columns of a table', async () => {
  await http.ok('PUT', '/wide', { settings: { number_of_shards: 200 } });
  expect(await http.error('GET', `/_cat/shards?h=${list(3000, () => 'i').join()}`)).toMatch(
    /^400 ElasticsearchIllegalArgumentException\[\[3000\] columns of \[\d+\] rows are more than \[500000\] cells\]$/,
  );
});

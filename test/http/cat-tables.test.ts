import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
  await http.ok('PUT', '/i/t/1?refresh=true', { a: 1 });
});
afterAll(() => http.close());

const table = async (path: string): Promise<string> => (await http.send('GET', path)).text;

test('the overview lists every table', async () => {
  const paths = (await table('/_cat')).trim().split('\n').slice(1);
  expect(paths).toContain('/_cat/thread_pool');
  for (const path of paths.filter((each) => !each.includes('{'))) {
    const answer = await http.send('GET', `${path}?help`);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.text).toMatch(/^\S+ +\| /);
  }
});

test('allocation counts replicas that are nowhere', async () => {
  const rows = (await table('/_cat/allocation?h=shards,node')).trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatch(/^ *1 UNASSIGNED/);
});

test('segments and recovery have a row per segment and shard', async () => {
  expect(await table('/_cat/segments/i?h=index,shard,prirep,docs.count,docs.deleted')).toMatch(
    /^i 0 p 1 0 \n$/,
  );
  expect(await table('/_cat/recovery?h=index,shard,type,stage')).toBe('i 0 gateway done \n');
  expect((await http.send('GET', '/_cat/segments/zz')).status).toBe(404);
});

test('empty tables, threads and memory', async () => {
  expect(await table('/_cat/pending_tasks')).toBe('');
  expect(await table('/_cat/plugins?v')).toBe('name component version type url \n');
  expect(await table('/_cat/thread_pool?h=sa,search.rejected')).toBe('0 0 \n');
  expect(await table('/_cat/fielddata?h=total&bytes=b')).toMatch(/^\d+ \n$/);
});

test('columns that show statistics are hidden until they are asked for', async () => {
  const row = async (path: string) =>
    (await table(path)).split('\n').map((line) => line.split(/ +/));
  expect(await row('/_cat/indices/i?v&pri&h=i,iito,rti')).toEqual([
    ['i', 'iito', 'pri.iito', 'rti', 'pri.rti', ''],
    ['i', '1', '1', expect.stringMatching(/m?s$/), expect.stringMatching(/m?s$/), ''],
    [''],
  ]);
  expect(await table('/_cat/shards/i?h=p,indexing.index_total,ur')).toBe(
    'p 1               \nr   INDEX_CREATED \n',
  );
  expect(await table('/_cat/nodes?h=percolate.memory_size,cs,version&bytes=k')).toBe(
    '0 0 1.7.6 \n',
  );
  const help = (await table('/_cat/indices?help')).split('\n');
  expect(help).toHaveLength(128);
  expect(await table('/_cat/indices?v')).not.toMatch('completion');
});

test('nodes are chosen and shortened', async () => {
  expect(await table('/_cat/allocation/none?h=s,n')).toBe('1 UNASSIGNED \n');
  const id = (await table('/_cat/nodes?h=id&full_id')).trim();
  expect(id).toHaveLength(22);
  expect((await table('/_cat/nodes?h=id')).trim()).toBe(id.slice(0, 4));
  expect((await table('/_cat/thread_pool?h=id')).trim()).toBe(id.slice(0, 4));
});

test('tables are JSON or YAML for a content type that says so', async () => {
  const answer = async (path: string, headers: Record<string, string>) => {
    const { headers: got, text } = await http.send('GET', path, undefined, headers);
    return [got['content-type'], text];
  };
  const path = '/_cat/count/i?h=count';
  const json = ['application/json; charset=UTF-8', '[{"count":"1"}]'];
  const plain = ['text/plain; charset=UTF-8', '1 \n'];
  const yaml = ['application/yaml', '---\n- count: "1"\n'];
  expect(await answer(path, { 'content-type': 'application/json' })).toEqual(json);
  expect(await answer(path, { 'content-type': 'application/yaml' })).toEqual(yaml);
  expect(await answer(path, { 'content-type': 'application/json; charset=UTF-8' })).toEqual(plain);
  expect(await answer(path, { accept: 'application/json' })).toEqual(plain);
  expect(await answer(`${path}&format=text`, { 'content-type': 'application/json' })).toEqual(
    plain,
  );
  expect(await answer('/i/_count', { 'content-type': 'yaml' })).toEqual([
    'application/yaml',
    '---\ncount: 1\n_shards:\n  total: 1\n  successful: 1\n  failed: 0\n',
  ]);
});

// Documents whose time to live is over vanish, others stay (reference server).

import { HttpClient } from '../support/http-client';
import { until } from '../support/until';

let client: HttpClient;
beforeAll(async () => {
  client = await HttpClient.start();
  const mappings = { t: { _ttl: { enabled: true } }, plain: {} };
  await client.ok('PUT', '/i', { settings: { number_of_shards: 2 }, mappings });
  await client.ok('PUT', '/kept', {
    settings: { number_of_shards: 1, 'index.ttl.disable_purge': true },
    mappings,
  });
});
afterAll(() => client.close());

const ids = async (index: string): Promise<string[]> => {
  await client.ok('POST', '/_refresh');
  const { hits } = (await client.ok('GET', `/${index}/_search`)) as {
    hits: { hits: { _id: string }[] };
  };
  return hits.hits.map(({ _id }) => _id).sort();
};

test('are deleted every indices.ttl.interval, unless the index says otherwise', async () => {
  for (const id of ['1', '2', '3']) {
    await client.ok('PUT', `/i/t/${id}?ttl=300ms`, { a: 1 });
    await client.ok('PUT', `/kept/t/${id}?ttl=300ms`, { a: 1 });
  }
  await client.ok('PUT', '/i/t/later?ttl=1h', { a: 1 });
  await client.ok('PUT', '/i/t/never', { a: 1 });
  await client.ok('PUT', '/i/plain/1', { a: 1 });
  // Written again: what counts is the last time to live.
  await client.ok('PUT', '/i/t/2?ttl=1h', { a: 2 });
  expect(await ids('i')).toHaveLength(6);
  await client.ok('PUT', '/_cluster/settings', { transient: { 'indices.ttl.interval': '100ms' } });
  let left = await ids('i');
  await until(async () => (left = await ids('i')).length <= 4);
  expect(left).toEqual(['1', '2', 'later', 'never']);
  expect((await client.send('GET', '/i/t/1')).status).toBe(404);
  expect(await ids('kept')).toEqual(['1', '2', '3']);
});

// Which routing value leads to which shard: what a server of OpenSearch 2.19 said of these.

import { routingValues } from '../../../../engine/opensearch/layout/shard-routing';

test('one shard takes anything', () => {
  expect(routingValues(1)).toEqual(['0']);
});

test.each([
  [2, ['0', '1']],
  [5, ['0', '5', '2', '1', '3']],
])('%d shards', (shards, values) => {
  expect(routingValues(shards)).toEqual(values);
});

test('every shard of many has a value of its own', () => {
  const values = routingValues(1000);
  expect(new Set(values).size).toBe(1000);
  expect(values).not.toContain(undefined);
});

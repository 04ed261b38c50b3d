import { camelCaseNames } from '../../../../server/render/camel-case';

test.each([
  ['members', '{"_index":"a_b","timed_out":false}', '{"Index":"a_b","timedOut":false}'],
  [
    'facets and their names',
    '{"facets":{"my_facet":{"_type":"terms","total_count":1}}}',
    '{"facets":{"myFacet":{"Type":"terms","totalCount":1}}}',
  ],
  [
    'settings, but for flat ones',
    '{"a_b":{"settings":{"index":{"number_of_shards":"1"},"index.number_of_shards":"1"}}}',
    '{"aB":{"settings":{"index":{"numberOfShards":"1"},"index.number_of_shards":"1"}}}',
  ],
  [
    'what is told of indices, not their names',
    '{"indices":{"a_b":{"active_shards":1},"c_d":{}},"x_y":1}',
    '{"indices":{"a_b":{"activeShards":1},"c_d":{}},"xY":1}',
  ],
  [
    'not what users have stored',
    '{"_source":{"a_b":1},"mappings":{"a_b":{}},"c_d":1}',
    '{"_source":{"a_b":1},"mappings":{"a_b":{}},"cD":1}',
  ],
])('%s', (_, text, expected) => {
  expect(camelCaseNames(text)).toBe(expected);
});

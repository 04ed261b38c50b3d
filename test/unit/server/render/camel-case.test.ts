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
    'not what users have stored, but types and fields',
    '{"_source":{"a_b":1},"mappings":{"a_b":{"properties":{"f_f":{}}}},"c_d":1}',
    '{"_source":{"a_b":1},"mappings":{"aB":{"properties":{"fF":{}}}},"cD":1}',
  ],
  [
    'what is told of aliases, not their names',
    '{"a_b":{"aliases":{"a_l":{"filter":{"term":{"f_f":"x_y"}},"index_routing":"r"}}}}',
    '{"aB":{"aliases":{"a_l":{"filter":{"term":{"fF":"x_y"}},"indexRouting":"r"}}}}',
  ],
  [
    'places are those around a member, not those before it',
    '{"nodes":{"n_n":{}},"hits":[{"a_b":1}],"nodes_":{"n_n":1}}',
    '{"nodes":{"n_n":{}},"hits":[{"aB":1}],"nodes":{"nN":1}}',
  ],
])('%s', (_, text, expected) => {
  expect(camelCaseNames(text)).toBe(expected);
});

test('an answer may say which of its names stay', () => {
  expect(camelCaseNames('{"i_i":{"mappings":{"t_t":{"f_f":{"full_name":"f_f"}}}}}', [1, 3])).toBe(
    '{"i_i":{"mappings":{"t_t":{"fF":{"fullName":"f_f"}}}}}',
  );
  expect(camelCaseNames('{"a_b":1}', 'all')).toBe('{"a_b":1}');
});

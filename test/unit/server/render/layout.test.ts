import { camelCaseNames } from '../../../../server/render/camel-case';
import { filterPath, readFilterPath } from '../../../../server/render/filter-path';
import { renderSettings } from '../../../../server/render/settings';
import { searchResponseChunks } from '../../../../server/render/search-response';
import { Double, writeJson } from '../../../../engine/index';

const RESPONSE =
  '{"took":3,"_shards":{"total":5,"failed":0},"hits":{"total":1,"hits":[{"_index":"i","_id":"1","_source":{"_id":9,"a":1}}]}}';

test.each([
  ['took', '{"took":3}'],
  ['hits.hits._id', '{"hits":{"hits":[{"_id":"1"}]}}'],
  ['hits.total,_shards.f*', '{"_shards":{"failed":0},"hits":{"total":1}}'],
  ['**._id', '{"hits":{"hits":[{"_id":"1"}]}}'],
  ['hits.**', '{"hits":{"total":1,"hits":[{"_index":"i","_id":"1","_source":{"_id":9,"a":1}}]}}'],
  ['*.total', '{"_shards":{"total":5},"hits":{"total":1}}'],
  ['hits.hits._source', '{"hits":{"hits":[{"_source":{"_id":9,"a":1}}]}}'],
  ['hits.hits._source.a', '{}'],
  ['zzz', '{}'],
  ['took.x', '{}'],
])('filter_path=%s', (patterns, expected) => {
  expect(filterPath(RESPONSE, patterns.split(','))).toBe(expected);
});

test.each([
  ['**.hits.**._id', '{"hits":{"hits":[{"_id":"1"}]}}'],
  ['hits.**.hits.*.**', '{"hits":{"hits":[{"_index":"i","_id":"1","_source":{"_id":9,"a":1}}]}}'],
  ['**.**.total', '{"_shards":{"total":5},"hits":{"total":1}}'],
  ['**', RESPONSE],
  ['*', RESPONSE],
  ['.', '{}'],
])('filter_path=%s, with any depth in several places', (pattern, expected) => {
  expect(filterPath(RESPONSE, [pattern])).toBe(expected);
});

test('patterns cost no more than members times parts', () => {
  const depth = 400;
  const deep = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  expect(filterPath(deep, [`${'**.'.repeat(300)}b`])).toBe('{}');
  expect(filterPath(deep, [`${'**.a.'.repeat(150)}b`])).toBe('{}');
  expect(filterPath(deep, [`${'**.*.'.repeat(150)}a`])).toBe(deep);
  expect(filterPath(deep, [`${'**.a.**.'.repeat(75)}b`, `${'*.'.repeat(399)}a`])).toBe(deep);
  const many = Array.from({ length: 200 }, (_, i) => `${'**.a*.'.repeat(2)}b${i}`);
  const wide = `{${Array.from({ length: 20 }, (_, i) => `"a${i}":${deep}`).join(',')}}`;
  expect(filterPath(wide, many)).toBe('{}');
});

test('patterns are limited in number and length', () => {
  expect(readFilterPath(undefined)).toEqual([]);
  expect(readFilterPath('a,,b')).toEqual(['a', 'b']);
  expect(() => readFilterPath('a,'.repeat(201))).toThrow(
    'filter_path has [201] patterns, more than [200]',
  );
  expect(() => readFilterPath('a.a.a.a.a.a,'.repeat(200))).toThrow(
    'filter_path has [1200] names, more than [1000]',
  );
  expect(() => readFilterPath('a'.repeat(1001))).toThrow(
    'a pattern of filter_path has [1001] characters, more than [1000]',
  );
});

test('without patterns nothing is filtered', () => {
  expect(filterPath(RESPONSE, [])).toBe(RESPONSE);
});

test('camelCase leaves what users stored or named', () => {
  expect(
    camelCaseNames(
      '{"_index":"i_1","timed_out":false,"_source":{"snake_case":1},"max_score":null}',
    ),
  ).toBe('{"Index":"i_1","timedOut":false,"_source":{"snake_case":1},"maxScore":null}');
  expect(camelCaseNames('{"indices":{"my_index":{"a_b":1}}}')).toBe(
    '{"indices":{"my_index":{"aB":1}}}',
  );
});

test('settings nest by dots unless a name is a value too, and numbered members are lists', () => {
  const settings = new Map<string, string | string[]>([
    ['index.number_of_shards', '1'],
    ['index.version.created', '1070699'],
    ['index.a', '1'],
    ['index.a.b', '2'],
    ['index.list', ['x', 'y']],
    ['index.numbered.0', 'z'],
    ['index.__proto__.x', '1'],
  ]);
  expect(writeJson(renderSettings(settings, false))).toBe(
    '{"index":{"number_of_shards":"1","version":{"created":"1070699"},"a":"1","a.b":"2","list":["x","y"],"numbered":["z"],"__proto__":{"x":"1"}}}',
  );
  expect(writeJson(renderSettings(settings, true))).toContain(
    '"index.list.0":"x","index.list.1":"y","index.numbered.0":"z"',
  );
});

test('search responses splice hits and keep the reference’s member order', () => {
  const base = {
    tookMs: 3,
    timedOut: false,
    terminatedEarly: undefined,
    shards: { total: 1, successful: 1, failed: 0, failures: [] },
    total: 2,
    maxScore: Math.fround(0.1),
    hits: [Buffer.from('{"_id":"1"}'), Buffer.from('{"_id":"é"}')],
    facets: undefined,
  };
  const text = (result: Parameters<typeof searchResponseChunks>[0]) =>
    Buffer.concat(searchResponseChunks(result)).toString();
  expect(text(base)).toBe(
    '{"took":3,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},' +
      '"hits":{"total":2,"max_score":0.1,"hits":[{"_id":"1"},{"_id":"é"}]}}',
  );
  const shards = {
    total: 2,
    successful: 1,
    failed: 1,
    failures: [{ index: 'i', shard: 0, status: 400, reason: 'X[y]; ' }],
  };
  const facets = { f: { _type: 'statistical', total: new Double(4) } };
  expect(
    text({ ...base, shards, facets, hits: [], maxScore: 0, terminatedEarly: true, total: 0 }),
  ).toBe(
    '{"took":3,"timed_out":false,"terminated_early":true,"_shards":{"total":2,"successful":1,"failed":1,' +
      '"failures":[{"index":"i","shard":0,"status":400,"reason":"X[y]; "}]},' +
      '"hits":{"total":0,"max_score":0.0,"hits":[]},"facets":{"f":{"_type":"statistical","total":4.0}}}',
  );
});

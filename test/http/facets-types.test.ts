// The facet types besides terms: forms, numbers and errors as the reference server gives them.

import { HttpClient } from '../support/http-client';

const KIDS = { type: 'nested', properties: { n: { type: 'integer' } } };

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  const properties = {
    s: { type: 'string', index: 'not_analyzed' },
    n: { type: 'integer' },
    f: { type: 'float' },
    d: { type: 'date' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
    kids: KIDS,
  };
  const settings = { number_of_shards: 1 };
  await http.ok('PUT', '/i', { settings, mappings: { t: { properties }, u: { properties } } });
  await http.ok('PUT', '/i/t/1', {
    s: 'a',
    n: [1, 25],
    f: 1.5,
    d: '2012-04-01T04:15:30Z',
    ip: '10.0.0.1',
    g: { lat: 1, lon: 2 },
    kids: [{ n: 1 }, { n: 2 }],
  });
  await http.ok('PUT', '/i/u/2', { s: ['b', 'a'], n: -7 });
  await http.ok('PUT', '/times', { settings, mappings: { t: { properties } } });
  await http.ok('PUT', '/times/t/1', {
    // An hour before and after clocks go forward and back in New York, and the hours between.
    d: ['2012-11-04T05:10', '2012-11-04T05:40', '2012-11-04T06:10', '2012-11-04T07:00'],
  });
  await http.ok('PUT', '/other', {
    settings,
    mappings: { t: { properties: { s: { type: 'long' } } } },
  });
  await http.ok('PUT', '/other/t/1', { s: 5 });
  await http.ok('POST', '/_refresh');
});
afterAll(() => http.close());

async function facet(definition: object, path = '/i'): Promise<string> {
  const body = { size: 0, facets: { x: definition } };
  const { status, text } = await http.send('POST', `${path}/_search`, body);
  expect([status, text]).toEqual([200, expect.anything()]);
  return /"facets":\{"x":(.*)\}\}$/.exec(text)![1]!;
}

const entries = (list: string) => `{"_type":"date_histogram","entries":[${list}]}`;
const day = (zone: object) => ({ date_histogram: { field: 'd', interval: 'day', ...zone } });

test.each([
  ['histogram', { histogram: { field: 'n', interval: 10 } }, '{"_type":"histogram","entries":[{"key":0,"count":2},{"key":20,"count":1}]}'],
  ['interval as text', { histogram: { key_field: 'n', interval: '20' } }, '{"_type":"histogram","entries":[{"key":0,"count":2},{"key":20,"count":1}]}'],
  ['no values in a bucket', { histogram: { field: 'n', value_field: 'f', interval: 10, order: 'count' }, facet_filter: { term: { s: 'b' } } }, '{"_type":"histogram","entries":[{"key":0,"count":1,"min":"Infinity","max":"-Infinity","total":0.0,"total_count":0,"mean":"NaN"}]}'],
  ['day in a zone', day({ time_zone: '-08:00' }), entries('{"time":1333152000000,"count":1}')],
  ['day back in UTC', day({ pre_zone: -8, pre_zone_adjust_large_interval: true }), entries('{"time":1333180800000,"count":1}')],
  ['day, pre and post zone', day({ pre_zone: '-08:00', post_zone: '-08:00' }), entries('{"time":1333123200000,"count":1}')],
  ['blank before the unit', { date_histogram: { field: 'd', interval: '2 h' } }, entries('{"time":1333252800000,"count":1}')],
  ['factor in single precision', { date_histogram: { field: 'n', interval: 'minute', factor: 1000 } }, entries('{"time":-60000,"count":1},{"time":0,"count":2}')],
  ['the seed’s spelling', { 'date histogram': { field: 'd', interval: 'year' } }, entries('{"time":1325376000000,"count":1}')],
  ['range by text', { range: { d: [{ from: '2012', to: '2012-06' }] } }, '{"_type":"range","ranges":[{"from":1.325376E12,"from_str":"2012","to":1.3385088E12,"to_str":"2012-06","count":1,"min":1.33325373E12,"max":1.33325373E12,"total_count":1,"total":1.33325373E12,"mean":1.33325373E12}]}'],
  ['range of addresses', { range: { field: 'ip', ranges: [{ to: '10.0.0.1' }] } }, '{"_type":"range","ranges":[{"to":1.67772161E8,"to_str":"10.0.0.1","count":0,"total_count":0,"total":0.0,"mean":0.0}]}'],
  ['range takes the first value', { range: { n: [{ from: 1 }] } }, '{"_type":"range","ranges":[{"from":1.0,"count":1,"min":1.0,"max":1.0,"total_count":1,"total":1.0,"mean":1.0}]}'],
  ['terms_stats', { terms_stats: { key_field: 's', value_field: 'n', order: 'reverse_mean' } }, '{"_type":"terms_stats","missing":0,"terms":[{"term":"b","count":1,"total_count":1,"min":-7.0,"max":-7.0,"total":-7.0,"mean":-7.0},{"term":"a","count":2,"total_count":3,"min":-7.0,"max":25.0,"total":19.0,"mean":6.333333333333333}]}'],
  ['terms_stats, the seed’s spelling', { term_stats: { key_field: 'f', value_field: 'f' } }, '{"_type":"terms_stats","missing":0,"terms":[{"term":1.5,"count":1,"total_count":1,"min":1.5,"max":1.5,"total":1.5,"mean":1.5}]}'],
  ['terms_stats counts missing integers', { terms_stats: { key_field: 'ip', value_field: 'n' } }, '{"_type":"terms_stats","missing":1,"terms":[{"term":167772161,"count":1,"total_count":2,"min":1.0,"max":25.0,"total":26.0,"mean":13.0}]}'],
  ['histogram of scripts', { histogram: { key_script: "doc['n'].value * 10", value_script: "doc['f'].value + p", params: { p: 1 } } }, '{"_type":"histogram","entries":[{"key":-70,"count":1,"min":1.0,"max":1.0,"total":1.0,"total_count":1,"mean":1.0},{"key":10,"count":1,"min":2.5,"max":2.5,"total":2.5,"total_count":1,"mean":2.5}]}'],
  ['date_histogram with a script', { date_histogram: { field: 'd', interval: 'year', value_script: "doc['n'].value" } }, '{"_type":"date_histogram","entries":[{"time":1325376000000,"count":1,"min":1.0,"max":1.0,"total":1.0,"total_count":1,"mean":1.0}]}'],
  ['range of scripts', { range: { key_script: "doc['n'].value", value_script: '2', ranges: [{ from: 0 }, { from: '5' }] } }, '{"_type":"range","ranges":[{"from":0.0,"count":1,"min":2.0,"max":2.0,"total_count":1,"total":2.0,"mean":2.0},{"from_str":"5","count":2,"min":2.0,"max":2.0,"total_count":2,"total":4.0,"mean":2.0}]}'],
  ['terms_stats with a script', { terms_stats: { key_field: 's', value_script: "doc['f'].value * 2" } }, '{"_type":"terms_stats","missing":0,"terms":[{"term":"a","count":2,"total_count":2,"min":0.0,"max":3.0,"total":3.0,"mean":1.5},{"term":"b","count":1,"total_count":1,"min":0.0,"max":0.0,"total":0.0,"mean":0.0}]}'],
  // A script runs where there is a key: the second document has no `f`.
  ['histogram of what has a key', { histogram: { field: 'f', interval: 1, value_script: '_source.f * 2' } }, '{"_type":"histogram","entries":[{"key":1,"count":1,"min":3.0,"max":3.0,"total":3.0,"total_count":1,"mean":3.0}]}'],
  ['terms_stats of what has a key', { terms_stats: { key_field: 'ip', value_script: '_source.f * 2' } }, '{"_type":"terms_stats","missing":1,"terms":[{"term":167772161,"count":1,"total_count":1,"min":3.0,"max":3.0,"total":3.0,"mean":3.0}]}'],
  ['the widest interval', { histogram: { field: 'n', interval: '9223372036854775807' } }, '{"_type":"histogram","entries":[{"key":0,"count":3}]}'],
  ['distances with a script', { geo_distance: { g: '1,1', ranges: [{}], value_script: "doc['f'].value" } }, '{"_type":"geo_distance","ranges":[{"count":1,"min":1.5,"max":1.5,"total_count":1,"total":1.5,"mean":1.5}]}'],
  ['statistics of a script', { statistical: { script: "doc['n'].value + 1" } }, '{"_type":"statistical","count":2,"total":-4.0,"min":-6.0,"max":2.0,"mean":-2.0,"sum_of_squares":40.0,"variance":16.0,"std_deviation":4.0}'],
  ['filter', { filter: { term: { s: 'a' } } }, '{"_type":"filter","count":2}'],
  ['empty filter', { filter: {} }, '{"_type":"filter","count":2}'],
  ['global filter with hidden documents', { filter: { match_all: {} }, global: true }, '{"_type":"filter","count":4}'],
  ['query', { query: { term: { s: 'b' } } }, '{"_type":"query","count":1}'],
  ['nested filter', { filter: { range: { 'kids.n': { gte: 2 } } }, nested: 'kids' }, '{"_type":"filter","count":1}'],
  ['distance', { geo_distance: { g: '1,1', ranges: [{ from: 1 }] } }, '{"_type":"geo_distance","ranges":[{"from":1.0,"count":1,"min":111302.43061356465,"max":111302.43061356465,"total_count":1,"total":111302.43061356465,"mean":111302.43061356465}]}'],
  ['distance from a geohash', { geo_distance: { g: { geohash: 's00twy' }, ranges: [{ to: 200 }], unit: 'km' } }, '{"_type":"geo_distance","ranges":[{"to":200.0,"count":1,"min":110.718509756062,"max":110.718509756062,"total_count":1,"total":110.718509756062,"mean":110.718509756062}]}'],
  ['plane', { geo_distance: { g: [1, 1], ranges: [{}], distance_type: 'Plane' } }, '{"_type":"geo_distance","ranges":[{"count":1,"min":111319.49079327358,"max":111319.49079327358,"total_count":1,"total":111319.49079327358,"mean":111319.49079327358}]}'],
  ['factor', { geo_distance: { g: '1,1', ranges: [{ from: 0 }], distance_type: 'factor' } }, '{"_type":"geo_distance","ranges":[{"from":0.0,"count":1,"min":0.9998477415463892,"max":0.9998477415463892,"total_count":1,"total":0.9998477415463892,"mean":0.9998477415463892}]}'],
  ['empty ring', { geo_distance: { g: '1,1', entries: [{ to: '5' }] } }, '{"_type":"geo_distance","ranges":[{"to":5.0,"count":0,"min":"Infinity","max":"-Infinity","total_count":0,"total":0.0,"mean":0.0}]}'],
])('%s', async (_name, definition, expected) => {
  expect(await facet(definition)).toBe(expected);
}); // prettier-ignore

test('clocks that go back: half hours fold onto the earlier ones west of Greenwich, calendar hours do not', async () => {
  const zone = { field: 'd', time_zone: 'America/New_York' };
  const times = (text: string) => [...text.matchAll(/"time":(\d+)/g)].map(([, ms]) => new Date(Number(ms)).toISOString().slice(11, 16));
  expect(times(await facet({ date_histogram: { ...zone, interval: '30m' } }, '/times'))).toEqual(['05:00', '05:30', '07:00']);
  expect(times(await facet({ date_histogram: { ...zone, interval: 'hour' } }, '/times'))).toEqual(['05:00', '06:00', '07:00']);
}); // prettier-ignore

test('a type in the path restricts all but global filters', async () => {
  const ask = (definition: object) => facet(definition, '/i/u');
  expect(await ask({ histogram: { field: 'n', interval: 10 }, global: true })).toContain('[{"key":0,"count":1}]');
  expect(await ask({ filter: { exists: { field: 'n' } }, global: true })).toContain('"count":2');
}); // prettier-ignore

test.each([
  [{ histogram: { field: 'zzz', interval: 5 } }, 'Facet [x]: No mapping found for key_field [zzz]'],
  [{ histogram: { field: 'n', value_field: 'zzz', interval: 5 } }, 'No mapping found for value_field [zzz]'],
  [{ histogram: { field: 's', interval: 5 } }, 'ClassCastException['],
  [{ histogram: { field: 'n', interval: 0.5 } }, '[interval] is required to be set for histogram facet'],
  [{ histogram: { field: 'n', interval: '1d' } }, 'NumberFormatException[For input string: "1d"]'],
  [{ histogram: { interval: 5 } }, 'key field is required to be set for histogram facet'],
  [{ histogram: { field: 'n', interval: 5, order: 'x' } }, 'No type argument match for histogram comparator [x]'],
  [{ date_histogram: { field: 'zzz', interval: 'day' } }, '(key) field [zzz] not found'],
  [{ date_histogram: { field: 'd', value_field: 'zzz', interval: 'day' } }, '(value) field [zzz] not found'],
  [{ date_histogram: { field: 'd', interval: 'fortnight' } }, 'Failed to parse [fortnight]'],
  [{ date_histogram: { field: 'd', interval: '0d' } }, 'Zero or negative time interval not supported'],
  [{ date_histogram: { field: 'd', interval: 'day', time_zone: 'PST' } }, "The datetime zone id 'PST' is not recognised"],
  [{ date_histogram: { field: 'd', interval: 'day', time_zone: 'utc' } }, "The datetime zone id 'utc' is not recognised"],
  [{ date_histogram: { field: 'd', interval: 'day', time_zone: 24 } }, 'Hours out of range: 24'],
  [{ date_histogram: { field: 'd', interval: 'day', pre_offset: '' } }, 'String index out of range: 0'],
  [{ date_histogram: { field: 'd', x: { a: 1 }, interval: 'day' } }, '[interval] is required to be set for histogram facet'],
  [{ range: { field: 'n' } }, 'no ranges defined for range facet'],
  [{ range: { field: 'n', ranges: [{ from: '5.7' }] } }, 'NumberFormatException[For input string: "5.7"]'],
  [{ range: { field: 'd', ranges: [{ from: 'now-1d' }] } }, 'failed to parse date field [now-1d]'],
  [{ range: { field: 's', ranges: [{ from: 'a' }] } }, 'ClassCastException['],
  [{ range: { n: [5] } }, 'ElasticsearchParseException['],
  [{ terms_stats: { key_field: 's' } }, 'either [value_field] or [script] are required'],
  [{ terms_stats: { field: 's', value_field: 'n' } }, '[key_field] is required to be set for terms stats facet'],
  [{ terms_stats: { key_field: 's', value_field: 's' } }, "value_field [s] isn't a number field, but a string"],
  [{ terms_stats: { key_field: 's', value_field: 'n', order: 'x' } }, 'No type argument match for terms stats facet comparator [x]'],
  [{ geo_distance: { g: '1,1' } }, 'no ranges defined for geo_distance facet'],
  [{ geo_distance: { field: 'g', ranges: [{}] } }, 'failed to find mapping for [field]'],
  [{ geo_distance: { n: '1,1', ranges: [{}] } }, 'ClassCastException['],
  [{ geo_distance: { g: '1,1', ranges: [{ from: '2km' }] } }, 'NumberFormatException['],
  [{ geo_distance: { g: '1,1', ranges: [{}], unit: 'KM' } }, 'No distance unit match [KM]'],
  [{ geo_distance: { g: { lat: 1 }, ranges: [{}] } }, 'field [lon] missing'],
  [{ query: {} }, 'query malformed, no field after start_object'],
  [{ filter: { foo: {} } }, 'No filter registered for [foo]'],
])('%j is refused', async (definition, message) => {
  const { status, text } = await http.send('POST', '/i/_search', { size: 0, facets: { x: definition } });
  const { error } = JSON.parse(text) as { error: string };
  expect([status, error]).toEqual([400, expect.stringContaining(message)]);
}); // prettier-ignore

test('indices that disagree about the type of a key are a conflict', async () => {
  const body = { facets: { x: { terms_stats: { key_field: 's', value_field: 's' } } } };
  expect((await http.send('POST', '/i,other/_search', body)).status).toBe(200);
  const counted = { facets: { x: { terms_stats: { key_field: 's', value_field: '_timestamp' } } } };
  const { status, text } = await http.send('POST', '/i,other/_search', counted);
  expect([status, text]).toEqual([503, expect.stringContaining('ReduceSearchPhaseException[')]);
});

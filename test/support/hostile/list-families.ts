// Lists and names that are long where nobody expects more than a few: each element costs little, and what
// they are compared with makes it much.

import { family, get, list, post, put, search, type Family } from './family';
import type { HostileRequest } from './wire';

const remove = (path: string, body?: string): HostileRequest => ({
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
});

export const LIST_FAMILIES: readonly Family[] = [
  family('date formats by the hundred thousand', function* (size) {
    const formats = list(size(100_000), (n) => `"yyyy-MM-dd'x${n}'"`);
    const alternatives = list(size(300_000), (n) => `yyyy'${n}'`).replaceAll(',', '||');
    const texts = list(size(1000), (n) => `"n${n}":"2014-01-01 nothing ${n}"`);
    yield put('/h', `{"mappings":{"t":{"dynamic_date_formats":[${formats}]}}}`);
    yield put('/h/t/1', `{${texts}}`);
    yield put('/h-f', `{"mappings":{"t":{"dynamic_date_formats":["${alternatives}"]}}}`);
    yield put('/h-f/t/1', `{${texts}}`);
    const field = `{"type":"date","format":"${alternatives}"}`;
    yield put('/h-d', `{"mappings":{"t":{"properties":{"d":${field}}}}}`);
    yield put('/h-d/t/1', `{"d":[${list(size(50_000), () => '"2014999"')}]}`);
    const long = 'yyyy-MM-dd '.repeat(size(300_000));
    yield put('/h-l', `{"mappings":{"t":{"_timestamp":{"enabled":true,"format":"${long}"}}}}`);
    yield search(
      `{"aggs":{"f":{"date_range":{"field":"n","format":"${alternatives}","ranges":[{"from":"x"}]}}}}`,
    );
  }),
  family('parts of a long document by thousands of names and patterns', function* (size) {
    const objects = list(size(90_000), (n) => `{"a":${n}}`);
    const members = list(size(90_000), (n) => `"m${n}":${n}`);
    yield put('/h/t/1?refresh', `{"o":[${objects}]}`);
    yield put('/h/_mapping/u', '{"u":{"properties":{"x":{"type":"object","enabled":false}}}}');
    yield put('/h/u/1?refresh', `{"x":{${members}}}`);
    const names = list(2000, (n) => `f${n}`);
    const patterns = list(1500, (n) => `*f${n}*g*`);
    for (const path of ['/h/t/1', '/h/u/1']) {
      yield get(`${path}?fields=${names}`);
      yield get(`${path}?_source_include=${names}`);
      yield get(`${path}?_source_include=${patterns}`);
      yield get(`${path}?_source_exclude=${patterns}`);
    }
    const quoted = list(size(190_000), (n) => `"*f${n}*g*"`);
    for (const member of ['fields', '_source']) {
      const item = `{"_index":"h","_type":"t","_id":"1","${member}":[${quoted}]}`;
      yield post('/_mget', `{"docs":[${item}]}`);
    }
  }),
  family('lists of 100,000 indices, types and routing values', function* (size) {
    const names = list(size(100_000), (n) => `i${n}`);
    const quoted = list(size(100_000), (n) => `"i${n}"`);
    const patterns = list(size(100_000), (n) => `*i${n}*`);
    for (const header of [
      `"index":"${names}"`,
      `"index":[${quoted}],"ignore_unavailable":true`,
      `"index":"${patterns}"`,
      `"index":"control","type":[${quoted}]`,
      `"index":"control","routing":"${names}"`,
    ]) {
      yield post('/_msearch', `{${header}}\n{}\n`.repeat(5));
    }
    const action = `{"index":"control","alias":"h","search_routing":"${names}"}`;
    yield post('/_aliases', `{"actions":[{"add":${action}}]}`);
    yield post('/_msearch', '{"index":"h"}\n{}\n'.repeat(20));
    yield get('/h/_search_shards');
    yield post('/_aliases', '{"actions":[{"remove":{"index":"control","alias":"h"}}]}');
    yield remove('/_search/scroll', ','.repeat(size(9_000_000)));
  }),
  family('snapshots named thousands of times, and names that grow', function* (size) {
    yield put('/_snapshot/h', `{"type":"fs","settings":{"location":"${'r/'.repeat(size(4e6))}"}}`);
    const settings = list(size(150_000), (n) => `"a${n}":"x"`);
    yield put('/_snapshot/h', `{"type":"fs","settings":{"location":"h",${settings}}}`);
    yield put('/_snapshot/h', '{"type":"fs","settings":{"location":"h"}}');
    yield put('/_snapshot/h/s?wait_for_completion=true', '{"indices":"control"}');
    yield get(`/_snapshot/h/${'s,'.repeat(size(7000))}`);
    yield get(`/_snapshot/h/${'s,'.repeat(size(5000))}/_status`);
    for (const rename of [
      `"rename_pattern":"(.)","rename_replacement":"${'$1'.repeat(size(1_000_000))}"`,
      `"rename_pattern":"${'(.+)'.repeat(size(1000))}","rename_replacement":"x"`,
      `"indices":"${list(size(100_000), (n) => `*i${n}*`)}"`,
      `"ignore_index_settings":[${list(size(150_000), (n) => `"b${n}*"`)}]`,
    ]) {
      yield post('/_snapshot/h/s/_restore', `{${rename},"include_aliases":false}`);
    }
    yield remove('/_snapshot/h/s');
    yield remove('/_snapshot/h');
  }),
  family('tables of millions of cells, and names that are nothing but dots', function* (size) {
    const bulk = Array.from(
      { length: size(300) },
      (_, n) => `{"index":{"_index":"h-${n}","_type":"t"}}\n{}\n`,
    );
    yield post('/_bulk', bulk.join(''));
    for (const table of ['indices', 'shards', 'segments']) {
      yield get(`/_cat/${table}?v&h=${'i,'.repeat(7000)}`);
    }
    const dots = 'a.'.repeat(size(100_000));
    yield put('/_cluster/settings', `{"transient":{"logger.${dots}":"DEBUG"}}`);
    yield put('/_cluster/settings', '{"transient":{}}');
    yield get('/_cluster/settings');
    yield put('/h', `{"settings":{"${dots}":"x"}}`);
    yield get('/h/_settings');
  }),
];

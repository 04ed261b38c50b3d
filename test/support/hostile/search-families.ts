// Searches that are long, wide, deep or that ask for more than there is.

import { family, get, list, nested, post, put, search, type Family } from './family';

const INT_MAX = 2_147_483_647;

/** Queries and filters inside one another. */
const DEEP: readonly (readonly [open: string, close: string])[] = [
  ['{"bool":{"must":', '}}'],
  ['{"bool":{"must":[', ']}}'],
  ['{"bool":{"should":[{"match_all":{}},', ']}}'],
  ['{"filtered":{"query":', '}}'],
  ['{"constant_score":{"query":', '}}'],
  ['{"dis_max":{"queries":[', ']}}'],
  ['{"function_score":{"query":', '}}'],
  ['{"boosting":{"negative_boost":1,"negative":{"match_all":{}},"positive":', '}}'],
  ['{"nested":{"path":"x","query":', '}}'],
  ['{"indices":{"indices":["control"],"query":', '}}'],
];
const DEEP_FILTERS: readonly (readonly [open: string, close: string])[] = [
  ['{"not":', '}'],
  ['{"and":[', ']}'],
  ['{"or":{"filters":[', ']}}'],
  ['{"bool":{"must_not":', '}}'],
  ['{"query":{"constant_score":{"filter":', '}}}'],
  ['{"fquery":{"query":{"filtered":{"filter":', '}}}}'],
];
const MATCH_ALL = '{"match_all":{}}';
const TERM = '{"term":{"tag":"t1"}}';
const term = (n: number): string => `{"term":{"tag":"t${n}"}}`;

export const SEARCH_FAMILIES: readonly Family[] = [
  family('queries and filters nested 250 to 20,000 deep', function* () {
    for (const depth of [250, 1000, 20_000]) {
      for (const [open, close] of DEEP) {
        yield search(`{"query":${nested(depth, open, MATCH_ALL, close)}}`);
      }
      for (const [open, close] of DEEP_FILTERS) {
        const filter = nested(depth, open, TERM, close);
        yield search(`{"filter":${filter},"facets":{"f":{"filter":${filter}}}}`);
        yield post(
          '/_aliases',
          `{"actions":[{"add":{"index":"control","alias":"h","filter":${filter}}}]}`,
        );
      }
      const parentheses = nested(depth, '(', 'a', ')');
      yield search(`{"query":{"query_string":{"query":"${parentheses}"}}}`);
      yield search(`{"query":{"query_string":{"query":"${'NOT '.repeat(depth)}a"}}}`);
      yield search(`{"script_fields":{"s":{"script":"${nested(depth, '(', '1', ')')}"}}}`);
      yield search(`{"script_fields":{"s":{"script":"${'-'.repeat(depth)}1"}}}`);
      yield search(`{"script_fields":{"s":{"script":"1${'+1'.repeat(depth)}"}}}`);
      yield search(`{"query":{"regexp":{"tag":"${nested(depth, '(', 'a', ')')}"}}}`);
    }
    yield post('/_aliases', '{"actions":[{"remove":{"index":"control","alias":"h"}}]}');
  }),
  family('terms, ids and excluded terms by the million', function* (size) {
    const numbers = list(size(2_000_000), (n) => n);
    const texts = list(size(500_000), (n) => `"t${n}"`);
    yield search(`{"query":{"terms":{"n":[${numbers}]}}}`);
    yield search(`{"filter":{"terms":{"n":[${numbers}]}}}`);
    yield search(`{"query":{"terms":{"tag":[${texts}],"minimum_should_match":2}}}`);
    for (const execution of ['plain', 'bool', 'and', 'or', 'fielddata']) {
      yield search(`{"filter":{"terms":{"tag":[${texts}],"execution":"${execution}"}}}`);
    }
    yield search(`{"query":{"ids":{"values":[${numbers}]}}}`);
    yield search(`{"facets":{"f":{"terms":{"field":"tag","exclude":[${texts}]}}}}`);
    yield search(`{"facets":{"f":{"terms":{"fields":[${texts}]}}}}`);
    yield search(`{"query":{"terms":{"n":[${numbers}`);
  }),
  family('ids of many types', function* (size) {
    const texts = list(size(500_000), (n) => `"t${n}"`);
    for (const kind of ['filter', 'query']) {
      yield search(`{"${kind}":{"ids":{"type":[${texts}],"values":[${texts}]}}}`);
    }
  }),
  family('hundreds of thousands of clauses', function* (size) {
    const clauses = list(size(200_000), term);
    for (const kind of ['and', 'or']) yield search(`{"filter":{"${kind}":[${clauses}]}}`);
    for (const kind of ['must', 'should', 'must_not']) {
      yield search(`{"query":{"bool":{"${kind}":[${clauses}]}}}`);
      yield search(`{"filter":{"bool":{"${kind}":[${clauses}]}}}`);
    }
    yield search(`{"query":{"dis_max":{"queries":[${clauses}]}}}`);
    const functions = list(size(100_000), (n) => `{"boost_factor":${n},"filter":${TERM}}`);
    yield search(`{"query":{"function_score":{"functions":[${functions}]}}}`);
    const filters = list(size(100_000), () => `{"filter":${TERM},"boost":2}`);
    yield search(
      `{"query":{"custom_filters_score":{"query":${MATCH_ALL},"filters":[${filters}]}}}`,
    );
    yield post('/control/_validate/query?explain', `{"query":{"bool":{"should":[${clauses}]}}}`);
    yield {
      method: 'DELETE',
      path: '/control/t/_query',
      body: `{"query":{"bool":{"must":[${clauses}]}}}`,
    };
  }),
  family('texts of queries by the hundred kilobytes', function* (size) {
    const words = list(size(100_000), (n) => `w${n}`).replaceAll(',', ' ');
    for (const kind of [
      'match',
      'match_phrase',
      'match_phrase_prefix',
      'text',
      'fuzzy',
      'prefix',
    ]) {
      yield search(`{"query":{"${kind}":{"text":"${words}"}}}`);
    }
    yield search(`{"query":{"match":{"text":{"query":"${words}","fuzziness":2}}}}`);
    yield search(`{"query":{"common":{"text":{"query":"${words}","cutoff_frequency":0.1}}}}`);
    yield search(`{"query":{"query_string":{"query":"${words}"}}}`);
    yield search(
      `{"query":{"query_string":{"query":"${list(size(30_000), (n) => `f${n}:*a*`).replaceAll(',', ' OR ')}"}}}`,
    );
    const fields = list(size(50_000), (n) => `"text^${n}","f${n}*"`);
    yield search(`{"query":{"multi_match":{"query":"a b c","fields":[${fields}]}}}`);
    yield search(`{"query":{"query_string":{"query":"a b c","fields":[${fields}]}}}`);
    for (const kind of ['more_like_this', 'fuzzy_like_this']) {
      yield search(
        `{"query":{"${kind}":{"fields":["text"],"like_text":"${words}","min_doc_freq":0,"min_term_freq":0,"max_query_terms":${INT_MAX}}}}`,
      );
    }
  }),
  family('fuzzy, wildcard and regexp over long values', function* (size) {
    const long = size(30_000);
    for (let n = 0; n < 20; n++) {
      yield put(`/h/t/${n}`, JSON.stringify({ s: `${'a'.repeat(long)}${n}` }));
    }
    const mapping = '{"t":{"properties":{"s":{"type":"string","index":"not_analyzed"}}}}';
    yield put('/h/_mapping/t', mapping);
    for (let n = 0; n < 20; n++) {
      yield put(`/h/t/k${n}`, JSON.stringify({ k: `${'ab'.repeat(long / 2)}${n}` }));
    }
    yield post('/h/_refresh');
    for (const length of [100, 900, size(30_000)]) {
      const value = 'a'.repeat(length);
      for (const field of ['s', 'k', '_all']) {
        yield post(
          '/h/_search',
          `{"query":{"fuzzy":{"${field}":{"value":"${value}","fuzziness":2,"prefix_length":0,"max_expansions":${INT_MAX}}}}}`,
        );
        yield post(
          '/h/_search',
          `{"query":{"match":{"${field}":{"query":"${value}","fuzziness":2}}}}`,
        );
        for (const pattern of [
          '*a'.repeat(length / 2),
          '?'.repeat(length),
          `*${value}*b`,
          '*'.repeat(length),
        ]) {
          yield post('/h/_search', `{"query":{"wildcard":{"${field}":"${pattern}"}}}`);
          yield post(
            '/h/_search',
            `{"query":{"query_string":{"allow_leading_wildcard":true,"query":"${field}:${pattern}"}}}`,
          );
        }
      }
    }
    const patterns = [
      '(a|b)*'.repeat(100),
      '(.*a){20}',
      '.*a.{1000}',
      '(a{1,1000}){1,1000}',
      '~(.*a.*){10}',
      '(a|aa|aaa)*b',
      '<0-999999999>',
      '(a&b&c)*@',
      '[^a]*'.repeat(150),
      'a{2147483647}',
      '((a?){500}){500}',
    ];
    for (const pattern of patterns) {
      yield post('/h/_search', `{"query":{"regexp":{"k":${JSON.stringify(pattern)}}}}`);
      yield post(
        '/h/_search',
        `{"facets":{"f":{"terms":{"field":"k","regex":${JSON.stringify(pattern)}}}}}`,
      );
      yield post(
        '/h/_search',
        `{"query":{"query_string":{"query":${JSON.stringify(`k:/${pattern}/`)}}}}`,
      );
    }
  }),
  family('ranges, sort keys and facets by the ten thousand', function* (size) {
    const ranges = list(size(100_000), (n) => `{"from":${n},"to":${n + 1}}`);
    yield search(`{"facets":{"f":{"range":{"field":"n","ranges":[${ranges}]}}}}`);
    yield search(`{"facets":{"f":{"range":{"n":[${ranges}]}}}}`);
    yield search(`{"facets":{"f":{"geo_distance":{"n":"1,1","ranges":[${ranges}]}}}}`);
    const keys = list(size(20_000), (n) => `{"f${n}":{"missing":"_last","ignore_unmapped":true}}`);
    yield search(`{"sort":[${keys}]}`);
    yield search(`{"sort":[${list(size(20_000), () => '"n"')}]}`);
    yield search(
      `{"facets":{${list(size(20_000), (n) => `"f${n}":{"statistical":{"field":"n"}}`)}}}`,
    );
    yield search(`{"facets":{${list(size(20_000), (n) => `"f${n}":{"query":{"match_all":{}}}`)}}}`);
    yield search(`{"fields":[${list(size(100_000), (n) => `"f${n}"`)}]}`);
    yield search(`{"_source":{"include":[${list(size(100_000), (n) => `"*f${n}*"`)}]}}`);
    yield search(`{"fielddata_fields":[${list(size(20_000), () => '"n"')}]}`);
    yield search(
      `{"script_fields":{${list(size(20_000), (n) => `"f${n}":{"script":"doc['n'].value"}`)}}}`,
    );
    yield search(`{"partial_fields":{${list(size(20_000), (n) => `"f${n}":{"include":"*"}`)}}}`);
    yield search(`{"indices_boost":{${list(size(100_000), (n) => `"i${n}":2`)}}}`);
    yield search(`{"facets":{"f":{"histogram":{"field":"n","interval":1e-9}}}}`);
    yield search(`{"facets":{"f":{"date_histogram":{"field":"n","interval":"1ms"}}}}`);
  }),
  family('ranges within ranges that all hold the same documents', function* (size) {
    const each = (count: number) => list(size(count), (n) => `{"from":${-n}}`);
    const ranges = (count: number) => `"range":{"field":"n","ranges":[${each(count)}]}`;
    const filters = `"filters":{"filters":[${list(size(900), () => '{"exists":{"field":"n"}}')}]}`;
    const within = (outer: string, inner: string) =>
      search(`{"size":0,"aggs":{"a":{${outer},"aggs":{"b":{${inner}}}}}}`);
    yield within(ranges(2000), ranges(2000));
    yield within(ranges(900), ranges(900));
    yield within(ranges(1000), filters);
    yield within(filters, ranges(1000));
    const deep = `${ranges(90)},"aggs":{"c":{${ranges(90)},"aggs":{"d":{${ranges(90)}}}}}`;
    yield within(filters, deep);
    const values = list(size(5000), (n) => n);
    yield post('/h/t/1?refresh', `{"n":[${values}]}`);
    const terms = '"terms":{"field":"n"}';
    yield post('/h/_search', `{"aggs":{"a":{${terms},"aggs":{"b":{${terms}}}}}}`);
    yield post(
      '/h/_search',
      `{"aggs":{"a":{${ranges(900)},"aggs":{"b":{${terms},"aggs":{"c":{${terms}}}}}}}}`,
    );
  }),
  family('sizes of 2147483647', function* () {
    for (const size of [INT_MAX, 1e6, '9999999999999', -INT_MAX, 1e300]) {
      yield search(`{"size":${size}}`);
      yield search(`{"from":${size},"size":${size}}`);
      yield search(`{"from":${size},"size":10,"sort":["n"]}`);
      yield search('{}', `?size=${size}&from=${size}`);
      yield search(
        `{"facets":{"f":{"terms":{"field":"tag","size":${size},"shard_size":${size}}},"g":{"terms_stats":{"key_field":"tag","value_field":"n","size":${size}}}}}`,
      );
      yield post('/_msearch', `{"index":"control"}\n{"size":${size},"sort":["n"]}\n`.repeat(50));
      yield get(
        `/control/t/1/_mlt?search_size=${size}&search_from=${size}&max_query_terms=${size}&min_doc_freq=0`,
      );
      yield search(`{"query":{"match_phrase":{"text":{"query":"a b","slop":${size}}}}}`);
      yield search(`{"query":{"span_first":{"end":${size},"match":{"span_term":{"text":"a"}}}}}`);
      yield search(
        `{"filter":{"limit":{"value":${size}}},"terminate_after":${size},"timeout":${size}}`,
      );
    }
  }),
  family('items of msearch and mget by the hundred thousand', function* (size) {
    const count = size(200_000);
    yield post('/_msearch', '{}\n{"query":{"match_all":{}}}\n'.repeat(count));
    yield post('/control/_msearch', '\n{}\n'.repeat(count));
    yield post('/_msearch', '{"index":"missing"}\n{}\n'.repeat(count));
    yield post('/_msearch', '{'.repeat(count));
    yield post('/control/_msearch', '{}\n{}\n'.repeat(size(5_000_000)));
    yield post(
      '/_mget',
      `{"docs":[${list(count, (n) => `{"_index":"control","_type":"t","_id":"${n % 300}"}`)}]}`,
    );
    yield post(
      '/_mget',
      `{"docs":[${list(count, (n) => `{"_index":"missing${n}","_type":"t","_id":"1"}`)}]}`,
    );
    yield post('/control/t/_mget', `{"ids":[${list(count, (n) => `"${n}"`)}]}`);
    yield post('/control/t/_mget', `{"docs":[${list(count, () => '{}')}]}`);
  }),
  family('filter_path with hundreds of patterns', function* () {
    const patterns = [
      '**.'.repeat(300),
      `${'**.'.repeat(330)}x`,
      `${'*a*'.repeat(300)}`,
      list(190, (n) => `**.*a*${n}.**`),
      list(180, (n) => `${'*.'.repeat(n % 10)}**.x`),
      `${'a.'.repeat(490)}**`,
      `${'*'.repeat(900)}b`,
    ];
    for (const path of [
      '/_nodes/stats',
      '/_cluster/state',
      '/control/_search?size=300',
      '/control/_stats?level=shards',
      '/_metrics',
    ]) {
      for (const pattern of patterns) {
        yield get(`${path}${path.includes('?') ? '&' : '?'}filter_path=${pattern}`);
        yield get(`${path}${path.includes('?') ? '&' : '?'}filter_path=${pattern}&format=yaml`);
      }
    }
    yield get(`/${'control,'.repeat(1500)}control/_search`);
    yield get(`/${'*,-*,'.repeat(2500)}control/_search`);
    yield get(`/${'*c*o*n*'.repeat(1500)}/_search`);
    yield get(`/control/_search?routing=${'a,'.repeat(7000)}`);
    yield get(`/control/_search?sort=${'n:asc,'.repeat(2000)}n`);
  }),
];

// Requests that cost as much as requests may, many at once.

import { family, list, post, put, search, sendAll, type Family } from './family';
import type { HostileRequest } from './wire';

const AT_ONCE = 64;

function* filled(documents: number): Generator<HostileRequest> {
  yield put(
    '/heavy',
    '{"mappings":{"t":{"properties":{"k":{"type":"string","index":"not_analyzed"}}}}}',
  );
  for (let from = 0; from < documents; from += 2000) {
    const lines: string[] = [];
    for (let n = from; n < from + 2000; n++) {
      const keys = list(10, (i) => `"k${n * 10 + i}"`);
      lines.push(
        `{"index":{"_id":"${n}"}}\n{"k":[${keys}],"n":${n},"s":"text number ${n} of many"}\n`,
      );
    }
    yield post('/heavy/t/_bulk', lines.join(''));
  }
  yield post('/heavy/_refresh');
}

const bulk = (tag: number): string =>
  Array.from({ length: 5000 }, (_, n) => `{"index":{}}\n{"b":"${tag} ${n} text","n":${n}}\n`).join(
    '',
  );

const heavy: readonly ((n: number) => HostileRequest)[] = [
  () => ({
    ...search('{"facets":{"f":{"terms":{"field":"k","size":100000}}}}'),
    path: '/heavy/_search',
  }),
  (n) =>
    post(
      '/heavy/_search',
      `{"size":10000,"from":${n},"sort":[{"k":"desc"},{"_script":{"script":"doc['n'].value * ${n}","type":"number"}}]}`,
    ),
  (n) => post('/heavy/_search', `{"query":{"wildcard":{"k":"*${n % 10}*"}},"size":5000}`),
  (n) =>
    post(
      '/heavy/_search',
      `{"query":{"query_string":{"query":"k:*${n}* OR s:te?t~ OR _all:/.*${n % 7}.*/"}}}`,
    ),
  (n) =>
    post(
      '/heavy/_search',
      `{"facets":{"f":{"terms":{"script":"_source.s + ${n}","size":1000}},"g":{"terms_stats":{"key_field":"k","value_script":"doc['n'].value + ${n}","size":1000}}}}`,
    ),
  (n) =>
    post(
      '/heavy/_search',
      `{"query":{"function_score":{"script_score":{"script":"for (i in 1..100) { _score + i }; doc['n'].value + ${n}"}}},"size":1000}`,
    ),
  (n) => post(`/h${n % 4}/t/_bulk`, bulk(n)),
  (n) =>
    post(
      '/heavy/_search',
      `{"facets":{${list(20, (i) => `"f${i}":{"terms":{"field":"k","regex":".*${n % 10}.*${i % 10}","size":1000}}`)}}}`,
    ),
  (n) =>
    post(
      '/heavy/_search',
      `{"query":{"more_like_this":{"fields":["s"],"like_text":"text ${n}","min_term_freq":1,"min_doc_freq":1,"max_query_terms":1000}},"size":1000}`,
    ),
  () => post('/heavy/_optimize?max_num_segments=1'),
];

export const HEAVY_FAMILIES: readonly Family[] = [
  {
    name: `${AT_ONCE} heavy requests at once`,
    isAlone: true,
    attack: async (port, size) => {
      const problems = await sendAll(port, filled(size(50_000)), 1);
      const requests = Array.from({ length: size(500) + AT_ONCE }, (_, n) =>
        heavy[n % heavy.length]!(n),
      );
      return [...problems, ...(await sendAll(port, requests, AT_ONCE))];
    },
  },
  family(
    'plain bodies just below the limit, four at once',
    function* (size) {
      const text = 'x'.repeat(size(90) * 1_000_000);
      for (const path of ['/control/_search', '/h/t/_bulk', '/h/t/1', '/_msearch']) {
        yield post(path, `{"a":"${text}"}`);
        yield post(path, text);
      }
    },
    4,
  ),
];

// Writes and changes that are many, wide, or that ask for things by the hundred thousand.

import { family, list, nested, post, put, type Family } from './family';

const INT_MAX = 2_147_483_647;

export const WRITE_FAMILIES: readonly Family[] = [
  family('bulks of millions of empty actions', function* (size) {
    const count = size(2_000_000);
    yield post('/h/t/_bulk', '{"index":{}}\n{}\n'.repeat(count));
    yield post('/h/t/_bulk', '{"delete":{"_id":"1"}}\n'.repeat(count));
    yield post('/_bulk', '{"index":{}}\n{}\n'.repeat(count));
    yield post('/_bulk', '{}\n'.repeat(count));
    yield post('/_bulk', '\n'.repeat(count));
    yield post('/h/t/_bulk', '{"update":{"_id":"1"}}\n{}\n'.repeat(size(200_000)));
    yield post('/h/t/_bulk', '{"create":{"_id":"1"}}\n{"a":1}\n'.repeat(size(200_000)));
    // As many as a request may have, in a body that is not carried out while it arrives.
    yield post('/h/t/_bulk', '{"create":{"_id":"1"}}\n{}\n'.repeat(size(499_000)));
    yield post('/h/t/_bulk', '{"index":{}}\n{"a"\n'.repeat(size(499_000)));
    const update = '{"update":{"_id":"2"}}\n{"script":"ctx._source.n += 1","upsert":{"n":1}}\n';
    yield post('/h/t/_bulk', update.repeat(size(20_000)));
  }),
  family('a bulk with 100,000 names of indices that cannot be', function* (size) {
    const count = size(100_000);
    const lines = (name: (n: number) => string) =>
      Array.from(
        { length: count },
        (_, n) => `{"index":{"_index":"${name(n)}","_type":"t"}}\n{}\n`,
      ).join('');
    yield post(
      '/_bulk',
      lines((n) => `UPPER${n}`),
    );
    yield post(
      '/_bulk',
      lines((n) => `_h${n}`),
    );
    yield post(
      '/_bulk',
      lines((n) => `h ${n}`),
    );
    yield post(
      '/_bulk',
      lines((n) => `${'h'.repeat(300)}${n}`),
    );
  }),
  family('50,000 new fields', function* (size) {
    const count = size(50_000);
    const members = list(count, (n) => `"f${n}":${n}`);
    yield put('/h/t/1?refresh', `{${members}}`);
    yield post('/h/t/1/_update', `{"doc":{${list(count, (n) => `"g${n}":"x"`)}}}`);
    const properties = list(count, (n) => `"p${n}":{"type":"string"}`);
    yield put('/h/_mapping/u', `{"u":{"properties":{${properties}}}}`);
    yield put('/h-m', `{"mappings":{"t":{"properties":{${properties}}}}}`);
    yield put('/_template/h', `{"template":"h*","mappings":{"t":{"properties":{${properties}}}}}`);
    yield { method: 'DELETE', path: '/_template/h' };
    const types = list(size(20_000), (n) => `"t${n}":{}`);
    yield put('/h-t', `{"mappings":{${types}}}`);
    yield put(
      '/h-d/t/1',
      `{${list(size(2000), (n) => `"o${n}":${nested(20, '{"a":', '1', '}')}`)}}`,
    );
    const bulk = Array.from(
      { length: size(20_000) },
      (_, n) => `{"index":{"_type":"t${n}"}}\n{"b${n}":1}\n`,
    );
    yield post('/h-b/_bulk', bulk.join(''));
    yield post('/h/_refresh');
  }),
  family('documents that are deep, long or of a million values', function* (size) {
    for (const depth of [250, 1000, 20_000]) {
      yield put('/h/t/1', nested(depth, '{"a":', '1', '}'));
      yield put('/h/t/1', `{"a":${nested(depth, '[', '1', ']')}}`);
      yield post('/h/t/_bulk', `{"index":{"_id":1}}\n{"a":${nested(depth, '[', '1', ']')}}\n`);
      yield post(
        '/h/t/1/_update',
        `{"doc":${nested(depth, '{"a":', '1', '}')},"doc_as_upsert":true}`,
      );
      yield put('/h/_mapping/t', nested(depth, '{"properties":{"a":', '{"type":"string"}', '}}'));
      yield put('/h-s', `{"settings":${nested(depth, '{"a":', '1', '}')}}`);
      yield put(`/h/t/${depth}`, `{"${nested(depth, 'a.', 'a', '')}":1}`);
    }
    yield put('/h/t/2', `{"n":[${list(size(1_000_000), (n) => n)}]}`);
    yield put('/h/t/3', `{"s":[${list(size(500_000), (n) => `"s${n}"`)}]}`);
    yield put('/h/t/4', `{"s":"${'x'.repeat(size(30_000_000))}"}`);
    yield put('/h/t/5', `{"s":"${'x y '.repeat(size(2_000_000))}"}`);
    yield put('/h/t/6', `{"o":[${list(size(200_000), () => '{"a":{"b":1}}')}]}`);
    yield put('/h/_mapping/n', '{"n":{"properties":{"o":{"type":"nested"}}}}');
    yield put('/h/n/7', `{"o":[${list(size(200_000), (n) => `{"a":${n}}`)}]}`);
    yield put(
      '/h/t/8',
      `{"n":${'9'.repeat(size(1_000_000))},"d":1e${'9'.repeat(1000)},"x":-0.${'0'.repeat(size(100_000))}1}`,
    );
    yield put(
      `/h/t/9?ttl=${INT_MAX}d&timestamp=${'9'.repeat(400)}&version=${INT_MAX}&version_type=external`,
      '{}',
    );
    yield post('/h/_refresh');
    yield post('/h/_search', '{"size":1000,"sort":["n"],"facets":{"f":{"terms":{"field":"s"}}}}');
  }),
  family('indices of 100,000 shards and more', function* () {
    for (const count of [5000, 100_000, INT_MAX, 1e18, -1, 0]) {
      yield put('/h', `{"settings":{"number_of_shards":${count}}}`);
      yield { method: 'DELETE', path: '/h' };
      yield put('/h', `{"settings":{"number_of_shards":1,"number_of_replicas":${count}}}`);
      yield put('/h/_settings', `{"number_of_replicas":${count}}`);
      yield put('/_template/h', `{"template":"h*","settings":{"number_of_shards":${count}}}`);
      yield put('/h2/t/1', '{}');
      yield { method: 'DELETE', path: '/_template/h' };
      yield { method: 'DELETE', path: '/h,h2' };
    }
  }),
  family('actions, settings and templates by the ten thousand', function* (size) {
    const actions = list(size(100_000), (n) => `{"add":{"index":"control","alias":"h${n}"}}`);
    yield post('/_aliases', `{"actions":[${actions}]}`);
    yield { method: 'DELETE', path: '/control/_alias/h*' };
    yield post(
      '/_aliases',
      `{"actions":[${list(size(100_000), (n) => `{"remove":{"index":"*","alias":"h${n}"}}`)}]}`,
    );
    const names = list(size(50_000), (n) => `"a${n}"`);
    yield post('/_aliases', `{"actions":[{"add":{"indices":[${names}],"aliases":[${names}]}}]}`);
    yield put('/h', `{"aliases":{${list(size(50_000), (n) => `"b${n}":{}`)}}}`);
    yield put('/h/_settings', `{${list(size(50_000), (n) => `"s${n}":"x"`)}}`);
    yield put('/_cluster/settings', `{"transient":{${list(size(50_000), (n) => `"s${n}":"x"`)}}}`);
    yield put(
      '/h3',
      `{"warmers":{${list(size(5000), (n) => `"w${n}":{"source":{"query":{"match_all":{}}}}`)}}}`,
    );
    yield post(
      '/_bulk',
      Array.from(
        { length: size(300) },
        (_, n) => `{"index":{"_index":"h-${n}","_type":"t"}}\n{}\n`,
      ).join(''),
    );
  }),
  family('scripts that say the same list twice, again and again', function* () {
    yield put('/h/t/1', '{"n":1}');
    for (const script of [
      'def l = [1]; (1..60).each { l = [l, l] }; ctx._source.l = l',
      'def m = [a: 1]; (1..60).each { m = [a: m, b: m] }; ctx._source.m = m',
      "def s = 'x'; (1..60).each { s = s + s }; ctx._source.s = s",
    ]) {
      yield post('/h/t/1/_update', JSON.stringify({ script }));
      yield post('/h/_search', JSON.stringify({ script_fields: { f: { script } } }));
    }
  }),
  family('scripts of updates that never end or grow', function* (size) {
    yield put('/h/t/1', '{"n":1,"s":"x","l":[1]}');
    for (const script of [
      'while (true) {}',
      'for (i in 0..2147483647) { ctx._source.n += i }',
      'while (true) { ctx._source.s += ctx._source.s }',
      'while (true) { ctx._source.l += ctx._source.l }',
      'while (true) { ctx._source.l.add(ctx._source) }',
      'ctx._source.m = ctx._source; ctx._source.k = [ctx._source, ctx._source]',
      'def m = [:]; m.m = m; ctx._source.m = m',
      'def l = [1]; (1..5000).each { l = [l] }; ctx._source.l = l',
      "ctx._source.s = 'x' * 2147483647",
      "ctx._source.s = 'x'.padLeft(2147483647)",
      'ctx._source.n = 9 ** 9 ** 9',
      'ctx._source.__proto__.polluted = 1; ctx._source.constructor.prototype.polluted = 1',
      "ctx.__proto__ = [polluted: 1]; ctx['constructor']['polluted'] = 1",
      `ctx._source.n = ${list(size(50_000), () => '1').replaceAll(',', '+')}`,
    ]) {
      yield post('/h/t/1/_update', JSON.stringify({ script }));
      yield post('/h/_search', JSON.stringify({ script_fields: { f: { script } } }));
    }
    yield post(
      '/h/t/1/_update',
      `{"script":"ctx._source.n = a0","params":{${list(size(100_000), (n) => `"a${n}":1`)}}}`,
    );
  }),
];

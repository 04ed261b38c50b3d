// Field statistics over OpenSearch beside those of the embedded engine.
//
// OPENSEARCH_URL says where the server is.

import { onlyWhere } from '../support/only-where';
import { BothNodes } from './both-nodes';

const url = process.env['OPENSEARCH_URL'] ?? '';
const there = onlyWhere(url !== '', 'OPENSEARCH_URL');

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const properties = {
  t: { type: 'string' },
  docs: { type: 'string', index_options: 'docs' },
  k: KEYWORD,
  i: { type: 'integer' },
  l: { type: 'long' },
  d: { type: 'double' },
  f: { type: 'float' },
  tiny: { type: 'byte' },
  day: { type: 'date', format: 'yyyy/MM/dd' },
  b: { type: 'boolean' },
  ip: { type: 'ip' },
  g: { type: 'geo_point' },
  unused: { type: 'integer' },
  o: { properties: { x: { type: 'integer' } } },
  kids: {
    type: 'nested',
    include_in_parent: true,
    properties: { n: { type: 'long' }, k: KEYWORD },
  },
};

const DOCUMENTS: readonly object[] = [
  { t: 'one two one', k: ['b', 'a'], i: [5, -7, 5], l: '9007199254740993', d: 2.25, tiny: 3 },
  { t: 'two', docs: 'x y x', k: 'é', i: 12, l: '-9007199254740995', day: '2014/02/03', b: true },
  { d: 1e10, f: 0.1, day: '2013/12/31', b: false, ip: '10.0.0.200', o: { x: 4 } },
  { ip: '10.0.0.9', kids: [{ n: 4, k: 'z' }, { n: -2 }, { k: 'a' }], t: 'long '.repeat(70) },
  { kids: { n: 900 } },
];

there('figures of fields are those of the embedded engine', async () => {
  const nodes = await BothNodes.open(url);
  try {
    for (const shards of [1, 3]) {
      const settings = { number_of_shards: shards };
      await nodes.ok('PUT', `/s${shards}`, { settings, mappings: { d: { properties } } });
      for (const [n, document] of DOCUMENTS.entries()) {
        await nodes.ok('PUT', `/s${shards}/d/${n}?refresh=true`, document);
      }
    }
    await nodes.ok('PUT', '/other/d/1?refresh=true', { i: 'text' });
    const all = 't,docs,k,i,l,d,f,tiny,day,b,ip,unused,o.x,kids.n,kids.k,_all';
    const { remote } = nodes;
    for (const path of [
      `/s1/_field_stats?fields=${all}`,
      `/s3/_field_stats?fields=${all}`,
      `/_field_stats?level=indices&fields=i`,
      `/_field_stats?fields=i`,
      '/s1,s3/_field_stats?fields=t,l',
      '/s1/_field_stats?fields=absent',
      '/none/_field_stats?fields=i',
    ]) {
      const [embedded, found] = await nodes.answers('GET', path);
      expect({ path, found }).toEqual({ path, found: embedded });
    }
    const { body } = await remote.send('GET', '/s1/_field_stats?fields=g,i');
    expect(JSON.stringify(body)).toContain('_field_stats of [g] is not supported');
  } finally {
    await nodes.close();
  }
});

// Hits that show no more than a score and a source are written in another way than others; both are the same.

import type { TestDocument } from '../../../support/mapping-double';
import { SearchNode } from '../../../support/search-node';

const DOCUMENTS: readonly (readonly [type: string, id: string, source: TestDocument])[] = [
  ['doc', '1', { t: 'red' }],
  ['doc', 'a b~!{}', { t: 'red', deep: { list: [1, 'é'] } }],
  ['doc', 'q"uote', { t: 'red red' }],
  ['doc', 'back\\slash', { t: 'red' }],
  ['doc', 'é€😀', { t: 'red blue' }],
  ['doc', '\u007f\u0001', { t: 'red' }],
  ['ty"pé', '2', { t: 'red blue green' }],
  ['doc', '3', {}],
  ['doc', 'x'.repeat(600), { t: 'red' }],
];

const node = new SearchNode();
node.createIndex('i', { t: 'string' });
for (const [type, id, source] of DOCUMENTS) node.add('i', id, source, type);
node.refresh('i');

async function texts(body: object): Promise<string[]> {
  const { hits } = await node.search('i', body);
  return hits.map((hit) => Buffer.from(hit).toString());
}

test.each([
  ['with scores', { query: { match: { t: 'red' } } }],
  ['with equal scores', { query: { match_all: {} } }],
  ['with parts of the source', { query: { match_all: {} }, _source: ['t'] }],
  ['without sources', { query: { match_all: {} }, _source: false }],
])('%s', async (_, body) => {
  const plain = await texts({ size: 20, ...body });
  const versions = await texts({ size: 20, ...body, version: true });
  expect(plain).toHaveLength('match' in body.query ? 5 : DOCUMENTS.length);
  expect(plain).toEqual(versions.map((text) => text.replace(',"_version":1', '')));
  for (const text of plain) {
    const hit = JSON.parse(text) as { _type: string; _id: string; _source?: object };
    const [, , source] = DOCUMENTS.find(([type, id]) => type === hit._type && id === hit._id)!;
    if (!('_source' in body)) expect(hit._source).toEqual(source);
  }
});

// A shop of four documents in two segments, with plain and nested fields, and facets on it.

import { EngineError } from '../../../engine/errors';
import { writeJson } from '../../../engine/json/write';
import { SearchNode } from '../search-node';

/** The fields of the shop. */
export const MAPPING = {
  color: 'string',
  qty: 'integer',
  price: 'double',
  w: 'float',
  ok: 'boolean',
  made: 'date',
  pin: 'geo_point',
  o: 'object',
  offers: 'nested',
  'offers.color': 'string',
  'offers.count': 'integer',
  'offers.parts': 'nested',
  'offers.parts.pn': 'string',
} as const;

/** The node with the documents. */
export function shop(): SearchNode {
  const node = new SearchNode();
  node.createIndex('shop', MAPPING);
  node.add('shop', '1', {
    color: ['red', 'blue'],
    qty: 1,
    price: 1.5,
    w: 0.1,
    ok: true,
    made: 1367402400000,
    pin: [1, 2.5],
    offers: [
      { color: 'blue', count: 4, parts: [{ pn: 'x' }, { pn: 'y' }] },
      { color: 'green', count: 6, parts: { pn: 'x' } },
    ],
  });
  node.add('shop', '2', {
    color: ['red'],
    qty: [1, 2],
    price: [1.5, 2],
    ok: false,
    offers: [{ color: 'blue', count: 10 }, { color: 'red' }],
  });
  node.refresh('shop');
  node.add('shop', '3', { color: ['green', 'green'], qty: 2 });
  node.add('shop', '4', { offers: { color: ['blue', 'red'], count: 1 } });
  node.refresh('shop');
  return node;
}

/** The facet `x` of a search, as text. */
export async function facet(definition: object, body: object = {}, node = shop()): Promise<string> {
  const response = await node.search('shop', { size: 0, ...body, facets: { x: definition } });
  return writeJson((response.facets as ReadonlyMap<string, never>).get('x')!);
}

/** Terms and counts of the facet, in turns. */
export async function entries(
  definition: object,
  body: object = {},
  node = shop(),
): Promise<unknown[]> {
  const parsed = JSON.parse(await facet(definition, body, node)) as {
    terms: { term: unknown; count: number }[];
  };
  return parsed.terms.flatMap(({ term, count }) => [term, count]);
}

/** Why a facet is refused. */
export async function errorOf(definition: unknown): Promise<string> {
  try {
    await shop().search('shop', `{"size":0,"facets":{"x":${JSON.stringify(definition)}}}`);
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    expect((error as EngineError).status).toBe(400);
    const message = (error as EngineError).message;
    return message.slice(message.indexOf('; nested: ') + 10, -'; }'.length);
  }
  throw new Error('no error');
}

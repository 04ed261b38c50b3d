// The recipes of docs/facets-cookbook.md are carried out in their order, as they stand there: each request
// has to succeed, and the facets of its answer have to be those shown below it.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HttpClient } from '../support/http-client';

interface Recipe {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The facets of the answer; undefined: nothing is shown. */
  readonly facets: unknown;
}

/** Requests (`http`) with the answers (`json`) that stand below them. */
function recipes(): Recipe[] {
  const text = readFileSync(resolve(__dirname, '../../docs/facets-cookbook.md'), 'utf8');
  const blocks = /^```http\n(\w+) (\S+)\n(.*?)^```$(?:\s+^```json\n(.*?)^```$)?/gms;
  return Array.from(text.matchAll(blocks), ([, method = '', path = '', body = '', answer]) => ({
    method,
    path,
    body,
    facets: answer === undefined ? undefined : (JSON.parse(answer) as unknown),
  }));
}

/** Digits beyond the twelfth are the processor's. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rounded(one)]));
}

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({ 'index.number_of_shards': '2' });
});
afterAll(() => http.close());

test('every recipe gives what is shown', async () => {
  const all = recipes();
  expect(all.filter(({ facets }) => facets !== undefined).length).toBeGreaterThan(12);
  for (const { method, path, body, facets } of all) {
    const answer = (await http.ok(method, path, body)) as { errors?: boolean; facets?: object };
    expect(answer.errors ?? false).toBe(false);
    if (facets !== undefined)
      expect([path, rounded(answer.facets)]).toEqual([path, rounded(facets)]);
  }
});

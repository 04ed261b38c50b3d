// Patterns of field names: as many as are compared with a million names, no more.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  const members = Array.from({ length: 3000 }, (_, n) => `"field${n}":"x"`);
  await http.ok('PUT', '/i/t/1?refresh', `{${members.join()}}`);
});
afterAll(() => http.close());

const TOO_MANY =
  'patterns of field names would be compared with more than [1000000] names of fields';
const patterns = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `no*such*${n}*`);

const REQUESTS: Record<string, (names: string[]) => [string, string, object?]> = {
  'term vectors': (fields) => ['POST', '/i/t/1/_termvector', { fields }],
  'term vectors of a document of the request': (fields) => [
    'POST',
    '/i/t/_termvector',
    { fields, doc: { field1: 'x' } },
  ],
  'a query over several fields': (fields) => [
    'POST',
    '/i/_search',
    { query: { multi_match: { query: 'x', fields } } },
  ],
  'a query string': (fields) => [
    'POST',
    '/i/_search',
    { query: { query_string: { query: 'x', fields } } },
  ],
  'fields of a query string': (fields) => [
    'POST',
    '/i/_search',
    {
      query: {
        query_string: { query: fields.map((name) => `${name.replaceAll('*', '\\*')}:x`).join(' ') },
      },
    },
  ],
  'fields that exist': (fields) => [
    'POST',
    '/i/_search',
    { filter: { or: fields.map((field) => ({ exists: { field } })) } },
  ],
  'fields of a mapping': (fields) => ['GET', `/i/_mapping/field/${fields.join()}`],
};

test.each(Object.entries(REQUESTS))('%s', async (name, request) => {
  const few = await http.send(...request(patterns(16)));
  expect(few.status).toBeLessThan(500);
  expect(few.text).not.toContain(TOO_MANY);
  const many = await http.send(...request(patterns(400)));
  // compat: what is wrong with a document that is not stored is told with 500.
  expect([many.status, many.text]).toEqual([
    name === 'term vectors of a document of the request' ? 500 : 400,
    expect.stringContaining(TOO_MANY),
  ]);
});

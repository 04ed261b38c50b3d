// Whatever is sent, the answer is one of the documented kinds: never a bug, never a crash.

import * as fc from 'fast-check';
import { HttpClient } from '../support/http-client';
import { propertyRuns } from '../support/random';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i/t/1?refresh', { a: 'x', n: 1, o: { p: [1, 2] } });
});
afterAll(() => http.close());

const PATHS = [
  'POST /i/_search',
  'POST /i/_count',
  'POST /i/t/_bulk',
  'POST /_aliases',
  'PUT /i/_alias/x',
  'POST /i/_mget',
  'PUT /i/t/2',
  'POST /i/t/1/_update',
  'PUT /i/_mapping/u',
  'PUT /i/_settings',
  'PUT /made',
  'GET /_cluster/health?timeout=1ms',
  'POST /i/_analyze',
];
const names = fc.constantFrom(
  ...[
    'query',
    'term',
    'match',
    'bool',
    'must',
    'filter',
    'facets',
    'terms',
    'field',
    'size',
    'from',
  ],
  ...[
    'sort',
    '_source',
    'fields',
    'actions',
    'add',
    'remove',
    'index',
    'alias',
    'docs',
    'ids',
    '_id',
  ],
  ...['doc', 'upsert', 'settings', 'mappings', 'properties', 'type', 'a', 'n', 'o'],
  ...['__proto__', 'constructor', 'toString', '', '*', '\u0000', 'é'],
);
const body = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1, 1e308, 1.5, '', 'i', 'x', 'string', 'long', '*', '_all'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
})).object;
const text = fc.oneof(
  { weight: 4, arbitrary: body.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: body.map((value) => JSON.stringify(value).slice(0, -2)) },
  { weight: 1, arbitrary: body.map((value) => `{"index":${JSON.stringify(value)}}\n{}\n`) },
  fc.string(),
);

test('no request is answered with a bug of ours', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), text, async (target, content) => {
      const [method = '', path = ''] = target.split(' ');
      const answer = await http.send(method, path, content);
      expect(answer.text).not.toContain('internal error, request id');
      expect([200, 201, 400, 403, 404, 409, 500]).toContain(answer.status);
    }),
    { numRuns: propertyRuns(200) },
  );
  expect(Object.prototype).not.toHaveProperty('x');
  expect((await http.send('GET', '/i/t/1')).status).toBe(200);
});

test('deep nesting is refused', async () => {
  const deep = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);
  for (const target of PATHS) {
    const [method = '', path = ''] = target.split(' ');
    const answer = await http.send(method, path, deep);
    expect(answer.text).not.toContain('internal error, request id');
  }
});

// Compressed answers, for clients that ask for them.

import { connect } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';
import { RawHttp, type RawAnswer } from '../support/raw-http';

const HITS = 200;
let http: RawHttp;
beforeAll(async () => {
  http = await RawHttp.start({ 'http.compression': 'true', 'http.compression_level': '9' });
  const lines = Array.from(
    { length: HITS },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"text":"${'some text '.repeat(50)}"}\n`,
  );
  await http.send({ method: 'POST', path: '/i/t/_bulk?refresh', pieces: lines });
});
afterAll(() => http.close());

const ask = (path: string, encoding?: string, method = 'GET'): Promise<RawAnswer> =>
  http.send({
    method,
    path,
    headers: encoding === undefined ? {} : { 'Accept-Encoding': encoding },
  });

const plain = ({ headers, body }: RawAnswer): string => {
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(body).toString();
    case 'deflate':
      return inflateSync(body).toString();
    case undefined:
    default:
      return body.toString();
  }
};
const withoutTook = (text: string): string => text.replace(/"took":\d+/, '');

test.each([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['deflate', 'deflate'],
  ['gzip;q=0.2, DEFLATE;q=0.7', 'deflate'],
  ['gzip;q=0, deflate;q=0', undefined],
  ['*', 'gzip'],
  ['gzip;q=0, *', 'deflate'],
  ['identity', undefined],
  ['br', undefined],
  ['gzip;q=nonsense', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept-Encoding %j gets %j, and the same answer', async (accepted, given) => {
  for (const size of [5, HITS]) {
    const path = `/i/_search?size=${size}&sort=n`;
    const answer = await ask(path, accepted);
    expect(answer.headers['content-encoding']).toBe(given);
    expect(answer.headers.vary).toBe('Accept-Encoding');
    expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(withoutTook(plain(answer))).toBe(withoutTook(plain(await ask(path))));
    if (given === undefined || size === 5) {
      expect(answer.headers['content-length']).toBe(String(answer.body.length));
    } else {
      expect(answer.headers['transfer-encoding']).toBe('chunked');
      expect(answer.body.length).toBeLessThan(plain(answer).length / 10);
    }
  }
});

test('layouts and texts are compressed, small answers and those of HEAD are not', async () => {
  for (const path of ['/i/_search?pretty', '/i/_search?format=yaml', '/_metrics']) {
    const { headers } = await ask(path, 'gzip');
    expect([path, headers['content-encoding']]).toEqual([path, 'gzip']);
  }
  for (const [method, path] of [
    ['GET', '/i/t/none'],
    ['HEAD', '/i/t/1'],
    ['HEAD', '/'],
    ['OPTIONS', '/i/_search'],
    ['GET', '/_nothing/at/all/there'],
  ] as const) {
    const { headers } = await ask(path, 'gzip', method);
    expect([path, headers['content-encoding'], headers.vary]).toEqual([path, undefined, undefined]);
  }
});

test('a client of HTTP/1.0 gets a length', async () => {
  const socket = connect(http.port, '127.0.0.1');
  socket.write(`GET /i/_search?size=${HITS} HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n`);
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  const all = Buffer.concat(parts);
  const end = all.indexOf('\r\n\r\n');
  const head = all.toString('latin1', 0, end);
  const body = all.subarray(end + 4);
  expect(head).toMatch(new RegExp(`^Content-Length: ${body.length}\\r?$`, 'm'));
  expect(head).not.toMatch(/transfer-encoding/i);
  expect(gunzipSync(body).toString()).toContain(`"total":${HITS}`);
});

test('a status is that of the request, and errors are compressed as well', async () => {
  const error = await http.send({
    method: 'POST',
    path: '/i/_search',
    headers: { 'Accept-Encoding': 'gzip' },
    pieces: [JSON.stringify({ query: { bogus: 'x'.repeat(3000) } })],
  });
  expect([error.status, error.headers['content-encoding']]).toEqual([400, 'gzip']);
  expect(plain(error)).toContain('query malformed, no field after start_object');
});

test('nothing is compressed unless it is switched on', async () => {
  const other = await RawHttp.start();
  const { headers, body } = await other.send({
    method: 'GET',
    path: '/_nodes/stats',
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect([headers['content-encoding'], headers.vary, body.length > 1024]).toEqual([
    undefined,
    undefined,
    true,
  ]);
  await other.close();
});

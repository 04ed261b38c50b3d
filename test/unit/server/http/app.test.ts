import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync, deflateSync } from 'node:zlib';
import request from 'supertest';
import { EngineError, type SearchEngine } from '../../../../engine/index';
import { createApp, createFrontDoor } from '../../../../server/http/app';
import { fakeApp as app, indexing, recordingLogger, type LogLine } from '../../../support/fake-app';
import { fakeEngine } from '../../../support/fake-engine';
import { testSettings } from '../../../support/settings';

test('the root names the compatible version, laid out', async () => {
  const answer = await request(app()).get('/');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8');
  expect(answer.headers).not.toHaveProperty('x-powered-by');
  expect(answer.headers).not.toHaveProperty('etag');
  expect(answer.text).toMatch(/^\{\n {2}"status" : 200,\n/);
  expect(answer.body).toMatchObject({
    cluster_name: 'test',
    version: { number: '1.7.6', lucene_version: '4.10.4' },
    tagline: 'You Know, for Search',
  });
  expect((await request(app()).get('/?pretty=false')).text).toMatch(/^\{"status":200,/);
});

test('HEAD has no body and a text type, for errors too', async () => {
  for (const [path, status] of [
    ['/', 200],
    ['/i/t/1', 500],
  ] as const) {
    const answer = await request(app()).head(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'content-length': '0',
    });
  }
});

test('OPTIONS is answered with nothing', async () => {
  const answer = await request(app()).options('/any/where');
  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('unrouted requests get the text of the reference', async () => {
  const answer = await request(app()).put('/a/b/c/d?x=1');
  expect(answer.status).toBe(400);
  expect(answer.headers['content-type']).toBe('text/plain; charset=UTF-8');
  expect(answer.text).toBe('No handler found for uri [/a/b/c/d?x=1] and method [PUT]');
});

test('engine errors carry their own text and status', async () => {
  const engine = {
    get: () => Promise.reject(new EngineError('IndexMissingException', '[i] missing')),
  };
  const answer = await request(app(engine)).get('/i/t/1');
  expect([answer.status, answer.text]).toEqual([
    404,
    '{"error":"IndexMissingException[[i] missing]","status":404}',
  ]);
  const pretty = await request(app(engine)).get('/i/t/1?pretty&filter_path=none');
  expect(pretty.text).toBe(
    '{\n  "error" : "IndexMissingException[[i] missing]",\n  "status" : 404\n}\n',
  );
});

test('a filter_path that is too much is refused before anything is done', async () => {
  const sources: Buffer[] = [];
  const server = app(indexing(sources));
  const answer = await request(server)
    .put(`/i/t/1?filter_path=${'a,'.repeat(300)}`)
    .send('{}');
  expect([answer.status, answer.text]).toEqual([
    400,
    '{"error":"ElasticsearchIllegalArgumentException[filter_path has [300] patterns, more than [200]]","status":400}',
  ]);
  expect(sources).toEqual([]);
  await request(server)
    .get(`/?filter_path=${'**.'.repeat(300)}`)
    .expect(200);
});

test('bugs are 500 with a request id, and the stack stays in the log', async () => {
  const log: LogLine[] = [];
  const engine = { get: () => Promise.reject(new TypeError('secret detail')) };
  const answer = await request(app(engine, {}, log)).get('/i/t/1');
  const requestId = answer.headers['x-request-id'];
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    error: `TypeError[internal error, request id ${requestId}]`,
    status: 500,
  });
  const line = log.find(({ level }) => level === 'error');
  expect(line?.fields).toMatchObject({ requestId });
  expect((line!.fields['err'] as Error).stack).toContain('secret detail');
});

test('the content type of a body does not matter, and GET may have one', async () => {
  const sources: Buffer[] = [];
  const server = app(indexing(sources));
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    await request(server).put('/i/t/1').set('Content-Type', type).send('{"a":1}').expect(201);
  }
  expect(sources.map(String)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
});

test('compressed bodies are inflated, within the limit', async () => {
  const sources: Buffer[] = [];
  const server = app(indexing(sources), { 'http.max_content_length': '2kb' });
  const put = (encoding: string, body: Buffer) =>
    request(server)
      .put('/i/t/1')
      .set('Content-Encoding', encoding)
      .set('Content-Type', 'application/json')
      .serialize((value) => value as unknown as string)
      .send(body);
  expect((await put('gzip', gzipSync('{"a":1}'))).status).toBe(201);
  expect((await put('deflate', deflateSync('{"a":2}'))).status).toBe(201);
  expect(sources.map(String)).toEqual(['{"a":1}', '{"a":2}']);
  const bomb = await put('gzip', gzipSync(Buffer.alloc(1_000_000, 0x20)));
  expect(bomb.status).toBe(413);
  expect((await put('gzip', Buffer.from('not gzip'))).status).toBe(400);
  expect((await put('br', Buffer.from('x'))).status).toBe(415);
  expect(sources).toHaveLength(2);
});

test('bodies beyond the limit are refused by name', async () => {
  const server = app(indexing([]), { 'http.max_content_length': '1kb' });
  const answer = await request(server).put('/i/t/1').send('x'.repeat(2000));
  expect([answer.status, answer.body]).toEqual([
    413,
    {
      error:
        'ContentTooLargeException[content length [2000] is larger than [1024] (http.max_content_length)]',
      status: 413,
    },
  ]);
});

test.each([
  ['too large, announced', 'localhost', 'Content-Length: 9000000', 413],
  ['too large, of a length not told', 'localhost', 'Transfer-Encoding: chunked', 413],
  ['by a name that is not allowed', 'evil.example', 'Content-Length: 9000000', 403],
])('a client that sends all of a body gets the refusal: %s', async (_, host, header, status) => {
  const server = createServer(
    app(indexing([]), { 'http.max_body_length': '1mb', 'http.max_content_length': '10mb' }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const body = Buffer.alloc(9_000_000, ' ');
  const isChunked = header.startsWith('Transfer');
  const parts = isChunked
    ? [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]
    : [body];
  const head = `POST /i/_search HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n\r\n`;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const errors: string[] = [];
  let answer = '';
  socket.on('error', ({ message }) => errors.push(message));
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write(Buffer.concat([Buffer.from(head), ...parts]));
  await once(socket, 'close');
  expect([errors, answer.slice(0, 12)]).toEqual([[], `HTTP/1.1 ${status}`]);
  server.close();
});

test('a client that waits for the refusal before it sends the body gets it', async () => {
  const server = createServer(app(indexing([]), { 'http.max_body_length': '1mb' }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST /i/_search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1', 0, 12)).toBe('HTTP/1.1 413');
  socket.destroy();
  server.close();
});

test('JSONP is refused before anything happens', async () => {
  const answer = await request(app()).put('/i/t/1?callback=cb').send('{}');
  expect(answer.status).toBe(403);
  expect(answer.headers['content-type']).toBe('application/javascript');
  expect(answer.text).toBe('cb({"error":"JSONP is disabled."});');
  const nasty = await request(app()).get('/?callback=alert(1)%3B//');
  expect(nasty.text).toBe('callback({"error":"JSONP is disabled."});');
});

test('path variables overwrite parameters', async () => {
  const seen: string[] = [];
  const get: SearchEngine['get'] = (wanted) => {
    seen.push(`${wanted.index} ${wanted.type} ${wanted.id} ${wanted.routing}`);
    const { index, type, id } = wanted;
    const [source, fields] = [undefined, undefined];
    return Promise.resolve({ index, type, id, found: false, version: 0, source, fields });
  };
  await request(app({ get }))
    .get('/i/t/x+y%2Fz?index=other&id=other&routing=r')
    .expect(404, { _index: 'i', _type: 't', _id: 'x y/z', found: false });
  expect(seen).toEqual(['i t x y/z r']);
});

test('X-Opaque-Id comes back', async () => {
  const answer = await request(app()).get('/').set('X-Opaque-Id', 'mine');
  expect(answer.headers['x-opaque-id']).toBe('mine');
});

test('slow requests are warned about, with the path and without bodies', async () => {
  const log: LogLine[] = [];
  await request(app(indexing([]), { 'logger.slow_request': '0' }, log))
    .put('/i/t/1?refresh')
    .send('{"secret":1}');
  const line = log.find(({ message }) => message === 'slow request');
  expect(line).toMatchObject({
    level: 'warn',
    fields: { method: 'PUT', target: '/i/t/1?refresh', status: 201, complete: true },
  });
  expect(JSON.stringify(log)).not.toContain('secret');
});

test('a pretty get leaves the stored source as it was', async () => {
  const get: SearchEngine['get'] = ({ index, type, id }) =>
    Promise.resolve({
      index,
      type,
      id,
      found: true,
      version: 2,
      source: Buffer.from('{"a":  [1,2]}'),
      fields: undefined,
    });
  const answer = await request(app({ get })).get('/i/t/1?pretty');
  expect(answer.text).toBe(
    '{\n  "_index" : "i",\n  "_type" : "t",\n  "_id" : "1",\n  "_version" : 2,\n  "found" : true,\n  "_source":{"a":  [1,2]}\n}\n',
  );
  const camel = await request(app({ get })).get('/i/t/1?case=camelCase&filter_path=_id,_source');
  expect(camel.text).toBe('{"Id":"1","_source":{"a":  [1,2]}}');
  const bare = await request(app({ get })).get('/i/t/1/_source');
  expect(bare.text).toBe('{"a":  [1,2]}');
});

test('the front door answers the same with and without Express', async () => {
  const get: SearchEngine['get'] = ({ index, type, id }) =>
    Promise.resolve({
      index,
      type,
      id,
      found: false,
      version: 0,
      source: undefined,
      fields: undefined,
    });
  const settings = testSettings();
  const engine = fakeEngine({ get });
  const door = createFrontDoor(engine, settings, recordingLogger([]));
  const whole = createApp(engine, settings, recordingLogger([]));
  for (const path of ['/i/t/1', '/i/t/1?pretty', '/', '/a/b/c/d', '/i/_search?size=x']) {
    const [direct, mounted] = [await request(door).get(path), await request(whole).get(path)];
    expect([direct.status, direct.headers['content-type']]).toEqual([
      mounted.status,
      mounted.headers['content-type'],
    ]);
    const withoutId = (text: string) => text.replace(/request id [^\]]+/, '');
    expect(withoutId(direct.text)).toBe(withoutId(mounted.text));
  }
});

test('an answer that cannot be laid out becomes an error answer', async () => {
  const get: SearchEngine['get'] = ({ index, type, id }) =>
    Promise.resolve({
      index,
      type,
      id,
      found: true,
      version: 1,
      source: Buffer.from('{broken'),
      fields: undefined,
    });
  const answer = await request(app({ get })).get('/i/t/1?pretty');
  expect(answer.status).toBe(500);
  expect(answer.text).toContain('JsonParseException[');
});

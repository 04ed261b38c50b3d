import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { createLogger } from '../../../../server/config/logger';
import { HttpServer } from '../../../../server/http/http-server';
import { testSettings } from '../../../support/settings';
import { fakeApp, indexing } from '../../../support/fake-app';
import { until } from '../../../support/until';

const logger = createLogger('silent');
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.drain(0)));
});

async function start(
  application: ConstructorParameters<typeof HttpServer>[1],
  values: Record<string, string> = {},
): Promise<{ server: HttpServer; port: number }> {
  const server = new HttpServer(testSettings({ 'http.port': '0', ...values }), application, logger);
  servers.push(server);
  const address = await server.listen();
  return { server, port: Number(address.split(':')[1]) };
}
function get(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}
/** Everything the server says on a raw connection until it closes it. */
function converse(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

test('serves and says where', async () => {
  const { server, port } = await start((_request, response) => void response.end('x'));
  expect(server.address()).toBe(`127.0.0.1:${port}`);
  expect(await get(port)).toBe(200);
});

test('a port that is taken is an error', async () => {
  const { port } = await start((_request, response) => void response.end('x'));
  await expect(start(() => undefined, { 'http.port': String(port) })).rejects.toThrow(
    'taken by another process',
  );
  servers.pop();
});

test('garbage is answered with 400 and the connection closed', async () => {
  const { port } = await start((_request, response) => void response.end('x'));
  expect(await converse(port, 'NOT HTTP AT ALL\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
});

test('bytes after a request that are no request get a 400 of their own, after its answer, and the end', async () => {
  const later = (text: string) => (_request: unknown, response: ServerResponse) =>
    void setTimeout(() => response.end(text), 50);
  const { port } = await start(later('first'));
  const request = 'DELETE /a HTTP/1.1\r\nHost: x\r\n\r\n';
  const said = await converse(port, `${request}{}`);
  expect(said.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(said).toMatch(/first.*HTTP\/1.1 400.*Connection: close/s);
  // The same after several requests, and when nothing is in flight any more.
  const twice = await converse(port, `${request}${request}{}${request}`);
  expect(twice.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('a long answer arrives whole although garbage follows its request', async () => {
  const { port } = await start((_request, response) => void response.end('y'.repeat(5_000_000)));
  const said = await converse(port, 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n{}');
  const body = said.slice(said.indexOf('\r\n\r\n') + 4);
  expect(body.startsWith('y'.repeat(5_000_000))).toBe(true);
});

test('headers beyond 16 KiB are answered with 431', async () => {
  const { port } = await start((_request, response) => void response.end('x'));
  const text = `GET / HTTP/1.1\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`;
  expect(await converse(port, text)).toMatch(/^HTTP\/1.1 431 /);
});

test('a client that never finishes its headers gets 408', async () => {
  const { port } = await start((_request, response) => void response.end('x'), {
    'http.headers_timeout': '300ms',
    'http.request_timeout': '600ms',
  });
  expect(await converse(port, 'GET / HTTP/1.1\r\nHost: x\r\n')).toMatch(
    /^HTTP\/1.1 408 Request Timeout\r\n/,
  );
});

test('draining lets requests in flight finish, answers newcomers with 503, then refuses them', async () => {
  let finish: (() => void) | null = null;
  const { server, port } = await start((_request, response) => {
    finish = () => response.end('done');
  });
  const running = get(port);
  await until(() => finish !== null);
  const drained = server.drain(600_000);
  expect(await get(port)).toBe(503);
  const refusal = () => get(port).then(String, (error: Error) => error.message);
  await until(async () => (await refusal()).includes('ECONNREFUSED'));
  (finish as unknown as () => void)();
  expect(await running).toBe(200);
  expect(await drained).toBe(true);
});

test('draining cuts off what does not finish', async () => {
  let isRunning = false;
  const { server, port } = await start(() => {
    isRunning = true;
  });
  const running = get(port);
  const outcome = expect(running).rejects.toThrow();
  await until(() => isRunning);
  expect(await server.drain(50)).toBe(false);
  await outcome;
});

test('newcomers on open connections learn that the node is closing', async () => {
  let finish = () => {};
  let isRunning = false;
  const { server, port } = await start((_request, response) => {
    isRunning = true;
    finish = () => response.end('done');
  });
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    const side = { socket, received: '' };
    socket.on('data', (chunk: Buffer) => (side.received += chunk.toString()));
    await once(socket, 'connect');
    return { side, closed: once(socket, 'close') };
  };
  const busy = await open();
  const idle = await open();
  busy.side.socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => isRunning);
  const drained = server.drain(600_000);
  // In two pieces: the answer must not overtake the body.
  idle.side.socket.write('POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n{');
  idle.side.socket.write('"a"');
  await idle.closed;
  expect(idle.side.received).toMatch(/^HTTP\/1.1 503 /);
  expect(idle.side.received).toContain('Connection: close');
  expect(idle.side.received).toContain('NodeClosedException[node is shutting down]');
  finish();
  expect(await drained).toBe(true);
  await busy.closed;
  expect(busy.side.received).toMatch(/^HTTP\/1.1 200 .*Connection: close.*done$/s);
});

test('a client that does not take its answer is let go', async () => {
  let isClosed = false;
  const { port } = await start(
    (_request, response) => {
      response.on('close', () => (isClosed = true));
      response.end(Buffer.alloc(32 * 1024 * 1024));
    },
    { 'http.headers_timeout': '200ms', 'http.request_timeout': '300ms' },
  );
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
  socket.on('error', () => undefined);
  socket.pause();
  await until(() => isClosed);
  socket.destroy();
});

describe('a client that waits before it sends the body', () => {
  const put = (length: number, expectation = '100-continue') =>
    `PUT /i/t/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\nExpect: ${expectation}\r\n\r\n`;

  /** What comes until the server waits or ends, when the body is sent once it is asked for. */
  function send(port: number, head: string, body: string): Promise<string> {
    return new Promise((resolve) => {
      let received = '';
      const socket: Socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        if (received.endsWith('HTTP/1.1 100 Continue\r\n\r\n')) socket.write(body);
        else socket.end();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(received));
    });
  }

  test('is asked for it, once', async () => {
    const sources: Buffer[] = [];
    const { port } = await start(fakeApp(indexing(sources)));
    const said = await send(port, put(7), '{"a":1}');
    expect(said.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201']);
    expect(sources.map(String)).toEqual(['{"a":1}']);
  });

  test('is served when it expects anything else', async () => {
    const sources: Buffer[] = [];
    const { port } = await start(fakeApp(indexing(sources)));
    const said = await send(port, `${put(7, 'a-miracle')}{"a":1}`, '');
    expect(said.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 201']);
    expect(sources.map(String)).toEqual(['{"a":1}']);
  });

  test.each([
    [put(2000), 413],
    [put(7).replace('/i/t/1', '/i/t/1/_nothing/there'), 400],
    [put(7).replace('Host: localhost', 'Host: elsewhere.example'), 403],
    [put(7).replace('Expect', 'Content-Encoding: brotli\r\nExpect'), 415],
  ])('is refused without being asked for it: %#', async (head, status) => {
    const { port } = await start(fakeApp(indexing([]), { 'http.max_content_length': '1kb' }));
    // No body is sent, so that the answer does not come after it; and the connection ends.
    const said = await converse(port, head);
    expect(said.match(/HTTP\/1.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(said).toMatch(/^Connection: close\r$/m);
  });
});

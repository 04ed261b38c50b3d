import { connect, type Socket } from 'node:net';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createLogger } from '../../../../server/config/logger';
import { HttpServer } from '../../../../server/http/http-server';
import { Pipelines } from '../../../../server/http/pipelines';
import { testSettings } from '../../../support/settings';
import { until } from '../../../support/until';

const servers: HttpServer[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => server.drain(0)));
});

type Application = (request: IncomingMessage, response: ServerResponse) => void;

async function start(application: Application, values: Record<string, string>) {
  const settings = testSettings({ 'http.port': '0', ...values });
  const server = new HttpServer(settings, application, createLogger('silent'));
  servers.push(server);
  const port = Number((await server.listen()).split(':')[1]);
  return { server, port };
}

const line = (path: string | number): string => `GET /${path} HTTP/1.1\r\n\r\n`;
const lines = (count: number): string => Array.from({ length: count }, (_, n) => line(n)).join('');

/** A connection, and all that came on it. */
interface Side {
  readonly socket: Socket;
  readonly said: () => string;
  /** What stood in the answers between < and >. */
  readonly bodies: () => string[];
  /** Whether that many such answers came. */
  readonly has: (count: number) => boolean;
}

function open(port: number): Side {
  const chunks: Buffer[] = [];
  let ends = 0;
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data: Buffer) => {
    chunks.push(data);
    for (let at = data.indexOf('>'); at >= 0; at = data.indexOf('>', at + 1)) ends++;
  });
  socket.on('error', () => undefined);
  const said = () => Buffer.concat(chunks).toString();
  return {
    socket,
    said,
    bodies: () => [...said().matchAll(/<(.*?)>/g)].map(([, b]) => b!),
    has: (count) => ends >= count,
  };
}

/** Asks for a path on a connection of its own. */
function get(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('no more than the limit are under way, and answers keep the order of the requests', async () => {
  const running = new Set<ServerResponse>();
  let most = 0;
  const { port } = await start(
    (request, response) => {
      running.add(response);
      most = Math.max(most, running.size);
      response.on('close', () => running.delete(response));
      // Some are done at once, some late, and those behind them before.
      const end = () => response.end(`<${request.url!.slice(1)}>`);
      if (Number(request.url!.slice(1)) % 3 === 0) setImmediate(() => setImmediate(end));
      else end();
    },
    { 'http.pipelining.max_events': '5' },
  );
  const { socket, bodies, has } = open(port);
  socket.write(lines(10_000));
  await until(() => has(10_000));
  expect(bodies()).toEqual(Array.from({ length: 10_000 }, (_, n) => String(n)));
  expect(most).toBe(5);
  socket.destroy();
});

test('a connection with unanswered requests is read no further, and on when they are answered', async () => {
  const held: (() => void)[] = [];
  let isHolding = true;
  let from: Socket | null = null;
  const { port } = await start(
    (request, response) => {
      if (request.url === '/other') return void response.end('x');
      from = request.socket;
      const end = () => response.end(`<${request.url!.slice(1)}>`);
      if (isHolding) held.push(end);
      else end();
    },
    { 'http.pipelining.max_events': '3' },
  );
  const { socket, bodies, has } = open(port);
  const text = lines(20_000);
  socket.write(text);
  await until(() => held.length === 3);
  for (let n = 0; n < 50; n++) expect(await get(port, '/other')).toBe(200);
  expect(held.length).toBe(3);
  expect(from!.bytesRead).toBeLessThan(text.length / 4);
  isHolding = false;
  held.forEach((end) => end());
  await until(() => has(20_000));
  expect(bodies()).toHaveLength(20_000);
  socket.destroy();
});

test('bodies between requests are read whatever waits before and behind them', async () => {
  const { port } = await start(
    (request, response) => {
      let size = 0;
      request.on('data', ({ length }: Buffer) => (size += length));
      request.on('end', () => response.end(`<${size}>`));
    },
    { 'http.pipelining.max_events': '1' },
  );
  const { socket, bodies, has } = open(port);
  const sizes = Array.from({ length: 30 }, (_, n) => n * 30_000);
  for (const size of sizes) {
    socket.write(`POST / HTTP/1.1\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`);
  }
  await until(() => has(sizes.length));
  expect(bodies()).toEqual(sizes.map(String));
  socket.destroy();
});

test('thousands of requests in one chunk leave turns to other connections', async () => {
  let started = 0;
  let startedBefore = 0;
  const { port } = await start(
    (request, response) => {
      if (request.url === '/other') startedBefore = started;
      else if (started++ === 0) void get(port, '/other');
      response.end('<>');
    },
    { 'http.pipelining.max_events': '10000' },
  );
  const { socket, has } = open(port);
  socket.write(line('').repeat(3000));
  await until(() => has(3000));
  expect(startedBefore).toBeGreaterThan(0);
  expect(startedBefore).toBeLessThan(3000);
  socket.destroy();
});

test('when the client goes, requests behind the first one end as well', async () => {
  const started: string[] = [];
  const closed: string[] = [];
  const { server, port } = await start((request, response) => {
    started.push(request.url!);
    response.on('close', () => closed.push(request.url!));
    // The first one is never answered; others are, and wait behind it.
    if (request.url !== '/0') response.end('x');
  }, {});
  const { socket } = open(port);
  socket.write(lines(4));
  await until(() => started.length === 4);
  socket.destroy();
  await until(
    () => closed.length === 4,
    () => closed.join(),
  );
  expect(await server.drain(600_000)).toBe(true);
});

test('too many waiting requests of all connections end the one that brings more', async () => {
  const { port } = await start(() => undefined, { 'http.pipelining.max_events': '100000' });
  const sides = Array.from({ length: 12 }, () => open(port));
  let isClosed = false;
  for (const { socket } of sides) {
    socket.on('close', () => (isClosed = true));
    socket.write(line('').repeat(3500));
  }
  await until(() => isClosed);
  expect(sides.filter(({ socket }) => !socket.destroyed).length).toBeGreaterThan(6);
  sides.forEach(({ socket }) => socket.destroy());
});

describe('a request of which only half was read', () => {
  const limits = {
    'http.pipelining.max_events': '1',
    'http.headers_timeout': '50ms',
    'http.request_timeout': '100ms',
  };

  async function heldBack() {
    const answers: (() => void)[] = [];
    const { port } = await start((request, response) => {
      answers.push(() => response.end(`<${request.url!.slice(1)}>`));
    }, limits);
    const excused = jest.spyOn(Pipelines.prototype, 'excuses');
    const side = open(port);
    side.socket.write(`${line(0)}${line(1)}GET /2 HTTP/1.1\r\n`);
    await until(() => excused.mock.results.some(({ value }) => value === true));
    answers[0]!();
    await until(() => answers.length === 2);
    answers[1]!();
    await until(() => side.has(2));
    return { ...side, answers };
  }

  test('is not too late because the server did not read', async () => {
    const { socket, said, has, answers } = await heldBack();
    socket.write('\r\n');
    await until(() => answers.length === 3);
    answers[2]!();
    await until(() => has(3));
    expect(said()).not.toContain('408');
    socket.destroy();
  });

  test('is too late when the rest does not come afterwards', async () => {
    const { said, bodies } = await heldBack();
    await until(() => said().includes('HTTP/1.1 408 '));
    expect(bodies()).toEqual(['0', '1']);
  });
});

// Slow clients do no harm: connections that say nothing, half of a head, a body byte by byte, or that never
// read their answer are ended by the limits of time, and meanwhile other clients are served.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { note } from '../support/figures';
import { figuresOf, Victim } from '../support/hostile/victim';
import { repetitions } from '../support/random';
import { pause, until } from '../support/until';

const CLIENTS = repetitions('SLOW_CLIENTS', 150, 1000, 3500);
const READERS = repetitions('SLOW_READERS', 10, 60);
const TRICKLE_MS = 100;

let victim: Victim;
beforeAll(async () => {
  victim = await Victim.start(['http.headers_timeout=2s', 'http.request_timeout=4s']);
});
afterAll(() => victim.end());

/** What each kind sends at once, and what it goes on with. */
const KINDS = [
  ['', ''],
  ['GET /', 'x'],
  ['GET / HTTP/1.1\r\nHost: localhost\r\n', 'X-Name: value\r\n'],
  [
    'POST /h/t/_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n',
    '{"index":{}}\n',
  ],
  [
    'POST /h/t/_bulk HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\n{\r\n',
  ],
  [
    'POST /h/t/_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n\x1f\x8b\x08',
    '',
  ],
] as const;

/** @returns the beginning of what the server said before it ended the connection */
async function trickle(kind: number): Promise<string> {
  const [head, part] = KINDS[kind % KINDS.length]!;
  const socket = connect(victim.port, '127.0.0.1');
  let answer = '';
  let isOpen = true;
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isOpen = false));
  await once(socket, 'connect');
  socket.write(head, 'latin1');
  while (isOpen) {
    await pause(TRICKLE_MS);
    if (isOpen) socket.write(part, 'latin1');
  }
  return answer.slice(0, 'HTTP/1.1 408'.length);
}

async function connections(): Promise<number> {
  const { body } = await victim.server.send('GET', '/_metrics');
  return Number(/^facetd_http_connections (\d+)/m.exec(String(body))?.[1]);
}

test(`${CLIENTS} clients that never come to an end are told so`, async () => {
  const answers = new Map<string, number>();
  const [seen, problems] = await victim.watch(async () => {
    const all = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => trickle(n)));
    for (const answer of all) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  });
  note('slow clients', {
    clients: CLIENTS,
    ...figuresOf(seen),
    answers: Object.fromEntries(answers),
  });
  expect(problems).toEqual([]);
  // A connection may also break while the answer is on its way: they go on writing.
  expect([...answers.keys()].filter((answer) => answer !== '' && !answer.endsWith(' 408'))).toEqual(
    [],
  );
  expect(answers.get('HTTP/1.1 408') ?? 0).toBeGreaterThan(CLIENTS / 4);
  await until(async () => (await connections()) < 10);
});

test(`${READERS} clients that do not read their answer are disconnected`, async () => {
  const text = 'x'.repeat(4_000_000);
  const lines = Array.from({ length: 3 }, () => `{"index":{}}\n{"text":"${text}"}\n`);
  await victim.server.send('PUT', '/h', {
    mappings: { t: { properties: { text: { type: 'string', index: 'no' } } } },
  });
  await victim.server.send('POST', '/h/t/_bulk?refresh', lines.join(''));
  const [seen, problems] = await victim.watch(async () => {
    const sockets = Array.from({ length: READERS }, (): Socket => {
      const socket = connect(victim.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.pause();
      socket.write('GET /h/_search HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return socket;
    });
    // Whoever looks at a socket reads it: only the server knows that they are gone.
    await until(async () => (await connections()) >= READERS);
    await until(async () => (await connections()) < 10);
    for (const socket of sockets) socket.destroy();
  });
  note('slow readers', { readers: READERS, ...figuresOf(seen) });
  expect(problems).toEqual([]);
});

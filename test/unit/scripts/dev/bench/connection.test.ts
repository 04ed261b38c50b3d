// The load generator's own HTTP client, and its reading of /proc.

import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Connection } from '../../../../../scripts/dev/bench/connection';
import { anonymousMemory, CpuRecorder } from '../../../../../scripts/dev/bench/process-stats';
import { onlyWhere } from '../../../../support/only-where';

let server: Server;
let answer: (socket: Socket, request: string) => void;
const request = { method: 'POST', path: '/a?b', body: '{"é":1}' } as const;

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('data', (chunk) => answer(socket, chunk.toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const open = () => Connection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

test('an answer may come in pieces, and the connection is used again', async () => {
  const seen: string[] = [];
  answer = (socket, text) => {
    seen.push(text);
    socket.write('HTTP/1.1 201 Created\r\ncontent-le');
    setTimeout(() => socket.write('ngth: 4\r\n\r\nab'), 5);
    setTimeout(() => socket.write('cd'), 10);
  };
  const connection = await open();
  for (let i = 0; i < 2; i++) {
    const { status, body } = await connection.send(request);
    expect([status, body.toString()]).toEqual([201, 'abcd']);
  }
  connection.close();
  expect(seen[1]).toMatch(/^POST \/a\?b HTTP\/1\.1\r\n[^]*Content-Length: 8\r\n\r\n\{"é":1\}$/);
});

test('an answer without a length, or none, is an error', async () => {
  answer = (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n');
  await expect((await open()).send(request)).rejects.toThrow('no Content-Length');
  answer = (socket) => socket.destroy();
  await expect((await open()).send(request)).rejects.toThrow('closed the connection');
});

test('a connection that the server has closed is known, and refuses requests', async () => {
  answer = (socket) => socket.destroy();
  const connection = await open();
  expect(connection.isOpen).toBe(true);
  await expect(connection.send(request)).rejects.toThrow('closed the connection');
  expect(connection.isOpen).toBe(false);
  expect(() => connection.send(request)).toThrow('the connection is closed');
});

test('a second request at the same time is refused', async () => {
  answer = () => undefined;
  const connection = await open();
  const first = connection.send(request);
  expect(() => connection.send(request)).toThrow('a request is under way');
  connection.close();
  await expect(first).rejects.toThrow();
});

onlyWhere(process.platform === 'linux', 'Linux: /proc says what a process uses')(
  'CPU time grows with work, and is unknown without a process',
  () => {
    expect(new CpuRecorder(null).read()).toBeNaN();
    expect(anonymousMemory(null)).toBeNaN();
    const recorder = new CpuRecorder(process.pid);
    const before = recorder.read();
    let root = 2;
    do root = Math.sqrt(root + 1);
    while (recorder.read() - before <= 5_000);
    expect(root).toBeGreaterThan(1);
    expect(anonymousMemory(process.pid)).toBeGreaterThan(1e6);
  },
);

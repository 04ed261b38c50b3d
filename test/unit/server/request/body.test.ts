import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync, deflateSync } from 'node:zlib';
import { readBeginning } from '../../../../server/request/body';

const LIMIT = 10_000_000;
const BODY_LIMIT = { bytes: LIMIT, setting: 'http.max_content_length' };

/** What becomes of a body of which `sent` comes and then nothing, as the client goes away. */
async function breakOff(encoding: string, sent: Buffer): Promise<string> {
  let outcome: Promise<string> | null = null;
  const server = createServer((request: IncomingMessage) => {
    outcome = readBeginning(request, BODY_LIMIT, Infinity).then(
      () => 'read',
      (error: Error) => error.message,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(
    `PUT / HTTP/1.1\r\nHost: x\r\nContent-Encoding: ${encoding}\r\nContent-Length: 1000000\r\n\r\n`,
  );
  client.write(sent);
  await once(server, 'request');
  client.destroy();
  const told = await Promise.race([outcome!, sleep(2_000, 'nothing was told')]);
  server.close();
  return told;
}

const text = Buffer.from('{"a":1}'.repeat(1000));

test.each([
  ['identity', text],
  ['gzip', gzipSync(text).subarray(0, 30)],
  ['gzip', gzipSync(text)],
  ['gzip', Buffer.alloc(0)],
  ['deflate', deflateSync(text).subarray(0, 30)],
])('a %s body that breaks off is an error', async (encoding, sent) => {
  expect(await breakOff(encoding, sent)).toBe('the request body ended early');
});

test('no more of a compressed body is inflated than the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const server = createServer((request, response) => {
    const before = process.memoryUsage().arrayBuffers;
    readBeginning(request, BODY_LIMIT, Infinity).catch((error: Error) => {
      const grown = process.memoryUsage().arrayBuffers - before;
      response.end(`${grown < 5 * LIMIT} ${error.message}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'PUT',
    headers: { 'Content-Encoding': 'gzip' },
    body: bomb,
  });
  expect(await answer.text()).toMatch(/^true content length \[\d+\] is larger than \[10000000\]/);
  server.closeAllConnections();
  server.close();
});

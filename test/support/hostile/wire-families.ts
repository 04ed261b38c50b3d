// Bytes on a connection that are not quite HTTP, or too much of it.

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Random } from '../random';
import type { Family } from './family';
import { sendBytes } from './wire';

const OK_REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

const ODD_REQUESTS = [
  'GET /',
  'GET / HTTP/0.9\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  '\r\n'.repeat(10_000),
  '\0'.repeat(10_000),
  `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
  `GET / HTTP/1.1\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(10_000)}\r\n`,
  `GET / HTTP/1.1\r\n${'a'.repeat(1_000_000)}`,
  'GET /%zz%00%ff?%zz=%00&a[__proto__]=1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /\x00\x01\xff HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'CONNECT localhost:22 HTTP/1.1\r\n\r\n',
  'GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n{}',
  'POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
  'POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x',
  'POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${'1;a=b\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`,
  `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'X: y\r\n'.repeat(10_000)}\r\n`,
  'POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
  'POST / HTTP/1.1\r\nExpect: what\r\nContent-Length: 2\r\n\r\n{}',
  'POST /control/_search HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}stray bytes behind it',
  `${OK_REQUEST}\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
];

export const WIRE_FAMILIES: readonly Family[] = [
  {
    name: 'almost HTTP',
    attack: async (port) => {
      await Promise.all(ODD_REQUESTS.map((bytes) => sendBytes(port, Buffer.from(bytes, 'latin1'))));
      return [];
    },
  },
  {
    name: 'thousands of requests in one write, the answers not read for a while',
    attack: async (port, size) => {
      const count = size(10_000);
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      const stats = 'GET /_nodes/stats HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const ends = `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      socket.write((OK_REQUEST + stats).repeat(count / 2) + ends);
      await new Promise((resolve) => setTimeout(resolve, 500));
      let text = '';
      let answers = 0;
      socket.on('data', (data: Buffer) => {
        text += data.toString('latin1');
        answers += text.split('HTTP/1.1 200').length - 1;
        text = text.slice(-11);
      });
      socket.resume();
      const broken = await Promise.race([
        once(socket, 'close').then(() => null),
        once(socket, 'error').then(([error]) => String(error)),
      ]);
      const wanted = 2 * Math.floor(count / 2) + 1;
      return broken === null && answers === wanted ? [] : [`${answers} of ${wanted}: ${broken}`];
    },
  },
];

/** Random bytes, some of them behind the beginning of a request. */
export function randomBytes(random: Random): Family {
  return {
    name: 'random bytes',
    attack: async (port, size) => {
      const lane = async () => {
        for (let n = 0; n < size(400); n++) {
          const bytes = Buffer.from(
            Array.from({ length: random.below(3000) }, () => random.below(256)),
          );
          const head = random.pick([
            '',
            'GET / HTTP/1.1\r\n',
            'POST /h/t/_bulk HTTP/1.1\r\nContent-Length: 900\r\n\r\n',
            OK_REQUEST,
          ]);
          await sendBytes(port, Buffer.concat([Buffer.from(head), bytes]), 50);
        }
      };
      await Promise.all(Array.from({ length: 16 }, lane));
      return [];
    },
  };
}

// Bodies that are larger inside than outside, in another encoding than they say, or that break off.

import { gzipSync, deflateSync } from 'node:zlib';
import { family, nested, post, type Family } from './family';
import { breakOff, type HostileRequest } from './wire';

const MB = 1024 * 1024;

/** So many megabytes of one character, compressed. */
function bomb(megabytes: number): Buffer {
  return gzipSync(Buffer.alloc(megabytes * MB, ' '), { level: 1 });
}

const zipped = (path: string, body: Buffer, encoding = 'gzip'): HostileRequest => ({
  ...post(path, body),
  headers: { 'content-encoding': encoding },
});
const PATHS = ['/control/_search', '/h/t/_bulk', '/h/t/1', '/_msearch', '/_aliases', '/'];

const ODD = [
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from('{"a":"\xff\xfe\xc0\x80\xed\xa0\x80"}', 'latin1'),
  Buffer.from('{"a":"\\ud800","\\udc00":"\\u0000","b":"\u0000"}'),
  Buffer.from('\ufeff{"a":1}'),
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.alloc(100_000),
  Buffer.alloc(100_000, 0xff),
  Buffer.from(':)\nú'),
  Buffer.from('\u{10ffff}'.repeat(1000)),
];

/** References that multiply by ten at each step. */
function aliases(steps: number): string {
  let text = '---\nx0: &x0 [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]\n';
  for (let n = 1; n < steps; n++) {
    text += `x${n}: &x${n} [${`*x${n - 1},`.repeat(9)}*x${n - 1}]\n`;
  }
  return text;
}

export const BODY_FAMILIES: readonly Family[] = [
  family('compressed bodies of hundreds of megabytes', function* (size) {
    const large = bomb(size(400));
    for (const path of PATHS) yield zipped(path, large);
    yield zipped('/control/_search', gzipSync(large));
    yield zipped('/control/_search', deflateSync(Buffer.alloc(size(200) * MB, ' ')), 'deflate');
    yield zipped('/control/_search', large.subarray(0, large.length / 2));
    yield zipped('/control/_search', Buffer.concat([large, large, large]));
    yield zipped('/control/_search', Buffer.from('not compressed'));
    yield zipped('/control/_search', large, 'br');
    yield zipped('/control/_search', large, 'gzip, gzip');
  }),
  family(
    '64 compressed bodies just below the limit at once',
    function* (size) {
      const large = bomb(size(90));
      for (let n = 0; n < 64; n++) yield zipped(PATHS[n % PATHS.length]!, large);
    },
    64,
  ),
  {
    name: 'compressed and plain bodies that break off',
    attack: async (port, size) => {
      const body = gzipSync(Buffer.from(`{"query":"${'x'.repeat(1e6)}"}`), { level: 0 });
      for (let n = 0; n < size(2000); n++) {
        const encoding = n % 2 === 0 ? 'Content-Encoding: gzip\r\n' : '';
        const head =
          `POST ${PATHS[n % PATHS.length]} HTTP/1.1\r\nHost: localhost\r\n${encoding}` +
          `Content-Length: ${body.length}\r\n\r\n`;
        await breakOff(port, Buffer.concat([Buffer.from(head), body.subarray(0, n % body.length)]));
      }
      return [];
    },
  },
  family('YAML that refers to itself, nests or never ends', function* (size) {
    for (const path of PATHS) {
      for (const steps of [5, 9, 30]) yield post(path, aliases(steps));
      for (const [open, inner, close] of [
        ['[', '1', ']'],
        ['{a: ', '1', '}'],
        ['- ', '1', ''],
        ['? ', '1', ''],
        ['!!seq [', '1', ']'],
      ] as const) {
        yield post(path, `---\n${nested(20_000, open, inner, close)}`);
        yield post(path, `---\na: ${open.repeat(20_000)}`);
      }
      yield post(path, `---\na: &a [*a, *a]\n<<: *a\n<<: {<<: *a}\n`);
      yield post(path, `---\n${'- a\n'.repeat(size(200_000))}`);
      yield post(path, `---\n${'a: &a b\n'.repeat(size(100_000))}`);
      yield post(path, `---\na: "${'\\n'.repeat(size(200_000))}`);
      yield post(path, `---\n${'...\n---\n'.repeat(size(100_000))}`);
      yield post(path, `---\na: |\n${'  x\n'.repeat(size(200_000))}`);
      yield post(path, `---\n${' '.repeat(size(500_000))}a: 1`);
      yield post(path, `---\n? ${'x'.repeat(size(100_000))}\n: 1\n`);
      yield post(path, `---\n!!binary ${'A'.repeat(1000)}\n--- !!js/function 'x'\n%YAML 9.9\n`);
    }
  }),
  family('bodies that are no text', function* () {
    for (const path of [
      ...PATHS,
      '/_analyze',
      '/h/_mapping/t',
      '/_template/h',
      '/_cluster/reroute',
    ]) {
      for (const body of ODD) {
        for (const type of [
          'application/json',
          'application/smile',
          'text/plain; charset=utf-16',
        ]) {
          yield { ...post(path, body), headers: { 'content-type': type } };
        }
      }
    }
    yield { method: 'DELETE', path: '/_template/h' };
  }),
];

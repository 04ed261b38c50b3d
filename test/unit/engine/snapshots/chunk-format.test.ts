// Chunks hold documents exactly, and those that have not changed come out as the same bytes.

import { decodeChunk, encodeChunk, endsChunk } from '../../../../engine/snapshots/chunk-format';
import { packRecord } from '../../../../storage/record-list';
import type { LogRecord } from '../../../../storage/types';
import { Random, testSeed } from '../../../support/random';

function record(n: number, source: string): LogRecord {
  return {
    op: 'index',
    type: 't\ud800',
    id: `id-${n}`,
    version: n % 7 === 0 ? 2 ** 53 : n + 1,
    routing: n % 2 === 0 ? null : 'r',
    parent: n % 3 === 0 ? 'p' : null,
    timestamp: n % 4 === 0 ? 1.5e12 + n : null,
    expiry: n % 5 === 0 ? 1.6e12 : null,
    supersedes: n,
    source: Buffer.from(source),
  };
}

test.each([true, false])('documents come back as they were (compressed: %s)', async (compress) => {
  const records = Array.from({ length: 100 }, (_, n) => record(n, `{"n":${n}}`));
  const bytes = await encodeChunk(records.map(packRecord), compress);
  const expected = records.map((one) => ({ ...one, supersedes: 0 }));
  expect(await decodeChunk('f', bytes)).toEqual(expected);
});

test('a change in one place changes the chunks around it only', () => {
  const random = new Random(testSeed(42));
  const text = () => 'x'.repeat(2000 + random.below(2000));
  const documents = Array.from({ length: 4000 }, (_, n) => packRecord(record(n, text())));
  const cut = (list: readonly Buffer[]): string[] => {
    const chunks: string[] = [];
    let open: number[] = [];
    let bytes = 0;
    for (const packed of list) {
      open.push(documents.indexOf(packed));
      bytes += packed.length;
      if (!endsChunk(bytes, packed)) continue;
      chunks.push(open.join());
      open = [];
      bytes = 0;
    }
    chunks.push(open.join());
    return chunks;
  };
  const before = cut(documents);
  expect(before.length).toBeGreaterThan(8);
  const removed = 1500 + random.below(100);
  const after = new Set(cut(documents.filter((_, n) => n !== removed)));
  expect(before.filter((chunk) => !after.has(chunk)).length).toBeLessThanOrEqual(2);
});

// Windows of documents with their buckets: small where they take long, in parts where there are many entries.

import { type DocBuckets, SetWindows, WindowWriter } from '../../../../engine/counting/index';
import { Bitset } from '../../../../engine/segment/index';

const DOCS = 100_000;

function allDocs(): Bitset {
  const docs = new Bitset(DOCS);
  for (let doc = 0; doc < DOCS; doc++) docs.add(doc);
  return docs;
}

test('windows grow while they are quick, and shrink when they are not', () => {
  const windows = new SetWindows(allDocs());
  const sizes: number[] = [];
  const clock = jest.spyOn(performance, 'now');
  let now = 0;
  clock.mockImplementation(() => now);
  for (let n = 0; windows.next() && n < 8; n++) {
    windows.handOn(({ size }) => {
      sizes.push(size);
      if (n > 3) now += 6;
    });
  }
  clock.mockRestore();
  expect(sizes).toEqual([32, 256, 2048, 4096, 4096, 2048, 1024, 512]);
});

test('all documents are handed on once, whatever the windows are', () => {
  const windows = new SetWindows(allDocs());
  let [next, seen] = [0, 0];
  while (windows.next()) {
    windows.handOn(({ from, size, docs }) => {
      for (let i = 0; i < size; i++) if ((from << 5) + docs[i]! === next) next++;
      seen += size;
    });
  }
  expect([next, seen]).toEqual([DOCS, DOCS]);
});

test('a window of many entries is handed on in parts of whole documents', () => {
  const out = new WindowWriter(4096);
  const parts: { docs: number[]; words: number }[] = [];
  const handOn = ({ size, docs, words }: DocBuckets): void => {
    const own = new Set(docs.subarray(0, size));
    const marked = words.reduce(
      (sum, word) => sum + (word.toString(2).match(/1/g)?.length ?? 0),
      0,
    );
    parts.push({ docs: [...own], words: marked });
  };
  out.begin(0, 1);
  for (let doc = 0; doc < 4; doc++) {
    for (let bucket = 0; bucket < 50_000; bucket++) {
      if (out.isFullBefore(doc)) {
        out.end(50_000);
        handOn(out);
        out.goOn();
      }
      out.reserve(out.size + 1);
      out.add(doc, bucket);
    }
  }
  out.end(50_000);
  handOn(out);
  expect(parts).toEqual([
    { docs: [0, 1], words: 2 },
    { docs: [2, 3], words: 2 },
  ]);
});

test('a document in millions of buckets at a time is refused', () => {
  const out = new WindowWriter(32);
  out.begin(0, 1);
  out.reserve(1 << 23);
  expect(() => out.reserve((1 << 23) + 1)).toThrow('Data too large');
});

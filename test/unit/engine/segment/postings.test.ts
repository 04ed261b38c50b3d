import assert from 'node:assert/strict';

import { Bitset, NO_MORE_DOCS } from '../../../../engine/segment/contract/bitset';
import { FLAG } from '../../../../engine/segment/format/format';
import { writeNorms } from '../../../../engine/segment/postings/norms-part';
import { PART } from '../../../../engine/segment/format/format';
import {
  decodeMaxFreq,
  encodeMaxFreq,
  PostingsWriter,
} from '../../../../engine/segment/postings/postings-writer';
import type { TermDictionary } from '../../../../engine/segment/contract/reader';
import { SegmentWriter } from '../../../../engine/segment/format/segment-writer';
import { TermWriter } from '../../../../engine/segment/dictionary/term-writer';
import { MemorySegments } from '../../../support/memory-segments';
import { repeatable } from '../../../support/repeatable';

interface Entry {
  readonly doc: number;
  readonly freq: number;
  readonly positions: readonly number[];
}

const FIELD = 50;
const DOCS = 400_000;

/** A segment of one field with exactly these postings; term i is `t` and i as six digits. */
function dictionary(
  lists: readonly (readonly Entry[])[],
  options: { freqs: boolean; positions: boolean; norms: Uint8Array | null },
): { terms: TermDictionary; store: MemorySegments } {
  const segment = new SegmentWriter();
  const postings = new PostingsWriter(options.freqs, options.positions, options.norms);
  const writer = new TermWriter(postings);
  lists.forEach((list, i) => {
    writer.startTerm();
    for (const { doc, freq, positions } of list) {
      postings.add(doc, freq);
      if (options.positions) for (const position of positions) postings.addPosition(position);
    }
    const bytes = Buffer.from(name(i));
    writer.finishTerm(bytes, 0, bytes.length);
  });
  const { termCount, sumDocFreq, sumTotalTermFreq } = writer;
  writer.finish(FIELD, segment);
  if (options.norms !== null) {
    const all = Uint32Array.from(options.norms, (_, doc) => doc);
    segment.addPart(FIELD, PART.norms, writeNorms(options.norms, all));
  }
  const flags =
    FLAG.indexed | (options.freqs ? FLAG.freqs : 0) | (options.positions ? FLAG.positions : 0);
  segment.addField({
    id: FIELD,
    name: 'f',
    kind: 'string',
    flags,
    docCount: 0,
    termCount,
    sumDocFreq,
    sumTotalTermFreq,
  });
  const totals = { docCount: DOCS, rootCount: DOCS, minSequence: 1, maxSequence: DOCS };
  const store = new MemorySegments();
  const meta = store.add(segment.finish(totals, []));
  return { terms: store.open(meta).terms(FIELD)!, store };
}

function name(i: number): string {
  return `t${String(i).padStart(6, '0')}`;
}

function randomList(next: () => number, size: number, gap: number, maxFreq: number): Entry[] {
  let doc = Math.floor(next() * 3);
  return Array.from({ length: size }, () => {
    const freq = 1 + Math.floor(next() * next() * maxFreq);
    let position = Math.floor(next() * 300);
    const positions = Array.from({ length: freq }, () => (position += Math.floor(next() * 40)));
    const entry = { doc, freq, positions };
    doc += 1 + Math.floor(next() * gap);
    return entry;
  });
}

const SIZES = [1, 2, 4, 5, 100, 127, 128, 129, 255, 256, 257, 384, 1000, 3000];
const SHAPES = [
  [0, 1],
  [1, 3],
  [20, 1],
  [100, 200],
] as const;

describe.each([
  { freqs: true, positions: true },
  { freqs: true, positions: false },
  { freqs: false, positions: false },
])('postings with %j', (options) => {
  const next = repeatable(17);
  const norms = Uint8Array.from({ length: DOCS }, () => Math.floor(next() * 120));
  const lists = SHAPES.flatMap(([gap, maxFreq]) =>
    SIZES.map((size) => randomList(next, size, gap, maxFreq)),
  );
  const { terms } = dictionary(lists, { ...options, norms });
  const freqOf = (entry: Entry): number => (options.freqs ? entry.freq : 1);

  test('are read one document after the other', () => {
    lists.forEach((list, i) => {
      const ordinal = terms.ordinalOf(name(i));
      expect(terms.docFreq(ordinal)).toBe(list.length);
      const iterator = terms.postings(ordinal, 'positions');
      const found = list.map(() => {
        const doc = iterator.nextDoc();
        const freq = iterator.freq();
        const positions = options.positions
          ? Array.from({ length: freq }, () => iterator.nextPosition())
          : [];
        return { doc, freq, positions };
      });
      assert.deepStrictEqual(
        found,
        list.map((entry) => ({
          doc: entry.doc,
          freq: freqOf(entry),
          positions: options.positions ? entry.positions : [],
        })),
      );
      expect([iterator.nextDoc(), iterator.nextDoc()]).toEqual([NO_MORE_DOCS, NO_MORE_DOCS]);
    });
  });

  test('are jumped through, with some positions read and others not', () => {
    lists.forEach((list, i) => {
      for (const jump of [1, 50, 700, 90_000]) {
        const iterator = terms.postings(i, 'positions');
        let target = Math.floor(next() * jump);
        let at = 0;
        while (target < DOCS) {
          while (at < list.length && list[at]!.doc < target) at++;
          const expected = list[at];
          const doc = iterator.advance(target);
          if (expected === undefined) {
            expect(doc).toBe(NO_MORE_DOCS);
            break;
          }
          if (doc !== expected.doc || iterator.doc !== doc) throw new Error(`${doc} for ${target}`);
          if (next() < 0.5 && iterator.freq() !== freqOf(expected)) throw new Error('freq');
          if (options.positions && next() < 0.5) {
            const read = Math.ceil(next() * expected.freq);
            for (let p = 0; p < read; p++) {
              if (iterator.nextPosition() !== expected.positions[p]) throw new Error('position');
            }
          }
          target = doc + 1 + Math.floor(next() * jump);
          if (next() < 0.3) {
            const following = list[at + 1]?.doc ?? NO_MORE_DOCS;
            if (iterator.nextDoc() !== following) throw new Error('next');
            if (following === NO_MORE_DOCS) break;
            target = Math.max(target, following + 1);
          }
        }
      }
    });
  });

  test('fill a set with what is left', () => {
    lists.forEach((list, i) => {
      for (const skip of [0, 1, Math.floor(list.length / 2), list.length]) {
        const iterator = terms.postings(i, 'docs');
        for (let n = 0; n < skip; n++) iterator.nextDoc();
        const set = new Bitset(DOCS);
        iterator.fill(set);
        expect(iterator.doc).toBe(NO_MORE_DOCS);
        expect(set.count()).toBe(list.length - skip);
        expect(list.slice(skip).every(({ doc }) => set.has(doc))).toBe(true);
      }
    });
  });

  test('know the bounds of each block', () => {
    lists.forEach((list, i) => {
      const iterator = terms.postings(i, 'freqs');
      const blocks = list.length < 128 ? [list] : chunks(list, 128);
      for (const block of [...blocks, blocks[0]!]) {
        const last = block.at(-1)!.doc;
        expect(iterator.blockEnd(block[0]!.doc)).toBe(last);
        const maxFreq = Math.max(...block.map(freqOf));
        if (maxFreq <= 127) expect(iterator.blockMaxFreq()).toBe(maxFreq);
        else expect(iterator.blockMaxFreq()).toBeGreaterThanOrEqual(maxFreq);
        const maxNorm = Math.max(...block.map(({ doc }) => norms[doc]!));
        expect(iterator.blockMaxNorm()).toBe(maxNorm);
      }
      expect(iterator.blockEnd(list.at(-1)!.doc + 1)).toBe(NO_MORE_DOCS);
      expect(iterator.doc).toBe(-1);
    });
  });
});

test('impacts of frequent terms are the best pairs of each block, and how many documents have each', () => {
  const next = repeatable(23);
  const norms = Uint8Array.from({ length: DOCS }, () => Math.floor(next() * 30));
  const lists = [
    randomList(next, 1000, 9, 5),
    randomList(next, 1024, 9, 5),
    randomList(next, 5003, 3, 200),
  ];
  for (const byDoc of [norms, null]) {
    const { terms } = dictionary(lists, { freqs: true, positions: false, norms: byDoc });
    // What is asked for once is not worth working out.
    expect(lists.map((_, i) => terms.impacts(i))).toEqual([null, null, null]);
    expect(terms.impacts(0)).toBeNull();
    for (const i of [1, 2]) {
      const list = lists[i]!;
      const { freqs, norms: normOf, counts, starts, pairs } = terms.impacts(i)!;
      const pairOf = ({ doc, freq }: Entry) => [
        decodeMaxFreq(encodeMaxFreq(freq)),
        byDoc === null ? 0 : byDoc[doc]!,
      ];
      const expected = chunks(list, 128).map((block) => {
        const all = block.map(pairOf);
        const best = all.filter(
          ([freq, norm]) =>
            !all.some(([f, n]) => f! >= freq! && n! >= norm! && (f! > freq! || n! > norm!)),
        );
        return new Set(best.map(String));
      });
      const found = expected.map(
        (_, block) =>
          new Set(
            Array.from(pairs.subarray(starts[block], starts[block + 1]), (pair) =>
              String([freqs[pair], normOf[pair]]),
            ),
          ),
      );
      expect(found).toEqual(expected);
      const counted = new Map<string, number>();
      for (const entry of list) {
        const pair = String(pairOf(entry));
        counted.set(pair, entry.freq > 127 ? 0 : (counted.get(pair) ?? 0) + 1);
      }
      expect(new Map(Array.from(counts, (n, k) => [String([freqs[k], normOf[k]]), n]))).toEqual(
        counted,
      );
      expect(terms.impacts(i)).toBe(terms.impacts(i));
    }
  }
});

test('postings beyond one block of storage are read in pieces', () => {
  const next = repeatable(5);
  const lists = [
    randomList(next, 100_000, 4, 9),
    randomList(next, 90, 9, 5),
    randomList(next, 60_000, 7, 3),
  ];
  const { terms, store } = dictionary(lists, { freqs: true, positions: true, norms: null });
  lists.forEach((list, i) => {
    const iterator = terms.postings(i, 'positions');
    for (const { doc, freq, positions } of list) {
      if (iterator.nextDoc() !== doc || iterator.freq() !== freq)
        throw new Error(`document ${doc}`);
      for (const position of positions) {
        if (iterator.nextPosition() !== position) throw new Error(`position in ${doc}`);
      }
    }
    expect(iterator.nextDoc()).toBe(NO_MORE_DOCS);
  });
  const before = store.reads;
  store.cache.clear('block');
  const iterator = terms.postings(0, 'freqs');
  expect(iterator.advance(lists[0]![99_000]!.doc)).toBe(lists[0]![99_000]!.doc);
  expect(iterator.freq()).toBe(lists[0]![99_000]!.freq);
  // Headers and one block of documents, not the whole list.
  expect(store.reads - before).toBeLessThan(5);
  expect(iterator.blockEnd(0)).toBe(lists[0]![127]!.doc);
});

test('the bound of frequencies is exact when small and never too low', () => {
  for (const freq of [1, 2, 127]) expect(decodeMaxFreq(encodeMaxFreq(freq))).toBe(freq);
  for (const freq of [128, 129, 255, 256, 257, 70_000, 2 ** 31 - 1]) {
    const bound = decodeMaxFreq(encodeMaxFreq(freq));
    expect(bound).toBeGreaterThanOrEqual(freq);
    expect(bound).toBeLessThan(freq * 2);
  }
});

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

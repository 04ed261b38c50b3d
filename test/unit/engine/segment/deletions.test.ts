import { applyDeletions, newlyDeletedRoots } from '../../../../engine/segment/read/deletions';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import type { CommittedSegment } from '../../../../storage/types';
import { MemorySegments } from '../../../support/memory-segments';
import { FIELDS } from '../../../support/segment-documents';

function segment(store: MemorySegments, roots: number, nestedEach: number): CommittedSegment {
  const builder = new SegmentBuilder();
  for (let i = 1; i <= roots; i++) {
    builder.beginDocument(i);
    for (let n = 0; n < nestedEach; n++) {
      builder.beginNested('a');
      builder.endNested();
    }
    builder.number(FIELDS.int, i);
    builder.endDocument();
  }
  return store.add(builder.finish());
}

describe('deletions', () => {
  test('write the chunks they change, and only those', () => {
    const store = new MemorySegments();
    const meta = segment(store, 100_000, 0);
    const first = applyDeletions(meta, store.open(meta), [5, 40_000, 99_999, 5], 7);
    expect(
      first.chunks.map(({ chunk, generation, bits }) => [chunk, generation, bits.length]),
    ).toEqual([
      [0, 7, 4096],
      [1, 7, 4096],
      [3, 7, Math.ceil((100_000 - 3 * 32_768) / 32) * 4],
    ]);
    expect(first.segment).toMatchObject({
      deletedCount: 3,
      deletedRootCount: 3,
      deletionChunks: [7, 7, 0, 7],
    });
    const bits = first.chunks[2]!.bits;
    expect(bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)).toBe(
      1,
    );
  });

  test('add up over generations and leave earlier ones as they were', () => {
    const store = new MemorySegments();
    const meta = segment(store, 70_000, 0);
    const second = store.delete(store.delete(meta, [1, 2], 3), [2, 69_999], 4);
    expect(second.deletionChunks).toEqual([3, 0, 4]);
    const reader = store.open(second);
    expect(reader.deletedCount).toBe(3);
    expect(reader.liveDocs!.count()).toBe(69_997);
    expect([0, 1, 2, 3, 69_999].map((doc) => reader.liveDocs!.has(doc))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(store.open(meta).liveDocs).toBeNull();
    const generations = [meta, store.delete(meta, [1, 2], 3), second].map(
      (m) => store.open(m).deletionGeneration,
    );
    expect(new Set(generations).size).toBe(3);
  });

  test('take nested documents along', () => {
    const store = new MemorySegments();
    const meta = store.delete(segment(store, 10, 2), [2, 29], 1);
    expect(meta).toMatchObject({
      docCount: 30,
      deletedCount: 6,
      rootCount: 10,
      deletedRootCount: 2,
    });
    const live = store.open(meta).liveDocs!;
    expect(live.has(2) || live.has(1) || live.has(0) || live.has(27)).toBe(false);
    expect(live.has(3) && live.has(26)).toBe(true);
  });

  test('of nothing new change nothing', () => {
    const store = new MemorySegments();
    const meta = store.delete(segment(store, 10, 0), [4], 1);
    expect(applyDeletions(meta, store.open(meta), [4], 2)).toEqual({ segment: meta, chunks: [] });
    expect(() => applyDeletions(meta, store.open(meta), [10], 2)).toThrow(RangeError);
  });

  test('that arrive during a merge can be told', () => {
    const store = new MemorySegments();
    const before = store.delete(segment(store, 10, 1), [3], 1);
    const after = store.delete(before, [7, 19], 2);
    expect(newlyDeletedRoots(store.open(before), store.open(after))).toEqual([7, 19]);
    expect(newlyDeletedRoots(store.open(after), store.open(after))).toEqual([]);
  });
});

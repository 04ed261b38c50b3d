// Parts that segments are not written with any more: those of segments that have them are still read.

import { Bitset } from '../../../../engine/segment/contract/bitset';
import type { ColumnDocs } from '../../../../engine/segment/columns/columns';
import { LAYOUT } from '../../../../engine/segment/format/format';
import { StoredNumbers } from '../../../../engine/segment/columns/number-column';
import { readOrdinals } from '../../../../engine/segment/columns/ordinal-column';
import { PartBuffer } from '../../../../engine/segment/format/part-buffer';

function entries(size: number, ...docs: number[]): ColumnDocs {
  const set = new Bitset(size);
  for (const doc of docs) set.add(doc);
  return { docs: set, count: docs.length, members: () => Uint32Array.from(docs) };
}

/** An ordinal column: width, layout, width of the counts, number of values, then bytes as they are. */
function ordinals(head: readonly [number, number, number, number], ...bytes: number[]): Uint8Array {
  const [width, layout, countWidth, values] = head;
  return Uint8Array.from([
    width,
    layout,
    countWidth,
    0,
    values,
    0,
    0,
    0,
    ...Array<number>(8).fill(0),
    ...bytes,
  ]);
}

describe('ordinal columns', () => {
  test('of one value a document, with a slot for each', () => {
    const bytes = ordinals([1, LAYOUT.dense, 0, 3], 2, 0, 1, 2);
    const found = readOrdinals(bytes, entries(4, 0, 2, 3), 4, 2);
    expect(found.offsets).toBeNull();
    expect([...found.ordinals]).toEqual([2, 0, 1, 2]);
  });

  test('of one value in few documents', () => {
    const bytes = ordinals([2, LAYOUT.compact, 0, 2], 0x2c, 0x01, 0x05, 0x00);
    const found = readOrdinals(bytes, entries(6, 1, 4), 6, 301);
    expect(found.offsets).toBeNull();
    expect([...found.ordinals]).toEqual([0, 301, 0, 0, 6, 0]);
  });

  test('of several values', () => {
    const values = [0, 2, 1, 7];
    const bytes = ordinals([1, LAYOUT.multi, 1, 4], ...values, 0, 0, 0, 0, 3, 1);
    const found = readOrdinals(bytes, entries(4, 1, 3), 4, 8);
    expect([...found.offsets!]).toEqual([0, 0, 3, 3, 4]);
    expect([...found.ordinals]).toEqual(values);
  });
});

describe('the order of numbers', () => {
  /** Bytes with `base` 0 of one value a document, and the order of those that are there. */
  function numbers(values: readonly number[], present: readonly number[], order: Uint8Array) {
    const out = new PartBuffer();
    out.u8(0);
    out.u8(LAYOUT.dense);
    out.u8(0);
    out.u8(0);
    out.u32(present.length);
    for (const bound of [0, Math.min(...values), Math.max(...values)]) out.f64(bound);
    out.array(Uint8Array.from(values));
    return new StoredNumbers(
      'int',
      Uint8Array.from(Buffer.concat([...out.drain()])),
      entries(values.length, ...present),
      values.length,
      {
        stored: () => order,
        keep: (_, compute) => compute(),
      },
    );
  }

  test('in bytes', () => {
    const order = Uint8Array.from([2, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0]);
    const column = numbers([5, 0, 9, 1], [0, 2, 3], order);
    expect([...column.sortedDocs()]).toEqual([3, 0, 2]);
    expect(column.rangeOf(2, 9)).toEqual([1, 3]);
  });

  test('that is the order of the documents', () => {
    const column = numbers([1, 0, 5, 9], [0, 2, 3], Uint8Array.from([0, 0, 0, 0, 3, 0, 0, 0]));
    expect([...column.sortedDocs()]).toEqual([0, 2, 3]);
  });
});

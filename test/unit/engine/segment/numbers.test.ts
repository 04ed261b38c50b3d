import type { NumericColumn } from '../../../../engine/segment/contract/reader';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import {
  compareDoubles,
  doubleKeys,
  sortedOrder,
} from '../../../../engine/segment/columns/number-order';
import { MemorySegments } from '../../../support/memory-segments';
import { repeatable } from '../../../support/repeatable';
import { indexedField } from '../../../support/indexed-field';
import type { FieldKind } from '../../../../engine/metadata/field';

/** A column of one value per document; undefined: none. */
function column(
  kind: FieldKind,
  values: readonly (number | bigint | undefined)[],
  indexed = true,
): NumericColumn {
  const target = indexedField(40, 'n', { kind, indexed });
  const builder = new SegmentBuilder();
  values.forEach((value, i) => {
    builder.beginDocument(i + 1);
    if (typeof value === 'bigint') builder.long(target, value);
    else if (value !== undefined) builder.number(target, value);
    builder.endDocument();
  });
  const store = new MemorySegments();
  return store.open(store.add(builder.finish())).numeric(40)!;
}

describe('numeric columns take the narrowest exact form', () => {
  test.each<[string, FieldKind, (number | bigint)[], string, number]>([
    ['few small integers', 'long', [1_000_000_000_000, 1_000_000_000_255], 'Uint8Array', 1e12],
    ['a range of 16 bits', 'int', [-300, 65_235], 'Uint16Array', -300],
    ['32-bit integers', 'int', [-(2 ** 31), 2 ** 31 - 1], 'Int32Array', 0],
    ['a range of 32 bits', 'long', [2 ** 40, 2 ** 40 + 2 ** 32 - 1], 'Uint32Array', 2 ** 40],
    ['safe integers', 'long', [-(2 ** 52), 2 ** 53 - 1], 'Float64Array', 0],
    ['integers in a double field', 'double', [3, 4, 5], 'Uint8Array', 3],
    ['floats', 'float', [0.1, 2.5], 'Float32Array', 0],
    ['doubles that are floats', 'double', [0.5, 1e10], 'Float32Array', 0],
    ['doubles', 'double', [0.1, 2.5], 'Float64Array', 0],
    ['a negative zero', 'double', [-0, 1], 'Float32Array', 0],
  ])('%s', (_, kind, values, type, base) => {
    const found = column(kind, values);
    expect(found.values.constructor.name).toBe(type);
    expect(found.base).toBe(base);
    expect(found.high).toBeNull();
    values.forEach((value, i) => {
      expect(found.valueAt(i)).toBe(kind === 'float' ? Math.fround(Number(value)) : Number(value));
    });
  });

  test('64-bit integers in two words', () => {
    const values = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, -1n, 0n];
    const found = column('long', values);
    expect(found.high).not.toBeNull();
    expect(values.map((_, i) => found.longAt(i))).toEqual(values);
    expect(found.rangeOf(2n ** 53n + 1n, 2n ** 53n + 1n)).toEqual([3, 4]);
    expect(found.rangeOf(2n ** 53n, 2n ** 53n)).toEqual([3, 3]);
    expect(found.rangeOf(-0.5, Infinity)).toEqual([2, 5]);
    expect(found.rangeOf(2n ** 63n, 2n ** 64n)).toEqual([0, 0]);
  });
});

describe('ranges', () => {
  test('tell -0 from 0 in doubles and not in integers', () => {
    const doubles = column('double', [0, -0, 0.5]);
    expect(doubles.rangeOf(0, 1)).toEqual([1, 3]);
    expect(doubles.rangeOf(-0, 1)).toEqual([0, 3]);
    expect(doubles.rangeOf(-1, -0)).toEqual([0, 1]);
    expect(column('int', [0, 5]).rangeOf(-3, -0)).toEqual([0, 1]);
  });

  test('leave out documents without a value, few or many', () => {
    for (const missing of [2, 10]) {
      const values = Array.from({ length: 100 }, (_, i) =>
        i % missing === 0 ? (i * 37) % 100 : undefined,
      );
      const found = column('int', values);
      const [from, to] = found.rangeOf(20, 60);
      const expected = values
        .flatMap((value, doc) =>
          value !== undefined && value >= 20 && value <= 60 ? [{ doc, value }] : [],
        )
        .sort((a, b) => a.value - b.value)
        .map(({ doc }) => doc);
      expect([...found.sortedDocs().subarray(from, to)]).toEqual(expected);
    }
  });

  test('work without a stored order', () => {
    const next = repeatable(3);
    const values = Array.from({ length: 300 }, () =>
      next() < 0.3 ? undefined : Math.floor(next() * 50),
    );
    const stored = column('long', values);
    const computed = column('long', values, false);
    expect(computed.sortedDocs()).toEqual(stored.sortedDocs());
    const longs = values.map((value) => (value === undefined ? undefined : BigInt(value) << 56n));
    expect(column('long', longs, false).sortedDocs()).toEqual(column('long', longs).sortedDocs());
  });

  test('ascending columns need no stored order', () => {
    const found = column('long', [5, undefined, 6, 6, 9]);
    expect(found.sortedDocs()).toEqual(Uint32Array.of(0, 2, 3, 4));
    expect(found.rangeOf(6, 8)).toEqual([1, 3]);
  });
});

test.each([10, 1000, 30_000])('%i doubles are put in order', (n) => {
  const next = repeatable(n);
  const values = Float64Array.from({ length: n }, () => {
    const dice = next();
    if (dice < 0.1) return [0, -0, Infinity, -Infinity, NaN, 5e-324][Math.floor(next() * 6)]!;
    return dice < 0.5
      ? Math.floor(next() * 100) - 50
      : (next() - 0.5) * 10 ** Math.floor(next() * 300);
  });
  const expected = Array.from(values.keys()).sort(
    (a, b) => compareDoubles(values[a]!, values[b]!) || a - b,
  );
  expect([...sortedOrder(doubleKeys(values))]).toEqual(expected);
});

// Writes numeric columns in the narrowest form that keeps every value exactly (docs/format-segments.md,
// "Numbers").

import { LAYOUT } from '../format/format';
import { countWidth, layoutFor, narrowed, writeArray, type DocValues } from './columns';
import { PartBuffer } from '../format/part-buffer';
import { compareDoubles } from './number-order';
import type { StepClock } from '../format/steps';

export const NUMBER_ENCODING = { u8: 0, u16: 1, i32: 2, u32: 3, f32: 4, f64: 5, words: 6 } as const;

type NumberEncoding = (typeof NUMBER_ENCODING)[keyof typeof NUMBER_ENCODING];

/** Values by document, ascending and distinct within a document; bigint where doubles are not exact. */
export interface NumberValues extends DocValues {
  readonly values: Float64Array | BigInt64Array;
}

/** Encodes a column. */
export function* writeNumbers(
  input: NumberValues,
  docCount: number,
  turns: StepClock,
): Generator<void, PartBuffer> {
  const values = exactDoubles(input.values);
  const layout = layoutFor(input.docs, values.length, docCount);
  const column = new PartBuffer();
  const { encoding, base, min, max } =
    values instanceof BigInt64Array ? wordsEncoding(values) : chooseEncoding(values);
  if (turns.over()) yield;
  const width = layout === LAYOUT.multi ? countWidth(input.counts) : 0;
  column.u8(encoding);
  column.u8(layout);
  column.u8(width);
  column.u8(0);
  column.u32(values.length);
  column.f64(base);
  column.f64(min);
  column.f64(max);
  const slots = layout === LAYOUT.dense ? docCount : values.length;
  const slotOf = (i: number): number => (layout === LAYOUT.dense ? input.docs[i]! : i);
  if (values instanceof BigInt64Array) {
    const high = new Int32Array(slots);
    const low = new Uint32Array(slots);
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let i = 0; i < values.length; i++) {
      low[slotOf(i)] = words[2 * i]!;
      high[slotOf(i)] = words[2 * i + 1]!;
    }
    writeArray(column, high);
    writeArray(column, low);
  } else {
    const stored = numberArray(encoding, slots);
    for (let i = 0; i < values.length; i++) {
      stored[slotOf(i)] = base === 0 ? values[i]! : values[i]! - base;
    }
    writeArray(column, stored);
  }
  if (width !== 0) writeArray(column, narrowed(input.counts, width));
  return column;
}

/** A zeroed array for values of an encoding (not {@link NUMBER_ENCODING.words}). */
export function numberArray(
  encoding: number,
  length: number,
): Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array {
  switch (encoding) {
    case NUMBER_ENCODING.u8:
      return new Uint8Array(length);
    case NUMBER_ENCODING.u16:
      return new Uint16Array(length);
    case NUMBER_ENCODING.i32:
      return new Int32Array(length);
    case NUMBER_ENCODING.u32:
      return new Uint32Array(length);
    case NUMBER_ENCODING.f32:
      return new Float32Array(length);
    default:
      return new Float64Array(length);
  }
}

interface Encoding {
  readonly encoding: NumberEncoding;
  readonly base: number;
  readonly min: number;
  readonly max: number;
}

/** 64-bit integers become doubles again when all of them are exact as such. */
function exactDoubles(values: Float64Array | BigInt64Array): Float64Array | BigInt64Array {
  if (values instanceof Float64Array) return values;
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  for (let i = 0; i < values.length; i++) {
    if (values[i]! > limit || values[i]! < -limit) return values;
  }
  return Float64Array.from(values, Number);
}

function wordsEncoding(values: BigInt64Array): Encoding {
  let min = values[0]!;
  let max = min;
  for (let i = 1; i < values.length; i++) {
    if (values[i]! < min) min = values[i]!;
    if (values[i]! > max) max = values[i]!;
  }
  return { encoding: NUMBER_ENCODING.words, base: 0, min: Number(min), max: Number(max) };
}

function chooseEncoding(values: Float64Array): Encoding {
  let min = values[0]!;
  let max = min;
  let integers = true;
  let floats = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (compareDoubles(value, min) < 0) min = value;
    if (compareDoubles(value, max) > 0) max = value;
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) integers = false;
    if (!Object.is(Math.fround(value), value)) floats = false;
  }
  if (integers) {
    const range = max - min;
    if (range <= 0xff) return { encoding: NUMBER_ENCODING.u8, base: min, min, max };
    if (range <= 0xffff) return { encoding: NUMBER_ENCODING.u16, base: min, min, max };
    if (min >= -(2 ** 31) && max < 2 ** 31) {
      return { encoding: NUMBER_ENCODING.i32, base: 0, min, max };
    }
    if (range <= 0xffffffff) return { encoding: NUMBER_ENCODING.u32, base: min, min, max };
  }
  const encoding = floats ? NUMBER_ENCODING.f32 : NUMBER_ENCODING.f64;
  return { encoding, base: 0, min, max };
}

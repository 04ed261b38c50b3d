// What all numbers of documents add up to. Hot: visits every value of every document in scope.

import type { Bitset } from '../segment/index';
import type { NumberReader } from './number-reader';
import { Windows } from './windows';

/** Sums and extremes of numbers. Plain data. */
export interface NumberSums {
  readonly count: number;
  readonly total: number;
  readonly sumOfSquares: number;
  /** Infinity and -Infinity where there are no numbers. */
  readonly min: number;
  readonly max: number;
}

/** The sums of nothing. */
export const NO_NUMBERS: NumberSums = {
  count: 0,
  total: 0,
  sumOfSquares: 0,
  min: Infinity,
  max: -Infinity,
};

/** Both together. */
export function sumOf(a: NumberSums, b: NumberSums): NumberSums {
  return {
    count: a.count + b.count,
    total: a.total + b.total,
    sumOfSquares: a.sumOfSquares + b.sumOfSquares,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
}

/** Adds the numbers of documents, in document order. */
export function foldNumbers(sums: NumberSums, reader: NumberReader, docs: Bitset): NumberSums {
  const { words } = docs;
  const windows = new Windows(words);
  while (windows.next()) {
    const { from, to } = windows;
    reader.load(words, from, to);
    sums =
      reader.offsets === null
        ? foldSingle(sums, reader, words, from, to)
        : foldSeveral(sums, reader, reader.offsets, words, from, to);
  }
  return sums;
}

function foldSingle(
  sums: NumberSums,
  { values, present }: NumberReader,
  words: Uint32Array,
  from: number,
  to: number,
): NumberSums {
  let { count, total, sumOfSquares, min, max } = sums;
  for (let w = from; w < to; w++) {
    const last = ((w - from) << 5) + 31;
    let word = words[w]!;
    if (present !== null) word &= present[w]!;
    while (word !== 0) {
      const bit = word & -word;
      word ^= bit;
      const value = values[last - Math.clz32(bit)]!;
      count++;
      total += value;
      sumOfSquares += value * value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return { count, total, sumOfSquares, min, max };
}

function foldSeveral(
  sums: NumberSums,
  { values, firstValue }: NumberReader,
  offsets: Uint32Array,
  words: Uint32Array,
  from: number,
  to: number,
): NumberSums {
  let { count, total, sumOfSquares, min, max } = sums;
  for (let w = from; w < to; w++) {
    let word = words[w]!;
    while (word !== 0) {
      const bit = word & -word;
      word ^= bit;
      const doc = (w << 5) + 31 - Math.clz32(bit);
      const end = offsets[doc + 1]! - firstValue;
      for (let i = offsets[doc]! - firstValue; i < end; i++) {
        const value = values[i]!;
        count++;
        total += value;
        sumOfSquares += value * value;
        if (value < min) min = value;
        if (value > max) max = value;
      }
    }
  }
  return { count, total, sumOfSquares, min, max };
}

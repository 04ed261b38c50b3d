// The ascending order of numbers as a permutation: a stable radix sort over 32-bit keys.

/** Sorts below this size by insertion, above by digits of 8 bits, from LARGE on by digits of 11. */
const SMALL = 48;
const LARGE = 20_000;

/** 64-bit numbers as order-preserving unsigned words; `high` null: 32 bits are enough. */
export interface SortKeys {
  readonly low: Uint32Array;
  readonly high: Uint32Array | null;
}

/** The permutation that sorts the keys; equal keys keep their order. */
export function sortedOrder(keys: SortKeys): Uint32Array {
  const { low, high } = keys;
  const n = low.length;
  let order: Uint32Array = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  if (n <= SMALL) {
    insertionSort(order, low, high);
    return order;
  }
  let spare: Uint32Array = new Uint32Array(n);
  const bits = n >= LARGE ? 11 : 8;
  for (const words of high === null ? [low] : [low, high]) {
    for (let shift = 0; shift < 32; shift += bits) {
      const digitBits = Math.min(bits, 32 - shift);
      if (!radixPass(words, order, spare, shift, digitBits)) continue;
      [order, spare] = [spare, order];
    }
  }
  return order;
}

/** One stable pass by a digit; false when all digits are equal and nothing was moved. */
function radixPass(
  words: Uint32Array,
  from: Uint32Array,
  to: Uint32Array,
  shift: number,
  bits: number,
): boolean {
  const n = from.length;
  const mask = (1 << bits) - 1;
  const starts = new Uint32Array(mask + 1);
  for (let i = 0; i < n; i++) starts[(words[i]! >>> shift) & mask]!++;
  if (starts[(words[0]! >>> shift) & mask] === n) return false;
  let sum = 0;
  for (let digit = 0; digit <= mask; digit++) {
    const count = starts[digit]!;
    starts[digit] = sum;
    sum += count;
  }
  for (let i = 0; i < n; i++) {
    const item = from[i]!;
    to[starts[(words[item]! >>> shift) & mask]!++] = item;
  }
  return true;
}

function insertionSort(order: Uint32Array, low: Uint32Array, high: Uint32Array | null): void {
  for (let i = 1; i < order.length; i++) {
    const item = order[i]!;
    let j = i - 1;
    for (; j >= 0; j--) {
      const other = order[j]!;
      const above =
        high === null || high[other] === high[item]
          ? low[other]! > low[item]!
          : high[other]! > high[item]!;
      if (!above) break;
      order[j + 1] = other;
    }
    order[j + 1] = item;
  }
}

/**
 * Keys of doubles: ascending as the reference orders them, -0 before 0 and NaN last.
 */
export function doubleKeys(values: Float64Array): SortKeys {
  const n = values.length;
  const words = new Uint32Array(values.buffer, values.byteOffset, n * 2);
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const top = words[2 * i + 1]!;
    // Negative numbers descend with their bits: flip all of them; else only the sign.
    const flip = top >>> 31 === 1 ? 0xffffffff : 0;
    low[i] = words[2 * i]! ^ flip;
    high[i] = top ^ (flip | 0x80000000);
  }
  return { low, high };
}

/** Compares as {@link doubleKeys} orders: by bits for zeros, NaN above everything. */
export function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) {
    if (a !== 0) return 0;
    return (Object.is(a, -0) ? 0 : 1) - (Object.is(b, -0) ? 0 : 1);
  }
  return (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0);
}

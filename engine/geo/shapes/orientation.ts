// On which side of a line a point is, exactly: a cell whose corner lies on an edge touches it, and no
// rounding may decide otherwise.

import { leastOf } from '../../common/index';

/** Rounding errors of the determinant are smaller than this share of its parts. */
const ERROR_SHARE = (3 + 16 * Number.EPSILON) * (Number.EPSILON / 2);

/** Above 0 where c is left of the line from a to b, below 0 where it is right of it, 0 on it. */
export function orientation(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const difference = left - right;
  const bound = ERROR_SHARE * (Math.abs(left) + Math.abs(right));
  if (difference > bound || -difference > bound) return difference;
  if (left === 0 && right === 0) return 0;
  return exactOrientation([ax, ay, bx, by, cx, cy]);
}

const view = new DataView(new ArrayBuffer(8));
const FRACTION = (1n << 52n) - 1n;

/** The same in integers: all coordinates times the power of two that makes every one an integer. */
function exactOrientation(coordinates: readonly number[]): number {
  const scaled = coordinates.map(partsOf);
  const least = leastOf(scaled.map(({ exponent }) => exponent));
  const [ax, ay, bx, by, cx, cy] = scaled.map(
    ({ mantissa, exponent }) => mantissa << BigInt(exponent - least),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint];
  const sign = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx);
  return sign > 0n ? 1 : sign < 0n ? -1 : 0;
}

/**
 * A finite number as mantissa * 2 ** exponent. Zero has the largest exponent, so that it scales no others.
 */
function partsOf(value: number): { mantissa: bigint; exponent: number } {
  if (value === 0) return { mantissa: 0n, exponent: 1024 };
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const size = (bits & FRACTION) | (biased === 0 ? 0n : 1n << 52n);
  return { mantissa: value < 0 ? -size : size, exponent: Math.max(biased, 1) - 1075 };
}

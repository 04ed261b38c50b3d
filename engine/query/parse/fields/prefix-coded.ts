// Numbers as the terms that the reference indexes them by: what its texts of queries show.

import type { FieldKind } from '../../../metadata/index';

const FLOAT = new Float32Array(1);
const FLOAT_BITS = new Int32Array(FLOAT.buffer);
const DOUBLE = new Float64Array(1);
const DOUBLE_BITS = new BigInt64Array(DOUBLE.buffer);

/** The term of a number: seven bits in a character, behind one that tells the width. */
export function prefixCoded(value: number | bigint, kind: FieldKind): string {
  switch (kind) {
    case 'long':
      return coded(' ', BigInt(value), 64);
    case 'double': {
      DOUBLE[0] = Number(value);
      const bits = DOUBLE_BITS[0] ?? 0n;
      return coded(' ', bits ^ ((bits >> 63n) & 0x7fffffffffffffffn), 64);
    }
    case 'float': {
      FLOAT[0] = Number(value);
      const bits = FLOAT_BITS[0] ?? 0;
      return coded('`', BigInt(bits ^ ((bits >> 31) & 0x7fffffff)), 32);
    }
    case 'int':
    case 'string':
    case 'geo':
      return coded('`', BigInt(value), 32);
  }
}

function coded(width: string, value: bigint, bits: number): string {
  let rest = BigInt.asUintN(bits, value) ^ (1n << BigInt(bits - 1));
  let text = '';
  for (let left = bits; left > 0; left -= 7) {
    text = String.fromCharCode(Number(rest & 0x7fn)) + text;
    rest >>= 7n;
  }
  return width + text;
}

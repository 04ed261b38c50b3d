// The texts that settings hold, read as booleans, sizes and numbers.

import { ordinaryBoolean } from '../common/index';

/** False for an absent setting and for `false`, `0`, `off`, `no`; true for any other text. */
export function isTrueSetting(value: string | readonly string[] | undefined): boolean {
  return typeof value === 'string' && ordinaryBoolean(value);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const INTEGER = /^[+-]?\d+$/;

const SIZE_UNITS: readonly (readonly [suffix: RegExp, bytes: number])[] = [
  [/k(i?b)?$/i, 2 ** 10],
  [/m(i?b)?$/i, 2 ** 20],
  [/g(i?b)?$/i, 2 ** 30],
  [/t(i?b)?$/i, 2 ** 40],
  [/p(i?b)?$/i, 2 ** 50],
];

/** A size such as `512mb`, `1.5g`, `4kib` or `100` in bytes, or null when it cannot be read. */
export function parseBytes(size: string): number | null {
  const text = size.trim();
  for (const [suffix, bytes] of SIZE_UNITS) {
    if (!suffix.test(text)) continue;
    const count = text.replace(suffix, '');
    return DECIMAL.test(count) ? Math.trunc(Number(count) * bytes) : null;
  }
  return parseInteger(text.replace(/b$/i, ''));
}

/** A decimal number, or null. */
export function parseDecimal(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null;
}

/** A whole 32-bit number, or null. */
export function parseInt32(text: string): number | null {
  const value = parseInteger(text);
  return value !== null && value === (value | 0) ? value : null;
}

function parseInteger(text: string): number | null {
  return INTEGER.test(text) ? Number(text) : null;
}

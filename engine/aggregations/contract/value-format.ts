// How the values of a field are shown as text: numbers by a pattern, dates by a format, addresses (reference
// server).

import { checkDecimalPattern, formatDecimal } from '../../common/index';
import { formatDouble } from '../../json/index';
import { dateFormat, DEFAULT_DATE_FORMAT, type MappedField } from '../../mapping/index';

/** Plain data; `raw` shows no texts of its own. */
export type ValueFormat =
  | { readonly kind: 'raw' }
  | { readonly kind: 'number'; readonly pattern: string }
  | { readonly kind: 'date'; readonly pattern: string }
  | { readonly kind: 'ip' };

export const RAW: ValueFormat = { kind: 'raw' };

/** The format of a field. @param asked the one that the request names, or null */
export function formatOf(mapped: MappedField | null, asked: string | null): ValueFormat {
  switch (mapped?.type) {
    case 'date':
      return { kind: 'date', pattern: asked ?? mapped.format ?? DEFAULT_DATE_FORMAT };
    case 'ip':
      return { kind: 'ip' };
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
    case 'token_count':
    case 'murmur3':
      return asked === null ? RAW : numberPattern(asked);
    case 'meta':
      // `_timestamp` is a date, and other metadata may be numbers.
      if (mapped.format !== null) return { kind: 'date', pattern: asked ?? mapped.format };
      return asked === null || mapped.field?.kind === 'string' ? RAW : numberPattern(asked);
    case 'binary':
    case 'boolean':
    case 'completion':
    case 'geo_point':
    case 'geo_shape':
    case 'nested':
    case 'object':
    case 'string':
    case undefined:
      return RAW;
  }
}

/** @throws EngineError IllegalArgumentException (400) for what is no pattern */
function numberPattern(pattern: string): ValueFormat {
  checkDecimalPattern(pattern);
  return { kind: 'number', pattern };
}

/** A value as text. */
export function formatValue(format: ValueFormat, value: number): string {
  switch (format.kind) {
    case 'raw':
      return formatDouble(value);
    case 'number':
      return formatDecimal(format.pattern, value);
    case 'date':
      return dateFormat(format.pattern).print(wholeOf(value));
    case 'ip':
      return addressOf(value);
  }
}

const LARGEST_LONG = 2 ** 63;

/** Without its fraction, within 64 bits; what is no number is 0 (Java). */
function wholeOf(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.trunc(Math.min(LARGEST_LONG, Math.max(-LARGEST_LONG, value)));
}

/** An IPv4 address; what is no address goes on counting (reference server). */
function addressOf(value: number): string {
  const n = BigInt.asIntN(64, BigInt(wholeOf(value)) - (value >= LARGEST_LONG ? 1n : 0n));
  return [24n, 16n, 8n, 0n].map((shift) => (n >> shift) % 256n).join('.');
}

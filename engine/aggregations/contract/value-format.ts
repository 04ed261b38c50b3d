// How the values of a field are shown as text: numbers by a pattern, dates by a format, addresses (reference
// server).

import { formatDecimal } from '../../common/index';
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
      return asked === null ? RAW : { kind: 'number', pattern: asked };
    case 'binary':
    case 'boolean':
    case 'completion':
    case 'geo_point':
    case 'geo_shape':
    case 'meta':
    case 'nested':
    case 'object':
    case 'string':
    case undefined:
      return RAW;
  }
}

/** A value as text. */
export function formatValue(format: ValueFormat, value: number): string {
  switch (format.kind) {
    case 'raw':
      return formatDouble(value);
    case 'number':
      return formatDecimal(format.pattern, value);
    case 'date':
      return dateFormat(format.pattern).print(Math.trunc(value));
    case 'ip':
      return addressOf(value);
  }
}

/** An IPv4 address; what is no address goes on counting (reference server). */
function addressOf(value: number): string {
  const n = BigInt(Math.trunc(value));
  const part = (shift: bigint) => Number((n >> shift) & 0xffn);
  return [24n, 16n, 8n, 0n].map(part).join('.');
}

// Values of stored fields as the reference would have stored them: by their type, not as spelled.

import type { LogRecord } from '../../storage/index';
import { Double, Float, JsonNumber, type JsonOutput, type JsonLeaf } from '../json/index';
import type { MappedTypeName } from './fields/mapped-field';

const FALSE_TEXTS: ReadonlySet<string> = new Set(['false', 'off', 'no', '0', '']);

/** A source value as a stored field of this type gives it back; as it is where it does not fit. */
export function storedValue(value: JsonLeaf, type: MappedTypeName): JsonOutput {
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'token_count':
      return integerValue(value);
    case 'float': {
      const number = decimal(value);
      return number === null ? value : new Float(number);
    }
    case 'double': {
      const number = decimal(value);
      return number === null ? value : new Double(number);
    }
    case 'boolean':
      return booleanValue(value);
    case 'string':
      return String(value);
    case 'binary':
    case 'completion':
    case 'date':
    case 'geo_point':
    case 'geo_shape':
    case 'ip':
    case 'meta':
    case 'murmur3':
    case 'nested':
    case 'object':
      return value;
  }
}

function integerValue(value: JsonLeaf): JsonOutput {
  const text = String(value);
  if (/^[+-]?\d+$/.test(text)) return BigInt(text.startsWith('+') ? text.slice(1) : text);
  const number = decimal(value);
  return number === null ? value : Math.trunc(number);
}

function decimal(value: JsonLeaf): number | null {
  if (value instanceof JsonNumber) return value.value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

function booleanValue(value: JsonLeaf): boolean {
  if (typeof value === 'boolean') return value;
  return value instanceof JsonNumber ? value.value !== 0 : !FALSE_TEXTS.has(value);
}

/** Metadata that is kept with a document. */
export type MetadataField = '_routing' | '_parent' | '_timestamp' | '_ttl' | '_size';

/**
 * Metadata of a document as `fields` returns it; null when it has none.
 *
 * @param now epoch milliseconds
 */
export function metadataValue(
  name: MetadataField,
  record: LogRecord,
  now: number,
): string | number | null {
  switch (name) {
    case '_routing':
      return record.routing;
    case '_parent':
      return record.parent;
    case '_timestamp':
      return record.timestamp;
    case '_ttl':
      return record.expiry === null ? null : record.expiry - now;
    case '_size':
      return record.source.length;
  }
}

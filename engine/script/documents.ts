// What scripts read of documents beside columns: `_source` and stored fields, both from the log record.

import {
  JsonNumber,
  type JsonObject,
  type JsonOutput,
  decodeUtf8,
  parseJsonObject,
  extractValues,
  filterSource,
  type SourceFilter,
  writeJson,
} from '../json/index';
import { storedValue } from '../mapping/index';
import type { LogRecord } from '../../storage/index';
import type { ScriptField } from './doc-fields';
import { fromJson, objectFromJson, type ScriptMap, type ScriptValue } from './values';

/** The source as the mapping lets it be seen; empty where it is disabled. */
export function visibleSource(
  record: LogRecord,
  mapped: ReadonlyMap<string, SourceFilter>,
): ScriptMap {
  const filter = mapped.get(record.type) ?? true;
  if (filter === false) return new Map<string, ScriptValue>();
  return objectFromJson(
    parsed(filter === true ? record.source : filterSource(record.source, filter)),
  );
}

/** Values of a stored field of a document. */
export function storedValues(record: LogRecord, field: ScriptField): readonly ScriptValue[] {
  if (!field.stored) return [];
  if (field.type === 'meta') {
    const value = metadataOf(record, field.name);
    return value === null ? [] : [value];
  }
  const values = extractValues(parsed(record.source), field.path);
  return values.map((value) => fromOutput(storedValue(value, field.type)));
}

function parsed(source: Buffer): JsonObject {
  return parseJsonObject(decodeUtf8(source), Infinity);
}

function metadataOf(record: LogRecord, name: string): ScriptValue {
  switch (name) {
    case '_uid':
      return `${record.type}#${record.id}`;
    case '_type':
      return record.type;
    case '_routing':
      return record.routing;
    case '_parent':
      return record.parent;
    case '_timestamp':
      return record.timestamp === null ? null : BigInt(record.timestamp);
    default:
      return null;
  }
}

/** By way of its text, which tells integers from decimals. */
function fromOutput(value: JsonOutput): ScriptValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return fromJson(new JsonNumber(writeJson(value)));
}

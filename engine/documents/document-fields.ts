// The `fields` of get requests and updates: values of a stored document by name.

import { illegalArgument, NoLeaf } from '../errors';
import {
  type JsonObject,
  type JsonOutput,
  decodeUtf8,
  parseJsonObject,
  parseSource,
  extractValue,
  extractValues,
  filterSource,
} from '../json/index';
import {
  type IndexMapping,
  metadataValue,
  storedValue,
  type MetadataField,
} from '../mapping/index';
import type { LogRecord } from '../../storage/index';

/** Metadata members of a document that `fields` returns as plain values. */
const SCALAR_FIELDS: ReadonlyMap<string, MetadataField> = new Map(
  (['_routing', '_parent', '_timestamp', '_ttl'] as const).map((name) => [name, name]),
);
/** Names that `fields` never returns. */
const SILENT_FIELDS = new Set(['_id', '_type', '_index', '_uid', '_version', '_all', '_source']);

/** Names that are looked up for one document. */
const MAX_NAMES = 10_000;

/**
 * What `fields` of a get request returns, by name; undefined when there is nothing.
 *
 * @param now epoch milliseconds
 * @throws EngineError ElasticsearchIllegalArgumentException for objects and for too many names
 */
export function documentFields(
  mapping: IndexMapping,
  record: LogRecord,
  names: readonly string[],
  now: number,
): ReadonlyMap<string, JsonOutput> | undefined {
  if (names.length > MAX_NAMES) {
    throw illegalArgument(`request has more than [${MAX_NAMES}] names of fields of a document`);
  }
  const fields = new Map<string, JsonOutput>();
  let document: JsonObject | null = null;
  for (const name of new Set(names)) {
    if (SILENT_FIELDS.has(name)) continue;
    const metadata = SCALAR_FIELDS.get(name);
    if (metadata !== undefined) {
      if (name === '_timestamp' && !isStored(mapping, name, record.type)) continue;
      const value = metadataValue(metadata, record, now);
      if (value !== null) fields.set(name, value);
      continue;
    }
    const match = mapping.find(name, [record.type]);
    if (match === null && mapping.nestedObject(name, [record.type]) !== null) {
      throw new NoLeaf(name);
    }
    // compat: what is not mapped is not looked for in the source.
    if (match === null) continue;
    // Once for all names: a document may be long.
    document ??= parseSource(visibleSource(mapping, record));
    const values = extractValues(document, match.mapped.path);
    if (values.length === 0) continue;
    const stored = match.mapped.store ? match.mapped : null;
    fields.set(
      name,
      stored === null ? values : values.map((value) => storedValue(value, stored.type)),
    );
  }
  return fields.size === 0 ? undefined : fields;
}

/**
 * The `fields` of an update's answer: what the document holds there, once more in a list. Metadata is not
 * known there.
 */
export function updatedFields(
  source: Buffer,
  names: readonly string[],
): ReadonlyMap<string, JsonOutput> | undefined {
  const document = parseJsonObject(decodeUtf8(source));
  const fields = new Map<string, JsonOutput>();
  for (const name of names) {
    const value = name === '_source' ? null : extractValue(document, name);
    if (value !== null) fields.set(name, [value]);
  }
  return fields.size === 0 ? undefined : fields;
}

/** The members a type's mapping leaves of `_source` when it is read. */
export function visibleSource(mapping: IndexMapping, record: LogRecord): Buffer {
  const filter = mapping.sourceFilter(record.type);
  return filter === true || filter === false ? record.source : filterSource(record.source, filter);
}

function isStored(mapping: IndexMapping, field: string, type: string): boolean {
  return mapping.find(field, [type])?.mapped.store === true;
}

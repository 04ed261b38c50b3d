// Which values of a document its terms are made of (reference server): those that its fields take in, or, for
// fields that keep no term vectors, those at their path in the source.

import { documentFields } from './document-fields';
import {
  compileMapping,
  DroppingSink,
  mergeDynamic,
  VALIDATE_ONLY,
  type DocumentEnvelope,
  type IndexedField,
  type IndexMapping,
  type MappedField,
} from '../mapping/index';
import { EngineError } from '../errors';
import { JsonNumber, type JsonOutput } from '../json/index';
import type { IndexMetadata } from '../metadata/index';
import type { WritableIndex } from '../shard/index';
import type { LogRecord } from '../../storage/index';

/** The texts of fields of one document, by the names of their fields in the index. */
export type FieldTexts = Map<string, { readonly mapped: MappedField; readonly texts: string[] }>;

/** What a document that is not in the index has besides its body. */
const NO_ENVELOPE: DocumentEnvelope = {
  id: '',
  routing: null,
  parent: null,
  timestamp: null,
  expiry: null,
};

/** Whether a field can have terms that are shown. */
export function hasTerms(mapped: MappedField | undefined): mapped is MappedField {
  return mapped?.type === 'string' && mapped.field?.indexed === true;
}

/** The text fields of a type by their names in the index. */
function textFields(mapping: IndexMapping, type: string): ReadonlyMap<string, MappedField> {
  const fields = new Map<string, MappedField>();
  for (const mapped of mapping.match('*', [type])) {
    if (hasTerms(mapped)) fields.set(mapped.indexName, mapped);
  }
  return fields;
}

/**
 * What the text fields of a document take in, nested objects apart.
 *
 * @throws EngineError MapperParsingException and the like for a document that could not be indexed
 */
export function indexedTexts(mapping: IndexMapping, type: string, source: Buffer): FieldTexts {
  const fields = textFields(mapping, type);
  const sink = new TextSink(fields);
  const outcome = mapping.documentMapper(type)?.parse(source, NO_ENVELOPE, sink);
  if (outcome?.error != null) throw outcome.error;
  return sink.found;
}

/**
 * The mapping of an index with what a document would add to it. Nothing is changed.
 *
 * @throws EngineError for a document that could not be indexed
 */
export function mappingFor(
  indexService: WritableIndex,
  metadata: IndexMetadata,
  type: string,
  source: Buffer,
): IndexMapping {
  const analysis = indexService.analysis(metadata);
  const limits = indexService.mappingLimits;
  let mapping = indexService.mapping(metadata);
  let next = metadata;
  if (mapping.documentMapper(type) === null) {
    next = mergeDynamic(next, type, new Map(), analysis, limits);
    mapping = compileMapping(next, analysis, limits);
  }
  const outcome = mapping.documentMapper(type)!.parse(source, NO_ENVELOPE, VALIDATE_ONLY);
  if (outcome.error !== null) throw outcome.error;
  if (outcome.mappingUpdate === null) return mapping;
  next = mergeDynamic(next, type, outcome.mappingUpdate, analysis, limits);
  return compileMapping(next, analysis, limits);
}

/** The texts at the path of a field in the source of a stored document; empty: none. */
export function sourceTexts(
  mapping: IndexMapping,
  record: LogRecord,
  name: string,
  now: number,
): string[] {
  const values = valuesAt(mapping, record, name, now);
  if (values.length > 0) return values;
  // A multi-field's values are those of the field it belongs to.
  const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const isText = hasTerms(mapping.find(parent, [record.type])?.mapped);
  return isText ? valuesAt(mapping, record, parent, now) : [];
}

function valuesAt(mapping: IndexMapping, record: LogRecord, name: string, now: number): string[] {
  const values = documentFields(mapping, record, [name], now)?.get(name);
  const list: readonly JsonOutput[] = Array.isArray(values) ? (values as JsonOutput[]) : [];
  return list.flatMap((value) => {
    if (typeof value === 'string') return [value];
    if (value instanceof JsonNumber) return [value.text];
    return typeof value === 'boolean' || typeof value === 'number' ? [String(value)] : [];
  });
}

/** Keeps the texts of root fields. */
class TextSink extends DroppingSink {
  readonly found: FieldTexts = new Map();
  private depth = 0;

  constructor(private readonly fields: ReadonlyMap<string, MappedField>) {
    super();
  }

  override text(field: IndexedField, value: string): void {
    if (this.depth > 0) return;
    const known = this.found.get(field.name);
    if (known !== undefined) {
      known.texts.push(value);
      return;
    }
    const mapped = this.fields.get(field.name);
    if (mapped !== undefined) this.found.set(field.name, { mapped, texts: [value] });
  }

  override beginNested(): void {
    this.depth++;
  }

  override endNested(): void {
    this.depth--;
  }
}

/** 500: a document that is not in the index cannot be read. */
export function unreadableDocument(cause: unknown): EngineError {
  return new EngineError('ElasticsearchException', 'failed to execute term vector request', {
    cause,
  });
}

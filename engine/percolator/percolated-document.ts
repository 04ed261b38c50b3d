// The document that is tried, as a segment in memory: what it adds to the mapping is added first, as if it
// were stored (reference server).

import { Slices } from '../common/index';
import { illegalArgument } from '../errors';
import {
  decodeUtf8,
  JsonNumber,
  parseJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/index';
import { VALIDATE_ONLY, type DocumentEnvelope, type IndexMapping } from '../mapping/index';
import { validateTypeName, type IndexMetadata } from '../metadata/index';
import { SegmentBuilder, type MemorySegment, type MemorySegments } from '../segment/index';
import type { IndexService } from '../shard/index';

/** The one document of a segment. */
const SEQUENCE = 1;

/** An index as documents are read for it. */
export interface DocumentReading {
  readonly index: IndexMetadata;
  readonly mapping: IndexMapping;
}

/** A document by the mapping of an index, to be closed when it was tried. */
export interface PercolatedDocument extends DocumentReading {
  readonly segment: MemorySegment;
  /** Its own number; those before are its nested documents. */
  readonly root: number;
  readonly type: string;
  readonly source: Buffer;
}

/** Adds fields to the mapping of a type, and the type if it is missing. @returns the changed index */
export type AddFields = (
  indexService: IndexService,
  type: string,
  update: JsonObject,
) => Promise<IndexMetadata>;

/** How often a mapping is changed for one document: others may change it meanwhile. */
const MAX_CHANGES = 10;

/**
 * Reads a document as one of `type`.
 *
 * @param now epoch milliseconds, its timestamp
 * @throws EngineError when it does not fit the mapping, or the mapping may not have what it adds
 */
export async function openDocument(
  source: Buffer,
  type: string,
  start: DocumentReading,
  indexService: IndexService,
  segments: MemorySegments,
  addFields: AddFields,
  now: number,
): Promise<PercolatedDocument> {
  validateTypeName(type);
  const envelope = { id: idOf(source), routing: null, parent: null, timestamp: now, expiry: null };
  const reading = await mapped(source, type, envelope, start, indexService, addFields);
  // Others get a turn between the parts, each of which may take some ten milliseconds.
  const slices = new Slices(1);
  const turn = async () => {
    if (slices.isOver()) await slices.next();
  };
  const builder = new SegmentBuilder();
  await turn();
  builder.beginDocument(SEQUENCE);
  const outcome = reading.mapping.documentMapper(type)!.parse(source, envelope, builder);
  if (outcome.error !== null) throw outcome.error;
  await turn();
  builder.endDocument();
  await turn();
  const root = builder.docCount - 1;
  const record = { op: 'index', type, version: 1, supersedes: 0, source, ...envelope } as const;
  const segment = segments.open(builder.finish(), new Map([[SEQUENCE, record]]));
  await turn();
  return { ...reading, segment, root, type, source };
}

/** The index with all fields of the document. */
async function mapped(
  source: Buffer,
  type: string,
  envelope: DocumentEnvelope,
  { index, mapping }: DocumentReading,
  indexService: IndexService,
  addFields: AddFields,
): Promise<DocumentReading> {
  for (let i = 0; i < MAX_CHANGES; i++) {
    const outcome = mapping.documentMapper(type)?.parse(source, envelope, VALIDATE_ONLY);
    if (outcome !== undefined) {
      if (outcome.error !== null) throw outcome.error;
      if (outcome.mappingUpdate === null) return { index, mapping };
    }
    const update: JsonObject = outcome?.mappingUpdate ?? new Map<string, JsonValue>();
    index = await addFields(indexService, type, update);
    mapping = indexService.mapping(index);
  }
  throw illegalArgument(`the mapping of [${type}] changes all the time`);
}

/** The id that the document has of itself. */
function idOf(source: Buffer): string {
  const id = source.includes('_id') ? parseJsonObject(decodeUtf8(source)).get('_id') : undefined;
  if (typeof id === 'string') return id;
  return id instanceof JsonNumber ? id.text : '';
}

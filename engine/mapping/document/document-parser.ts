// Documents to fields, in one pass over the text: names are looked up object by object, values go
// straight to the sink, unknown fields are detected, checked and collected.
//
// Behaviour as on the reference server.

import { EngineError } from '../../errors';
import {
  decodeUtf8,
  startsWithObject,
  JsonScanner,
  JsonToken,
  javaText,
  mapperParsing,
} from '../../json/index';
import { DocumentContext } from './document-context';
import { type AdditionLimit, NO_ADDITION_LIMIT, type NewProperty } from './dynamic-mapping';
import type { FieldSink } from '../fields/field-sink';
import type { DocumentEnvelope, DocumentMapper, DocumentOutcome } from '../schema/index-mapping';
import {
  INDEX_FIELD,
  PARENT_FIELD,
  ROUTING_FIELD,
  SIZE_FIELD,
  TIMESTAMP_FIELD,
  TTL_FIELD,
  TYPE_FIELD,
  UID_FIELD,
} from '../schema/meta-mappers';
import { MappingLimitError } from '../schema/mapping-size';
import { storedSource } from './stored-source';
import { ObjectMapper, type TypeMapper } from '../schema/type-mapper';
import { DocumentError, type FieldMapper } from '../types/field-mapper';
import { LimitSink, type DocumentLimit } from './limit-sink';
import { VALIDATE_ONLY } from '../fields/dropping-sink';
import { WatchingSink } from '../fields/watching-sink';
import { parseDouble } from '../../common/index';

/** Members of the document's root that concern metadata and are no fields. */
const METADATA_MEMBERS = new Set(['_routing', '_parent', '_timestamp', '_ttl', '_all']);

/** Turns documents of one type into fields. */
export class TypeDocumentMapper implements DocumentMapper {
  readonly type: string;
  private readonly boostName: string;
  private readonly parentType: string | null;
  private readonly storesTimestamp: boolean;
  private readonly storesTtl: boolean;
  private readonly storesSize: boolean;
  private readonly storesIndex: boolean;

  /**
   * @param index name of the index, for `_index`
   * @param limit what analysis may make of a document
   * @param additions what a document may add to the mapping
   */
  constructor(
    private readonly mapper: TypeMapper,
    private readonly index: string,
    private readonly limit: DocumentLimit,
    private readonly additions: AdditionLimit,
  ) {
    const { mapping } = mapper;
    this.type = mapper.type;
    const boostName = mapping.metaOption('_boost', 'name');
    const parentType = mapping.metaOption('_parent', 'type');
    this.boostName = typeof boostName === 'string' ? boostName : '_boost';
    this.parentType = typeof parentType === 'string' ? parentType : null;
    const enabled = (name: string): boolean => mapping.metaOption(name, 'enabled') === true;
    this.storesTimestamp = enabled('_timestamp');
    this.storesTtl = enabled('_ttl');
    this.storesSize = enabled('_size');
    this.storesIndex = enabled('_index');
  }

  parse(source: Buffer, envelope: DocumentEnvelope, sink: FieldSink): DocumentOutcome {
    if (source.length === 0) {
      const error = mapperParsing('failed to parse, document is empty');
      return { mappingUpdate: null, error, source };
    }
    // What was accepted once is not refused when it is built.
    const isChecking = sink === VALIDATE_ONLY;
    const additions = isChecking ? this.additions : NO_ADDITION_LIMIT;
    const shapePoints = isChecking ? this.limit.maxShapePoints : Infinity;
    if (isChecking && source.length > this.limit.safeLength) {
      sink = new LimitSink(this.limit.maxBytes);
    }
    const { watched } = this.mapper;
    if (watched.size > 0) {
      sink = new WatchingSink(sink, watched);
    }
    let context: DocumentContext | null = null;
    try {
      const text = decodeUtf8(source);
      const scanner = new JsonScanner(text);
      if (!looksLikeObject(text) || scanner.next() !== JsonToken.ObjectStart) {
        throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
      }
      const { start } = scanner;
      const uid = `${this.type}#${envelope.id}`;
      context = new DocumentContext(
        this.mapper,
        scanner,
        sink,
        this.index,
        uid,
        additions,
        shapePoints,
      );
      // Quotes are everywhere in a document: looking for the name first is several times as fast.
      if (text.includes(this.boostName) && text.includes(`"${this.boostName}"`)) {
        context.documentBoost = this.boostIn(text);
      }
      this.writeEnvelope(sink, envelope, uid, source.length);
      this.parseRoot(context, envelope);
      context.finish();
      context.writeAll();
      return {
        mappingUpdate: context.mappingUpdate,
        error: null,
        source: storedSource(source, text, start, scanner),
      };
    } catch (error) {
      const mappingUpdate =
        error instanceof MappingLimitError ? null : (context?.mappingUpdate ?? null);
      return { mappingUpdate, error: documentError(error), source };
    }
  }

  private writeEnvelope(
    sink: FieldSink,
    envelope: DocumentEnvelope,
    uid: string,
    size: number,
  ): void {
    const { routing, parent, timestamp, expiry } = envelope;
    sink.text(UID_FIELD, uid, 1);
    sink.text(TYPE_FIELD, this.type, 1);
    if (routing !== null) sink.text(ROUTING_FIELD, routing, 1);
    if (parent !== null && this.parentType !== null) {
      sink.text(PARENT_FIELD, `${this.parentType}#${parent}`, 1);
    }
    if (this.storesTimestamp && timestamp !== null) sink.number(TIMESTAMP_FIELD, timestamp);
    if (this.storesTtl && expiry !== null) sink.number(TTL_FIELD, expiry);
    if (this.storesSize) sink.number(SIZE_FIELD, size);
    if (this.storesIndex) sink.text(INDEX_FIELD, this.index, 1);
  }

  private parseRoot(context: DocumentContext, envelope: DocumentEnvelope): void {
    const { scanner } = context;
    const { root } = this.mapper;
    if (!root.enabled) {
      scanner.skipChildren();
      return;
    }
    let name = '';
    while (scanner.next() === JsonToken.Name) {
      name = scanner.text;
      scanner.next();
      if (name.charCodeAt(0) === 0x5f || name === this.boostName) {
        if (name === this.boostName || METADATA_MEMBERS.has(name)) {
          scanner.skipChildren();
          continue;
        }
        if (name === '_id') {
          checkId(scanner, envelope.id);
          continue;
        }
      }
      parseMember(context, root, name);
    }
    requireEnd(context, root, name);
  }

  /** The document's boost, which has to be known before its first field is written. */
  private boostIn(text: string): number {
    const scanner = new JsonScanner(text);
    scanner.next();
    while (scanner.next() === JsonToken.Name) {
      const wanted = scanner.text === this.boostName;
      const token = scanner.next();
      if (!wanted) scanner.skipChildren();
      else if (token === JsonToken.Number) return Math.fround(Number(scanner.text));
      else if (token === JsonToken.String) return this.boostOf(scanner.text);
      else break;
    }
    const nullValue = this.mapper.mapping.metaOption('_boost', 'null_value');
    return nullValue === undefined ? 1 : Number(javaText(nullValue));
  }

  private boostOf(text: string): number {
    try {
      return Math.fround(parseDouble(text));
    } catch (error) {
      throw mapperParsing(`failed to parse [${this.boostName}]`, error);
    }
  }
}

function looksLikeObject(text: string): boolean {
  return startsWithObject(text) || text.trimStart().startsWith('/');
}

/** What a failed document is answered with. Anything that is no error of ours is passed on. */
function documentError(error: unknown): EngineError {
  if (!(error instanceof EngineError)) throw error;
  const { wireName } = error;
  const complete =
    error instanceof DocumentError ||
    wireName === 'MapperParsingException' ||
    wireName === 'StrictDynamicMappingException';
  return complete ? error : mapperParsing('failed to parse', error);
}

/** An `_id` in the document has to be the document's id. */
function checkId(scanner: JsonScanner, id: string): void {
  const { token } = scanner;
  if (token === JsonToken.ObjectStart || token === JsonToken.ArrayStart) {
    scanner.skipChildren();
    return;
  }
  if (token === JsonToken.Null || scanner.text === id) return;
  throw mapperParsing(
    'failed to parse [_id]',
    mapperParsing(`Provided id [${id}] does not match the content one [${scanner.text}]`),
  );
}

/** One member of an object; the scanner stands on its value's first token and ends on the last one. */
function parseMember(context: DocumentContext, object: ObjectMapper, name: string): void {
  const child = object.children.get(name);
  if (child !== undefined) {
    parseValue(context, child);
    return;
  }
  const added = context.dynamic.find(object, name);
  if (added !== undefined) parseNew(context, added);
  else parseUnknown(context, object, name);
}

/** A value of something this document itself added: checked, not written. */
function parseNew(context: DocumentContext, added: NewProperty, inArray = false): void {
  const before = context.sink;
  const isChecking =
    before instanceof LimitSink || (before instanceof WatchingSink && before.isChecking);
  if (!isChecking) context.sink = VALIDATE_ONLY;
  if (inArray && added instanceof ObjectMapper) parseObjectValue(context, added, true);
  else parseValue(context, added);
  context.sink = before;
}

function parseValue(context: DocumentContext, child: ObjectMapper | FieldMapper): void {
  if (child instanceof ObjectMapper) {
    parseObjectValue(context, child, false);
    return;
  }
  if (context.scanner.token === JsonToken.ArrayStart && !child.readsArrays) {
    parseElements(context, child);
  } else {
    child.parse(context);
  }
}

/** The elements of an array for a field; nested arrays count as one. */
function parseElements(context: DocumentContext, field: FieldMapper): void {
  const { scanner } = context;
  const depth = scanner.depth - 1;
  for (;;) {
    const token = scanner.next();
    if (token === JsonToken.ArrayStart) continue;
    if (token !== JsonToken.ArrayEnd) field.parse(context);
    else if (scanner.depth === depth) return;
  }
}

/** The value of an object field: an object, null, or an array of them. */
function parseObjectValue(context: DocumentContext, object: ObjectMapper, inArray: boolean): void {
  const { scanner } = context;
  if (!object.enabled) {
    scanner.skipChildren();
    return;
  }
  const { token } = scanner;
  if (token === JsonToken.Null) return;
  if (token === JsonToken.ObjectStart) {
    context.beginNested(object);
    parseMembers(context, object, '');
    context.endNested(object);
    return;
  }
  if (token === JsonToken.ArrayStart) {
    while (scanner.next() !== JsonToken.ArrayEnd) parseObjectValue(context, object, true);
    return;
  }
  if (inArray) {
    throw mapperParsing(
      `object mapping [${object.name}] trying to serialize a value with no field associated with it, current value [${scanner.text}]`,
    );
  }
  // compat: a scalar counts as a member of the object's own name, and what follows as further ones, until
  // the end is found out to be missing. The fields that this adds stay.
  parseMember(context, object, object.name);
  parseMembers(context, object, object.name);
}

/** The members of an object up to its end; `last` names the one before. */
function parseMembers(context: DocumentContext, object: ObjectMapper, last: string): void {
  const { scanner } = context;
  let name = last;
  while (scanner.next() === JsonToken.Name) {
    name = scanner.text;
    scanner.next();
    parseMember(context, object, name);
  }
  requireEnd(context, object, name);
}

/** Fails when the document ended before the object, because a scalar stood where an object is mapped. */
function requireEnd({ scanner }: DocumentContext, { name }: ObjectMapper, last: string): void {
  if (scanner.token === JsonToken.ObjectEnd) return;
  throw mapperParsing(
    `object mapping for [${name}] tried to parse field [${last}] as object, but got EOF, has a concrete value been provided to it?`,
  );
}

/** A member that the mapping does not know: added by its first value that is not null, or ignored. */
function parseUnknown(context: DocumentContext, object: ObjectMapper, name: string): void {
  const { scanner, dynamic } = context;
  if (!dynamic.allows(object, name)) {
    scanner.skipChildren();
    return;
  }
  const { token } = scanner;
  if (token === JsonToken.Null) return;
  if (token === JsonToken.ObjectStart) {
    parseFirst(context, object, name, dynamic.addObject(object, name));
  } else if (token === JsonToken.ArrayStart) {
    const whole = dynamic.addArray(object, name);
    if (whole !== null) parseFirst(context, object, name, whole);
    else parseUnknownElements(context, object, name);
  } else {
    const added = dynamic.addField(object, name, token, scanner.text);
    parseFirst(context, object, name, added);
  }
}

/** The first value of something new, which joins the mapping only when that value fits as a whole. */
function parseFirst(
  context: DocumentContext,
  object: ObjectMapper,
  name: string,
  added: NewProperty,
): void {
  try {
    parseNew(context, added);
  } catch (error) {
    context.dynamic.drop(object, name);
    throw error;
  }
}

/** The elements of an unknown array: the first that is not null decides what the rest has to be. */
function parseUnknownElements(context: DocumentContext, object: ObjectMapper, name: string): void {
  const { scanner, dynamic } = context;
  const depth = scanner.depth - 1;
  for (;;) {
    const token = scanner.next();
    if (token === JsonToken.ArrayStart) continue;
    if (token === JsonToken.ArrayEnd) {
      if (scanner.depth === depth) return;
      continue;
    }
    const known = dynamic.find(object, name);
    if (known === undefined) parseUnknown(context, object, name);
    else parseNew(context, known, true);
  }
}

// One hit as JSON text: its record's metadata, its source spliced in as it was stored, and what else is asked
// of it.

import type { LogRecord } from '../../../storage/index';
import type { FetchJob } from '../plan/executor';
import {
  Double,
  Float,
  RawJson,
  type JsonObject,
  type JsonOutput,
  decodeUtf8,
  parseJsonObject,
  extractValues,
  filterSource,
  type JsonLeaf,
  type SourceFilter,
  writeJson,
} from '../../json/index';
import type { DocumentHighlighter } from '../../highlight/index';
import type { Explainer, MatchedNames } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import { fielddataValues } from './fielddata';
import { explanationOutput } from './explain';
import { nestedIdentity, nestedSource, wrapped } from './nested-source';
import type { FetchField, NestedPlace, ShardHit, SortKey, SortValue } from '../plan/search-plan';
import { ScriptFields } from './script-fields';
import { metadataValue, storedValue } from '../../mapping/index';

/** What has to be worked out to show it. */
export interface HitDetails {
  /** All of the shard, or none where scripts and column values are not shown. */
  readonly segments: readonly SegmentReader[];
  readonly named: readonly MatchedNames[];
  readonly highlighter: DocumentHighlighter | null;
  readonly explainer: Explainer | null;
}

/** Ids that JSON shows as they are, a byte for each character. */
const PLAIN_ID = /^[ !#-[\]-~]*$/;
const BEFORE_SCORE = '","_score":';
const BEFORE_SOURCE = ',"_source":';
const CLOSING_BRACE = '}'.charCodeAt(0);

/** Makes texts of the hits of one job. */
export class HitRenderer {
  private readonly indexText: string;
  private readonly scripts: ScriptFields;
  /** Hits show nothing but what says which they are, a score and a source. */
  private readonly isPlain: boolean;
  /** What hits of the type shown last begin with. */
  private beginning: { readonly type: string; readonly bytes: Buffer } | null = null;

  /** @throws EngineError when a script does not compile */
  constructor(private readonly job: FetchJob) {
    this.scripts = new ScriptFields(job.fetch.scriptFields);
    const { index, shardNumber } = job.snapshot;
    const { explain } = job.fetch;
    const place =
      explain === null ? '' : `"_shard":${shardNumber},"_node":${writeJson(explain.nodeId)},`;
    this.indexText = `{${place}"_index":${writeJson(index)}`;
    const { resolvedFields, scriptFields, partialFields, alwaysFields, version } = job.fetch;
    const asked = resolvedFields.length + scriptFields.length + partialFields.length;
    this.isPlain = asked === 0 && !alwaysFields && !version && job.sort === null;
  }

  /**
   * @param below the member with inner hits, with a comma before it, or nothing
   * @param details null: they are left out
   */
  render(hit: ShardHit, record: LogRecord, below: string, details: HitDetails | null): Uint8Array {
    const { fetch } = this.job;
    if (this.isPlain && hit.nested === undefined && below === '' && details === null) {
      const source = this.sourceOf(record);
      if (source !== null && PLAIN_ID.test(record.id)) return this.plain(hit, record, source);
    }
    let head = `${this.indexText},"_type":${writeJson(record.type)},"_id":${writeJson(record.id)}`;
    if (hit.nested !== undefined) head += `,"_nested":${nestedIdentity(hit.nested)}`;
    if (fetch.version) head += `,"_version":${record.version}`;
    head += `,"_score":${Number.isNaN(hit.score) ? 'null' : writeJson(new Float(hit.score))}`;
    const source =
      hit.nested === undefined ? this.sourceOf(record) : this.objectOf(hit.nested, record);
    let tail = '';
    const segment = details?.segments[hit.segment];
    const fields = this.fieldsOf(hit, record, segment);
    if (fields !== null) tail += `,"fields":${writeJson(fields)}`;
    const highlighter = details?.highlighter ?? null;
    if (highlighter !== null) tail += this.highlightOf(highlighter, hit, record);
    if (this.job.sort !== null) tail += `,"sort":${writeJson(sortOutput(this.job.sort, hit.sort))}`;
    const names = namesOf(details?.named ?? [], segment, hit);
    if (names.length > 0) tail += `,"matched_queries":${writeJson(names)}`;
    const explainer = details?.explainer ?? null;
    if (explainer !== null) {
      const explanation = explainer.explain(hit.segment, hit.doc);
      if (fetch.explain?.query !== undefined) tail += `,"matched":${explanation.isMatch}`;
      tail += `,"_explanation":${writeJson(explanationOutput(explanation))}`;
    }
    tail += `${below}}`;
    if (source === null) return Buffer.from(head + tail);
    return spliced(`${head},"_source":`, source, tail);
  }

  /** A hit that most searches show, written byte by byte: a call of the buffer for each text takes longer. */
  private plain(hit: ShardHit, { type, id }: LogRecord, source: Buffer): Buffer {
    const beginning = this.beginningOf(type);
    const score = Number.isNaN(hit.score) ? 'null' : writeJson(new Float(hit.score));
    const texts = beginning.length + id.length + BEFORE_SCORE.length + score.length;
    const room = Buffer.allocUnsafe(texts + BEFORE_SOURCE.length + source.length + 1);
    room.set(beginning);
    let at = writeAscii(room, beginning.length, id);
    at = writeAscii(room, at, BEFORE_SCORE);
    at = writeAscii(room, at, score);
    at = writeAscii(room, at, BEFORE_SOURCE);
    room.set(source, at);
    room[at + source.length] = CLOSING_BRACE;
    return room;
  }

  private beginningOf(type: string): Buffer {
    if (this.beginning?.type !== type) {
      const text = `${this.indexText},"_type":${writeJson(type)},"_id":"`;
      this.beginning = { type, bytes: Buffer.from(text) };
    }
    return this.beginning.bytes;
  }

  /** Null: the hit shows no source. */
  private sourceOf(record: LogRecord): Buffer | null {
    const { source: asked, mappedSource } = this.job.fetch;
    if (asked === false) return null;
    const shown = visibleSource(record, mappedSource);
    if (shown === null || asked === true) return shown;
    return filterSource(shown, asked);
  }

  /** The source of a nested object, patterns being about its members. */
  private objectOf(nested: readonly NestedPlace[], record: LogRecord): Buffer | null {
    const { source: asked, mappedSource } = this.job.fetch;
    const shown = asked === false ? null : visibleSource(record, mappedSource);
    const object = shown === null ? null : nestedSource(shown, nested);
    return object === null || asked === true ? object : filterSource(object, asked);
  }

  /** Null: the hit has no `fields`. @param segment undefined: without scripts and values of columns */
  private fieldsOf(
    hit: ShardHit,
    record: LogRecord,
    segment: SegmentReader | undefined,
  ): Map<string, JsonOutput> | null {
    const { resolvedFields, fielddataFields, alwaysFields, mappedSource } = this.job.fetch;
    const { scriptFields, partialFields } = this.job.fetch;
    const asked = resolvedFields.length + scriptFields.length + partialFields.length;
    if (asked === 0 && !alwaysFields) return null;
    const fields = new Map<string, JsonOutput>();
    let document: JsonObject | null | undefined;
    for (const field of resolvedFields) {
      // compat: of a nested object only its own stored fields are shown.
      if (hit.nested !== undefined) {
        if (!isStoredIn(field, hit.nested)) continue;
        document ??= parseJsonObject(decodeUtf8(wrapped(record.source, hit.nested)), Infinity);
        const values = valuesOf(field, document);
        if (values.length > 0) append(fields, field.name, values);
        continue;
      }
      if (field.metadata !== null) {
        if (field.keptIn?.includes(record.type) === false) continue;
        const value = metadataValue(field.metadata, record, this.job.now);
        if (value !== null) fields.set(field.name, value);
        continue;
      }
      if (document === undefined) document = parseDocument(record, field, mappedSource);
      if (document === null) continue;
      const values = valuesOf(field, document);
      if (values.length > 0) append(fields, field.name, values);
    }
    for (const { name, filter } of partialFields) {
      const source = visibleSource(record, mappedSource);
      const part = source === null || filter === true ? source : partOf(source, filter);
      if (part !== null) append(fields, name, [new RawJson(part)]);
    }
    if (segment !== undefined) {
      this.scripts.addTo(fields, segment, hit.doc);
      for (const field of fielddataFields) {
        const values = fielddataValues(segment, field, hit.doc);
        const first = values[0];
        if (first === undefined) continue;
        // Metadata fields are scalars here, too.
        if (field.name.startsWith('_')) fields.set(field.name, first);
        else append(fields, field.name, values);
      }
    }
    return fields.size === 0 && !alwaysFields ? null : fields;
  }

  /** Empty: nothing is marked. */
  private highlightOf(highlighter: DocumentHighlighter, hit: ShardHit, record: LogRecord): string {
    const { type } = record;
    const { nested } = hit;
    let { source } = record;
    let shown = visibleSource(record, this.job.fetch.mappedSource);
    if (nested !== undefined) {
      source = wrapped(source, nested);
      if (shown !== null) shown = wrapped(shown, nested);
    }
    const fields = highlighter.highlight({ type, source, shown });
    if (fields.size === 0) return '';
    const output = new Map(Array.from(fields, ([name, fragments]) => [name, [...fragments]]));
    return `,"highlight":${writeJson(output)}`;
  }
}

function namesOf(
  named: readonly MatchedNames[],
  segment: SegmentReader | undefined,
  hit: ShardHit,
): string[] {
  if (segment === undefined) return [];
  return [...new Set(named.flatMap((names) => names.namesOf(segment, hit.doc)))];
}

/** @returns where the text ends */
function writeAscii(into: Buffer, at: number, text: string): number {
  const { length } = text;
  for (let i = 0; i < length; i++) into[at + i] = text.charCodeAt(i);
  return at + length;
}

/** The bytes of a source between two texts, in one buffer. */
function spliced(head: string, source: Buffer, tail: string): Buffer {
  // A UTF-16 unit is at most three bytes of UTF-8.
  const room = Buffer.allocUnsafe(3 * (head.length + tail.length) + source.length);
  let end = room.write(head);
  end += source.copy(room, end);
  end += room.write(tail, end);
  return room.subarray(0, end);
}

/** The part of a source that a filter lets through. */
function partOf(source: Buffer, filter: SourceFilter): Buffer {
  return filterSource(source, filter === false ? { includes: [], excludes: ['*'] } : filter);
}

/** Adds values to a field, behind those of a name that was asked for before. */
function append(fields: Map<string, JsonOutput>, name: string, values: JsonOutput[]): void {
  const before = fields.get(name);
  fields.set(name, Array.isArray(before) ? [...(before as JsonOutput[]), ...values] : values);
}

/** What the mapping lets be seen of a source; null when it hides all of it. */
function visibleSource(
  record: LogRecord,
  mapped: ReadonlyMap<string, SourceFilter>,
): Buffer | null {
  const filter = mapped.get(record.type) ?? true;
  if (filter === false) return null;
  return filter === true ? record.source : filterSource(record.source, filter);
}

/**
 * The document that values of `fields` are taken from. Stored fields do not depend on `_source` being
 * kept: the record has them in any case.
 */
function parseDocument(
  record: LogRecord,
  field: FetchField,
  mapped: ReadonlyMap<string, SourceFilter>,
): JsonObject | null {
  const source = field.stored === null ? visibleSource(record, mapped) : record.source;
  return source === null ? null : parseJsonObject(decodeUtf8(source), Infinity);
}

function isStoredIn({ stored, path }: FetchField, places: readonly NestedPlace[]): boolean {
  return stored !== null && path.startsWith(`${places.at(-1)!.path}.`);
}

function valuesOf(field: FetchField, document: JsonObject): JsonOutput[] {
  let values: JsonLeaf[] = extractValues(document, field.path);
  const { stored } = field;
  if (stored === null) return values;
  // A multi-field's values are those of the field it belongs to.
  const parent = field.path.lastIndexOf('.');
  if (values.length === 0 && parent > 0)
    values = extractValues(document, field.path.slice(0, parent));
  return values.map((value) => storedValue(value, stored));
}

function sortOutput(keys: readonly SortKey[], values: readonly SortValue[]): JsonOutput[] {
  return keys.map((key, i) => {
    const value = values[i] ?? null;
    if (typeof value !== 'number') return value;
    if (key.kind === 'score' || key.fieldKind === 'float') return new Float(value);
    return key.fieldKind === 'double' ? new Double(value) : value;
  });
}

// A page of a scroll, read without building what is in the documents: each is a slice of the answer, in the
// spelling it was given to the source in, with all digits of its numbers.

import {
  JsonScanner,
  JsonSyntaxError,
  JsonToken,
  readValue,
  writeJson,
  type JsonValue,
} from '../../engine/json/index';
import { MAX_DEPTH, type ImportedDocument } from './document';
import { numberOf, objectAt, textOf, valueAt } from './json-values';

/** What a source says about times of documents. */
export interface TimeReading {
  /** Whether `_ttl` is the time left, and not the moment when it is over. */
  readonly isTimeLeft: boolean;
  /** When the answer came, in milliseconds since 1970. */
  readonly now: number;
}

/** A page of a scroll. */
export interface Page {
  readonly scrollId: string | null;
  readonly total: number;
  /** Reasons why shards have not answered. */
  readonly failures: readonly string[];
  readonly documents: readonly ImportedDocument[];
}

/**
 * Reads the answer to a search or a scroll.
 *
 * @throws JsonSyntaxError for an answer that is no JSON, as one with a document that is none: the reference
 *         keeps whatever follows the first object of a document
 */
export function readPage(text: string, times: TimeReading): Page {
  const scanner = new JsonScanner(text, MAX_DEPTH);
  let scrollId: string | null = null;
  let shards: JsonValue = null;
  let total = 0;
  let documents: readonly ImportedDocument[] = [];
  let hasHits = false;
  for (const name of members(scanner)) {
    if (name === '_scroll_id') scrollId = textOf(readValue(scanner));
    else if (name === '_shards') shards = readValue(scanner);
    else if (name === 'hits') {
      hasHits = true;
      for (const member of members(scanner)) {
        if (member === 'total') total = numberOf(readValue(scanner)) ?? 0;
        else if (member === 'hits') documents = readHits(text, scanner, times);
        else scanner.skipChildren();
      }
    } else scanner.skipChildren();
  }
  if (!hasHits) throw new JsonSyntaxError('an answer without hits');
  return { scrollId, total, failures: failuresOf(shards), documents };
}

/** The names of the object that comes next or has just begun; the scanner stands on each one's value. */
function* members(scanner: JsonScanner): Generator<string> {
  if (scanner.token !== JsonToken.ObjectStart && scanner.next() !== JsonToken.ObjectStart) {
    throw scanner.error('an object was expected');
  }
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    scanner.next();
    yield name;
  }
  if (scanner.token !== JsonToken.ObjectEnd) throw scanner.error('the end of an object is missing');
}

function readHits(text: string, scanner: JsonScanner, times: TimeReading): ImportedDocument[] {
  const documents: ImportedDocument[] = [];
  if (scanner.token !== JsonToken.ArrayStart) throw scanner.error('a list was expected');
  while (scanner.next() === JsonToken.ObjectStart) documents.push(readHit(text, scanner, times));
  return documents;
}

function readHit(text: string, scanner: JsonScanner, times: TimeReading): ImportedDocument {
  const found = new Map<string, JsonValue>();
  let source: string | null = null;
  for (const name of members(scanner)) {
    if (name === '_source') source = sliceValue(text, scanner);
    else found.set(name, readValue(scanner));
  }
  return toDocument(found, source, times);
}

/**
 * Reads a text that is one hit, as in a dump.
 *
 * @throws JsonSyntaxError
 */
export function readHitLine(text: string, now: number): ImportedDocument {
  const scanner = new JsonScanner(text, MAX_DEPTH);
  return readHit(text, scanner, { isTimeLeft: true, now });
}

/** The text of the value at which the scanner stands. */
function sliceValue(text: string, scanner: JsonScanner): string {
  const { start } = scanner;
  scanner.skipChildren();
  return text.slice(start, scanner.end);
}

function toDocument(
  hit: Map<string, JsonValue>,
  source: string | null,
  { isTimeLeft, now }: TimeReading,
): ImportedDocument {
  const meta = (name: string): JsonValue | undefined =>
    hit.get(name) ?? valueAt(hit, 'fields', name);
  const ttl = numberOf(meta('_ttl'));
  const version = textOf(meta('_version'));
  return {
    index: textOf(hit.get('_index')) ?? '',
    type: textOf(hit.get('_type')) ?? '',
    id: textOf(hit.get('_id')),
    // Below zero: what was written before there were versions.
    version: version?.startsWith('-') === true ? '0' : version,
    routing: textOf(meta('_routing')),
    parent: textOf(meta('_parent')),
    timestamp: numberOf(meta('_timestamp')),
    // A dump of ours says when; others what was left when they were made.
    expires: numberOf(meta('_expires')) ?? (ttl === null ? null : isTimeLeft ? now + ttl : ttl),
    source,
  };
}

function failuresOf(shards: JsonValue): readonly string[] {
  const failures = valueAt(shards, 'failures');
  const reasons = (Array.isArray(failures) ? failures : []).map(
    (failure) => textOf(objectAt(failure).get('reason')) ?? writeJson(failure),
  );
  if (reasons.length > 0) return reasons;
  const failed = numberOf(valueAt(shards, 'failed')) ?? 0;
  return failed > 0 ? [`${failed} shards have failed`] : [];
}

/** The first JSON value of a text, in its own spelling. @throws JsonSyntaxError */
export function firstValue(text: string): string {
  const scanner = new JsonScanner(text, MAX_DEPTH);
  scanner.next();
  return sliceValue(text, scanner);
}

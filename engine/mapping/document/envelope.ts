// What a document brings along besides its body: id, routing, parent, timestamp and expiry, from the
// request or from places in the document that the mapping names.
//
// Behaviour as on the reference server.

import { EngineError, illegalArgument } from '../../errors';
import {
  decodeUtf8,
  startsWithObject,
  JsonScanner,
  JsonToken,
  mapperParsing,
} from '../../json/index';
import { dateFormat } from '../dates/date-format';
import type { EnvelopeRules } from '../schema/envelope-rules';
import type { DocumentEnvelope, IndexMapping } from '../schema/index-mapping';
import { parseTimeValue, parseInt64 } from '../../common/index';

/** An index request as far as its envelope is concerned. Undefined: not given. */
export interface EnvelopeRequest {
  readonly index: string;
  readonly type: string;
  readonly id: string | undefined;
  /** The effective routing: of the request or alias, else the parent. */
  readonly routing: string | undefined;
  readonly parent: string | undefined;
  /** Milliseconds or a date, as given. */
  readonly timestamp: string | undefined;
  /** Milliseconds. */
  readonly ttl: number | undefined;
  readonly source: Buffer;
  /** Epoch ms. */
  readonly now: number;
}

/** An envelope whose id may still have to be generated (null). */
type ResolvedEnvelope = Omit<DocumentEnvelope, 'id'> & { readonly id: string | null };

/**
 * Completes and checks what a document brings along.
 *
 * @throws EngineError RoutingMissingException, MapperParsingException (routing that contradicts the
 *         document, already expired), TimestampParsingException, ElasticsearchParseException,
 *         ElasticsearchIllegalArgumentException
 */
export function resolveEnvelope(mapping: IndexMapping, request: EnvelopeRequest): ResolvedEnvelope {
  const rules = mapping.envelopeRules(request.type);
  const given =
    request.timestamp === undefined
      ? null
      : parseTimestamp(request.timestamp, rules.timestamp.format);
  const found = extract(request, rules, given !== null);
  const id = request.id ?? found.id;
  const routing = resolveRouting(request, rules, found.routing);
  if (request.parent !== undefined && rules.parentType === null) {
    throw illegalArgument("Can't specify parent if no parent field has been configured");
  }
  const timestamp = given ?? found.timestamp ?? standardTimestamp(rules, request.now);
  return {
    id,
    routing,
    parent: request.parent ?? null,
    timestamp: rules.timestamp.enabled ? timestamp : null,
    expiry: expiryOf(request, rules, id, request.ttl ?? found.ttl, timestamp),
  };
}

/**
 * Whether a failure of {@link resolveEnvelope} refuses a whole bulk request and not only its item: the
 * reference checks all envelopes before it executes anything.
 */
export function refusesBulk(error: unknown): boolean {
  if (!(error instanceof EngineError)) return true;
  const { wireName } = error;
  // An expired document is found out when it is indexed.
  if (wireName === 'MapperParsingException') return !isExpired(error.cause);
  return (
    wireName === 'ElasticsearchIllegalArgumentException' || wireName === 'TimestampParsingException'
  );
}

function isExpired(cause: unknown): boolean {
  return cause instanceof EngineError && cause.wireName === 'AlreadyExpiredException';
}

function resolveRouting(
  request: EnvelopeRequest,
  rules: EnvelopeRules,
  found: string | null,
): string | null {
  const { index, type, id, routing } = request;
  if (rules.routingPath !== null && routing !== undefined && routing !== found) {
    throw mapperParsing(
      `The provided routing value [${routing}] doesn't match the routing key stored in the document: [${found ?? 'null'}]`,
    );
  }
  const effective = routing ?? found;
  if (effective === null && rules.routingRequired) {
    throw new EngineError(
      'RoutingMissingException',
      `routing is required for [${index}]/[${type}]/[${id ?? 'null'}]`,
    );
  }
  return effective;
}

function standardTimestamp(rules: EnvelopeRules, now: number): number {
  const { ignoreMissing, standard, format } = rules.timestamp;
  if (!ignoreMissing) throw badTimestamp('timestamp is required by mapping');
  return standard === 'now' ? now : parseTimestamp(standard, format);
}

function expiryOf(
  { index, type, now }: EnvelopeRequest,
  rules: EnvelopeRules,
  id: string | null,
  given: number | null,
  timestamp: number,
): number | null {
  if (!rules.ttl.enabled) return null;
  const ttl = given ?? rules.ttl.standard;
  if (ttl === null) return null;
  const total = timestamp + ttl;
  // compat: what is beyond 64 bits comes around into the past.
  const expiry = total < 2 ** 63 ? total : total - 2 ** 64;
  if (expiry > now) return expiry;
  throw mapperParsing(
    'failed to parse [_ttl]',
    new EngineError(
      'AlreadyExpiredException',
      `already expired [${index}]/[${type}]/[${id ?? 'null'}] due to expire at [${expiry}] and was processed at [${now}]`,
    ),
  );
}

/**
 * A timestamp in milliseconds or as a date.
 *
 * @throws EngineError TimestampParsingException (500)
 */
function parseTimestamp(text: string, format: string): number {
  const millis = wholeNumber(text) ?? dateFormat(format).tryParse(text);
  if (millis === null || !Number.isSafeInteger(Number(millis))) throw badTimestamp(text);
  return Number(millis);
}

/** compat: unlike elsewhere a bare number is always milliseconds, never a year. */
function wholeNumber(text: string): bigint | null {
  try {
    return parseInt64(text);
  } catch {
    return null;
  }
}

function badTimestamp(text: string): EngineError {
  return new EngineError('TimestampParsingException', `failed to parse timestamp [${text}]`);
}

/**
 * How long a document lives, in milliseconds.
 *
 * @throws EngineError ElasticsearchParseException, ElasticsearchIllegalArgumentException
 */
export function parseTtl(text: string): number {
  const ttl = parseTimeValue(text);
  if (ttl <= 0) {
    throw illegalArgument(`TTL value must be > 0. Illegal value provided [${ttl}]`);
  }
  return ttl;
}

interface Extracted {
  readonly id: string | null;
  readonly routing: string | null;
  readonly timestamp: number | null;
  readonly ttl: number | null;
}

const NOTHING: Extracted = { id: null, routing: null, timestamp: null, ttl: null };

/** Reads what the mapping wants from the document. Most types want nothing, and nothing is read. */
function extract(request: EnvelopeRequest, rules: EnvelopeRules, hasTimestamp: boolean): Extracted {
  const idPath = request.id === undefined ? rules.idPath : null;
  const { routingPath } = rules;
  // compat: the place is looked at, and what is there has to be a timestamp, even where none are kept.
  const timestampPath = hasTimestamp ? null : rules.timestamp.path;
  const ttlPath = rules.ttl.enabled && request.ttl === undefined ? '_ttl' : null;
  if (idPath === null && routingPath === null && timestampPath === null && ttlPath === null) {
    return NOTHING;
  }
  const paths = [idPath, routingPath, timestampPath, ttlPath].filter((path) => path !== null);
  // compat: a time to live is read with the fields, where a body that is no object is found out anyway.
  const isNeeded = paths.some((path) => path !== ttlPath);
  const values = readPaths(request.source, new Set(paths), isNeeded);
  const textAt = (path: string | null): string | null => {
    return path === null ? null : (values.get(path)?.text ?? null);
  };
  if (idPath !== null && values.get(idPath)?.isScalar === false) {
    throw mapperParsing('id field must be a value but was either an object or an array');
  }
  const timestamp = textAt(timestampPath);
  const ttl = textAt(ttlPath);
  return {
    id: textAt(idPath),
    routing: textAt(routingPath),
    timestamp:
      timestamp === null
        ? null
        : nestedFailure(() => parseTimestamp(timestamp, rules.timestamp.format)),
    ttl: ttl === null ? null : parseTtl(ttl),
  };
}

function nestedFailure<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new EngineError(
      'ElasticsearchParseException',
      'failed to parse doc to extract routing/timestamp/id',
      { cause },
    );
  }
}

/** What stands at a path. */
interface Found {
  /** The text of a scalar, null for null; of an object or array its bracket. */
  readonly text: string | null;
  readonly isScalar: boolean;
}

/** The first value at each path (`a.b` through objects, never through arrays). */
function readPaths(
  source: Buffer,
  paths: ReadonlySet<string>,
  isNeeded: boolean,
): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  return nestedFailure(() => {
    const text = decodeUtf8(source);
    const scanner = new JsonScanner(text);
    if (!startsWithObject(text) || scanner.next() !== JsonToken.ObjectStart) {
      if (!isNeeded) return found;
      throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
    }
    const prefixes: string[] = [''];
    while (found.size < paths.size) {
      const token = scanner.next();
      if (token === JsonToken.ObjectEnd) {
        prefixes.pop();
        if (prefixes.length === 0) return found;
        continue;
      }
      if (token !== JsonToken.Name) return found;
      const prefix = prefixes[prefixes.length - 1] ?? '';
      const name = scanner.text;
      const path = prefix + name;
      // A member whose own name has dots is not the path of an object's member.
      const wanted = paths.has(path) && !name.includes('.') && !found.has(path);
      const value = scanner.next();
      if (value === JsonToken.ObjectStart && !wanted) {
        prefixes.push(`${path}.`);
      } else {
        if (wanted) found.set(path, foundAt(value, scanner.text));
        scanner.skipChildren();
      }
    }
    return found;
  });
}

function foundAt(token: JsonToken, text: string): Found {
  if (token === JsonToken.ObjectStart) return { text: '{', isScalar: false };
  if (token === JsonToken.ArrayStart) return { text: '[', isScalar: false };
  return token === JsonToken.Null ? { text: null, isScalar: false } : { text, isScalar: true };
}

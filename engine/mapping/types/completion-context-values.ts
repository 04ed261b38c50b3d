// What documents and queries say of the contexts of a completion field, and the beginnings of keys that it
// becomes. Behaviour as on the reference server.

import { EngineError, illegalArgument } from '../../errors';
import { encodeGeohash, geohashLevels, geohashNeighbors, parsePoint } from '../../geo/index';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  javaText,
} from '../../json/index';
import { isInteger } from '../../common/index';
import type { SuggestContext, SuggestContexts } from './completion-contexts';
import { TOKEN_SEPARATOR } from './completion-paths';

/** Ends the value of a context. */
const CONTEXT_END = '\u001d';
const MAX_GEOHASH_LENGTH = 12;
/** Keys that one input becomes at most. */
const MAX_PREFIXES = 256;

/**
 * The values that a document gives for a context: categories or geohashes. Null: the mapping decides.
 *
 * @throws EngineError ElasticsearchParseException
 */
export function documentContext(
  context: SuggestContext,
  value: JsonValue,
): readonly string[] | null {
  if (context.type === 'geo') return value === null ? null : pointsOf(value);
  if (value === null) return null;
  if (isJsonObject(value)) {
    throw failure('FieldConfig must be either [null], a string or a list of strings');
  }
  if (!Array.isArray(value)) return [javaText(value)];
  if (value.length === 0) throw failure('FieldConfig must contain a least one category');
  return value.map(javaText);
}

function pointsOf(value: JsonValue): readonly string[] {
  if (!Array.isArray(value)) return [geohashOf(value)];
  if (!(value[0] instanceof JsonNumber)) return value.map(geohashOf);
  if (value.length > 2) throw failure('only two values expected');
  if (!(value[1] instanceof JsonNumber)) throw failure('latitue must be a numeric value');
  return [geohashOf(value)];
}

function geohashOf(value: JsonValue): string {
  if (typeof value !== 'string' && !Array.isArray(value) && !isJsonObject(value)) {
    throw failure('geo_point expected');
  }
  return encodeGeohash(parsePoint(value), MAX_GEOHASH_LENGTH);
}

/**
 * The beginnings of the keys of a document.
 *
 * @param named what the document says of contexts by name
 * @param valuesOf the values that the document has in another field: text, or geohashes of points
 * @throws EngineError ElasticsearchIllegalArgumentException where there is none, IllegalArgumentException for
 *         too many
 */
export function documentPrefixes(
  contexts: SuggestContexts,
  named: ReadonlyMap<string, readonly string[] | null> | null,
  valuesOf: (field: string) => readonly string[],
  preserveSeparators: boolean,
): readonly string[] {
  return prefixes(contexts, preserveSeparators, (context, name) => {
    const own = named?.get(name) ?? null;
    const values = valuesInDocument(context, own, valuesOf);
    if (values.length === 0) throw illegalArgument('one or more prefixes needed');
    return values;
  });
}

function valuesInDocument(
  context: SuggestContext,
  own: readonly string[] | null,
  valuesOf: (field: string) => readonly string[],
): readonly string[] {
  const { path, standard } = context;
  if (context.type === 'category') {
    if (own !== null) return own;
    const found = valuesOf(context.path);
    // compat: a default goes before the type, which every document has.
    const isDefault = found.length === 0 || (path === '_type' && standard.length > 0);
    return isDefault ? standard : found;
  }
  let hashes = own ?? [];
  if (hashes.length === 0 && path !== null) hashes = valuesOf(path);
  if (hashes.length === 0) hashes = standard;
  const cells = new Set<string>();
  for (const hash of hashes) {
    for (const levels of context.precision) {
      const cell = hash.slice(0, Math.max(0, levels));
      if (context.neighbors) for (const other of geohashNeighbors(cell)) cells.add(other);
      cells.add(cell);
    }
  }
  return [...cells];
}

/**
 * The beginnings of the keys that a query looks for.
 *
 * @param body the contexts by name
 * @throws EngineError ElasticsearchParseException, NullPointerException for one that is not given
 */
export function queryPrefixes(
  contexts: SuggestContexts,
  body: JsonObject,
  preserveSeparators: boolean,
): readonly string[] {
  const given = new Map<string, readonly string[]>();
  for (const [name, value] of body) {
    const context = contexts.get(name);
    if (context === undefined) throw failure(`no mapping defined for [${name}]`);
    given.set(name, queryValues(context, value));
  }
  return prefixes(contexts, preserveSeparators, (_context, name) => {
    const values = given.get(name);
    if (values !== undefined) return values;
    throw new EngineError('NullPointerException', `context [${name}] is missing`, { status: 500 });
  });
}

function queryValues(context: SuggestContext, value: JsonValue): readonly string[] {
  if (context.type === 'category') {
    if (value === null) return context.standard;
    return Array.isArray(value) ? value.map(javaText) : [javaText(value)];
  }
  let levels: readonly number[] = context.precision;
  let place: string;
  if (isJsonObject(value)) ({ place, levels } = geoQuery(value, levels));
  else place = geohashOf(value);
  if (levels.length === 0) return [place];
  return levels.map((length) => place.slice(0, Math.max(1, length)));
}

function geoQuery(
  body: JsonObject,
  standard: readonly number[],
): { place: string; levels: readonly number[] } {
  let latitude: JsonValue | undefined;
  let longitude: JsonValue | undefined;
  let place: string | null = null;
  let levels = standard;
  for (const [name, value] of body) {
    if (name === 'lat' || name === 'lon') {
      if (place !== null) throw failure('only lat/lon or [value] is allowed');
      if (!(value instanceof JsonNumber) && typeof value !== 'string') {
        throw failure(`${name === 'lat' ? 'latitude' : 'longitude'} must be a number`);
      }
      if (name === 'lat') latitude = value;
      else longitude = value;
    } else if (name === 'precision') {
      const all = Array.isArray(value) ? value.map(levelsOf) : [levelsOf(value)];
      levels = all.length === 0 ? standard : all;
    } else if (name === 'value') {
      if (latitude !== undefined || longitude !== undefined) {
        throw failure('only lat/lon or [value] is allowed');
      }
      place = geohashOf(value);
    } else {
      throw failure(`unexpected fieldname [${name}]`);
    }
  }
  if (place !== null) return { place, levels };
  if (latitude === undefined || longitude === undefined) throw failure('location is missing');
  const point: JsonObject = new Map<string, JsonValue>([
    ['lat', latitude],
    ['lon', longitude],
  ]);
  return { place: geohashOf(point), levels };
}

function levelsOf(value: JsonValue): number {
  if (typeof value === 'string') return geohashLevels(value);
  if (!(value instanceof JsonNumber)) throw failure('invalid precision value');
  return isInteger(value.text) ? Number(value.text) : geohashLevels(`${value.text}m`);
}

/** All combinations of the values of all contexts; compat: the last name stands first. */
function prefixes(
  contexts: SuggestContexts,
  preserveSeparators: boolean,
  valuesOf: (context: SuggestContext, name: string) => readonly string[],
): readonly string[] {
  const end = preserveSeparators ? CONTEXT_END + TOKEN_SEPARATOR : CONTEXT_END;
  let all: readonly string[] = [''];
  for (const name of [...contexts.keys()].sort()) {
    const values = new Set(valuesOf(contexts.get(name)!, name));
    if (all.length * values.size > MAX_PREFIXES) {
      throw new EngineError(
        'IllegalArgumentException',
        `TokenStream expanded to ${all.length * values.size} finite strings. Only <= ${MAX_PREFIXES} finite strings are supported`,
      );
    }
    const beginnings = [...values].map((value) => value.replaceAll('\0', '') + end);
    all = all.flatMap((rest) => beginnings.map((beginning) => beginning + rest));
  }
  return all;
}

function failure(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

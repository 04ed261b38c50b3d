// The `context` of a completion field: categories and locations that suggestions can be limited to.

import { EngineError } from '../../errors';
import { metersWithUnit, encodeGeohash, geohashCellMeters, geohashLevels } from '../../geo/index';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  javaText,
  optionBoolean,
  optionInt,
} from '../../json/index';
import { isInteger, parseInt32 } from '../../common/index';

const MAX_GEOHASH_LENGTH = 12;

interface CategoryContext {
  readonly type: 'category';
  /** The field that a document's categories are taken from when it names none. */
  readonly path: string;
  readonly standard: readonly string[];
}

interface GeoContext {
  readonly type: 'geo';
  /** Lengths of geohashes, ascending. */
  readonly precision: readonly number[];
  readonly neighbors: boolean;
  readonly path: string | null;
  /** Geohashes. */
  readonly standard: readonly string[];
}

/** A context of a completion field. */
export type SuggestContext = CategoryContext | GeoContext;

/** Contexts by name. */
export type SuggestContexts = ReadonlyMap<string, SuggestContext>;

/** @throws EngineError ElasticsearchParseException, NumberFormatException */
export function parseSuggestContexts(value: JsonValue): SuggestContexts {
  if (value === null) return new Map();
  if (!isJsonObject(value)) throw failure('no valid context configuration');
  return new Map([...value].map(([name, body]) => [name, parseContext(body)] as const));
}

function parseContext(body: JsonValue): CategoryContext | GeoContext {
  if (!isJsonObject(body)) throw failure('no valid context configuration');
  const type = body.get('type') ?? null;
  if (type === null) throw failure('missing [type] in context mapping');
  switch (javaText(type)) {
    case 'category':
      return parseCategory(body);
    case 'geo':
      return parseGeo(body);
    default:
      throw failure(`unknown context type[${javaText(type)}]`);
  }
}

function parseCategory(body: JsonObject): CategoryContext {
  return {
    type: 'category',
    path: javaText(body.get('path') ?? '_type'),
    standard: listOf(body.get('default')).map(javaText),
  };
}

function parseGeo(body: JsonObject): GeoContext {
  const precision = body.get('precision') ?? null;
  if (precision === null) throw failure('field [precision] is missing');
  const path = body.get('path') ?? null;
  return {
    type: 'geo',
    precision: listOf(precision)
      .map(levelsOf)
      .sort((a, b) => a - b),
    neighbors: optionBoolean(body.get('neighbors') ?? true),
    path: path === null ? null : javaText(path),
    standard: listOf(body.get('default')).map(geohashOf),
  };
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** compat: a distance gives cells that are no smaller than it, unlike the precision of points. */
function levelsOf(value: JsonValue): number {
  if (value instanceof JsonNumber) return optionInt(value);
  const text = javaText(value);
  const meters = metersWithUnit(text);
  if (meters === null) return parseInt32(text);
  const levels = geohashLevels(text);
  return geohashCellMeters(levels) < meters ? Math.max(1, levels - 1) : levels;
}

function geohashOf(value: JsonValue): string {
  if (!isJsonObject(value)) return javaText(value);
  const latitude = coordinateOf(value, 'lat', 'latitude');
  const longitude = coordinateOf(value, 'lon', 'longitude');
  return encodeGeohash({ latitude, longitude }, MAX_GEOHASH_LENGTH);
}

/** compat: integers are no coordinates here. */
function coordinateOf(body: JsonObject, name: string, what: string): number {
  const value = body.get(name);
  if (value instanceof JsonNumber && !isInteger(value.text)) return value.value;
  throw failure(`field [default] map must have field ${name} and a valid ${what}`);
}

function failure(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

/** The contexts as mappings print them, with their defaults. */
export function renderSuggestContexts(contexts: SuggestContexts): JsonObject {
  return new Map([...contexts].map(([name, context]) => [name, renderContext(context)]));
}

function renderContext(context: CategoryContext | GeoContext): JsonObject {
  const out: JsonObject = new Map<string, JsonValue>([['type', context.type]]);
  if (context.type === 'category')
    return out.set('path', context.path).set('default', [...context.standard]);
  out.set(
    'precision',
    context.precision.map((levels) => new JsonNumber(String(levels))),
  );
  out.set('neighbors', context.neighbors).set('default', [...context.standard]);
  if (context.path !== null) out.set('path', context.path);
  return out;
}

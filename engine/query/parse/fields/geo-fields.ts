// What filters on points have in common: the field, points that are spelled among the options, and boxes over
// the indexed coordinates.

import {
  decodeGeohash,
  normalizePoint,
  parsePoint,
  type GeoBox,
  type GeoRegion,
  type Point,
} from '../../../geo/index';
import { EngineError, illegalArgument } from '../../../errors';
import { formatDouble, JsonNumber, type JsonObject, type JsonValue } from '../../../json/index';
import { rangeText } from '../../ast/describe';
import { parseDouble } from '../../../common/index';
import { restrict, resolveField, type FieldRef } from '../scope/field-ref';
import {
  booleanOf,
  isCacheOption,
  isScalar,
  optionName,
  textOf,
  type Scalar,
} from '../scope/members';
import { named, type ParseScope } from '../scope/parse-scope';
import type { Query } from '../../ast/query';
import { MATCH_NONE } from '../../ast/query';
import { combine } from './exists-fields';

/** The point and the field of a filter whose body has both among its options. */
export class GeoMembers {
  name: string | null = null;
  /** Coordinates that were never given are 0, as the reference has it. */
  private latitude = 0;
  private longitude = 0;
  private isNormal = true;
  private field: string | null = null;

  constructor(private readonly scope: ParseScope) {}

  /** The point; out of range it goes around the earth. */
  get point(): Point {
    const { latitude, longitude } = this;
    return normalizePoint({ latitude, longitude }, this.isNormal, this.isNormal);
  }

  /** The field. @throws EngineError unless it holds points */
  get ref(): FieldRef {
    return pointField(this.field, this.scope);
  }

  /** A list or an object as the value of the field: a point. */
  readPoint(field: string, value: JsonValue): void {
    this.field = field;
    this.set(requiredPoint(value));
  }

  /** As {@link readPoint}, of an object that may have one coordinate only. */
  readCoordinates(field: string, value: JsonObject, kind: string): void {
    this.field = field;
    for (const [name, coordinate] of value) {
      if (!isScalar(coordinate)) continue;
      if (name === 'lat') this.latitude = doubleOf(coordinate);
      else if (name === 'lon') this.longitude = doubleOf(coordinate);
      else if (name === 'geohash') this.set(decodeGeohash(textOf(coordinate)));
      else throw this.scope.error(`[${kind}] filter does not support [${field}]`);
    }
  }

  /** An option of all filters with a point; else the value is the point, and its name the field. */
  readValue(name: string, value: Scalar): void {
    if (name === '_name') this.name = textOf(value);
    else if (isCacheOption(optionName(name))) return;
    else if (name === 'normalize') this.isNormal = booleanOf(value);
    else if (name.endsWith('.lat')) this.readPart(name, 4, () => (this.latitude = doubleOf(value)));
    else if (name.endsWith('.lon')) {
      this.readPart(name, 4, () => (this.longitude = doubleOf(value)));
    } else if (name.endsWith('.geohash')) {
      this.readPart(name, 8, () => this.set(decodeGeohash(textOf(value))));
    } else {
      this.field = name;
      this.set(parsePoint(textOf(value)));
    }
  }

  private readPart(name: string, suffix: number, read: () => void): void {
    this.field = name.slice(0, -suffix);
    read();
  }

  private set({ latitude, longitude }: Point): void {
    this.latitude = latitude;
    this.longitude = longitude;
  }
}

/** @throws EngineError for JSON text that is no number */
export function doubleOf(value: Scalar): number {
  return value instanceof JsonNumber ? value.value : parseDouble(textOf(value));
}

/** A point in any spelling. @throws EngineError also for a number, a boolean and null */
export function requiredPoint(value: JsonValue): Point {
  const isPoint = typeof value === 'string' || (value !== null && !isScalar(value));
  if (isPoint) return parsePoint(value);
  throw new EngineError('ElasticsearchParseException', 'geo_point expected');
}

/** The field of a name. @throws EngineError unless it holds points */
export function pointField(name: string | null, scope: ParseScope): FieldRef {
  // compat: the reference does not expect a filter without a field.
  if (name === null) throw new EngineError('NullPointerException', '', { status: 400 });
  const ref = resolveField(name, scope);
  if (ref.mapped === null) throw scope.error(`failed to find geo_point field [${name}]`);
  if (ref.mapped.type === 'geo_point') return ref;
  throw scope.error(`field [${name}] is not a geo_point field`);
}

/** The filter for documents with a point in a region. */
export function regionFilter(ref: FieldRef, region: GeoRegion): Query {
  const field = ref.mapped?.field;
  if (field == null) return MATCH_NONE;
  return { kind: 'geo', field: field.id, region, boost: 1 };
}

/**
 * The filter for documents with a latitude and a longitude in a box, of several points also of different
 * ones, over the fields that `lat_lon` makes.
 *
 * @throws EngineError where the mapping does not have them
 */
export function indexedBox(ref: FieldRef, box: GeoBox, scope: ParseScope): Query {
  const { context } = scope;
  const part = (name: string): number | null => {
    const path = `${ref.mapped!.path}.${name}`;
    return context.mapping.find(path, [ref.mapped!.docType])?.mapped.field?.id ?? null;
  };
  const [latitude, longitude] = [part('lat'), part('lon')];
  if (latitude === null || longitude === null) {
    const name = ref.mapped!.path.split('.').at(-1)!;
    throw illegalArgument(
      `lat/lon is not enabled (indexed) for field [${name}], can't use indexed filter on it`,
    );
  }
  const range = (field: number, from: number | null, to: number | null): Query =>
    scope.shown({ kind: 'numericRange', field, from, to, boost: 1 }, () => {
      const name = `${ref.mapped!.indexName}.${field === latitude ? 'lat' : 'lon'}`;
      const [low, high] = [from, to].map((it) => (it === null ? null : formatDouble(it)));
      return `${name}:${rangeText({ from: low, to: high, includeFrom: true, includeTo: true })}`;
    });
  const { north, west, south, east } = box;
  const inside = range(latitude, south, north);
  const [first, second] =
    west > east
      ? [range(longitude, null, east), range(longitude, west, null)]
      : [range(longitude, west, east)];
  const across = second === undefined ? first : combine([], [first, second], []);
  return scope.shown(combine([inside, across], [], []), () => {
    const sign = second === undefined ? '+' : '';
    const texts = [first, second].map((it) => (it ? `${sign}${scope.filterText(it)} ` : ''));
    return `BooleanFilter(${texts.join('')}+${scope.filterText(inside)})`;
  });
}

/** A point as the reference prints it. */
export function pointText(latitude: number, longitude: number): string {
  return `[${formatDouble(latitude)}, ${formatDouble(longitude)}]`;
}

/** The finished filter. */
export function geoFilter(ref: FieldRef, name: string | null, filter: Query): Query {
  return named(name, restrict(ref, filter));
}

// `doc['point'].distance(lat, lon)` and its relatives.

import { Double } from '../json/index';
import { decodeGeohash, type GeoPoint, distanceFrom, type DistanceType } from '../geo/index';
import { runtimeError } from './errors';
import { isNumber, toDouble, type ScriptValue } from './values';

/** A method that measures how far a point is. */
export interface GeoMethod {
  readonly distance: DistanceType;
  /** Meters per unit. */
  readonly unit: number;
  /** Added to the result. */
  readonly plus: number;
  /** The first argument is a geohash instead of two coordinates. */
  readonly byHash: boolean;
  /** The last argument stands for documents without a point. */
  readonly hasDefault: boolean;
}

const METERS_PER_MILE = 1609.344;

const METHODS: ReadonlyMap<string, GeoMethod> = new Map([
  ...family('distance', 'plane', false, true),
  ...family('arcDistance', 'arc', false, true),
  ...family('geohashDistance', 'arc', true, false),
  ['factorDistance', method('factor')],
  ['factorDistanceWithDefault', method('factor', { hasDefault: true })],
  ['factorDistance02', method('factor', { plus: 1 })],
  ['factorDistance13', method('factor', { plus: 2 })],
] as [string, GeoMethod][]);

/** The method of a name, or null. */
export function geoMethod(name: string): GeoMethod | null {
  return METHODS.get(name) ?? null;
}

function method(distance: DistanceType, options: Partial<GeoMethod> = {}): GeoMethod {
  return { distance, unit: 1, plus: 0, byHash: false, hasDefault: false, ...options };
}

/** `x`, `xInKm`, `xInMiles`, and each with a default. */
function family(
  name: string,
  distance: DistanceType,
  byHash: boolean,
  defaults: boolean,
): [string, GeoMethod][] {
  const units: [string, number][] = [
    ['', 1],
    ['InKm', 1000],
    ['InMiles', METERS_PER_MILE],
  ];
  return units.flatMap(([suffix, unit]): [string, GeoMethod][] => {
    const plain: [string, GeoMethod] = [name + suffix, method(distance, { unit, byHash })];
    if (!defaults) return [plain];
    return [
      plain,
      [`${name}${suffix}WithDefault`, method(distance, { unit, byHash, hasDefault: true })],
    ];
  });
}

/**
 * Calls a method of a field of points on a document's first point.
 *
 * @returns undefined when there is no such method for these arguments
 * @throws EngineError NullPointerException where the document has no point and no default is given
 */
export function callGeoMethod(
  name: string,
  args: readonly ScriptValue[],
  first: () => GeoPoint | null,
): ScriptValue | undefined {
  const found = METHODS.get(name);
  if (found === undefined) return undefined;
  const coordinates = found.byHash ? 1 : 2;
  if (args.length !== coordinates + (found.hasDefault ? 1 : 0)) return undefined;
  const target = found.byHash ? hashed(args[0]!) : pointOf(args[0]!, args[1]!);
  if (target === null) return undefined;
  const otherwise = args[coordinates] ?? null;
  if (found.hasDefault && !isNumber(otherwise)) return undefined;
  const point = first();
  if (point === null) {
    if (isNumber(otherwise)) return new Double(toDouble(otherwise));
    throw runtimeError(
      'NullPointerException',
      'Cannot invoke "org.elasticsearch.common.geo.GeoPoint.lat()" because "point" is null',
    );
  }
  const measure = distanceFrom(point, found.distance, found.unit);
  return new Double(measure(target.latitude, target.longitude) + found.plus);
}

function pointOf(latitude: ScriptValue, longitude: ScriptValue): GeoPoint | null {
  if (!isNumber(latitude) || !isNumber(longitude)) return null;
  return { latitude: toDouble(latitude), longitude: toDouble(longitude) };
}

function hashed(hash: ScriptValue): GeoPoint | null {
  return typeof hash === 'string' ? decodeGeohash(hash) : null;
}

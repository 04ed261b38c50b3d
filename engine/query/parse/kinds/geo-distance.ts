// `geo_distance` and `geo_distance_range` filters: points so far from a point (reference server).

import {
  boxAround,
  metersOf,
  parseDistanceType,
  metersWithUnit,
  type DistanceType,
  type Point,
} from '../../../geo/index';
import { parseDouble } from '../../../common/index';
import { illegalArgument } from '../../../errors';
import { formatDouble, JsonNumber } from '../../../json/index';
import type { Query } from '../../ast/query';
import { combine } from '../fields/exists-fields';
import { GeoMembers, geoFilter, indexedBox, regionFilter } from '../fields/geo-fields';
import { nextDouble } from '../fields/range-fields';
import type { FieldRef } from '../scope/field-ref';
import { booleanOf, members, notNumeric, optionName, textOf, type Scalar } from '../scope/members';
import type { KindParser, ParseScope } from '../scope/parse-scope';

/** Radius that angles of the distance type `factor` are taken with, in meters. */
const EQUATOR_RADIUS_M = 6378137;

/** @throws EngineError for a boolean */
function distanceOf(value: Scalar): Scalar {
  if (typeof value === 'boolean') throw notNumeric(value);
  return value;
}

/** Options that both filters have. */
class DistanceOptions {
  unitMeters = 1;
  type: DistanceType = 'sloppy_arc';
  /** How documents are sorted out before distances are measured. */
  box: string = 'memory';

  /** True when `name` was one of them. */
  read(name: string, value: Scalar): boolean {
    if (name === 'unit') this.unitMeters = metersOf(textOf(value));
    else if (name === 'distance_type') this.type = parseDistanceType(textOf(value));
    else if (name === 'optimize_bbox') this.box = textOf(value);
    else return false;
    return true;
  }

  /** Meters, or what stands for them in the distance type. @throws EngineError */
  meters(value: Scalar): number {
    const meters =
      value instanceof JsonNumber
        ? value.value * this.unitMeters
        : (metersWithUnit(textOf(value)) ?? parseDouble(textOf(value)) * this.unitMeters);
    return this.type === 'factor' ? Math.cos(meters / EQUATOR_RADIUS_M) : meters;
  }
}

/** `{distance, field: point}`: nearer than the distance. */
export const parseGeoDistance: KindParser = (body, scope) => {
  let distance: Scalar | null = null;
  const options = new DistanceOptions();
  const geo = new GeoMembers(scope);
  for (const member of members(body, 'array', 'object')) {
    if (member.sort === 'array') geo.readPoint(member.name, member.value);
    else if (member.sort === 'object') {
      geo.readCoordinates(member.name, member.value, 'geo_distance');
    } else if (member.name === 'distance') distance = distanceOf(member.value);
    else if (!options.read(optionName(member.name), member.value)) {
      geo.readValue(member.name, member.value);
    }
  }
  if (distance === null) throw scope.error("geo_distance requires 'distance' to be specified");
  const meters = options.meters(distance);
  const { point, ref } = geo;
  const near = ring(ref, point, options, -Infinity, nextDouble(meters, -1), meters, scope);
  const filter = scope.shown(near, () => distanceText(geo, options, formatDouble(meters)));
  return geoFilter(ref, geo.name, filter);
};

/** `{from, to, field: point}`, bounds as of a range. */
export const parseGeoDistanceRange: KindParser = (body, scope) => {
  const options = new DistanceOptions();
  const geo = new GeoMembers(scope);
  const range = new DistanceRange();
  for (const member of members(body, 'array', 'object')) {
    if (member.sort !== 'value') geo.readPoint(member.name, member.value);
    else if (
      !range.read(optionName(member.name), member.value) &&
      !options.read(optionName(member.name), member.value)
    ) {
      geo.readValue(member.name, member.value);
    }
  }
  const from = range.from === null ? -Infinity : options.meters(range.from);
  const to = range.to === null ? Infinity : options.meters(range.to);
  const { point, ref } = geo;
  const low = range.includesFrom ? from : nextDouble(from, 1);
  const high = range.includesTo ? to : nextDouble(to, -1);
  const filter = ring(ref, point, options, low, high, range.to === null ? null : high, scope);
  const shown = scope.shown(filter, () => {
    const bounds = `[${numberText(low)} - ${numberText(high)}]`;
    return distanceText(geo, options, bounds);
  });
  return geoFilter(ref, geo.name, shown);
};

function numberText(value: number): string {
  return Number.isFinite(value) ? formatDouble(value) : String(value);
}

/** How the reference prints a filter by distance. */
function distanceText(
  { ref, point }: GeoMembers,
  options: DistanceOptions,
  bounds: string,
): string {
  const { latitude, longitude } = point;
  const kind = bounds.startsWith('[') ? 'GeoDistanceRangeFilter' : 'GeoDistanceFilter';
  const measure = `${options.type.toUpperCase()}, ${bounds}`;
  const from = `${formatDouble(latitude)}, ${formatDouble(longitude)}`;
  return `${kind}(${ref.mapped!.indexName}, ${measure}, ${from})`;
}

/** The bounds of a range of distances. */
class DistanceRange {
  from: Scalar | null = null;
  to: Scalar | null = null;
  includesFrom = true;
  includesTo = true;

  /** True when `name` was one of them. */
  read(name: string, value: Scalar): boolean {
    switch (name) {
      case 'from':
        this.from = distanceOf(value);
        return true;
      case 'to':
        this.to = distanceOf(value);
        return true;
      case 'include_lower':
        this.includesFrom = booleanOf(value);
        return true;
      case 'include_upper':
        this.includesTo = booleanOf(value);
        return true;
      case 'gt':
      case 'gte':
      case 'ge':
        this.from = distanceOf(value);
        this.includesFrom = name !== 'gt';
        return true;
      case 'lt':
      case 'lte':
      case 'le':
        this.to = distanceOf(value);
        this.includesTo = name !== 'lt';
        return true;
    }
    return false;
  }
}

/**
 * The filter for distances between two bounds.
 * @param reach what the box around the point is made for; null: there is none
 */
function ring(
  ref: FieldRef,
  center: Point,
  { type, box }: DistanceOptions,
  from: number,
  to: number,
  reach: number | null,
  scope: ParseScope,
): Query {
  const region = { shape: 'ring', center, distanceType: type, from, to, within: null } as const;
  if (box === 'none' || reach === null) return regionFilter(ref, region);
  const within = boxAround(center, reach);
  if (box === 'memory') return regionFilter(ref, { ...region, within });
  if (box === 'indexed') {
    return combine([indexedBox(ref, within, scope), regionFilter(ref, region)], [], []);
  }
  throw illegalArgument(`type [${box}] for bounding box optimization not supported`);
}

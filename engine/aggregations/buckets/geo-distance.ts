// geo_distance: documents by rings around a point; a document counts in every ring that one of its points
// lies in (reference server).

import { DistanceReader } from '../../counting/index';
import { parseDouble } from '../../common/index';
import {
  distanceFrom,
  type DistanceType,
  metersOf,
  parseDistanceType,
  parsePoint,
  type Point,
} from '../../geo/index';
import {
  formatDouble,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/index';
import { ElementFailure, tokenName } from '../../query/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { RAW } from '../contract/value-format';
import {
  atRun,
  readsOfValues,
  unknownMember,
  ValuesMembers,
  type ValuesSpec,
} from '../contract/values';
import {
  askedRange,
  type AskedRange,
  type BucketRange,
  inOrder,
  type RangesSpec,
  rangesKind,
} from './ranges';

/** Plain data. */
export interface GeoDistanceSpec extends RangesSpec {
  readonly values: ValuesSpec;
  readonly origin: Point;
  readonly distanceType: DistanceType;
  /** Meters in a unit of the bounds. */
  readonly unitMeters: number;
}

export const GEO_DISTANCE_AGGREGATION = rangesKind<GeoDistanceSpec>('geo_distance', {
  parse,
  numbers: ({ values: { field }, origin, distanceType, unitMeters }) => {
    const distance = distanceFrom(origin, distanceType, unitMeters);
    return (segment) => {
      const column = field === null ? null : segment.geo(field);
      return column === null ? null : new DistanceReader(column, distance);
    };
  },
  lead: (specs) => specs[0]!,
  reads: readsOfValues,
});

const ORIGIN_NAMES: ReadonlySet<string> = new Set(['origin', 'point', 'center']);

function parse(name: string, body: JsonObject, context: AggregationParseContext): GeoDistanceSpec {
  const members = new ValuesMembers({ takesScripts: false, takesFormat: false });
  let origin: Point | null = null;
  let asked: AskedRange[] | null = null;
  let keyed = false;
  let distanceType: DistanceType = 'sloppy_arc';
  let unitMeters = 1;
  for (const [member, value] of body) {
    if (members.read(member, value)) continue;
    if (ORIGIN_NAMES.has(member) && isPointLike(value)) origin = originOf(name, member, value);
    else if (member === 'unit' && typeof value === 'string') unitMeters = metersOf(value);
    else if ((member === 'distance_type' || member === 'distanceType') && typeof value === 'string')
      distanceType = parseDistanceType(value);
    else if (member === 'ranges' && Array.isArray(value))
      asked = value.map((ring) => askedRange(name, ring, 0));
    else if (member === 'keyed' && typeof value === 'boolean') keyed = value;
    else if (value === null || value instanceof JsonNumber)
      throw new ElementFailure(`Unexpected token ${tokenName(value)} in [${name}].`);
    else throw unknownMember(name, member, value);
  }
  if (asked === null)
    throw new ElementFailure(`Missing [ranges] in geo_distance aggregator [${name}]`);
  if (origin === null)
    throw new ElementFailure(`Missing [origin] in geo_distance aggregator [${name}]`);
  context.search.meter.add('ranges', asked.length);
  const values = members.resolve(name, 'points', context);
  const ranges = atRun(() => inOrder(asked.map(ringOf)));
  return {
    values,
    origin,
    distanceType,
    unitMeters,
    ranges,
    keyed,
    format: RAW,
    showsTexts: false,
  };
}

function isPointLike(value: JsonValue): boolean {
  return typeof value === 'string' || Array.isArray(value) || isJsonObject(value);
}

/** compat: objects have numbers named `lat` and `lon` only, and missing coordinates of a list are 0. */
function originOf(name: string, member: string, value: JsonValue): Point {
  if (Array.isArray(value)) {
    if (value.length > 2)
      throw new ElementFailure(
        `malformed [${member}] geo point array in [${name}] geo_distance aggregation. a geo point array must be of the form [lon, lat]`,
      );
    const { latitude, longitude } = parsePoint(value);
    return {
      latitude: value.length < 2 ? 0 : latitude,
      longitude: value.length < 1 ? 0 : longitude,
    };
  }
  if (!isJsonObject(value)) return parsePoint(value);
  let last = member;
  let latitude: number | null = null;
  let longitude: number | null = null;
  for (const [key, coordinate] of value) {
    last = key;
    if (!(coordinate instanceof JsonNumber)) continue;
    if (key === 'lat') latitude = coordinate.value;
    else if (key === 'lon') longitude = coordinate.value;
  }
  if (latitude === null || longitude === null)
    throw new ElementFailure(
      `malformed [${last}] geo point object. either [lat] or [lon] (or both) are missing in [${name}] geo_distance aggregation`,
    );
  return { latitude, longitude };
}

/** compat: the key is made of bounds that are numbers, and tells 0 from nothing as little as they do. */
function ringOf({ key, from, to, fromText, toText }: AskedRange): BucketRange {
  const shown = (bound: number, open: number) => (bound === open ? '*' : formatDouble(bound));
  return {
    key: key ?? `${shown(from, 0)}-${shown(to, Infinity)}`,
    from: fromText === null ? from : parseDouble(fromText),
    to: toText === null ? to : parseDouble(toText),
  };
}

// Regions of the earth that points are tested against: the arithmetic of the reference server, down to the
// boxes that it looks at before it measures.

import { distanceFrom, type DistanceType, type Point } from './distance';

/** Semi-minor axis of the earth (WGS84), in meters. */
const POLE_RADIUS_M = 6356752.314245;
const TO_RADIANS = Math.PI / 180;
/** Degrees. */
const ROUNDING = 1e-6;

/** Between two latitudes and two longitudes, in degrees; `west` above `east` crosses the date line. */
export interface GeoBox {
  readonly north: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
}

/** A part of the earth, as plain data. */
export type GeoRegion =
  | ({ readonly shape: 'box' } & GeoBox)
  /** Points whose distance in meters is at least `from` and at most `to`, both included. */
  | {
      readonly shape: 'ring';
      readonly center: Point;
      readonly distanceType: DistanceType;
      readonly from: number;
      readonly to: number;
      /** Points outside of it are not measured and do not match; null: all are measured. */
      readonly within: GeoBox | null;
    }
  /** Closed: the last corner is the first. */
  | {
      readonly shape: 'polygon';
      readonly latitudes: readonly number[];
      readonly longitudes: readonly number[];
    };

/** The box around what is within so many meters of a point. */
export function boxAround({ latitude, longitude }: Point, meters: number): GeoBox {
  const angle = meters / POLE_RADIUS_M;
  const lat = latitude * TO_RADIANS;
  const lon = longitude * TO_RADIANS;
  const south = lat - angle;
  const north = lat + angle;
  if (!(south > -Math.PI / 2 && north < Math.PI / 2)) {
    // A pole is within the distance.
    return {
      north: degrees(Math.min(north, Math.PI / 2)),
      south: degrees(Math.max(south, -Math.PI / 2)),
      west: -180,
      east: 180,
    };
  }
  const width = Math.asin(Math.sin(angle) / Math.cos(lat));
  let west = lon - width;
  if (west < -Math.PI) west += 2 * Math.PI;
  let east = lon + width;
  if (east > Math.PI) east -= 2 * Math.PI;
  return {
    north: degrees(north),
    south: degrees(south),
    west: degrees(west),
    east: degrees(east),
  };
}

/** Boxes that hold all of a region, none across the date line; null: it may be anywhere. */
export function boxesAround(region: GeoRegion): readonly GeoBox[] | null {
  if (region.shape === 'polygon') return boxOfCorners(region.latitudes, region.longitudes);
  const box = region.shape === 'box' ? region : region.within;
  if (box === null) return null;
  const { north, west, south, east } = box;
  if (west <= east) return [{ north, west, south, east }];
  return [
    { north, west: -Infinity, south, east },
    { north, west, south, east: Infinity },
  ];
}

function boxOfCorners(
  latitudes: readonly number[],
  longitudes: readonly number[],
): readonly GeoBox[] | null {
  if (![...latitudes, ...longitudes].every(Number.isFinite)) return null;
  const box = { north: -Infinity, west: Infinity, south: Infinity, east: -Infinity };
  for (let i = 0; i < latitudes.length; i++) {
    box.north = Math.max(box.north, latitudes[i]!);
    box.south = Math.min(box.south, latitudes[i]!);
    box.east = Math.max(box.east, longitudes[i]!);
    box.west = Math.min(box.west, longitudes[i]!);
  }
  // Where an edge crosses is rounded.
  return [{ ...box, north: box.north + ROUNDING, south: box.south - ROUNDING }];
}

/** Whether a point is in a region, in degrees. Coordinates that are no number are in none. */
export type RegionTest = (latitude: number, longitude: number) => boolean;

/** The test of a region, made once for many points. */
export function regionTest(region: GeoRegion): RegionTest {
  switch (region.shape) {
    case 'box':
      return boxTest(region);
    case 'ring': {
      const { from, to, within } = region;
      const distance = distanceFrom(region.center, region.distanceType, 1);
      const isNear = within === null ? null : boxTest(within);
      const told = toldUnmeasured(region);
      return (latitude, longitude) => {
        if (isNear !== null && !isNear(latitude, longitude)) return false;
        const known = told === null ? 0 : told(latitude, longitude, 0, 0);
        if (known !== 0) return known > 0;
        const meters = distance(latitude, longitude);
        return meters >= from && meters <= to;
      };
    }
    case 'polygon':
      return polygonTest(region.latitudes, region.longitudes);
  }
}

/** What the radius of the earth is between at any latitude, in meters, with room for what is rounded. */
const LEAST_RADIUS_M = POLE_RADIUS_M * (1 - ROUNDING);
const MOST_RADIUS_M = 6378137 * (1 + ROUNDING);
/** Nearer to a pole, in radians, what is below says little. */
const LAST_LATITUDE = 1.4;

/**
 * Tells of all points of a small box whether they are in a region: 1: they are, -1: none is, 0: they have to
 * be tested. Given its middle, and how far it reaches from there, in degrees.
 */
export type BoxTest = (
  latitude: number,
  longitude: number,
  latitudeReach: number,
  longitudeReach: number,
) => number;

/** The test of a region for boxes; null: it cannot tell of any. */
export function regionBoxTest(region: GeoRegion): BoxTest | null {
  if (region.shape === 'polygon') return null;
  const box = region.shape === 'box' ? region : region.within;
  // Over the date line.
  if (box !== null && !(box.west <= box.east)) return null;
  const inBox = box === null ? null : boxInBox(box);
  if (region.shape === 'box') return inBox;
  const inCircle = toldUnmeasured(region);
  if (inCircle === null || inBox === null) return inCircle;
  return (latitude, longitude, latitudeReach, longitudeReach) => {
    const known = inCircle(latitude, longitude, latitudeReach, longitudeReach);
    if (known < 0) return known;
    return Math.min(known, inBox(latitude, longitude, latitudeReach, longitudeReach));
  };
}

function boxInBox({ north, west, south, east }: GeoBox): BoxTest {
  return (latitude, longitude, latitudeReach, longitudeReach) => {
    const [top, bottom] = [latitude + latitudeReach, latitude - latitudeReach];
    const [right, left] = [longitude + longitudeReach, longitude - longitudeReach];
    if (bottom > north || top < south || left > east || right < west) return -1;
    return top <= north && bottom >= south && right <= east && left >= west ? 1 : 0;
  };
}

/**
 * Tells of points whether they are within a distance without measuring it; null: it cannot tell of any.
 *
 * A way straight from one latitude and longitude to another ones is not shorter than the shortest, and as
 * long as if all of it were where the parallels are longest at most. The shortest way between points within
 * the distance stays in the circle, and is as long as if all of it were where they are shortest at least.
 */
function toldUnmeasured({
  center,
  distanceType,
  from,
  to,
}: Extract<GeoRegion, { shape: 'ring' }>): BoxTest | null {
  if (from > 0 || (distanceType !== 'arc' && distanceType !== 'sloppy_arc')) return null;
  const angle = (to / LEAST_RADIUS_M) * (1 + ROUNDING);
  const latitude = Math.abs(center.latitude * TO_RADIANS);
  if (!(angle >= 0 && latitude + angle < LAST_LATITUDE)) return null;
  const shortest = Math.cos(latitude + angle) ** 2;
  const longest = latitude < angle ? 1 : Math.cos(latitude - angle) ** 2;
  const near = (to / (MOST_RADIUS_M * TO_RADIANS)) ** 2;
  const far = (to / (LEAST_RADIUS_M * TO_RADIANS)) ** 2;
  return (lat, lon, latReach, lonReach) => {
    const up = Math.abs(lat - center.latitude);
    const along = Math.abs(lon - center.longitude);
    const most = squared(up + latReach) + longest * squared(along + lonReach);
    if (most < near) return 1;
    // Farther than half around the other way is shorter.
    if (!(along + lonReach < 180)) return 0;
    const least =
      squared(Math.max(0, up - latReach)) + shortest * squared(Math.max(0, along - lonReach));
    return least > far ? -1 : 0;
  };
}

/** Quicker than the operator, where that is not compiled to the same. */
function squared(number: number): number {
  return number * number;
}

function boxTest({ north, west, south, east }: GeoBox): RegionTest {
  if (west > east) {
    return (latitude, longitude) =>
      latitude <= north && latitude >= south && (longitude >= west || longitude <= east);
  }
  return (latitude, longitude) =>
    latitude <= north && latitude >= south && longitude >= west && longitude <= east;
}

/** Counts the edges below a point. */
function polygonTest(latitudes: readonly number[], longitudes: readonly number[]): RegionTest {
  const lats = Float64Array.from(latitudes);
  const lons = Float64Array.from(longitudes);
  return (latitude, longitude) => {
    let isInside = false;
    for (let i = 1; i < lats.length; i++) {
      const lon = lons[i]!;
      const before = lons[i - 1]!;
      if (lon < longitude === before < longitude) continue;
      const lat = lats[i]!;
      const crossing = lat + ((longitude - lon) / (before - lon)) * (lats[i - 1]! - lat);
      if (crossing < latitude) isInside = !isInside;
    }
    return isInside;
  };
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

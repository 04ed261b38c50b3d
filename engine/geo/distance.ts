// Distances between points, in the ways a request may ask for (reference server).

import { illegalArgument } from '../errors';
import { earthDiameter, sloppyAsin, sloppyCos } from './sloppy-math';

export type DistanceType = 'sloppy_arc' | 'arc' | 'plane' | 'factor';

const TYPES: readonly DistanceType[] = ['sloppy_arc', 'arc', 'plane', 'factor'];
const TO_RADIANS = Math.PI / 180;
/** Once around the earth, in meters. */
export const EQUATOR_M = 2 * Math.PI * 6378137;

/** Degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * A distance type by name, in any case.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException
 */
export function parseDistanceType(text: string): DistanceType {
  const type = TYPES.find((candidate) => candidate === text.toLowerCase());
  if (type === undefined) throw illegalArgument(`No geo distance for [${text.toLowerCase()}]`);
  return type;
}

/**
 * The function that measures the distance from a point, in units of so many meters. `factor` is no distance
 * but the cosine of the angle between the points.
 */
export function distanceFrom(
  { latitude, longitude }: Point,
  type: DistanceType,
  unitMeters: number,
): (latitude: number, longitude: number) => number {
  switch (type) {
    case 'sloppy_arc': {
      const x1 = latitude * TO_RADIANS;
      return (lat, lon) => {
        const x2 = lat * TO_RADIANS;
        const h1 = 1 - sloppyCos(x1 - x2);
        const h2 = 1 - sloppyCos((longitude - lon) * TO_RADIANS);
        const h = (h1 + sloppyCos(x1) * sloppyCos(x2) * h2) / 2;
        const diameter = earthDiameter((x1 + x2) / 2);
        return (diameter * sloppyAsin(Math.min(1, Math.sqrt(h))) * 1000) / unitMeters;
      };
    }
    case 'arc': {
      const x1 = (latitude * Math.PI) / 180;
      return (lat, lon) => {
        const x2 = (lat * Math.PI) / 180;
        const h1 = 1 - Math.cos(x1 - x2);
        const h2 = 1 - Math.cos(((longitude - lon) * Math.PI) / 180);
        const h = (h1 + Math.cos(x1) * Math.cos(x2) * h2) / 2;
        const diameter = earthDiameter((x1 + x2) / 2);
        return (diameter * 1000 * Math.asin(Math.min(1, Math.sqrt(h)))) / unitMeters;
      };
    }
    case 'plane': {
      const perDegree = EQUATOR_M / (360 * unitMeters);
      return (lat, lon) => {
        const dx = lon - longitude;
        const dy = lat - latitude;
        return Math.sqrt(dx * dx + dy * dy) * perDegree;
      };
    }
    case 'factor': {
      const a = radians(90 - latitude);
      const sinA = Math.sin(a);
      const cosA = Math.cos(a);
      return (lat, lon) => {
        const c = radians(90 - lat);
        return cosA * Math.cos(c) + sinA * Math.sin(c) * Math.cos(radians(lon - longitude));
      };
    }
  }
}

function radians(degrees: number): number {
  return degrees * TO_RADIANS;
}

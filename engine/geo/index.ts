// Points, distances and geohashes.

export { metersOf, metersWithUnit, parseMeters } from './distance-unit';
export { distanceFrom, type DistanceType, parseDistanceType, type Point } from './distance';
export {
  decodeGeohash,
  EARTH_EQUATOR_M,
  EARTH_POLE_DISTANCE_M,
  encodeGeohash,
  geohashCellMeters,
  geohashLevels,
  geohashNeighbors,
  type GeoPoint,
  normalizePoint,
} from './geohash';
export { parsePoint } from './parse-point';
export { coordinate, pointOfObject, pointOfText, unexpected } from './point-spellings';

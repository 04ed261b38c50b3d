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
export { MAX_SHAPE_POINTS, parseOrientation, readShape, type ShapeBudget } from './geo-json';
export { parsePoint } from './parse-point';
export {
  boxAround,
  boxesAround,
  type GeoBox,
  type GeoRegion,
  regionBoxTest,
  regionTest,
} from './region';
export { coordinate, pointOfObject, pointOfText, unexpected } from './point-spellings';
export { cellTerms, cellWork, LEAF, MAX_CELL_WORK, smallestCells } from './shapes/cells';
export {
  detailOf,
  EARTH,
  prefixTree,
  type PrefixTree,
  type ShapePrecision,
  type TreeName,
} from './shapes/prefix-tree';
export { regionOf } from './shapes/region';
export { type CellRegion, COVERS, DISJOINT, type Relation } from './shapes/relation';
export type { RingOrder } from './shapes/rings';
export type { Box, Shape } from './shapes/shape';

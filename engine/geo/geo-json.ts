// Shapes as GeoJSON gives them, with the additions and the errors of the reference server.
//
// A shape is read as a whole before its geometry is looked at, so that what is malformed is told first.

import { EngineError, illegalArgument } from '../errors';
import { formatDouble, JsonToken, type JsonScanner } from '../json/index';
import { EQUATOR_M } from './distance';
import { parseMeters } from './distance-unit';
import { coordinate, unexpected } from './point-spellings';
import { placeRings, type RingOrder } from './shapes/rings';
import { boxOf, boxOfPaths, type Shape } from './shapes/shape';
import { cutAtDateLine } from './shapes/date-line';
import { polygonFault } from './shapes/validity';

/** A position, or an array of such. */
type Coordinates = readonly [x: number, y: number] | { readonly of: Coordinates[] };

/** Makes the shape that was read. @throws EngineError InvalidShapeException */
type Build = () => Shape;

/** What the members of a shape say besides its coordinates. */
interface ShapeOptions {
  readonly radius: number | null;
  readonly order: RingOrder;
}

type ShapeReader = (coordinates: Coordinates, options: ShapeOptions) => Build;

const SHAPES: ReadonlyMap<string, ShapeReader> = new Map<string, ShapeReader>([
  ['point', readPoint],
  ['multipoint', readPoints],
  ['linestring', readLine],
  ['multilinestring', readLines],
  ['polygon', readPolygon],
  ['multipolygon', readPolygons],
  ['envelope', readEnvelope],
  ['circle', readCircle],
]);
const COLLECTION = 'geometrycollection';

/** Deeper values are no shapes. */
const MOST_LEVELS = 50;

/** Points of the shapes of a document at most, unless its index says otherwise, and of one in a search. */
export const MAX_SHAPE_POINTS = 50_000;

/** How many points shapes that are read may still have; goes down as they are read. */
export interface ShapeBudget {
  shapePointsLeft: number;
  /** Why one more is refused. */
  tooManyPoints(): EngineError;
}

/** For one shape. */
function ownBudget(): ShapeBudget {
  return {
    shapePointsLeft: MAX_SHAPE_POINTS,
    tooManyPoints: () => illegalArgument(`shape has more than [${MAX_SHAPE_POINTS}] points`),
  };
}

/** @throws EngineError IllegalArgumentException */
export function parseOrientation(text: string): RingOrder {
  switch (text.toLowerCase()) {
    case 'right':
    case 'counterclockwise':
    case 'ccw':
      return 'RIGHT';
    case 'left':
    case 'clockwise':
    case 'cw':
      return 'LEFT';
    default:
      throw new EngineError('IllegalArgumentException', `Unknown orientation [${text}]`);
  }
}

/**
 * Reads the shape at the scanner's token and leaves the scanner at its last one.
 *
 * @param order of the outer rings, where the shape itself does not say
 * @param budget of points; absent: that of a single shape
 * @returns null for JSON null, which is no shape
 * @throws EngineError ElasticsearchParseException, ElasticsearchIllegalArgumentException,
 *         NumberFormatException, JsonParseException, InvalidShapeException
 */
export function readShape(
  scanner: JsonScanner,
  order: RingOrder,
  budget = ownBudget(),
): Shape | null {
  if (scanner.token === JsonToken.Null) return null;
  return new ShapeScan(scanner, order, budget).read(0)();
}

class ShapeScan {
  constructor(
    private readonly scanner: JsonScanner,
    private readonly order: RingOrder,
    private readonly budget: ShapeBudget,
  ) {}

  read(level: number): Build {
    const { scanner } = this;
    if (scanner.token !== JsonToken.ObjectStart || level > MOST_LEVELS) {
      throw unexpected('Shape must be an object consisting of type and coordinates');
    }
    let type: string | null = null;
    let coordinates: Coordinates | null = null;
    let radius: number | null = null;
    let parts: Build[] | null = null;
    let { order } = this;
    while (scanner.next() === JsonToken.Name) {
      const name = scanner.text;
      scanner.next();
      switch (name) {
        case 'type':
          type = knownShape(scanner.text);
          break;
        case 'coordinates':
          coordinates = this.readCoordinates(0);
          break;
        case 'geometries':
          parts = this.readGeometries(level);
          break;
        case 'radius':
          radius = parseMeters(scanner.text);
          break;
        case 'orientation':
          order = parseOrientation(scanner.text);
          break;
        default:
          scanner.skipChildren();
      }
    }
    if (type === null) throw unexpected('Shape type not included');
    if (type === COLLECTION) {
      if (parts === null) throw unexpected('geometries not included');
    } else if (coordinates === null) throw unexpected('Coordinates not included');
    if (radius !== null && type !== 'circle') {
      throw unexpected('Field [radius] is supported for [CIRCLE] only');
    }
    const reader = SHAPES.get(type);
    if (reader !== undefined) return reader(coordinates!, { radius, order });
    const builds = parts!;
    return () =>
      oneOrAll(
        builds.map((build) => build()),
        false,
      );
  }

  private readGeometries(level: number): Build[] {
    const { scanner } = this;
    if (scanner.token !== JsonToken.ArrayStart) {
      throw unexpected('Geometries must be an array of geojson objects');
    }
    const parts: Build[] = [];
    while (scanner.next() !== JsonToken.ArrayEnd) {
      this.count();
      parts.push(this.read(level + 1));
    }
    return parts;
  }

  private readCoordinates(level: number): Coordinates {
    const { scanner } = this;
    if (scanner.token !== JsonToken.ArrayStart || level > MOST_LEVELS) throw notNumeric(scanner);
    const of: Coordinates[] = [];
    for (let token = scanner.next(); token !== JsonToken.ArrayEnd; token = scanner.next()) {
      if (token === JsonToken.ArrayStart) {
        this.count();
        of.push(this.readCoordinates(level + 1));
        continue;
      }
      if (token === JsonToken.Null) {
        throw illegalArgument('coordinates cannot contain NULL values)');
      }
      const x = coordinate(scanner);
      if (scanner.next() === JsonToken.ArrayEnd) throw notNumeric(scanner);
      const y = coordinate(scanner);
      // Further numbers, such as a height, are ignored.
      while (scanner.next() === JsonToken.Number);
      return [x, y];
    }
    return { of };
  }

  private count(): void {
    if (--this.budget.shapePointsLeft < 0) throw this.budget.tooManyPoints();
  }
}

function knownShape(name: string): string {
  const type = name.toLowerCase();
  if (SHAPES.has(type) || type === COLLECTION) return type;
  throw illegalArgument(`unknown geo_shape [${name}]`);
}

function notNumeric({ token }: JsonScanner): EngineError {
  const name = token === JsonToken.ArrayEnd ? 'END_ARRAY' : 'END_OBJECT';
  return new EngineError(
    'JsonParseException',
    `Current token (${name}) not numeric, can not use numeric value accessors`,
  );
}

function invalid(text: string): EngineError {
  return new EngineError('InvalidShapeException', text);
}

/** A collection of one is that one; the reference has nothing for one of none. */
function oneOrAll(shapes: readonly Shape[], isSplit: boolean): Shape {
  const [first] = shapes;
  if (first === undefined) {
    throw new EngineError('NoSuchElementException', 'null', { status: 400 });
  }
  if (shapes.length === 1 && !(isSplit && isOverDateLine(first))) return first;
  return { kind: 'collection', shapes, isSplit };
}

function isOverDateLine(shape: Shape): boolean {
  const box = boxOf(shape);
  return box !== null && box.west > box.east;
}

function partsOf(coordinates: Coordinates): Coordinates[] {
  return 'of' in coordinates ? coordinates.of : [];
}

function readPoint(coordinates: Coordinates): Build {
  if ('of' in coordinates) {
    throw unexpected(
      coordinates.of.length === 0
        ? 'Invalid number of points (0) provided when expecting a single coordinate ([lat, lng])'
        : 'multipoint data provided when single point data expected.',
    );
  }
  const [x, y] = coordinates;
  return () => {
    checkInside(x, y);
    return { kind: 'point', x, y };
  };
}

/** @throws EngineError InvalidShapeException for a place that is not on the map */
function checkInside(x: number, y: number): void {
  if (!(Math.abs(x) <= 180)) throw outside('X', x);
  if (!(Math.abs(y) <= 90)) throw outside('Y', y);
}

function outside(axis: string, value: number): EngineError {
  return invalid(
    `Bad ${axis} value ${formatDouble(value)} is not in boundary Rect(minX=-180.0,maxX=180.0,minY=-90.0,maxY=90.0)`,
  );
}

function readPoints(coordinates: Coordinates): Build {
  if (!('of' in coordinates)) {
    throw unexpected(
      'single coordinate found when expecting an array of coordinates. change type to point or change data to an array of >0 coordinates',
    );
  }
  if (coordinates.of.length === 0) {
    throw unexpected(
      'No data provided for multipoint object when expecting >0 points (e.g., [[lat, lng]] or [[lat, lng], ...])',
    );
  }
  const builds = coordinates.of.map(readPoint);
  return () => ({ kind: 'collection', shapes: builds.map((build) => build()), isSplit: false });
}

/** The points of a list as x and y in turns. */
function pathOf(coordinates: Coordinates): Float64Array {
  const points = partsOf(coordinates);
  const path = new Float64Array(points.length * 2);
  points.forEach((point, i) => {
    if ('of' in point) throw notAPoint();
    path[i * 2] = point[0];
    path[i * 2 + 1] = point[1];
  });
  return path;
}

/** compat: the reference does not expect a list where a point should be. */
function notAPoint(): EngineError {
  return new EngineError('NullPointerException', '', { status: 400 });
}

function linePath(coordinates: Coordinates): Float64Array {
  const path = pathOf(coordinates);
  if (path.length >= 4) return path;
  throw unexpected(
    `Invalid number of points in LineString (found ${path.length / 2} - must be >= 2)`,
  );
}

function checkLine(path: Float64Array): void {
  checkFinite(path);
  for (let i = 2; i < path.length; i += 2) {
    if (path[i] !== path[0] || path[i + 1] !== path[1]) return;
  }
  throw invalid(
    `Too few distinct points in geometry component at or near point ${shown(path[0]!, path[1]!)}`,
  );
}

function checkFinite(path: Float64Array): void {
  for (let i = 0; i < path.length; i += 2) {
    if (Number.isFinite(path[i]) && Number.isFinite(path[i + 1])) continue;
    throw invalid(`Invalid Coordinate at or near point ${shown(path[i]!, path[i + 1]!)}`);
  }
}

/** A point as the reference shows it. */
function shown(x: number, y: number): string {
  return `(${formatDouble(x).replaceAll('"', '')}, ${formatDouble(y).replaceAll('"', '')}, NaN)`;
}

function readLine(coordinates: Coordinates): Build {
  return linesOf([linePath(coordinates)]);
}

function readLines(coordinates: Coordinates): Build {
  return linesOf(partsOf(coordinates).map(linePath));
}

function linesOf(paths: readonly Float64Array[]): Build {
  return () => {
    paths.forEach(checkLine);
    return { kind: 'paths', paths: paths.flatMap(cutAtDateLine), hasArea: false };
  };
}

function readPolygons(coordinates: Coordinates, options: ShapeOptions): Build {
  const builds = partsOf(coordinates).map((part) => readPolygon(part, options));
  return () =>
    oneOrAll(
      builds.map((build) => build()),
      true,
    );
}

function readPolygon(coordinates: Coordinates, { order }: ShapeOptions): Build {
  const rings = partsOf(coordinates).map(ringPath);
  if (rings.length === 0) {
    throw unexpected(
      'Invalid LinearRing provided for type polygon. Linear ring must be an array of coordinates',
    );
  }
  return () => {
    rings.forEach(checkFinite);
    placeRings(rings, order);
    rings.forEach(checkDistinct);
    checkArea(rings);
    return { kind: 'paths', paths: rings, hasArea: true };
  };
}

function ringPath(coordinates: Coordinates): Float64Array {
  const path = pathOf(coordinates);
  const count = path.length / 2;
  if (count < 4) {
    throw unexpected(`Invalid number of points in LinearRing (found ${count} - must be >= 4)`);
  }
  if (path[0] !== path[path.length - 2] || path[1] !== path[path.length - 1]) {
    throw unexpected('Invalid LinearRing found (coordinates are not closed)');
  }
  return path;
}

function checkDistinct(ring: Float64Array): void {
  for (let i = 2; i < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    if (x !== ring[i - 2] || y !== ring[i - 1]) continue;
    throw invalid(`Provided shape has duplicate consecutive coordinates at: ${shown(x, y)}`);
  }
}

/** @throws EngineError InvalidShapeException for rings that make no area */
function checkArea(rings: readonly Float64Array[]): void {
  const [shell, ...holes] = rings;
  const { west, east } = boxOfPaths([shell!]);
  if (east - west > 360) throw invalid('Polygon is wider than the earth');
  for (const hole of holes) {
    const x = hole[0]!;
    if (x < west || x > east) throw invalid('Invalid shape: Hole is not within polygon');
  }
  const fault = polygonFault(rings);
  if (fault === null) return;
  const place =
    fault.point === null ? '' : ` at or near point ${shown(fault.point[0], fault.point[1])}`;
  throw invalid(`${fault.text}${place}`);
}

/** compat: corners in any order. */
function readEnvelope(coordinates: Coordinates): Build {
  const path = pathOf(coordinates);
  if (path.length !== 4) {
    throw unexpected(
      `Invalid number of points (${path.length / 2}) provided for geo_shape ('envelope') when expecting an array of 2 coordinates`,
    );
  }
  const { west, east, south, north } = boxOfPaths([path]);
  return () => {
    checkInside(west, south);
    checkInside(east, north);
    return { kind: 'box', west, east, south, north };
  };
}

function readCircle(coordinates: Coordinates, { radius }: ShapeOptions): Build {
  if (radius === null) {
    throw new EngineError(
      'NullPointerException',
      'Cannot read field "value" because "radius" is null',
    );
  }
  const center = readPoint(coordinates)();
  const degrees = (radius * 360) / EQUATOR_M;
  if (!(degrees >= 0)) throw invalid(`distance must be >= 0; got ${formatDouble(degrees)}`);
  if (center.kind !== 'point') throw notAPoint();
  return () => ({ kind: 'circle', x: center.x, y: center.y, radius: Math.min(degrees, 180) });
}

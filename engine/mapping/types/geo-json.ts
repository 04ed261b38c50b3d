// GeoJSON shapes in documents: read, and refused where the reference server refuses them.
//
// Not checked is what needs the geometry itself: lines that cross themselves, holes outside of their area.

import { EngineError, illegalArgument } from '../../errors';
import { parseMeters, coordinate, unexpected } from '../../geo/index';
import { formatDouble, JsonToken, type JsonScanner } from '../../json/index';

/** The order in which the points of an outer ring are given. */
export type Orientation = 'LEFT' | 'RIGHT';

/** A position, or an array of such. */
type Coordinates = readonly [longitude: number, latitude: number] | { readonly of: Coordinates[] };

/** A reading of the coordinates of one type of shape. @throws EngineError */
type Check = (coordinates: Coordinates, radius: number | null) => void;

const SHAPES: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['point', checkPoint],
  ['multipoint', checkPoints],
  ['linestring', checkLine],
  ['multilinestring', (coordinates) => partsOf(coordinates).forEach(checkLine)],
  ['polygon', checkPolygon],
  ['multipolygon', (coordinates) => partsOf(coordinates).forEach(checkPolygon)],
  ['envelope', checkEnvelope],
  ['circle', checkCircle],
]);
const COLLECTION = 'geometrycollection';

/** Deeper values are no shapes. */
const MOST_LEVELS = 50;

/** @throws EngineError IllegalArgumentException */
export function parseOrientation(text: string): Orientation {
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
 * @throws EngineError ElasticsearchParseException, ElasticsearchIllegalArgumentException,
 *         NumberFormatException, JsonParseException, InvalidShapeException
 */
export function readShape(scanner: JsonScanner, level = 0): void {
  if (scanner.token !== JsonToken.ObjectStart || level > MOST_LEVELS) {
    throw unexpected('Shape must be an object consisting of type and coordinates');
  }
  let type: string | null = null;
  let coordinates: Coordinates | null = null;
  let radius: number | null = null;
  let hasGeometries = false;
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    scanner.next();
    switch (name) {
      case 'type':
        type = knownShape(scanner.text);
        break;
      case 'coordinates':
        coordinates = readCoordinates(scanner, 0);
        break;
      case 'geometries':
        readGeometries(scanner, level);
        hasGeometries = true;
        break;
      case 'radius':
        radius = parseMeters(scanner.text);
        break;
      case 'orientation':
        parseOrientation(scanner.text);
        break;
      default:
        scanner.skipChildren();
    }
  }
  if (type === null) throw unexpected('Shape type not included');
  if (type === COLLECTION) {
    if (!hasGeometries) throw unexpected('geometries not included');
  } else if (coordinates === null) throw unexpected('Coordinates not included');
  if (radius !== null && type !== 'circle') {
    throw unexpected('Field [radius] is supported for [CIRCLE] only');
  }
  if (coordinates !== null) SHAPES.get(type)?.(coordinates, radius);
}

function knownShape(name: string): string {
  const type = name.toLowerCase();
  if (SHAPES.has(type) || type === COLLECTION) return type;
  throw illegalArgument(`unknown geo_shape [${name}]`);
}

function readGeometries(scanner: JsonScanner, level: number): void {
  if (scanner.token !== JsonToken.ArrayStart) {
    throw unexpected('Geometries must be an array of geojson objects');
  }
  while (scanner.next() !== JsonToken.ArrayEnd) readShape(scanner, level + 1);
}

function readCoordinates(scanner: JsonScanner, level: number): Coordinates {
  if (scanner.token !== JsonToken.ArrayStart || level > MOST_LEVELS) throw notNumeric(scanner);
  const of: Coordinates[] = [];
  for (let token = scanner.next(); token !== JsonToken.ArrayEnd; token = scanner.next()) {
    if (token === JsonToken.ArrayStart) {
      of.push(readCoordinates(scanner, level + 1));
      continue;
    }
    if (token === JsonToken.Null) {
      throw illegalArgument('coordinates cannot contain NULL values)');
    }
    const longitude = coordinate(scanner);
    if (scanner.next() === JsonToken.ArrayEnd) throw notNumeric(scanner);
    const latitude = coordinate(scanner);
    // Further numbers, such as a height, are ignored.
    while (scanner.next() === JsonToken.Number);
    return [longitude, latitude];
  }
  return { of };
}

function notNumeric({ token }: JsonScanner): EngineError {
  const name = token === JsonToken.ArrayEnd ? 'END_ARRAY' : 'END_OBJECT';
  return new EngineError(
    'JsonParseException',
    `Current token (${name}) not numeric, can not use numeric value accessors`,
  );
}

function partsOf(coordinates: Coordinates): Coordinates[] {
  return 'of' in coordinates ? coordinates.of : [];
}

function checkPoint(coordinates: Coordinates): void {
  if ('of' in coordinates) {
    throw unexpected(
      coordinates.of.length === 0
        ? 'Invalid number of points (0) provided when expecting a single coordinate ([lat, lng])'
        : 'multipoint data provided when single point data expected.',
    );
  }
  const [longitude, latitude] = coordinates;
  if (!(Math.abs(longitude) <= 180)) throw outside('X', longitude);
  if (!(Math.abs(latitude) <= 90)) throw outside('Y', latitude);
}

function outside(axis: string, value: number): EngineError {
  return new EngineError(
    'InvalidShapeException',
    `Bad ${axis} value ${formatDouble(value)} is not in boundary Rect(minX=-180.0,maxX=180.0,minY=-90.0,maxY=90.0)`,
  );
}

function checkPoints(coordinates: Coordinates): void {
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
  coordinates.of.forEach(checkPoint);
}

function checkLine(coordinates: Coordinates): void {
  const count = partsOf(coordinates).length;
  if (count >= 2) return;
  throw unexpected(`Invalid number of points in LineString (found ${count} - must be >= 2)`);
}

function checkPolygon(coordinates: Coordinates): void {
  const rings = partsOf(coordinates);
  if (rings.length === 0) {
    throw unexpected(
      'Invalid LinearRing provided for type polygon. Linear ring must be an array of coordinates',
    );
  }
  rings.forEach(checkRing);
}

function checkRing(ring: Coordinates): void {
  const points = partsOf(ring);
  if (points.length < 4) {
    throw unexpected(
      `Invalid number of points in LinearRing (found ${points.length} - must be >= 4)`,
    );
  }
  if (!isSame(points[0], points[points.length - 1])) {
    throw unexpected('Invalid LinearRing found (coordinates are not closed)');
  }
}

function isSame(a: Coordinates | undefined, b: Coordinates | undefined): boolean {
  if (a === undefined || b === undefined || 'of' in a || 'of' in b) return false;
  return a[0] === b[0] && a[1] === b[1];
}

function checkEnvelope(coordinates: Coordinates): void {
  const count = partsOf(coordinates).length;
  if (count === 2) return;
  throw unexpected(
    `Invalid number of points (${count}) provided for geo_shape ('envelope') when expecting an array of 2 coordinates`,
  );
}

function checkCircle(coordinates: Coordinates, radius: number | null): void {
  if (radius === null) {
    throw new EngineError(
      'NullPointerException',
      'Cannot read field "value" because "radius" is null',
    );
  }
  checkPoint(coordinates);
}

// Shapes on the map as plain data, the boxes around them, and how coarse the cells may be that stand for them
// (reference server).

const TO_RADIANS = Math.PI / 180;
const TO_DEGREES = 1 / TO_RADIANS;

/** Between two longitudes and two latitudes, in degrees. */
export interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** A shape in degrees, x to the east, y to the north. */
export type Shape =
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | ({ readonly kind: 'box' } & Box)
  /** What is within an angle of `radius` degrees around a point. */
  | { readonly kind: 'circle'; readonly x: number; readonly y: number; readonly radius: number }
  /**
   * Lines, or the area between rings by the even-odd rule. Each path has x and y of its points in turns; a
   * ring ends where it begins. Beyond 180 or -180 degrees rings go on around the earth; lines end at the date
   * line.
   */
  | { readonly kind: 'paths'; readonly paths: readonly Float64Array[]; readonly hasArea: boolean }
  /** `isSplit`: areas over the date line are taken for one on each side of it when they are measured. */
  | {
      readonly kind: 'collection';
      readonly shapes: readonly Shape[];
      readonly isSplit: boolean;
    };

/** The shape of paths. */
export type PathShape = Extract<Shape, { readonly kind: 'paths' }>;

/** The angle between two points, in degrees. */
export function angleBetween(x1: number, y1: number, x2: number, y2: number): number {
  if (x1 === x2 && y1 === y2) return 0;
  const lat1 = y1 * TO_RADIANS;
  const lat2 = y2 * TO_RADIANS;
  const sinX = Math.sin((x1 * TO_RADIANS - x2 * TO_RADIANS) * 0.5);
  const sinY = Math.sin((lat1 - lat2) * 0.5);
  const h = sinY * sinY + Math.cos(lat1) * Math.cos(lat2) * sinX * sinX;
  return 2 * Math.atan2(Math.sqrt(h), Math.sqrt(1 - h)) * TO_DEGREES;
}

/** The box around a circle; west above east: it crosses the date line. */
export function boxOfCircle(x: number, y: number, radius: number): Box {
  if (radius === 0) return { west: x, east: x, south: y, north: y };
  const south = y - radius;
  const north = y + radius;
  if (radius >= 180) return { west: -180, east: 180, south: -90, north: 90 };
  if (north < 90 && south > -90) {
    const sine = Math.sin(radius * TO_RADIANS) / Math.cos(y * TO_RADIANS);
    const width = sine <= 1 ? Math.asin(sine) * TO_DEGREES : 90;
    return { west: wrapped(x - width), east: wrapped(x + width), south, north };
  }
  const isWithinPoles = north <= 90 && south >= -90;
  return {
    west: isWithinPoles ? wrapped(x - 90) : -180,
    east: isWithinPoles ? wrapped(x + 90) : 180,
    south: Math.max(south, -90),
    north: Math.min(north, 90),
  };
}

/** A longitude from -180 to 180. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  const around = (((longitude + 180) % 360) + 360) % 360;
  return around === 0 && longitude > 0 ? 180 : around - 180;
}

/** The box around all points of paths, where they are given. */
export function boxOfPaths(paths: readonly Float64Array[]): Box {
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (const path of paths) {
    for (let i = 0; i < path.length; i += 2) {
      const x = path[i]!;
      const y = path[i + 1]!;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  return { west, east, south, north };
}

/** The box around a shape; west above east: it crosses the date line. Null: nothing is in it. */
export function boxOf(shape: Shape): Box | null {
  switch (shape.kind) {
    case 'point':
      return { west: shape.x, east: shape.x, south: shape.y, north: shape.y };
    case 'box':
      return shape;
    case 'circle':
      return boxOfCircle(shape.x, shape.y, shape.radius);
    case 'paths':
      return shape.hasArea ? boxOfRings(shape.paths) : boxOfLines(shape.paths);
    case 'collection':
      return boxOfParts(shape.shapes, shape.isSplit);
  }
}

function boxOfRings(rings: readonly Float64Array[]): Box {
  const box = boxOfPaths(rings);
  if (box.west >= -180 && box.east <= 180) return box;
  if (box.east - box.west >= 360) return { ...box, west: -180, east: 180 };
  return { ...box, west: wrapped(box.west), east: wrapped(box.east) };
}

/** Lines on both sides of the date line may be nearer to each other over it. */
function boxOfLines(lines: readonly Float64Array[]): Box | null {
  if (lines.length === 0) return null;
  const box = boxOfPaths(lines);
  if (box.east - box.west <= 180) return box;
  const { west, east } = lines.map((line) => boxOfPaths([line])).reduce(narrowest);
  return { ...box, west, east };
}

/** compat: never over the date line. */
function boxOfParts(parts: readonly Shape[], isSplit: boolean): Box | null {
  const boxes = parts.map(boxOf).filter((box) => box !== null);
  if (isSplit && boxes.some(({ west, east }) => west > east)) {
    boxes.push({ west: -180, east: 180, south: boxes[0]!.south, north: boxes[0]!.north });
  }
  if (boxes.length === 0) return null;
  return boxes.reduce((one, other) => ({
    west: Math.min(one.west, one.east, other.west, other.east),
    east: Math.max(one.west, one.east, other.west, other.east),
    south: Math.min(one.south, other.south),
    north: Math.max(one.north, other.north),
  }));
}

function width({ west, east }: Box): number {
  return east < west ? east - west + 360 : east - west;
}

function hasLongitude({ west, east }: Box, x: number): boolean {
  return west <= east ? x >= west && x <= east : x >= west || x <= east;
}

/** The longitudes of two boxes and what is between them, the way around the earth that takes less. */
function narrowest(one: Box, other: Box): Box {
  const { south, north } = one;
  const [a, b] = isBefore(one, other) ? [one, other] : [other, one];
  const first = hasLongitude(b, a.west) ? b : a;
  const last = hasLongitude(a, b.east) ? a : b;
  if (first === b && last === a && a !== b) return { west: -180, east: 180, south, north };
  return { west: first.west, east: last.east, south, north };
}

/** Whether the middle of a box is west of that of another, around the earth if that is shorter. */
function isBefore(one: Box, other: Box): boolean {
  const difference = wrapped(one.west + width(one) / 2) - wrapped(other.west + width(other) / 2);
  if (difference > 180) return difference - 360 <= 0;
  if (difference < -180) return difference + 360 <= 0;
  return difference <= 0;
}

/**
 * How many degrees the cells that stand for a shape may measure: a share of half of the diagonal of the box
 * around it. 0: as small as the tree has them.
 *
 * @param share `distance_error_pct` of the field
 */
export function errorOf(shape: Shape, share: number): number {
  if (share === 0 || shape.kind === 'point') return 0;
  const box = boxOf(shape);
  if (box === null) return 0;
  const middleY = box.south + (box.north - box.south) / 2;
  const corner = middleY >= 0 ? box.north : box.south;
  return angleBetween(box.west + width(box) / 2, middleY, box.east, corner) * share;
}

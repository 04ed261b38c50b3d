// Circles on the sphere against cells (reference server). A circle is no circle on the map: its widest place
// is not at the height of its center, it may go around a pole, and one of more than a quarter of the way
// around the earth is what lies outside of a smaller one.

import { COVERS, type CellRegion, DISJOINT, INTERSECTS, type Relation } from './relation';
import { relateBoxes, relateLongitudes } from './relate-boxes';
import { angleBetween, type Box, boxOfCircle, wrapped } from './shape';

const TO_RADIANS = Math.PI / 180;
const TO_DEGREES = 1 / TO_RADIANS;

/** What is within an angle around a point. */
export class CircleRegion implements CellRegion {
  private readonly box: Box;
  /** Latitude at which the circle is widest. */
  private readonly widestY: number;
  /** What is not in a circle of more than 90 degrees. */
  private readonly rest: CircleRegion | null;

  constructor(
    private readonly x: number,
    private readonly y: number,
    private readonly radius: number,
  ) {
    this.box = boxOfCircle(x, y, radius);
    const restRadius = 180 - radius;
    if (radius > 90) {
      this.rest = restRadius > 0 ? oppositeOf(x, y, restRadius) : null;
      this.widestY = y;
      return;
    }
    this.rest = null;
    const widest = widestLatitude(y, radius);
    this.widestY = Math.min(Math.max(widest, this.box.south), this.box.north);
  }

  within(): CellRegion {
    return this;
  }

  relate(cell: Box): Relation {
    const { box } = this;
    const byBox = relateBoxes(box, cell);
    if (byBox === DISJOINT) return DISJOINT;
    if (isInBox(box, cell)) return INTERSECTS;
    if (this.radius >= 180) return COVERS;
    if (this.rest !== null) return inverse(this.rest.relate(cell));
    if (box.east - box.west === 360) return this.relateAroundPole(cell);
    return box.west <= box.east ? this.relateFlat(cell, byBox) : this.relateAcross(cell);
  }

  private has(x: number, y: number): boolean {
    return angleBetween(this.x, this.y, x, y) <= this.radius;
  }

  /** Of a circle that neither crosses the date line nor has a pole in it. */
  private relateFlat({ west, east, south, north }: Box, byBox: Relation): Relation {
    const { x, widestY } = this;
    const isBeside = x < west || x > east;
    const isAboveOrBelow = widestY < south || widestY > north;
    if (isBeside && isAboveOrBelow) {
      const nearX = x < west ? west : east;
      const nearY = widestY < south ? south : north;
      if (!this.has(nearX, nearY)) return DISJOINT;
    }
    if (byBox !== COVERS) return INTERSECTS;
    const farX = isBeside ? (x < west ? east : west) : east - x > x - west ? east : west;
    const isFarNorth = isAboveOrBelow ? widestY < south : north - widestY > widestY - south;
    if (!this.has(farX, isFarNorth ? north : south)) return INTERSECTS;
    if (!isAboveOrBelow && widestY !== this.y && !this.has(farX, isFarNorth ? south : north)) {
      return INTERSECTS;
    }
    return COVERS;
  }

  private cornersIn({ west, east, south, north }: Box): number {
    return (
      Number(this.has(west, south)) +
      Number(this.has(west, north)) +
      Number(this.has(east, south)) +
      Number(this.has(east, north))
    );
  }

  private relateAcross(cell: Box): Relation {
    if (cell.east - cell.west === 360) return INTERSECTS;
    const { box, widestY } = this;
    const corners = this.cornersIn(cell);
    if (corners === 4) {
      const across = relateLongitudes(box.west, box.east, cell.west, cell.east);
      return across === COVERS ? COVERS : INTERSECTS;
    }
    if (corners > 0) return INTERSECTS;
    const isLevel = cell.south <= widestY && cell.north >= widestY;
    const overlaps = relateLongitudes(box.west, box.east, cell.west, cell.east) !== DISJOINT;
    if (isLevel && overlaps) return INTERSECTS;
    const isUnder = relateLongitudes(cell.west, cell.east, this.x, this.x) !== DISJOINT;
    const reaches = cell.north >= this.y - this.radius && cell.south <= this.y + this.radius;
    return isUnder && reaches ? INTERSECTS : DISJOINT;
  }

  private relateAroundPole(cell: Box): Relation {
    const { x, y, radius } = this;
    const beyondNorth = y + radius - 90;
    const beyondSouth = -90 - (y - radius);
    if (beyondNorth > 0) {
      if (cell.south >= 90 - beyondNorth) return COVERS;
    } else if (beyondSouth > 0 && cell.north <= beyondSouth - 90) return COVERS;
    if (cell.east - cell.west === 360) return INTERSECTS;
    const corners = this.cornersIn(cell);
    if (corners === 4) {
      const back = x <= 0 ? x + 180 : x - 180;
      const isBehind = relateLongitudes(cell.west, cell.east, back, back) !== DISJOINT;
      return isBehind ? INTERSECTS : COVERS;
    }
    if (corners > 0) return INTERSECTS;
    return relateLongitudes(cell.west, cell.east, x, x) !== DISJOINT ? INTERSECTS : DISJOINT;
  }
}

/** The circle around the other side of the earth, a little smaller so that it cannot overlap. */
function oppositeOf(x: number, y: number, radius: number): CircleRegion {
  const size = Math.max(Math.abs(x), Math.abs(y), 180) * Number.EPSILON;
  return new CircleRegion(wrapped(x + 180), -y, radius - size);
}

function widestLatitude(y: number, radius: number): number {
  if (radius === 0) return y;
  const sine = Math.sin(y * TO_RADIANS) / Math.cos(radius * TO_RADIANS);
  if (sine >= -1 && sine <= 1) return Math.asin(sine) * TO_DEGREES;
  return Math.sign(y) * 90;
}

function isInBox(box: Box, cell: Box): boolean {
  if (box.south < cell.south || box.north > cell.north) return false;
  return relateLongitudes(cell.west, cell.east, box.west, box.east) === COVERS;
}

/** What is outside of a circle has of a cell what the circle leaves. */
function inverse(relation: Relation): Relation {
  if (relation === DISJOINT) return COVERS;
  return relation === COVERS ? DISJOINT : INTERSECTS;
}

// The points of a segment in an order in which those near one another stand together, so that the points in a
// box are found without looking at the others: they are sorted by the cells of a grid, in Z-order, in which
// the cells of a square of 2^n follow one another.

import type { GeoColumn, SegmentReader } from '../contract/reader';
import type { FieldId } from '../../metadata/index';
import { sortedOrder } from './number-order';

/** Halvings of latitudes and of longitudes. */
const BITS = 16;
const LAST = 2 ** BITS - 1;
/** A column with fewer points is swept. */
const LEAST = 512;
/** Squares with fewer points are not divided. */
const FEW = 64;

/** Between two latitudes and two longitudes, in degrees; `west` not above `east`. */
export interface PointBox {
  readonly north: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
}

/** The order of the points of a field; null: it is not worth keeping yet. Kept from the second call on. */
export function pointOrder(segment: SegmentReader, field: FieldId): PointOrder | null {
  const { cache } = segment;
  const key = `points/${field}/order`;
  const known = cache.get<PointOrder>(key, 'column');
  if (known !== undefined) return known;
  const column = segment.geo(field);
  if (column === null || column.latitudes.length < LEAST || !cache.askedBefore(key)) return null;
  const made = new PointOrder(column);
  cache.put(key, 'column', made, made.byteLength);
  return made;
}

/** Finds the points in boxes. */
export class PointOrder {
  /** Cells of the points, ascending. */
  private readonly cells: Uint32Array;
  /** Positions of the points in the column, and their documents. */
  private readonly points: Uint32Array;
  private readonly docs: Uint32Array;

  constructor({ offsets, latitudes, longitudes, docCount }: GeoColumn) {
    const count = latitudes.length;
    const unordered = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      unordered[i] = (spread(row(latitudes[i]!)) << 1) | spread(columnOf(longitudes[i]!));
    }
    const docOf = new Uint32Array(count);
    for (let doc = 0; doc < docCount; doc++) docOf.fill(doc, offsets[doc], offsets[doc + 1]);
    this.points = sortedOrder({ low: unordered, high: null });
    this.cells = this.points.map((point) => unordered[point]!);
    this.docs = this.points.map((point) => docOf[point]!);
  }

  get byteLength(): number {
    return this.cells.byteLength + this.points.byteLength + this.docs.byteLength;
  }

  /** Visits all points in a box, and some beside it, but for those that the visitor tells of by squares. */
  forEachNear(box: PointBox, visitor: PointVisitor): void {
    const rows = { from: row(box.south), to: row(box.north) };
    const columns = { from: columnOf(box.west), to: columnOf(box.east) };
    this.descend(0, 0, BITS, 0, this.cells.length, rows, columns, visitor);
  }

  /**
   * Visits the points of a square, between two places of the order.
   *
   * @param size halvings from the square down to a cell
   */
  private descend(
    top: number,
    left: number,
    size: number,
    first: number,
    end: number,
    rows: Span,
    columns: Span,
    visitor: PointVisitor,
  ): void {
    const reach = (1 << size) - 1;
    if (first === end || top > rows.to || top + reach < rows.from) return;
    if (left > columns.to || left + reach < columns.from) return;
    const told = toldOf(visitor, top, left, reach);
    if (told < 0) return;
    if (told > 0) {
      for (let i = first; i < end; i++) visitor.take(this.docs[i]!);
      return;
    }
    const isInside =
      top >= rows.from &&
      top + reach <= rows.to &&
      left >= columns.from &&
      left + reach <= columns.to;
    if ((isInside && visitor.tell === null) || size === 0 || end - first < FEW) {
      this.visitEach(first, end, visitor);
      return;
    }
    const half = 1 << (size - 1);
    let start = first;
    for (let quarter = 0; quarter < 4; quarter++) {
      const below = top + (quarter >> 1) * half;
      const beside = left + (quarter & 1) * half;
      const next = quarter === 3 ? end : this.placeAfter(below, beside, half - 1, start, end);
      this.descend(below, beside, size - 1, start, next, rows, columns, visitor);
      start = next;
    }
  }

  /** Points are told of by their cells first, which are read in order; their own places are not. */
  private visitEach(first: number, end: number, visitor: PointVisitor): void {
    const { cells, points, docs } = this;
    for (let i = first; i < end; i++) {
      const cell = cells[i]!;
      const told = toldOf(visitor, gathered(cell >>> 1), gathered(cell), 0);
      if (told > 0) visitor.take(docs[i]!);
      else if (told === 0) visitor.test(points[i]!, docs[i]!);
    }
  }

  /** The first place behind the cells of a square. */
  private placeAfter(top: number, left: number, reach: number, first: number, end: number): number {
    const last = ((spread(top + reach) << 1) | spread(left + reach)) >>> 0;
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.cells[middle]! <= last) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What is done with points that may be in a region. */
export interface PointVisitor {
  /**
   * Tells of all points of a box, by its middle and how far it reaches from there, in degrees: 1: they are
   * taken, -1: they are left out, 0: each is tested. Null: it tells of none.
   */
  readonly tell:
    | ((
        latitude: number,
        longitude: number,
        latitudeReach: number,
        longitudeReach: number,
      ) => number)
    | null;
  take(doc: number): void;
  test(point: number, doc: number): void;
}

/** Degrees between rows, and between columns. */
const ROW_DEGREES = 180 / (LAST + 1);
const COLUMN_DEGREES = 360 / (LAST + 1);

/** What is told of a square; nothing at the rim of the grid, which has what is outside of it as well. */
function toldOf({ tell }: PointVisitor, top: number, left: number, reach: number): number {
  const [bottom, right] = [top + reach, left + reach];
  if (tell === null || top === 0 || left === 0 || bottom === LAST || right === LAST) return 0;
  // A little more, for what is rounded.
  const half = (reach + 1) / 2;
  const more = half + ROUNDED;
  const latitude = (top + half) * ROW_DEGREES - 90;
  const longitude = (left + half) * COLUMN_DEGREES - 180;
  return tell(latitude, longitude, more * ROW_DEGREES, more * COLUMN_DEGREES);
}

/** Cells. */
const ROUNDED = 0.001;

/** Rows or columns of the grid, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The row of a latitude. What is no number stands in the first one. */
function row(latitude: number): number {
  return clamped(((latitude + 90) / 180) * (LAST + 1));
}

function columnOf(longitude: number): number {
  return clamped(((longitude + 180) / 360) * (LAST + 1));
}

function clamped(place: number): number {
  return place >= LAST ? LAST : place > 0 ? Math.floor(place) : 0;
}

/** The bits of a number of 16 with a place for another one's between them. */
function spread(number: number): number {
  let bits = (number | (number << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** The number whose bits have another one's between them. */
function gathered(bits: number): number {
  let number = bits & 0x55555555;
  number = (number | (number >>> 1)) & 0x33333333;
  number = (number | (number >>> 2)) & 0x0f0f0f0f;
  number = (number | (number >>> 4)) & 0x00ff00ff;
  return (number | (number >>> 8)) & 0xffff;
}

// Where the edges of rings meet others than their neighbours: a sweep from west to east over edges by their
// boxes.

import { orientation } from './orientation';

/** Comparisons of edges that one sweep makes at most. */
const MAX_COMPARISONS = 1_000_000;

/** Contacts that are counted at most. */
export const MAX_CONTACTS = 64;

/** What a sweep has found. */
export interface Contacts {
  /** At most one more than {@link MAX_CONTACTS}; crossings and touches. */
  readonly count: number;
  /** A point where two edges meet; null without any. */
  readonly point: readonly [x: number, y: number] | null;
  /** False when the sweep was given up because too many edges stand above each other. */
  readonly isComplete: boolean;
}

interface Edges {
  readonly count: number;
  readonly coordinates: Float64Array;
  /** The edge that follows in the ring. */
  readonly next: Uint32Array;
}

/** Looks for edges of closed rings that meet, other than neighbours where they join. */
export function findContacts(rings: readonly Float64Array[]): Contacts {
  const { count: edges, coordinates, next } = edgesOf(rings);
  const order = new Uint32Array(edges).map((_, i) => i);
  const wests = new Float64Array(edges);
  for (let i = 0; i < edges; i++) {
    wests[i] = Math.min(coordinates[i * 4]!, coordinates[i * 4 + 2]!);
  }
  order.sort((a, b) => wests[a]! - wests[b]!);
  const active = new Uint32Array(edges);
  let actives = 0;
  let comparisons = 0;
  let count = 0;
  let point: Contacts['point'] = null;
  for (const edge of order) {
    const west = wests[edge]!;
    const south = Math.min(coordinates[edge * 4 + 1]!, coordinates[edge * 4 + 3]!);
    const north = Math.max(coordinates[edge * 4 + 1]!, coordinates[edge * 4 + 3]!);
    comparisons += actives;
    if (comparisons > MAX_COMPARISONS) return { count, point, isComplete: false };
    let kept = 0;
    for (let i = 0; i < actives; i++) {
      const other = active[i]!;
      const at = other * 4;
      if (Math.max(coordinates[at]!, coordinates[at + 2]!) < west) continue;
      active[kept++] = other;
      const y1 = coordinates[at + 1]!;
      const y2 = coordinates[at + 3]!;
      if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) continue;
      const isContact =
        next[edge] === other
          ? foldsBack(coordinates, edge, other)
          : next[other] === edge
            ? foldsBack(coordinates, other, edge)
            : meet(coordinates, edge, other);
      if (!isContact) continue;
      point ??= meetingPoint(coordinates, edge, other);
      if (++count > MAX_CONTACTS) return { count, point, isComplete: true };
    }
    active[kept] = edge;
    actives = kept + 1;
  }
  return { count, point, isComplete: true };
}

function edgesOf(rings: readonly Float64Array[]): Edges {
  const count = rings.reduce((sum, ring) => sum + ring.length / 2 - 1, 0);
  const coordinates = new Float64Array(count * 4);
  const next = new Uint32Array(count);
  let edge = 0;
  for (const ring of rings) {
    const first = edge;
    for (let i = 2; i < ring.length; i += 2) {
      coordinates.set(ring.subarray(i - 2, i + 2), edge * 4);
      next[edge] = edge + 1;
      edge++;
    }
    next[edge - 1] = first;
  }
  return { count, coordinates, next };
}

/** Whether an edge goes back over the one before it. */
function foldsBack(c: Float64Array, before: number, edge: number): boolean {
  const [ax, ay, bx, by] = [c[before * 4]!, c[before * 4 + 1]!, c[edge * 4]!, c[edge * 4 + 1]!];
  const [dx, dy] = [c[edge * 4 + 2]!, c[edge * 4 + 3]!];
  if (orientation(ax, ay, bx, by, dx, dy) !== 0) return false;
  return (bx - ax) * (dx - bx) + (by - ay) * (dy - by) < 0;
}

/** Whether two edges whose boxes overlap have a point in common. */
function meet(c: Float64Array, one: number, other: number): boolean {
  const [ax, ay, bx, by] = [c[one * 4]!, c[one * 4 + 1]!, c[one * 4 + 2]!, c[one * 4 + 3]!];
  const [px, py, qx, qy] = [c[other * 4]!, c[other * 4 + 1]!, c[other * 4 + 2]!, c[other * 4 + 3]!];
  const p = orientation(ax, ay, bx, by, px, py);
  const q = orientation(ax, ay, bx, by, qx, qy);
  if ((p > 0 && q > 0) || (p < 0 && q < 0)) return false;
  const a = orientation(px, py, qx, qy, ax, ay);
  const b = orientation(px, py, qx, qy, bx, by);
  return !((a > 0 && b > 0) || (a < 0 && b < 0));
}

function meetingPoint(c: Float64Array, one: number, other: number): [number, number] {
  const [ax, ay, bx, by] = [c[one * 4]!, c[one * 4 + 1]!, c[one * 4 + 2]!, c[one * 4 + 3]!];
  const [px, py, qx, qy] = [c[other * 4]!, c[other * 4 + 1]!, c[other * 4 + 2]!, c[other * 4 + 3]!];
  const slope = (bx - ax) * (qy - py) - (by - ay) * (qx - px);
  if (slope === 0) return [px, py];
  const share = ((px - ax) * (qy - py) - (py - ay) * (qx - px)) / slope;
  return [ax + share * (bx - ax), ay + share * (by - ay)];
}

// Whether the rings of a polygon make an area (reference server): no edge crosses another, holes are within
// the outer ring and not within each other. Polygons whose rings do not even touch are settled here; what is
// wrong or right with others is told by JSTS, which is loaded when the first of them comes.

import { findContacts, MAX_CONTACTS } from './contacts';
import { jstsFault } from './jsts-validity';
import { orientation } from './orientation';
import type { PolygonFault } from './polygon-fault';

/** Polygons with more points are not looked at closely, which would take too long. */
const MAX_JSTS_POINTS = 10_000;

/** Comparisons of holes with edges that are made at most. */
const MAX_HOLE_COMPARISONS = 10_000_000;

/** What is wrong with the rings of a polygon, the outer one first; null: nothing. */
export function polygonFault(rings: readonly Float64Array[]): PolygonFault | null {
  const { count, point, isComplete } = findContacts(rings);
  const points = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  if (!isComplete) return { text: 'polygon is too complex to be checked', point: null };
  if (count === 0) {
    const comparisons = (rings.length - 1) * points;
    if (comparisons > MAX_HOLE_COMPARISONS) {
      return { text: 'polygon has too many holes to be checked', point: null };
    }
    return areHolesInPlace(rings) ? null : jstsFault(rings);
  }
  if (points > MAX_JSTS_POINTS) return { text: 'Self-intersection', point };
  const meetings = meetingsOf(rings[0]!);
  if (meetings.length > 1)
    return { text: 'Shape contains more than one shared point', point: null };
  if (count > MAX_CONTACTS) return { text: 'Self-intersection', point };
  if (meetings.length === 0) return jstsFault(rings);
  const [one, other] = takeApart(rings, meetings[0]!);
  return jstsFault(one) ?? jstsFault(other);
}

/** Where a ring comes to a point that it has been at before: the numbers of both points. */
function meetingsOf(ring: Float64Array): (readonly [first: number, second: number])[] {
  const seen = new Map<string, number>();
  const meetings: [number, number][] = [];
  for (let i = 0; i < ring.length - 2; i += 2) {
    const key = `${ring[i]},${ring[i + 1]}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, i / 2);
    else meetings.push([first, i / 2]);
  }
  return meetings;
}

/** Two polygons of one whose outer ring comes to a point twice (reference server). */
function takeApart(
  [shell, ...holes]: readonly Float64Array[],
  [first, second]: readonly [number, number],
): [Float64Array[], Float64Array[]] {
  const loop = shell!.slice(first * 2, second * 2 + 2);
  const before = shell!.subarray(0, first * 2 + 2);
  const after = shell!.subarray(second * 2 + 2);
  const rest = new Float64Array(before.length + after.length);
  rest.set(before);
  rest.set(after, before.length);
  const isInLoop = (hole: Float64Array): boolean => isInRing(loop, hole[0]!, hole[1]!);
  return [
    [loop, ...holes.filter(isInLoop)],
    [rest, ...holes.filter((hole) => !isInLoop(hole))],
  ];
}

/** Whether each hole is within the outer ring and in no other hole. No ring meets another. */
function areHolesInPlace(rings: readonly Float64Array[]): boolean {
  for (let hole = 1; hole < rings.length; hole++) {
    const x = rings[hole]![0]!;
    const y = rings[hole]![1]!;
    for (let other = 0; other < rings.length; other++) {
      if (other !== hole && isInRing(rings[other]!, x, y) !== (other === 0)) return false;
    }
  }
  return true;
}

function isInRing(ring: Float64Array, x: number, y: number): boolean {
  let isInside = false;
  for (let i = 2; i < ring.length; i += 2) {
    const y1 = ring[i - 1]!;
    const y2 = ring[i + 1]!;
    if (y1 > y === y2 > y) continue;
    const side = orientation(ring[i - 2]!, y1, ring[i]!, y2, x, y);
    if (y2 > y1 ? side > 0 : side < 0) isInside = !isInside;
  }
  return isInside;
}

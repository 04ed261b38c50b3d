// The rings of polygons: which way round they go, and with that on which side of them the area lies.

import { boxOfPaths } from './shape';

/** The order in which the points of an outer ring are given. */
export type RingOrder = 'LEFT' | 'RIGHT';

/**
 * Puts the rings of a polygon where they belong: one that goes the other way round than its order says, and
 * takes more than half of the earth, is meant to cross the date line (reference server). Then negative
 * longitudes go on beyond 180 degrees, those of the holes as well.
 */
export function placeRings(rings: readonly Float64Array[], order: RingOrder): void {
  const [shell] = rings;
  if (shell === undefined) return;
  const { west, east } = boxOfPaths([shell]);
  const width = east - west;
  const isReversed = isClockwise(shell) !== (order === 'LEFT');
  if (!isReversed || width <= 180 || width === 360) return;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (ring[i]! < 0) ring[i] = ring[i]! + 360;
    }
  }
}

/** compat: told at the lowest point, of those the westernmost. */
function isClockwise(ring: Float64Array): boolean {
  const count = ring.length / 2 - 1;
  let lowest = 0;
  for (let i = 1; i < count; i++) {
    const y = ring[i * 2 + 1]!;
    const leastY = ring[lowest * 2 + 1]!;
    if (y < leastY || (y === leastY && ring[i * 2]! < ring[lowest * 2]!)) lowest = i;
  }
  const before = ring[((lowest + count - 1) % count) * 2]!;
  const after = ring[((lowest + 1) % count) * 2]!;
  return before > after;
}

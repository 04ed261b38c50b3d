// Boxes against cells, around the earth (reference server).

import { COVERS, DISJOINT, INTERSECTS, type Relation } from './relation';
import type { Box } from './shape';

/** What a box has of a cell; the box may cross the date line, the cell may not. */
export function relateBoxes(box: Box, cell: Box): Relation {
  if (cell.south > box.north || cell.north < box.south) return DISJOINT;
  const across = relateLongitudes(box.west, box.east, cell.west, cell.east);
  if (across === DISJOINT) return DISJOINT;
  const coversY = cell.south >= box.south && cell.north <= box.north;
  return across === COVERS && coversY ? COVERS : INTERSECTS;
}

/** compat: 180 and -180 degrees are the same meridian: what touches one touches cells on the other side. */
export function relateLongitudes(west: number, east: number, from: number, to: number): Relation {
  if (east - west === 360) return COVERS;
  let [a, b, c, d] = [west, east, from, to];
  if (b < a) b += 360;
  if (d - c === 360) return INTERSECTS;
  if (b < c) [a, b] = [a + 360, b + 360];
  else if (d < a) [c, d] = [c + 360, d + 360];
  if (c > b || d < a) return DISJOINT;
  return c >= a && d <= b ? COVERS : INTERSECTS;
}

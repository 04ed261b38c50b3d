// The contract between shapes and whoever divides the map into cells.

import type { Box } from './shape';

/** What a shape has of a cell: nothing, a part or its border, or all of it. */
export type Relation = 0 | 1 | 2;

export const DISJOINT = 0;
export const INTERSECTS = 1;
export const COVERS = 2;

/** A shape that cells are compared with, one after the other. */
export interface CellRegion {
  /** What the shape has of a cell. */
  relate(cell: Box): Relation;
  /** A region that answers for cells within this one, and has less to look at. */
  within(cell: Box): CellRegion;
}

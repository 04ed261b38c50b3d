// The two ways to divide the map into cells of cells: each cell is a term, and the terms of the cells that it
// is in are its beginnings (reference server).

import type { Box, Shape } from './shape';
import { errorOf } from './shape';

export type TreeName = 'geohash' | 'quadtree';

/** A way to divide the map. Children are in the order of their characters. */
export interface PrefixTree {
  /** Characters of the cells within a cell, in ascending order. */
  readonly characters: string;
  /** Levels that the tree can have at most. */
  readonly mostLevels: number;
  /** Levels of fields whose mapping does not say how many. */
  readonly usualLevels: number;
  /** The box of the child with the given number of a cell on a level (0: the earth). */
  child(cell: Box, level: number, number: number): Box;
  /** Width and height of the cells of a level, in degrees. */
  cellSize(level: number): readonly [width: number, height: number];
  /** Whether cells of a level are small enough for an error in degrees. */
  isFine(level: number, degrees: number): boolean;
  /** The number of the child of a cell that a point is counted to. */
  childOfPoint(cell: Box, level: number, x: number, y: number): number;
}

/** All of the earth. */
export const EARTH: Box = { west: -180, east: 180, south: -90, north: 90 };

/** Whether the first of a cell's five halvings is of its width. */
function isWidthFirst(level: number): boolean {
  return level % 2 === 0;
}

const GEOHASH: PrefixTree = {
  characters: '0123456789bcdefghjkmnpqrstuvwxyz',
  mostLevels: 24,
  usualLevels: 9,
  child(cell, level, number) {
    let { west, east, south, north } = cell;
    let ofWidth = isWidthFirst(level);
    for (let bit = 4; bit >= 0; bit--) {
      const upper = (number >> bit) % 2 === 1;
      if (ofWidth) {
        const middle = (west + east) / 2;
        if (upper) west = middle;
        else east = middle;
      } else {
        const middle = (south + north) / 2;
        if (upper) south = middle;
        else north = middle;
      }
      ofWidth = !ofWidth;
    }
    return { west, east, south, north };
  },
  cellSize: (level) => [
    360 / 2 ** Math.ceil((level * 5) / 2),
    180 / 2 ** Math.floor((level * 5) / 2),
  ],
  isFine(level, degrees) {
    const [width, height] = this.cellSize(level);
    return width <= degrees && height <= degrees;
  },
  childOfPoint({ west, east, south, north }, level, x, y) {
    let number = 0;
    let ofWidth = isWidthFirst(level);
    for (let bit = 0; bit < 5; bit++) {
      const middle = ofWidth ? (west + east) / 2 : (south + north) / 2;
      const upper = (ofWidth ? x : y) > middle;
      number = number * 2 + (upper ? 1 : 0);
      if (ofWidth) [west, east] = upper ? [middle, east] : [west, middle];
      else [south, north] = upper ? [middle, north] : [south, middle];
      ofWidth = !ofWidth;
    }
    return number;
  },
};

const QUADTREE: PrefixTree = {
  // North-west, north-east, south-west, south-east.
  characters: 'ABCD',
  mostLevels: 50,
  usualLevels: 21,
  child({ west, east, south, north }, _level, number) {
    const x = west + (east - west) / 2;
    const y = south + (north - south) / 2;
    return {
      west: number % 2 === 0 ? west : x,
      east: number % 2 === 0 ? x : east,
      south: number < 2 ? y : south,
      north: number < 2 ? north : y,
    };
  },
  cellSize: (level) => [360 / 2 ** level, 180 / 2 ** level],
  isFine(level, degrees) {
    const [width, height] = this.cellSize(level);
    return width < degrees && height < degrees;
  },
  childOfPoint({ west, east, south, north }, _level, x, y) {
    // compat: the date line belongs to the west.
    const isEast = x < 180 && x > west + (east - west) / 2;
    const isSouth = y < south + (north - south) / 2;
    return (isEast ? 1 : 0) + (isSouth ? 2 : 0);
  },
};

const TREES: Readonly<Record<TreeName, PrefixTree>> = { geohash: GEOHASH, quadtree: QUADTREE };

/** The tree of a name, or null. */
export function prefixTree(name: string): PrefixTree | null {
  return name === 'geohash' || name === 'quadtree' ? TREES[name] : null;
}

/** The precision of a field: its tree, how many levels of it, and how much cells may differ from a shape. */
export interface ShapePrecision {
  readonly tree: TreeName;
  readonly levels: number;
  /** A share of half of the shape's diagonal, from 0 to 0.5. */
  readonly distanceError: number;
}

/** The level whose cells stand for a shape. */
export function detailOf(shape: Shape, { tree, levels, distanceError }: ShapePrecision): number {
  const degrees = errorOf(shape, distanceError);
  if (degrees === 0) return levels;
  for (let level = 1; level < levels; level++) {
    if (TREES[tree].isFine(level, degrees)) return level;
  }
  return levels;
}

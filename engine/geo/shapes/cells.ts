// The cells that stand for a shape in the index (reference server): all that it meets, down to the level of
// its detail, and whole ones where it fills them.

import { detailOf, EARTH, prefixTree, type PrefixTree, type ShapePrecision } from './prefix-tree';
import { regionOf } from './region';
import { type CellRegion, COVERS, DISJOINT } from './relation';
import { type Box, boxOf, type Shape } from './shape';

/** Ends the term of a cell that has no smaller ones of the same shape in it. */
export const LEAF = '+';

/**
 * Cells of a shape, and those that they are in, that are made at most; about as many comparisons are needed.
 */
export const MAX_CELL_WORK = 1_000_000;

/** The terms of a shape: its cells, the cells that they are in, and for the smallest once more as leaves. */
export function cellTerms(shape: Shape, precision: ShapePrecision): string[] {
  const tree = prefixTree(precision.tree)!;
  if (shape.kind === 'point') return pointTerms(shape.x, shape.y, tree, precision.levels);
  const terms: string[] = [];
  new CellWalk(tree, detailOf(shape, precision), terms, true).collect(regionOf(shape), EARTH, '');
  return terms;
}

/** The terms that a shape asks for: its smallest cells, without those that they are in. */
export function smallestCells(shape: Shape, precision: ShapePrecision): string[] {
  const tree = prefixTree(precision.tree)!;
  if (shape.kind === 'point') return pointTerms(shape.x, shape.y, tree, precision.levels).slice(-1);
  const terms: string[] = [];
  new CellWalk(tree, detailOf(shape, precision), terms, false).collect(regionOf(shape), EARTH, '');
  return terms;
}

function pointTerms(x: number, y: number, tree: PrefixTree, levels: number): string[] {
  const terms: string[] = [];
  let term = '';
  let cell = EARTH;
  for (let level = 0; level < levels; level++) {
    const number = tree.childOfPoint(cell, level, x, y);
    cell = tree.child(cell, level, number);
    term += tree.characters.charAt(number);
    terms.push(term);
  }
  return terms;
}

class CellWalk {
  constructor(
    private readonly tree: PrefixTree,
    private readonly detail: number,
    private readonly terms: string[],
    /** Whether the cells that others are in are terms as well, and leaves are marked. */
    private readonly forIndex: boolean,
  ) {}

  /**
   * Adds the cells of a region within a cell. @returns whether the cell is filled by leaves, and a leaf
   * itself
   */
  collect(region: CellRegion, cell: Box, term: string): boolean {
    const { tree, terms, detail } = this;
    const level = term.length;
    const own = terms.length;
    if (this.forIndex && level > 0) terms.push(term);
    const first = terms.length;
    let leaves = 0;
    const inside = level === 0 ? region : region.within(cell);
    for (let number = 0; number < tree.characters.length; number++) {
      const child = tree.child(cell, level, number);
      const relation = inside.relate(child);
      if (relation === DISJOINT) continue;
      const childTerm = term + tree.characters.charAt(number);
      if (relation === COVERS || level + 1 === detail) {
        this.addLeaf(childTerm);
        leaves++;
      } else if (this.collect(inside, child, childTerm)) leaves++;
    }
    if (leaves < tree.characters.length || level === 0) return false;
    terms.length = this.forIndex ? own : first;
    this.addLeaf(term);
    return true;
  }

  private addLeaf(term: string): void {
    this.terms.push(term);
    if (this.forIndex) this.terms.push(term + LEAF);
  }
}

/**
 * About how much work it is to make the cells of a shape: what {@link MAX_CELL_WORK} limits. Takes no longer
 * than looking at every point.
 */
export function cellWork(shape: Shape, precision: ShapePrecision): number {
  const level = detailOf(shape, precision);
  const [width, height] = prefixTree(precision.tree)!.cellSize(level);
  return crossings(shape, width, height) * level;
}

/** About how often the border of a shape crosses into another cell of a size. */
function crossings(shape: Shape, width: number, height: number): number {
  switch (shape.kind) {
    case 'point':
      return 1;
    case 'box':
    case 'circle': {
      const { west, east, south, north } = boxOf(shape)!;
      const across = east < west ? east - west + 360 : east - west;
      return 2 * (1 + across / width + (north - south) / height);
    }
    case 'paths': {
      let count = 0;
      for (const path of shape.paths) {
        for (let i = 2; i < path.length; i += 2) {
          const dx = Math.abs(path[i]! - path[i - 2]!);
          const dy = Math.abs(path[i + 1]! - path[i - 1]!);
          count += 1 + dx / width + dy / height;
        }
      }
      return count;
    }
    case 'collection':
      return shape.shapes.reduce((sum, part) => sum + crossings(part, width, height), 0);
  }
}

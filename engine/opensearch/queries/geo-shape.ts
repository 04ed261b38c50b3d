// Documents with a shape that meets another, or lies within it, by the cells that stand for shapes: they are
// terms. The embedded engine (engine/query/weights/geo-shape.ts) looks at the cells that documents have; here
// all of them that would tell are asked for.

import {
  type Box,
  type CellRegion,
  COVERS,
  detailOf,
  DISJOINT,
  EARTH,
  LEAF,
  prefixTree,
  type PrefixTree,
  regionOf,
} from '../../geo/index';
import type { QueryOf } from '../../query/index';
import { type Clause, type Translator } from './clause-context';
import { unsupported } from '../layout/unsupported';
import { anyTerm } from './terms';

type GeoShape = QueryOf<'geoShape'>;

/** Most cells that one query asks for. */
const MOST_CELLS = 200_000;

export const SHAPE_CLAUSES = {
  geoShape: ({ field, shape, precision, relation }: GeoShape, context): Clause => {
    const tree = prefixTree(precision.tree)!;
    const cells = new Cells(tree, detailOf(shape, precision));
    cells.descend(regionOf(shape), EARTH, '');
    const { met, missed, filled, edges } = cells;
    if (relation === 'intersects') return anyTerm(context, field, [...met, ...filled, ...edges]);
    return {
      bool: {
        filter: [anyTerm(context, field, [...met, ...filled])],
        must_not: [anyTerm(context, field, [...missed, ...edges])],
      },
    };
  },
} satisfies { readonly geoShape: Translator<GeoShape> };

/** The cells that tell how shapes stand to one. */
class Cells {
  /** Smallest cells that are met: covered, or of the level of detail. */
  readonly met: string[] = [];
  /** Cells outside, next to those that are met. */
  readonly missed: string[] = [];
  /** Larger cells, as leaves, that are met everywhere; and those that are not. */
  readonly filled: string[] = [];
  readonly edges: string[] = [];
  private count = 0;

  constructor(
    private readonly tree: PrefixTree,
    private readonly detail: number,
  ) {}

  /** Visits the cells within a cell. @returns whether all of it is met */
  descend(region: CellRegion, cell: Box, term: string): boolean {
    const { tree } = this;
    const level = term.length;
    const inside = level === 0 ? region : region.within(cell);
    let isFilled = true;
    for (let number = 0; number < tree.characters.length; number++) {
      if (++this.count > MOST_CELLS) {
        throw unsupported(
          '[geo_shape] of so much detail',
          `it takes more than ${MOST_CELLS} cells`,
        );
      }
      const childTerm = term + tree.characters.charAt(number);
      const child = tree.child(cell, level, number);
      const relation = inside.relate(child);
      if (relation === DISJOINT) {
        isFilled = false;
        this.missed.push(childTerm);
      } else if (relation === COVERS || level + 1 >= this.detail) this.met.push(childTerm);
      else if (!this.descend(inside, child, childTerm)) isFilled = false;
    }
    if (level > 0) (isFilled ? this.filled : this.edges).push(term + LEAF);
    return isFilled;
  }
}

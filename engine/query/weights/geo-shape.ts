// Documents with a shape that meets another, or lies within it, constant score (reference server).
//
// Shapes are compared by the cells that stand for them: the earth is divided into cells and they again, down
// to the level of detail of the shape asked for. Of a cell that the shape covers or misses all documents are
// known at once; only cells that are terms of the segment are looked at, and the terms of a cell follow each
// other.

import { EngineError } from '../../errors';
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
  type Relation,
} from '../../geo/index';
import { Bitset, type SegmentReader, type TermDictionary } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import { ConstantWeight } from './query-weight';

/** Cells that a query compares in a segment, to see whether all of a larger one is met. */
const MAX_COMPARED = 1_000_000;

/** The documents whose cells meet a shape, or have no cell outside of it. */
export class GeoShapeWeight extends ConstantWeight<QueryOf<'geoShape'>> {
  private readonly region: CellRegion;
  private readonly tree: PrefixTree;
  private readonly detail: number;

  constructor(query: QueryOf<'geoShape'>) {
    super(query);
    const { shape, precision } = query;
    this.region = regionOf(shape);
    this.tree = prefixTree(precision.tree)!;
    this.detail = detailOf(shape, precision);
  }

  cost(segment: SegmentReader): number {
    return segment.terms(this.query.field)?.docCount ?? 0;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const terms = segment.terms(this.query.field);
    if (terms === null) return;
    if (this.query.relation === 'intersects') {
      new MeetingWalk(terms, this.tree, this.detail, into).descend(this.region, EARTH, '');
      return;
    }
    const inside = new Bitset(segment.docCount);
    const outside = new Bitset(segment.docCount);
    new WithinWalk(terms, this.tree, this.detail, inside, outside).descend(this.region, EARTH, '');
    into.or(inside.andNot(outside));
  }
}

/** A walk through the cells that are terms of a segment. */
abstract class CellWalk {
  /** Where the dictionary was looked at last, and the term there; null: at its end. */
  private ordinal = 0;
  private term: string | null;

  constructor(
    protected readonly terms: TermDictionary,
    protected readonly tree: PrefixTree,
    protected readonly detail: number,
  ) {
    this.term = terms.size > 0 ? terms.termAt(0) : null;
  }

  /** Visits the cells within a cell, in the order of their terms. */
  descend(region: CellRegion, cell: Box, term: string): void {
    const { tree } = this;
    const level = term.length;
    const inside = level === 0 ? region : region.within(cell);
    if (level > 0) {
      const leaf = this.find(term + LEAF);
      if (leaf >= 0) this.visitLeaf(leaf, inside, cell, level);
    }
    for (let number = 0; number < tree.characters.length; number++) {
      const childTerm = term + tree.characters.charAt(number);
      const ordinal = this.find(childTerm);
      if (ordinal < 0) continue;
      const child = tree.child(cell, level, number);
      const relation = inside.relate(child);
      if (this.visit(ordinal, relation, level + 1)) this.descend(inside, child, childTerm);
    }
  }

  /** The documents of a cell. @returns whether the cells in it are to be looked at */
  protected abstract visit(ordinal: number, relation: Relation, level: number): boolean;

  /** The documents of which a cell that is met, but not covered, is a smallest one. */
  protected abstract visitLeaf(ordinal: number, region: CellRegion, cell: Box, level: number): void;

  /** The ordinal of a term that is not before one asked for earlier; -1: no document has it. */
  private find(term: string): number {
    if (this.term !== null && this.term < term) {
      const { terms } = this;
      this.ordinal = terms.ceiling(term);
      this.term = this.ordinal < terms.size ? terms.termAt(this.ordinal) : null;
    }
    return this.term === term ? this.ordinal : -1;
  }
}

class MeetingWalk extends CellWalk {
  constructor(
    terms: TermDictionary,
    tree: PrefixTree,
    detail: number,
    private readonly into: Bitset,
  ) {
    super(terms, tree, detail);
  }

  protected visit(ordinal: number, relation: Relation, level: number): boolean {
    if (relation === DISJOINT) return false;
    if (relation !== COVERS && level < this.detail) return true;
    this.terms.addDocs(ordinal, this.into);
    return false;
  }

  protected visitLeaf(ordinal: number): void {
    this.terms.addDocs(ordinal, this.into);
  }
}

class WithinWalk extends CellWalk {
  private compared = 0;

  constructor(
    terms: TermDictionary,
    tree: PrefixTree,
    detail: number,
    private readonly inside: Bitset,
    private readonly outside: Bitset,
  ) {
    super(terms, tree, detail);
  }

  protected visit(ordinal: number, relation: Relation, level: number): boolean {
    if (relation === DISJOINT) this.terms.addDocs(ordinal, this.outside);
    else if (relation === COVERS || level === this.detail) this.terms.addDocs(ordinal, this.inside);
    else return true;
    return false;
  }

  protected visitLeaf(ordinal: number, region: CellRegion, cell: Box, level: number): void {
    const isInside = this.isMetEverywhere(region, cell, level);
    this.terms.addDocs(ordinal, isInside ? this.inside : this.outside);
  }

  /** Whether every cell of the level of detail in a cell is met. */
  private isMetEverywhere(region: CellRegion, cell: Box, level: number): boolean {
    const { tree } = this;
    for (let number = 0; number < tree.characters.length; number++) {
      if (++this.compared > MAX_COMPARED) throw tooMany();
      const child = tree.child(cell, level, number);
      const relation = region.relate(child);
      if (relation === DISJOINT) return false;
      if (relation === COVERS || level + 1 === this.detail) continue;
      if (!this.isMetEverywhere(region.within(child), child, level + 1)) return false;
    }
    return true;
  }
}

function tooMany(): EngineError {
  return new EngineError(
    'ElasticsearchIllegalArgumentException',
    `geo_shape compares more than [${MAX_COMPARED}] cells to see what is within the shape`,
  );
}

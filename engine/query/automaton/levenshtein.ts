// Terms within an edit distance of another one (fuzzy).
//
// One row of the distance table per character of the term. Neighbouring terms of a dictionary share
// prefixes, so the rows of the shared part are kept; and when a whole row is over the limit, no term with
// that prefix can come back below it.

import type { TermMatcher } from './term-matcher';

const f = Math.fround;

/** What a fuzzy match allows. */
interface FuzzyOptions {
  readonly maxEdits: number;
  /** Leading code points that must be equal. */
  readonly prefixLength: number;
  /** Whether swapping two neighbours is one edit. */
  readonly transpositions: boolean;
}

/**
 * Accepts terms by edit distance and similarity; {@link boost} is the similarity of the last accepted one.
 */
export class FuzzyMatcher implements TermMatcher {
  deadLength = 0;
  boost = 1;
  private readonly target: readonly number[];
  private readonly maxEdits: number;
  private readonly transpositions: boolean;
  /** Text all accepted terms start with. */
  readonly prefix: string;
  private readonly rows: Int32Array[] = [];
  /** Code points of the term whose first {@link depth} rows are kept, and where each ends in it. */
  private readonly points: number[] = [];
  private readonly ends: number[] = [];
  private depth = 0;

  constructor(term: string, options: FuzzyOptions) {
    this.target = Array.from(term, (character) => character.codePointAt(0)!);
    this.maxEdits = options.maxEdits;
    this.transpositions = options.transpositions;
    this.prefix = String.fromCodePoint(...this.target.slice(0, options.prefixLength));
    this.rows.push(Int32Array.from({ length: this.target.length + 1 }, (_, i) => i));
  }

  accepts(term: string): boolean {
    const { target, maxEdits } = this;
    this.deadLength = 0;
    if (!this.extend(term)) return false;
    const edits = this.rows[this.depth]![target.length]!;
    if (edits > maxEdits) return false;
    if (edits === 0) {
      this.boost = 1;
      return true;
    }
    // Half of a short word replaced is no similarity at all.
    this.boost = f(1 - f(edits / Math.min(this.depth, target.length)));
    return this.boost > 0;
  }

  /** Computes the rows of a term; false when a prefix is already too far away. */
  private extend(term: string): boolean {
    const { points, ends } = this;
    let shared = 0;
    let depth = 0;
    while (depth < this.depth && term.codePointAt(shared) === points[depth]) {
      shared = ends[depth++]!;
    }
    for (let i = shared; i < term.length; depth++) {
      const point = term.codePointAt(i)!;
      i += point > 0xffff ? 2 : 1;
      points[depth] = point;
      ends[depth] = i;
      if (this.fillRow(depth + 1) > this.maxEdits) {
        // Nothing below this row is kept: the next term starts from the row above.
        this.depth = depth;
        this.deadLength = i;
        return false;
      }
    }
    this.depth = depth;
    return true;
  }

  /** Fills the row for the first `length` characters of the term and returns its least distance. */
  private fillRow(length: number): number {
    const { target, points } = this;
    const size = target.length;
    const row = (this.rows[length] ??= new Int32Array(size + 1));
    const above = this.rows[length - 1]!;
    const point = points[length - 1]!;
    const before = this.transpositions && length > 1 ? this.rows[length - 2]! : null;
    const lastPoint = length > 1 ? points[length - 2]! : -1;
    row[0] = length;
    let least = length;
    for (let i = 1; i <= size; i++) {
      let distance = above[i - 1]! + (target[i - 1] === point ? 0 : 1);
      if (above[i]! + 1 < distance) distance = above[i]! + 1;
      if (row[i - 1]! + 1 < distance) distance = row[i - 1]! + 1;
      if (before !== null && i > 1 && target[i - 2] === point && target[i - 1] === lastPoint) {
        if (before[i - 2]! + 1 < distance) distance = before[i - 2]! + 1;
      }
      row[i] = distance;
      if (distance < least) least = distance;
    }
    return least;
  }
}

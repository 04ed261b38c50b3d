// Terms within an edit distance of another one (fuzzy).
//
// One row of the distance table per character of the term, and of each row only what lies within the edits
// of the diagonal: whatever lies further off has more edits. So memory and time go by the length of a term,
// also where it has tens of thousands of characters. Neighbouring terms of a dictionary share prefixes, so
// the rows of the shared part are kept; and when a whole row is over the limit, no term with that prefix can
// come back below it.

import type { TermMatcher } from './term-matcher';

const f = Math.fround;

/** Rows that there is room for at first. */
const FIRST_ROWS = 32;

/** What a fuzzy match allows. */
interface FuzzyOptions {
  readonly maxEdits: number;
  /** Leading code points that must be equal. */
  readonly prefixLength: number;
  /** Whether swapping two neighbours is one edit. */
  readonly transpositions: boolean;
  /** Terms have to be more alike than this, and their similarity is measured from it on; 0 if not given. */
  readonly minSimilarity?: number;
}

/**
 * Accepts terms by edit distance and similarity; {@link boost} is the similarity of the last accepted one.
 */
export class FuzzyMatcher implements TermMatcher {
  deadLength = 0;
  boost = 1;
  private readonly target: Uint32Array;
  private readonly maxEdits: number;
  private readonly transpositions: boolean;
  private readonly minSimilarity: number;
  /** Text all accepted terms start with. */
  readonly prefix: string;
  /** Distances in a row: those for `depth - maxEdits` to `depth + maxEdits` characters of the target. */
  private readonly width: number;
  /** The rows one after the other, from that of no character; grown as terms get longer. */
  private rows: Uint8Array;
  /** Code points of the term whose first {@link depth} rows are kept, and where each ends in it. */
  private readonly points: number[] = [];
  private readonly ends: number[] = [];
  private depth = 0;

  constructor(term: string, options: FuzzyOptions) {
    this.target = Uint32Array.from(term, (character) => character.codePointAt(0)!);
    this.maxEdits = options.maxEdits;
    this.transpositions = options.transpositions;
    this.minSimilarity = f(options.minSimilarity ?? 0);
    this.prefix = Array.from(this.target.subarray(0, Math.max(0, options.prefixLength)), (point) =>
      String.fromCodePoint(point),
    ).join('');
    this.width = 2 * options.maxEdits + 1;
    this.rows = new Uint8Array(FIRST_ROWS * this.width);
    for (let at = 0; at < this.width; at++) {
      const i = at - this.maxEdits;
      this.rows[at] = i < 0 || i > this.target.length ? this.tooMany : i;
    }
  }

  /** Bytes of working memory. */
  get memoryBytes(): number {
    return this.rows.length + this.target.byteLength;
  }

  /** Stands for any number of edits beyond the limit. */
  private get tooMany(): number {
    return this.maxEdits + 1;
  }

  accepts(term: string): boolean {
    const { target, maxEdits } = this;
    this.deadLength = 0;
    if (!this.extend(term)) return false;
    // Off the diagonal by more than the edits: a row so far down was dead.
    const at = target.length - this.depth + maxEdits;
    if (at >= this.width) return false;
    const edits = this.rows[this.depth * this.width + at]!;
    if (edits > maxEdits) return false;
    if (edits === 0) {
      this.boost = 1;
      return true;
    }
    // Half of a short word replaced is no similarity at all.
    const similarity = f(1 - f(edits / Math.min(this.depth, target.length)));
    const { minSimilarity } = this;
    this.boost = f(f(similarity - minSimilarity) * f(1 / f(1 - minSimilarity)));
    return similarity > minSimilarity;
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
    const { target, points, maxEdits, width, tooMany } = this;
    const size = target.length;
    const start = length * width;
    if (start + width > this.rows.length) this.grow(start + width);
    const { rows } = this;
    const point = points[length - 1]!;
    const lastPoint = this.transpositions && length > 1 ? points[length - 2]! : -1;
    let least = tooMany;
    for (let at = 0; at < width; at++) {
      const i = length - maxEdits + at;
      let distance = tooMany;
      if (i === 0) distance = Math.min(length, tooMany);
      else if (i > 0 && i <= size) {
        // One row up the same number of characters stands one place further on.
        distance = rows[start - width + at]! + (target[i - 1] === point ? 0 : 1);
        if (at + 1 < width) distance = Math.min(distance, rows[start - width + at + 1]! + 1);
        if (at > 0) distance = Math.min(distance, rows[start + at - 1]! + 1);
        if (lastPoint >= 0 && i > 1 && target[i - 2] === point && target[i - 1] === lastPoint) {
          distance = Math.min(distance, rows[start - 2 * width + at]! + 1);
        }
        if (distance > tooMany) distance = tooMany;
      }
      rows[start + at] = distance;
      if (distance < least) least = distance;
    }
    return least;
  }

  private grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, 2 * this.rows.length));
    grown.set(this.rows);
    this.rows = grown;
  }
}

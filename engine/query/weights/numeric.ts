// Exact numbers and ranges of numbers, constant score.
//
// A column knows its values in order (a permutation), so a range is one slice of it.

import type { Bitset, NumericColumn, SegmentReader } from '../../segment/index';
import type { NumericBound } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import { ConstantWeight } from './query-weight';
import { ScanScorer } from '../scorers/scan-scorer';
import type { DocTest, Scorer } from '../scoring/weight';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** A range covering more than one in this many documents need not be made a set to find some of them. */
const LAZY_SHARE = 32;

/** Documents with a value in an inclusive range; null bounds are open. */
export class NumericRangeWeight extends ConstantWeight<QueryOf<'numericRange'>> {
  cost(segment: SegmentReader): number {
    const column = segment.numeric(this.query.field);
    if (column === null) return 0;
    const [first, end] = rangeOf(column, this.query.from, this.query.to);
    return Math.min(Math.max(0, end - first), segment.docCount);
  }

  count(segment: SegmentReader): number {
    const column = segment.numeric(this.query.field);
    if (column === null) return 0;
    return column.offsets === null ? this.cost(segment) : -1;
  }

  /** Compares documents one by one where many match, so that a few of them are found early. */
  override scorer(segment: SegmentReader): Scorer | null {
    const column = segment.numeric(this.query.field);
    if (column === null || !scannable(column)) return super.scorer(segment);
    const cost = this.cost(segment);
    if (cost * LAZY_SHARE < segment.docCount) return super.scorer(segment);
    return this.scan(column, cost);
  }

  test(segment: SegmentReader): DocTest | null {
    const column = segment.numeric(this.query.field);
    if (column === null || !scannable(column)) return null;
    const cost = this.cost(segment);
    return cost === 0 ? null : this.scan(column, cost);
  }

  private scan(column: NumericColumn, cost: number): ScanScorer {
    const [low, high] = boundsIn(column, this.query.from, this.query.to);
    return new ScanScorer(column.values, column.present, low, high, cost, this.value);
  }

  override matches(segment: SegmentReader): Bitset | null {
    const column = segment.numeric(this.query.field);
    if (column === null) return null;
    const [first, end] = rangeOf(column, this.query.from, this.query.to);
    return end <= first ? null : column.docsBetween(first, end);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const column = segment.numeric(this.query.field);
    if (column === null) return;
    const [first, end] = rangeOf(column, this.query.from, this.query.to);
    if ((end - first) * LAZY_SHARE < segment.docCount) addSorted(column, first, end, into);
    else into.or(column.docsBetween(first, end));
  }
}

/** Up to this many values are looked up to estimate cost; for more all documents are the bound. */
const COUNTED_VALUES = 64;

/** Documents with any of some exact values. */
export class NumberSetWeight extends ConstantWeight<QueryOf<'numberSet'>> {
  cost(segment: SegmentReader): number {
    const column = segment.numeric(this.query.field);
    if (column === null) return 0;
    if (this.query.values.length > COUNTED_VALUES) return column.docCount;
    let sum = 0;
    for (const value of this.query.values) {
      const [first, end] = rangeOf(column, value, value);
      sum += Math.max(0, end - first);
    }
    return Math.min(sum, segment.docCount);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const column = segment.numeric(this.query.field);
    if (column === null) return;
    for (const value of this.query.values) {
      const [first, end] = rangeOf(column, value, value);
      addSorted(column, first, end, into);
    }
  }
}

/** The slice of the column's order that lies within the bounds. */
function rangeOf(
  column: NumericColumn,
  from: NumericBound,
  to: NumericBound,
): readonly [number, number] {
  if (column.kind === 'long') {
    return column.rangeOf(toLong(from, LONG_MIN), toLong(to, LONG_MAX));
  }
  return column.rangeOf(
    from === null ? -Infinity : Number(from),
    to === null ? Infinity : Number(to),
  );
}

function toLong(bound: NumericBound, open: bigint): bigint {
  if (bound === null) return open;
  if (typeof bound === 'bigint') return bound;
  if (!Number.isFinite(bound)) return bound > 0 ? LONG_MAX : LONG_MIN;
  return BigInt(Math.trunc(bound));
}

function addSorted(column: NumericColumn, first: number, end: number, into: Bitset): void {
  if (end <= first) return;
  const docs = column.sortedDocs();
  for (let i = first; i < end; i++) into.add(docs[i]!);
}

function scannable(column: NumericColumn): boolean {
  return column.offsets === null && column.high === null;
}

/** Bounds as the values of the column are stored. Clamped to what it holds they are exact doubles. */
function boundsIn(
  { base, min, max }: NumericColumn,
  from: NumericBound,
  to: NumericBound,
): readonly [low: number, high: number] {
  const low = from === null || from <= min ? min : Number(from);
  const high = to === null || to >= max ? max : Number(to);
  return [low - base, high - base];
}

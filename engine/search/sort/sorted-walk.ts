// The best documents by one numeric key read off the column's sorted permutation: it ends after as many
// documents as are wanted, where a scan looks at all matches.

import {
  NO_MORE_DOCS,
  type Bitset,
  type NumericColumn,
  type SegmentReader,
} from '../../segment/index';
import type { SortKey } from '../plan/search-plan';
import type { SegmentAfter } from './segment-after';

/** A step of the walk against one document of a scan: it reads here and there instead of in order. */
const STEP_COST = 3;

/** Equal values passed one by one before the beginning of their run is searched for. */
const RUN_LIMIT = 32;

/**
 * A superset of the best `limit` of `docs` by `key`; null when looking at all of `docs` takes less, or when
 * the column does not have the order of the key.
 *
 * @param count size of `docs`
 * @param after only what stands behind it is wanted; null: everything
 */
export function sortedCandidates(
  key: SortKey,
  segment: SegmentReader,
  docs: Bitset,
  count: number,
  limit: number,
  after: SegmentAfter | null,
): readonly number[] | null {
  // Steps until enough are met, if matches are spread evenly; more than this costs as much as a scan.
  const most = Math.floor(count / STEP_COST);
  if (limit * segment.docCount > most * count) return null;
  const column = columnInOrder(key, segment);
  if (column === null) return null;
  const walk = new Walk(column, docs, limit, most, after);
  if (key.missing === '_first') walk.takeMissing(key);
  if (key.descending) walk.down();
  else walk.up();
  if (key.missing === '_last') walk.takeMissing(key);
  return walk.gaveUp ? null : walk.taken;
}

/** The column, if its order is the order of the key. */
function columnInOrder(key: SortKey, segment: SegmentReader): NumericColumn | null {
  if (key.kind !== 'field' || key.nestedPath !== null) return null;
  if (key.fieldKind === null || key.fieldKind === 'string') return null;
  if (key.missing !== '_first' && key.missing !== '_last') return null;
  const column = segment.numeric(key.field);
  if (column === null || column.offsets !== null || column.high !== null) return null;
  // Infinite values would stand among the missing ones.
  return Number.isFinite(column.min) && Number.isFinite(column.max) ? column : null;
}

class Walk {
  gaveUp = false;
  readonly taken: number[] = [];
  private steps = 0;
  private readonly order: Uint32Array;

  constructor(
    private readonly column: NumericColumn,
    private readonly docs: Bitset,
    private readonly limit: number,
    private readonly most: number,
    private readonly after: SegmentAfter | null,
  ) {
    this.order = column.sortedDocs();
  }

  up(): void {
    const { order, after, column } = this;
    // Of both zeros the negative one stands first.
    const first = after === null ? 0 : column.rangeOf(after.lanes[0] || -0, Infinity)[0];
    for (let at = first; at < order.length && this.goesOn();) {
      const end = this.runEnd(at);
      this.take(at, end);
      at = end;
    }
  }

  down(): void {
    const { order, after, column } = this;
    const last = after === null ? order.length : column.rangeOf(-Infinity, after.lanes[0]! + 0)[1];
    for (let end = last; end > 0 && this.goesOn();) {
      const start = this.runStart(end);
      this.take(start, end);
      end = start;
    }
  }

  takeMissing(key: SortKey): void {
    const { after } = this;
    const { present } = this.column;
    if (present === null || !this.goesOn()) return;
    let first = 0;
    if (after !== null) {
      const isHigh = (key.missing === '_last') !== key.descending;
      const extreme = key.fieldKind === 'int' || key.fieldKind === 'long' ? 2 ** 63 : Infinity;
      const lane = isHigh ? extreme : -extreme;
      const place = after.lanes[0]!;
      if (lane === place) first = after.firstDoc;
      else if (lane < place !== key.descending) return;
    }
    const missing = this.docs.clone().andNot(present);
    for (let doc = missing.next(first); doc !== NO_MORE_DOCS; doc = missing.next(doc + 1)) {
      if (this.taken.push(doc) >= this.limit) return;
    }
  }

  private goesOn(): boolean {
    return this.taken.length < this.limit && !this.gaveUp;
  }

  /** Takes a run of equal values. It is in document order, so it may be left when there are enough. */
  private take(from: number, to: number): void {
    const { order, docs, after } = this;
    const value = this.column.valueAt(order[from]!);
    // Zeros of both signs are equal, but one run of the order stands behind the other.
    const mayLeave = value !== 0;
    const firstDoc = after !== null && value === after.lanes[0] ? after.firstDoc : 0;
    let first = from;
    if (firstDoc > 0 && mayLeave) first = this.placeOf(firstDoc, from, to);
    for (let i = first; i < to; i++) {
      if (++this.steps > this.most) {
        this.gaveUp = true;
        return;
      }
      const doc = order[i]!;
      if (doc < firstDoc || !docs.has(doc)) continue;
      if (this.taken.push(doc) >= this.limit && mayLeave) return;
    }
  }

  /** The first place of a run, which is in document order, whose document is `doc` or a later one. */
  private placeOf(doc: number, from: number, to: number): number {
    const { order } = this;
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order[middle]! < doc) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private runEnd(start: number): number {
    const { order, column } = this;
    const value = column.valueAt(order[start]!);
    if (value === 0) return column.rangeOf(-0, 0)[1];
    const near = Math.min(order.length, start + RUN_LIMIT);
    for (let end = start + 1; end < near; end++) {
      if (column.valueAt(order[end]!) !== value) return end;
    }
    return near === order.length ? near : column.rangeOf(value, value)[1];
  }

  private runStart(end: number): number {
    const { order, column } = this;
    const value = column.valueAt(order[end - 1]!);
    if (value === 0) return column.rangeOf(-0, 0)[0];
    const near = Math.max(0, end - RUN_LIMIT);
    for (let start = end - 1; start > near; start--) {
      if (column.valueAt(order[start - 1]!) !== value) return start;
    }
    return near === 0 ? 0 : column.rangeOf(value, value)[0];
  }
}

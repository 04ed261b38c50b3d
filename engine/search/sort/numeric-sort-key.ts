// Sort keys over numeric columns: smallest, largest, sum or average of a document's values.

import { NO_MORE_DOCS, type NumericColumn, type NestedChildren } from '../../segment/index';
import type { SortKey, SortValue } from '../plan/search-plan';
import { foreignLane } from './foreign-lane';
import type { LaneColumn, SegmentSortKey } from './segment-sort-key';

export class NumericKey implements SegmentSortKey {
  readonly lanes: number;
  readonly descending: boolean;
  readonly column?: LaneColumn;
  private readonly largest: boolean;
  private readonly aggregate: boolean;

  constructor(
    private readonly key: SortKey,
    private readonly numbers: NumericColumn,
    private readonly children: NestedChildren | null,
    private readonly missing: SortValue,
  ) {
    this.lanes = numbers.high === null ? 1 : 2;
    this.descending = key.descending;
    this.largest = key.mode === 'max';
    this.aggregate = key.mode === 'sum' || key.mode === 'avg';
    const { offsets, high, values, base, present } = numbers;
    // One value is its own sum and average.
    if (children === null && offsets === null && high === null) {
      this.column = { values, base, present, absent: NaN, missing: Number(missing) };
    }
  }

  load(doc: number, _score: number, into: Float64Array, at: number): void {
    const { numbers } = this;
    if (this.aggregate) {
      this.store(this.combined(doc) ?? this.missing, into, at);
      return;
    }
    const index = this.indexOf(doc);
    if (index < 0) {
      this.store(this.missing, into, at);
    } else if (numbers.high === null) {
      into[at] = numbers.base + numbers.values[index]!;
    } else {
      into[at] = numbers.high[index]!;
      into[at + 1] = numbers.values[index]! >>> 0;
    }
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    const lane = foreignLane(this.key, value);
    if (this.lanes === 1) {
      into[at] = this.besideMissing(value, lane);
    } else if (Number.isFinite(lane)) {
      this.store(typeof value === 'bigint' ? value : Math.floor(lane), into, at);
      if (typeof value !== 'bigint') into[at + 1]! += lane - Math.floor(lane);
    } else {
      into[at] = lane;
      into[at + 1] = 0;
    }
  }

  value(doc: number): SortValue {
    if (this.aggregate) return this.combined(doc) ?? this.missing;
    const index = this.indexOf(doc);
    if (index < 0) return this.missing;
    return this.numbers.high === null ? this.numbers.valueAt(index) : this.numbers.longAt(index);
  }

  /** Large integers that one lane cannot tell from what stands for a missing value get a lane beside it. */
  private besideMissing(value: SortValue, lane: number): number {
    const { missing } = this;
    if (typeof value !== 'bigint' || typeof missing !== 'bigint' || lane !== Number(missing))
      return lane;
    if (value === missing || Number.isSafeInteger(lane)) return lane;
    const step = Math.abs(lane) * 2 ** -52;
    return value < missing ? lane - step : lane + step;
  }

  private store(value: SortValue, into: Float64Array, at: number): void {
    if (this.lanes === 1) {
      into[at] = Number(value);
      return;
    }
    const exact = typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)));
    into[at] = Number(exact >> 32n);
    into[at + 1] = Number(exact & 0xffffffffn);
  }

  /** The index of the value that represents a document (smallest or largest), or -1. */
  private indexOf(doc: number): number {
    const { children } = this;
    if (children === null) return this.ownIndex(doc);
    let best = -1;
    for (
      let child = children.first(doc);
      child !== NO_MORE_DOCS;
      child = children.next(child + 1, doc)
    ) {
      const index = this.ownIndex(child);
      if (index >= 0 && (best < 0 || this.largest === this.isGreater(index, best))) best = index;
    }
    return best;
  }

  private ownIndex(doc: number): number {
    const { offsets, present } = this.numbers;
    if (offsets === null) return present === null || present.has(doc) ? doc : -1;
    const from = offsets[doc]!;
    const to = offsets[doc + 1]!;
    if (from === to) return -1;
    return this.largest ? to - 1 : from;
  }

  private isGreater(a: number, b: number): boolean {
    const { numbers } = this;
    if (numbers.high === null) return numbers.values[a]! > numbers.values[b]!;
    const difference = numbers.high[a]! - numbers.high[b]!;
    return difference !== 0 ? difference > 0 : numbers.values[a]! >>> 0 > numbers.values[b]! >>> 0;
  }

  /** Sum or average over all values of a document or of its children; null without any. */
  private combined(doc: number): number | bigint | null {
    const sum = new Sum(this.numbers);
    const { children } = this;
    if (children === null) sum.addDocument(doc);
    else {
      for (
        let child = children.first(doc);
        child !== NO_MORE_DOCS;
        child = children.next(child + 1, doc)
      ) {
        sum.addDocument(child);
      }
    }
    return sum.result(this.key);
  }
}

/** Adds up values of a column: integers exactly while they need it, else as doubles. */
class Sum {
  private count = 0;
  private double = 0;
  private long = 0n;

  constructor(private readonly column: NumericColumn) {}

  addDocument(doc: number): void {
    const { offsets, present } = this.column;
    if (offsets === null) {
      if (present === null || present.has(doc)) this.add(doc);
      return;
    }
    for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) this.add(i);
  }

  private add(index: number): void {
    this.count++;
    if (this.column.high === null) this.double += this.column.valueAt(index);
    else this.long += this.column.longAt(index);
  }

  result(key: SortKey): number | bigint | null {
    if (this.count === 0) return null;
    const isInteger = key.fieldKind === 'int' || key.fieldKind === 'long';
    if (this.column.high !== null) {
      const sum = BigInt.asIntN(64, this.long);
      return key.mode === 'sum' || this.count === 1
        ? sum
        : BigInt(Math.round(Number(sum) / this.count));
    }
    if (key.mode === 'sum')
      return key.fieldKind === 'float' ? Math.fround(this.double) : this.double;
    const mean = this.double / this.count;
    if (isInteger) return Math.round(mean) + 0;
    return key.fieldKind === 'float' ? Math.fround(mean) : mean;
  }
}

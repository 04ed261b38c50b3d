// Counting the distinct numbers of a field over the segments of a shard. Hot: visits every value of every
// document in scope.

import type { Bitset } from '../segment/bitset';
import type { NumericColumn } from '../segment/reader';
import { scanNumbers } from './number-scan';
import type { CountedNumbers } from './terms-spec';
import { ValueTable } from './value-table';

/** Columns whose values span no more than this are counted in place. */
const MAX_DENSE_SPAN = 1 << 20;
const TWO_32 = 4294967296;

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

export class ValueCounter {
  missing = 0;
  total = 0;
  private readonly table: ValueTable;

  constructor(private readonly type: CountedNumbers['type']) {
    this.table = new ValueTable(type);
  }

  /** Counts the values of `docs`. `column` null: no document of the segment has one. */
  count(column: NumericColumn | null, docs: Bitset): void {
    const inScope = docs.count();
    this.missing += inScope;
    if (column === null) return;
    const { high } = column;
    if (high !== null) this.countHalves(column, high, docs);
    else if (this.type === 'double') this.countDoubles(column, docs);
    else if (spanOf(column) < Math.min(MAX_DENSE_SPAN, inScope * 8)) this.countDense(column, docs);
    else this.countIntegers(column, docs);
  }

  /** Takes up every value of a column with a count of 0, where it has none yet. */
  touchAll(column: NumericColumn): void {
    const { offsets, present, high, values } = column;
    const n = offsets === null ? column.docCount : column.valueCount;
    for (let i = 0; i < n; i++) {
      if (offsets === null && present !== null && !present.has(i)) continue;
      if (high !== null) this.table.add(high[i]!, values[i]!, 0);
      else if (this.type === 'long') addInteger(this.table, column.valueAt(i), 0);
      else addDouble(this.table, column.valueAt(i), 0);
    }
  }

  result(): CountedNumbers {
    return this.table.result();
  }

  private countDense(column: NumericColumn, docs: Bitset): void {
    const { min } = column;
    const counts = new Uint32Array(spanOf(column) + 1);
    this.missing -= scanNumbers(column, docs, ({ values, places, count }) => {
      for (let i = 0; i < count; i++) counts[values[places[i]!]! - min]!++;
      this.total += count;
    });
    for (let i = 0; i < counts.length; i++) {
      if (counts[i]! > 0) addInteger(this.table, min + i, counts[i]!);
    }
  }

  private countIntegers(column: NumericColumn, docs: Bitset): void {
    const { table } = this;
    this.missing -= scanNumbers(column, docs, ({ values, places, count }) => {
      for (let i = 0; i < count; i++) addInteger(table, values[places[i]!]!, 1);
      this.total += count;
    });
  }

  private countDoubles(column: NumericColumn, docs: Bitset): void {
    const { table } = this;
    this.missing -= scanNumbers(column, docs, ({ values, places, count }) => {
      for (let i = 0; i < count; i++) addDouble(table, values[places[i]!]!, 1);
      this.total += count;
    });
  }

  /** Integers beyond what doubles hold. */
  private countHalves(column: NumericColumn, high: Int32Array, docs: Bitset): void {
    const { table } = this;
    const low = column.values;
    this.missing -= scanNumbers(column, docs, ({ first, places, count }) => {
      for (let i = 0; i < count; i++)
        table.add(high[first + places[i]!]!, low[first + places[i]!]!, 1);
      this.total += count;
    });
  }
}

function spanOf(column: NumericColumn): number {
  return column.max - column.min;
}

function addInteger(table: ValueTable, value: number, count: number): void {
  table.add(Math.floor(value / TWO_32), value, count);
}

function addDouble(table: ValueTable, value: number, count: number): void {
  double[0] = value;
  table.add(halves[1]!, halves[0]!, count);
}

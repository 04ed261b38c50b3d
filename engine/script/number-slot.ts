// The first number of a field in the current document, without allocation: what numeric scripts read.

import type { NumericColumn, SegmentReader } from '../segment/index';
import { firstIndex } from './doc-fields';
import type { FieldId } from '../metadata/index';

/** Reads one numeric field of the current document. */
export class NumberSlot {
  private column: NumericColumn | null = null;

  constructor(readonly field: FieldId) {}

  open(segment: SegmentReader): void {
    this.column = segment.numeric(this.field);
  }

  /** True when a double holds every value of the segment exactly. */
  get isExact(): boolean {
    return this.column === null || this.column.high === null;
  }

  /** The smallest value, 0 without any. */
  read(doc: number): number {
    const { column } = this;
    if (column === null) return 0;
    const index = firstIndex(column, doc);
    return index < 0 ? 0 : column.valueAt(index);
  }

  isEmpty(doc: number): boolean {
    return firstIndex(this.column, doc) < 0;
  }
}

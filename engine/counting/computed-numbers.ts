// Numbers that are worked out for each document, any number of them: what a script gives for a document,
// or makes of each value of a field. Hot where there are such scripts.

import { EngineError } from '../errors';
import { Double } from '../json/index';
import type { NumericColumn, SegmentReader } from '../segment/index';
import { firstIndex, HostObject, isNumber, type ScriptValue, toDouble } from '../script/index';
import type { DocumentScript } from './document-script';
import type { NumberReader } from './number-reader';

/** The numbers that a script makes, as a {@link NumberReader}; those of a document ascend. */
export class ComputedNumbers implements NumberReader {
  values = new Float64Array(64);
  readonly isComputed = true;
  readonly present = null;
  readonly offsets: Uint32Array;
  readonly firstValue = 0;
  firstDoc = 0;
  private size = 0;

  /**
   * @param column the values that the script is given one by one; null: it is run once for each document.
   *   Undefined
   *   where the field has no values here
   * @param isWhole a script is given values without their fractions, and what it makes of them becomes what
   *   64 bits can hold (Java): NaN is 0
   */
  constructor(
    private readonly segment: SegmentReader,
    private readonly run: DocumentScript,
    private readonly column: NumericColumn | null | undefined,
    private readonly isWhole = false,
  ) {
    this.offsets = new Uint32Array(segment.docCount + 1);
  }

  load(words: Uint32Array, from: number, to: number): void {
    const { offsets, column } = this;
    const end = Math.min(to << 5, this.segment.docCount);
    this.firstDoc = from << 5;
    this.size = 0;
    for (let doc = this.firstDoc; doc < end; doc++) {
      const start = this.size;
      offsets[doc] = start;
      if (((words[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      this.run.seek(doc);
      if (column === null) this.take(this.run.script.value(doc));
      else if (column !== undefined) this.map(column, doc);
      this.arrange(start);
    }
    offsets[end] = this.size;
  }

  private map(column: NumericColumn, doc: number): void {
    const first = firstIndex(column, doc);
    if (first < 0) return;
    const { script } = this.run;
    const isLong = column.kind === 'int' || column.kind === 'long';
    const end = column.offsets === null ? first + 1 : column.offsets[doc + 1]!;
    for (let i = first; i < end; i++) {
      if (isLong) script.term = column.longAt(i);
      else if (this.isWhole) script.term = BigInt(Math.trunc(withinLong(column.valueAt(i))));
      else script.term = new Double(column.valueAt(i));
      this.take(script.value(doc));
    }
  }

  private take(given: ScriptValue): void {
    const value = given instanceof HostObject ? given.plain() : given;
    if (Array.isArray(value)) for (const element of value) this.add(element);
    else if (value !== null) this.add(value);
  }

  private add(value: ScriptValue): void {
    if (value === null || !isNumber(value)) throw noNumber(value);
    if (this.size === this.values.length) {
      const larger = new Float64Array(2 * this.size);
      larger.set(this.values);
      this.values = larger;
    }
    const number = toDouble(value);
    this.values[this.size++] = this.isWhole ? withinLong(number) : number;
  }

  private arrange(start: number): void {
    if (this.size - start > 1) this.values.subarray(start, this.size).sort();
  }
}

const LARGEST_LONG = 2 ** 63;

function withinLong(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.min(LARGEST_LONG, Math.max(-LARGEST_LONG, value));
}

function noNumber(value: ScriptValue): EngineError {
  const what = typeof value === 'string' ? 'String' : 'value';
  return new EngineError('ClassCastException', `the script gave a ${what}, which is no number`);
}

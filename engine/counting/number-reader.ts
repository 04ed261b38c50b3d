// Numbers of documents in windows of a few thousand documents, as doubles in one array, whatever the column
// they come from: so the loops of facets see one kind of array. Hot: touches every value in scope.

import type { NumericColumn } from '../segment/index';
import type { DocBuckets } from './doc-buckets';
import { WINDOW_DOCS } from './windows';

/** Fewer documents in scope than this: only their values are converted. */
const SPARSE_DOCS = 256;
const TWO_32 = 4294967296;

/**
 * Where the values of a window's documents are in an array that begins with those of the first one. `offsets`
 * null: document d has at most one value, at d - firstDoc, and has it when `present` is null or holds d.
 * Otherwise its values are at offsets[d] - firstValue up to offsets[d + 1] - firstValue - 1.
 */
export interface ValueLayout {
  readonly firstDoc: number;
  readonly firstValue: number;
  readonly offsets: Uint32Array | null;
  /** Words of a document set. */
  readonly present: Uint32Array | null;
}

/** The numbers of one segment's documents, a window at a time; those of a document ascend. */
export interface NumberReader extends ValueLayout {
  readonly values: Float64Array;
  /** Each value is worked out anew and may fail: load those of documents that need one. */
  readonly isComputed: boolean;
  /** Loads the values of the documents words[from .. to), which are one window. */
  load(words: Uint32Array, from: number, to: number): void;
}

/** A column as a {@link NumberReader}. */
export class ColumnReader implements NumberReader {
  values = new Float64Array(0);
  readonly isComputed = false;
  firstDoc = 0;
  firstValue = 0;
  readonly offsets: Uint32Array | null;
  readonly present: Uint32Array | null;

  constructor(private readonly column: NumericColumn) {
    this.offsets = column.offsets;
    this.present = column.present?.words ?? null;
  }

  load(words: Uint32Array, from: number, to: number): void {
    const n = this.place(from, to);
    if (isSparse(words, from, to)) this.loadSome(words, from, to);
    else this.loadAll(this.firstValue, n);
  }

  /** The same of a window whose documents are listed. */
  loadListed({ from, to, size, docs }: DocBuckets): void {
    const n = this.place(from, to);
    if (size * 4 < SPARSE_DOCS) this.loadEach(docs, size);
    else this.loadAll(this.firstValue, n);
  }

  /** Makes room for a window. @returns how many values all its documents have */
  private place(from: number, to: number): number {
    const { column, offsets } = this;
    const docs = Math.min(to * 32, column.docCount);
    const first = offsets === null ? from * 32 : offsets[from * 32]!;
    const n = (offsets === null ? docs : offsets[docs]!) - first;
    this.firstDoc = from * 32;
    this.firstValue = first;
    if (n > this.values.length) {
      this.values = new Float64Array(Math.max(n, WINDOW_DOCS, 2 * this.values.length));
    }
    return n;
  }

  private loadAll(first: number, n: number): void {
    const { values, high, base } = this.column;
    const into = this.values;
    into.set(values.subarray(first, first + n));
    if (high !== null) for (let i = 0; i < n; i++) into[i]! += high[first + i]! * TWO_32;
    // Adding 0 would turn -0 into 0.
    else if (base !== 0) for (let i = 0; i < n; i++) into[i]! += base;
  }

  private loadSome(words: Uint32Array, from: number, to: number): void {
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        this.loadDoc((w << 5) + 31 - Math.clz32(bit));
        word ^= bit;
      }
    }
  }

  private loadEach(docs: Uint32Array, size: number): void {
    for (let i = 0; i < size; i++) this.loadDoc(this.firstDoc + docs[i]!);
  }

  private loadDoc(doc: number): void {
    const { column, offsets, firstValue, values: into } = this;
    let i = offsets === null ? doc : offsets[doc]!;
    const end = offsets === null ? doc + 1 : offsets[doc + 1]!;
    for (; i < end; i++) into[i - firstValue] = column.valueAt(i);
  }
}

/** Loads the values of a window, whose set is not asked for where the list of its documents will do. */
export function loadWindow(reader: NumberReader, window: DocBuckets): void {
  if (reader instanceof ColumnReader) reader.loadListed(window);
  else reader.load(window.words, window.from, window.to);
}

function isSparse(words: Uint32Array, from: number, to: number): boolean {
  let used = 0;
  for (let w = from; w < to; w++) if (words[w] !== 0) used++;
  return used * 4 < SPARSE_DOCS / 4;
}

/**
 * The indexes of the values that documents of the window have, in document order.
 *
 * @param valueIndexes long enough for all values of the window
 * @param docs takes the document of each value, counted from the first of the window; may be `valueIndexes`
 * itself
 *   where only the indexes matter
 * @returns how many there are
 */
export function valueIndexesOf(
  { offsets, present, firstDoc, firstValue }: ValueLayout,
  words: Uint32Array,
  from: number,
  to: number,
  valueIndexes: Uint32Array,
  docs: Uint32Array,
): number {
  let n = 0;
  for (let w = from; w < to; w++) {
    let word = words[w]!;
    if (present !== null) word &= present[w]!;
    if (offsets === null) {
      const base = (w - from) << 5;
      while (word !== 0) {
        const bit = word & -word;
        const valueIndex = base + 31 - Math.clz32(bit);
        word ^= bit;
        docs[n] = valueIndex;
        valueIndexes[n++] = valueIndex;
      }
      continue;
    }
    while (word !== 0) {
      const bit = word & -word;
      const doc = (w << 5) + 31 - Math.clz32(bit);
      word ^= bit;
      const end = offsets[doc + 1]! - firstValue;
      for (let i = offsets[doc]! - firstValue; i < end; i++) {
        docs[n] = doc - firstDoc;
        valueIndexes[n++] = i;
      }
    }
  }
  return n;
}

/** The index of a document's first value, for documents that have one if `present` says so. */
export function startOf(reader: NumberReader, doc: number): number {
  return reader.offsets === null ? doc - reader.firstDoc : reader.offsets[doc]! - reader.firstValue;
}

/** The index behind a document's last value. */
export function endOf(reader: NumberReader, doc: number): number {
  return reader.offsets === null
    ? doc - reader.firstDoc + 1
    : reader.offsets[doc + 1]! - reader.firstValue;
}

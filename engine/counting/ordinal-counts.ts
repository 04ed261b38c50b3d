// Counting the terms of one segment by their ordinals in its list of terms, or values by their buckets. Hot:
// visits every document in scope, or every document that is not, whichever are fewer.

import {
  NO_MORE_DOCS,
  type Bitset,
  type UnsignedArray,
  type OrdinalArrays,
} from '../segment/index';
import type { TermColumn, TermFrequencies } from './term-list';

/** Fewer values than this share of the terms: they are gathered and sorted instead of counted in place. */
const SPARSE_SHARE = 32;
const MIN_SPARSE_TERMS = 1024;

/**
 * Counts of one segment; no need to know of which terms. Dense: `ordinals` is null and `counts[o]` belongs
 * to ordinal o. Sparse: `counts[i]` belongs to `ordinals[i]`, ascending, each above 0.
 */
export interface OrdinalCounts {
  readonly ordinals: Uint32Array | null;
  /** May be shared with a cache: do not modify. */
  readonly counts: Uint32Array;
  /** Documents without a term. */
  readonly missing: number;
  /** Sum of all counts. */
  readonly total: number;
}

/** Counts where no document has a term. */
export function noTerms(missing: number): OrdinalCounts {
  return { ordinals: NONE, counts: NONE, missing, total: 0 };
}

const NONE = new Uint32Array(0);

/**
 * Counts the terms of `docs`.
 *
 * @param size how many terms there are
 *
 * What frequencies say of all documents of the segment is exact for them, deleted and nested ones included.
 * So where `docs` are all of them nothing is counted, and where they are most of them the others are
 * counted and taken off.
 */
export function countOrdinals(
  column: Pick<TermColumn, 'frequencies' | 'ordinals'>,
  size: number,
  docs: Bitset,
): OrdinalCounts {
  const inScope = docs.cardinality();
  const { frequencies } = column;
  if (frequencies !== null && inScope * 2 > docs.size) {
    if (inScope === docs.size) {
      const missing = inScope - frequencies.docCount;
      const counts = frequencies.docFreqs();
      return { ordinals: null, counts, missing, total: frequencies.sumDocFreq };
    }
    return countComplement(column.ordinals(), frequencies, docs, inScope);
  }
  const arrays = column.ordinals();
  const { offsets } = arrays;
  if (size >= MIN_SPARSE_TERMS) {
    const values = offsets === null ? inScope : valuesOf(offsets, docs, size / SPARSE_SHARE);
    if (values * SPARSE_SHARE < size) return countSparse(arrays, docs, inScope, values);
  }
  if (offsets === null) {
    const counts = new Uint32Array(size + 1);
    addSingle(arrays.ordinals, docs.words, counts, 1);
    return fromSlots(counts, counts[0]!, inScope);
  }
  const counts = new Uint32Array(size);
  const { present, values } = addMulti(offsets, arrays.ordinals, docs.words, counts, 1);
  return { ordinals: null, counts, missing: inScope - present, total: values };
}

function countComplement(
  { offsets, ordinals }: OrdinalArrays,
  known: TermFrequencies,
  docs: Bitset,
  inScope: number,
): OrdinalCounts {
  const { words } = docs.clone().not();
  const { docCount, sumDocFreq } = known;
  const frequencies = known.docFreqs();
  if (offsets === null) {
    const counts = new Uint32Array(frequencies.length + 1);
    counts[0] = docs.size - docCount;
    counts.set(frequencies, 1);
    addSingle(ordinals, words, counts, -1);
    return fromSlots(counts, counts[0], inScope);
  }
  const counts = frequencies.slice();
  const { present, values } = addMulti(offsets, ordinals, words, counts, -1);
  const missing = inScope - (docCount - present);
  return { ordinals: null, counts, missing, total: sumDocFreq - values };
}

/** Counts of a column with one term per document: ordinal 0 counts documents without one. */
function fromSlots(slots: Uint32Array, missing: number, inScope: number): OrdinalCounts {
  return { ordinals: null, counts: slots.subarray(1), missing, total: inScope - missing };
}

/** Documents that have a term, and how many terms all of them have. */
interface Found {
  readonly present: number;
  readonly values: number;
}

/** Adds `step` to the slot of every document of a set. */
function addSingle(
  ordinals: UnsignedArray,
  words: Uint32Array,
  slots: Uint32Array,
  step: number,
): void {
  for (let w = 0; w < words.length; w++) {
    let word = words[w]!;
    const base = w << 5;
    while (word !== 0) {
      const bit = word & -word;
      slots[ordinals[base + 31 - Math.clz32(bit)]!]! += step;
      word ^= bit;
    }
  }
}

/** Adds `step` to the count of every term of every document of a set. */
function addMulti(
  offsets: Uint32Array,
  ordinals: UnsignedArray,
  words: Uint32Array,
  counts: Uint32Array,
  step: number,
): Found {
  let present = 0;
  let values = 0;
  for (let w = 0; w < words.length; w++) {
    let word = words[w]!;
    while (word !== 0) {
      const bit = word & -word;
      const doc = (w << 5) + 31 - Math.clz32(bit);
      word ^= bit;
      const from = offsets[doc]!;
      const to = offsets[doc + 1]!;
      if (from === to) continue;
      present++;
      values += to - from;
      for (let i = from; i < to; i++) counts[ordinals[i]!]! += step;
    }
  }
  return { present, values };
}

function countSparse(
  { offsets, ordinals }: OrdinalArrays,
  docs: Bitset,
  inScope: number,
  values: number,
): OrdinalCounts {
  const found = new Uint32Array(values);
  let total = 0;
  let present = 0;
  for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
    if (offsets === null) {
      const ordinal = ordinals[doc]!;
      if (ordinal === 0) continue;
      found[total++] = ordinal - 1;
      present++;
      continue;
    }
    const from = offsets[doc]!;
    const to = offsets[doc + 1]!;
    if (from === to) continue;
    present++;
    for (let i = from; i < to; i++) found[total++] = ordinals[i]!;
  }
  const sorted = found.subarray(0, total).sort();
  return { ...runs(sorted), missing: inScope - present, total };
}

/** Values of `docs`; stops counting beyond `enough`. */
function valuesOf(offsets: Uint32Array, docs: Bitset, enough: number): number {
  let values = 0;
  for (let doc = docs.next(0); doc !== NO_MORE_DOCS && values <= enough; doc = docs.next(doc + 1)) {
    values += offsets[doc + 1]! - offsets[doc]!;
  }
  return values;
}

/** Distinct values of a sorted list, and how often each occurs. */
function runs(sorted: Uint32Array): { ordinals: Uint32Array; counts: Uint32Array } {
  const ordinals = new Uint32Array(sorted.length);
  const counts = new Uint32Array(sorted.length);
  let n = 0;
  for (let i = 0; i < sorted.length; i++) {
    const ordinal = sorted[i]!;
    if (n > 0 && ordinals[n - 1] === ordinal) counts[n - 1]!++;
    else {
      ordinals[n] = ordinal;
      counts[n++] = 1;
    }
  }
  return { ordinals: ordinals.slice(0, n), counts: counts.slice(0, n) };
}

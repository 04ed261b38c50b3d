// Counting the terms of a text field in one segment, by ordinal. Hot: visits every document in scope.

import type { FieldId } from '../mapping/field';
import { NO_MORE_DOCS, type Bitset } from '../segment/bitset';
import type { OrdinalColumn, SegmentReader, TermDictionary } from '../segment/reader';

/** Fewer values than this share of the dictionary: they are gathered and sorted instead of counted in place. */
const SPARSE_SHARE = 8;
const MIN_SPARSE_TERMS = 1024;

/**
 * Counts of one segment. Dense: `ordinals` is null and `counts[o]` belongs to ordinal o. Sparse: `counts[i]`
 * belongs to `ordinals[i]`, ascending, each above 0.
 */
export interface OrdinalCounts {
  readonly terms: TermDictionary;
  readonly ordinals: Uint32Array | null;
  /** May be shared with a cache: do not modify. */
  readonly counts: Uint32Array;
  /** Documents without a term. */
  readonly missing: number;
  /** Sum of all counts. */
  readonly total: number;
}

/**
 * Counts a field over `docs`. Null when the segment has no term in the field.
 *
 * Document frequencies of the dictionary serve as counts exactly when `docs` is every document of the
 * segment: then nothing is deleted, nested or restricted by type, alias or query.
 */
export function countOrdinals(
  segment: SegmentReader,
  field: FieldId,
  docs: Bitset,
): OrdinalCounts | null {
  const inScope = docs.count();
  if (inScope === segment.docCount) {
    const terms = segment.terms(field);
    if (terms !== null) {
      return {
        terms,
        ordinals: null,
        counts: terms.docFreqs(),
        missing: inScope - terms.docCount,
        total: terms.sumDocFreq,
      };
    }
  }
  const column = segment.ordinals(field);
  if (column === null) return null;
  const isSparse =
    column.terms.size >= MIN_SPARSE_TERMS && inScope * SPARSE_SHARE < column.terms.size;
  return isSparse ? countSparse(column, docs, inScope) : countDense(column, docs, inScope);
}

function countDense(column: OrdinalColumn, docs: Bitset, inScope: number): OrdinalCounts {
  const { terms, offsets, ordinals } = column;
  if (offsets === null) {
    // One place more: ordinals are stored plus one, so place 0 counts documents without a term.
    const counts = new Uint32Array(terms.size + 1);
    countSingle(ordinals, docs.words, counts);
    const missing = counts[0]!;
    return { terms, ordinals: null, counts: counts.subarray(1), missing, total: inScope - missing };
  }
  const counts = new Uint32Array(terms.size);
  const present = countMulti(offsets, ordinals, docs.words, counts);
  return {
    terms,
    ordinals: null,
    counts,
    missing: inScope - present.docs,
    total: present.values,
  };
}

function countSingle(
  ordinals: OrdinalColumn['ordinals'],
  words: Uint32Array,
  counts: Uint32Array,
): void {
  for (let w = 0; w < words.length; w++) {
    let word = words[w]!;
    const base = w << 5;
    if (word === 0xffffffff) {
      for (let doc = base; doc < base + 32; doc++) counts[ordinals[doc]!]!++;
      continue;
    }
    while (word !== 0) {
      const bit = word & -word;
      counts[ordinals[base + 31 - Math.clz32(bit)]!]!++;
      word ^= bit;
    }
  }
}

function countMulti(
  offsets: Uint32Array,
  ordinals: OrdinalColumn['ordinals'],
  words: Uint32Array,
  counts: Uint32Array,
): { docs: number; values: number } {
  let docs = 0;
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
      docs++;
      values += to - from;
      for (let i = from; i < to; i++) counts[ordinals[i]!]!++;
    }
  }
  return { docs, values };
}

function countSparse(column: OrdinalColumn, docs: Bitset, inScope: number): OrdinalCounts {
  const { terms, offsets, ordinals } = column;
  const found = new Uint32Array(offsets === null ? inScope : valuesOf(offsets, docs));
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
  return { terms, ...runs(sorted), missing: inScope - present, total };
}

function valuesOf(offsets: Uint32Array, docs: Bitset): number {
  let values = 0;
  for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
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
  return { ordinals: ordinals.subarray(0, n), counts: counts.subarray(0, n) };
}

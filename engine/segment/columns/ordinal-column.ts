// Ordinal columns: made from postings on first use. They hold nothing that postings do not, and on disk they
// took more than a tenth of a segment; segments that were written with them are read as they are.

import { u32At } from '../format/byte-input';
import {
  offsetsOf,
  paddedBytes,
  unsignedArray,
  unsignedView,
  type ColumnDocs,
  type UnsignedArray,
} from './columns';
import { LAYOUT, MAX_INLINE_DOCS, widthFor } from '../format/format';
import type { OrdinalColumn, TermDictionary } from '../contract/reader';
import type { BlockTermDictionary } from '../dictionary/term-dictionary';

const HEADER = 16;

/** A decoded column without its dictionary: what the cache keeps. */
export interface OrdinalArrays {
  readonly offsets: Uint32Array | null;
  readonly ordinals: UnsignedArray;
}

/** Memory that a column holds, in bytes. */
export function ordinalBytes(arrays: OrdinalArrays): number {
  return arrays.ordinals.byteLength + (arrays.offsets?.byteLength ?? 0);
}

/** Decodes an ordinal column. `termCount` is the size of the field's dictionary. */
export function readOrdinals(
  bytes: Uint8Array,
  entries: ColumnDocs,
  docCount: number,
  termCount: number,
): OrdinalArrays {
  const width = bytes[0]!;
  const layout = bytes[1]!;
  const valueCount = u32At(bytes, 4);
  if (layout === LAYOUT.dense) {
    return { offsets: null, ordinals: unsignedView(bytes, HEADER, width, docCount) };
  }
  const stored = unsignedView(bytes, HEADER, width, valueCount);
  const members = entries.members();
  if (layout === LAYOUT.multi) {
    const at = HEADER + paddedBytes(width, valueCount);
    const counts = unsignedView(bytes, at, bytes[2]!, entries.count);
    return { offsets: offsetsOf(members, counts, docCount), ordinals: stored };
  }
  const ordinals = unsignedArray(widthFor(termCount), docCount);
  for (let i = 0; i < members.length; i++) ordinals[members[i]!] = stored[i]! + 1;
  return { offsets: null, ordinals };
}

/**
 * The column of a field from its postings: each of them is one value. Terms come in order, so each document's
 * ordinals ascend by themselves.
 */
export function uninvert(terms: BlockTermDictionary, docCount: number): OrdinalArrays {
  const { size } = terms;
  const docs = new Uint32Array(terms.sumDocFreq);
  const ends = new Uint32Array(size);
  const cursor = terms.cursor();
  const postings = terms.reusablePostings('docs');
  let filled = 0;
  for (let ordinal = 0; ordinal < size; ordinal++) {
    cursor.seekData(ordinal);
    const { data } = cursor;
    if (data.docFreq <= MAX_INLINE_DOCS) {
      for (let i = 0; i < data.docFreq; i++) docs[filled++] = data.inlineDocs[i]!;
    } else {
      filled = postings.open(data).copyDocs(docs, filled);
    }
    ends[ordinal] = filled;
  }
  const offsets = new Uint32Array(docCount + 1);
  let most = 0;
  for (let i = 0; i < filled; i++) {
    const count = ++offsets[docs[i]! + 1]!;
    if (count > most) most = count;
  }
  if (most <= 1) {
    const ordinals = unsignedArray(widthFor(size), docCount);
    for (let ordinal = 0, i = 0; ordinal < size; ordinal++) {
      for (const end = ends[ordinal]!; i < end; i++) ordinals[docs[i]!] = ordinal + 1;
    }
    return { offsets: null, ordinals };
  }
  for (let doc = 0; doc < docCount; doc++) offsets[doc + 1]! += offsets[doc]!;
  const next = offsets.slice(0, docCount);
  const ordinals = unsignedArray(widthFor(size - 1), filled);
  for (let ordinal = 0, i = 0; ordinal < size; ordinal++) {
    for (const end = ends[ordinal]!; i < end; i++) ordinals[next[docs[i]!]!++] = ordinal;
  }
  return { offsets, ordinals };
}

/** The column as readers see it. */
export function ordinalColumn(
  arrays: OrdinalArrays,
  terms: TermDictionary,
  docCount: number,
): OrdinalColumn {
  return { docCount, terms, offsets: arrays.offsets, ordinals: arrays.ordinals };
}

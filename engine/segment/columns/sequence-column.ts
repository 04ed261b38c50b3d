// Sequence numbers by document: how a document of a segment finds its record in the document log, and a
// superseded record its document.

import type { Bitset } from '../contract/bitset';
import { f64At, u32At } from '../format/byte-input';
import { widthFor } from '../format/format';
import { narrowed, unsignedView, writeArray } from './columns';
import { PartBuffer } from '../format/part-buffer';

const HEADER = 16;

/** @param sequences of the root documents, ascending */
export function writeSequences(sequences: Float64Array): PartBuffer {
  const n = sequences.length;
  const out = new PartBuffer();
  const base = n === 0 ? 0 : sequences[0]!;
  const gaps = new Float64Array(n);
  for (let root = 0; root < n; root++) gaps[root] = sequences[root]! - base - root;
  const largest = n === 0 ? 0 : gaps[n - 1]!;
  const width = largest === 0 ? 0 : largest > 0xffffffff ? 8 : widthFor(largest);
  out.u8(width);
  out.u8(0);
  out.u8(0);
  out.u8(0);
  out.u32(n);
  out.f64(base);
  if (width === 8) writeArray(out, gaps);
  else if (width !== 0) writeArray(out, narrowed(gaps, width));
  return out;
}

export class SequenceColumn {
  private readonly base: number;
  private readonly rootCount: number;
  private readonly gaps: ArrayLike<number> | null;
  /** Number of roots before each document; null when all documents are roots. */
  private readonly ranks: Uint32Array | null;
  /** The document of each root. */
  private readonly docs: Uint32Array | null;
  /** Memory that the column holds, in bytes. */
  readonly byteLength: number;

  /** @param roots root documents, or null when all are */
  constructor(bytes: Uint8Array, roots: Bitset | null) {
    const width = bytes[0]!;
    this.rootCount = u32At(bytes, 4);
    this.base = f64At(bytes, 8);
    if (width === 0) this.gaps = null;
    else if (width === 8) {
      this.gaps = new Float64Array(bytes.buffer, bytes.byteOffset + HEADER, this.rootCount);
    } else this.gaps = unsignedView(bytes, HEADER, width, this.rootCount);
    if (roots === null) {
      this.ranks = null;
      this.docs = null;
    } else {
      this.ranks = new Uint32Array(roots.size);
      this.docs = new Uint32Array(this.rootCount);
      let rank = 0;
      for (let doc = 0; doc < roots.size; doc++) {
        this.ranks[doc] = rank;
        if (roots.has(doc)) this.docs[rank++] = doc;
      }
    }
    this.byteLength = width * this.rootCount + (this.ranks?.byteLength ?? 0) * 2;
  }

  /** Sequence number of a document; of a nested one, its root's. */
  sequenceOf(doc: number): number {
    return this.sequenceOfRoot(this.ranks === null ? doc : this.ranks[doc]!);
  }

  /** The root document with a sequence number, or -1. */
  docOfSequence(sequence: number): number {
    let low = 0;
    let high = this.rootCount - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.sequenceOfRoot(middle);
      if (found === sequence) return this.docs === null ? middle : this.docs[middle]!;
      if (found < sequence) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  private sequenceOfRoot(rank: number): number {
    return this.base + rank + (this.gaps === null ? 0 : this.gaps[rank]!);
  }
}

// Iterates the documents of one term, with frequencies and positions on demand. The hottest code of a
// search: blocks of 128 documents are unpacked at once, blocks that a caller jumps over are never touched.
//
// One class serves all three forms of postings (inline, tail, blocks), so that scorers call one shape:
// terms with fewer than 128 documents are a single block that is decoded when the iterator is opened.

import { type Bitset, NO_MORE_DOCS } from '../contract/bitset';
import { ByteInput } from '../format/byte-input';
import { BLOCK_BYTES, BLOCK_MASK, MAX_INLINE_DOCS, POSTINGS_BLOCK } from '../format/format';
import { decodeMaxFreq } from './postings-writer';
import type { PostingsBlock, PostingsIterator, PostingsNeed } from '../contract/reader';
import { SegmentFile } from '../format/segment-file';
import { unpack } from './unpack';
import type { TermData, PostingsLayout } from './term-data';

const EMPTY_WORDS = new Uint32Array(0);
const EMPTY_BYTES = new Uint8Array(0);

export class Postings implements PostingsIterator {
  doc = -1;
  cost = 0;
  boundsBlock = -1;

  private docs: Uint32Array = EMPTY_WORDS;
  private freqs: Uint32Array = EMPTY_WORDS;
  private readonly wantsFreqs: boolean;
  private readonly stride: number;
  /** Place in the current block, number of documents in it, and its last document. */
  private index = -1;
  private count = 0;
  private blockLast = -1;
  private block = -1;
  /** Blocks of the term, the tail included. */
  private blocks = 0;
  private freqBlock = -1;
  /** Packed words of the current block, with the frequencies at `freqAt`. */
  private words: Uint32Array = EMPTY_WORDS;
  private freqAt = 0;
  private freqBits = 0;
  private straddling: Uint32Array = EMPTY_WORDS;
  /** Block headers; empty for terms of a single block. */
  private headers: Uint32Array = EMPTY_WORDS;
  private headersAt = 0;
  private dataStart = 0;
  private dataEnd = 0;
  /** Where positions lie, and the state of reading them. */
  private positionsStart = 0;
  private positionsEnd = 0;
  private positions: Uint8Array = EMPTY_BYTES;
  private positionsBlock = -1;
  private positionsAt = 0;
  private positionsDoc = -1;
  private positionsIndex = 0;
  private positionsLeft = 0;
  private position = 0;

  /** @param norms gives the field's norm bytes; asked only when the bounds of a small term are */
  constructor(
    private readonly layout: PostingsLayout,
    need: PostingsNeed,
    private readonly norms: () => Uint8Array | null,
  ) {
    this.wantsFreqs = layout.hasFreqs && need !== 'docs';
    this.stride = layout.hasPositions ? 4 : 3;
  }

  /** Starts on a term, before its first document. Can be called again for another term of the field. */
  open(term: TermData): this {
    const { docFreq } = term;
    this.doc = -1;
    this.cost = docFreq;
    this.index = -1;
    this.block = -1;
    this.freqBlock = -1;
    this.boundsBlock = -1;
    this.blockLast = -1;
    this.positionsBlock = -1;
    this.positionsDoc = -1;
    this.positionsStart = term.positions;
    this.positionsEnd = term.positions + term.positionsLength;
    const room = Math.min(docFreq, POSTINGS_BLOCK);
    if (this.docs.length < room) this.makeRoom(room);
    if (docFreq < POSTINGS_BLOCK) {
      this.headers = EMPTY_WORDS;
      this.blocks = 1;
      this.count = docFreq;
      if (docFreq <= MAX_INLINE_DOCS) this.openInline(term);
      else this.readTail(this.layout.file.bytes(term.postings, term.postingsLength), 0, -1);
      this.block = 0;
      this.freqBlock = 0;
      this.blockLast = docFreq === 0 ? -1 : this.docs[docFreq - 1]!;
    } else {
      this.count = 0;
      this.blocks = Math.ceil(docFreq / POSTINGS_BLOCK);
      this.openHeaders(term);
    }
    return this;
  }

  nextDoc(): number {
    if (++this.index < this.count) return (this.doc = this.docs[this.index]!);
    return this.nextBlock();
  }

  advance(target: number): number {
    if (target > this.blockLast) {
      if (this.block + 1 >= this.blocks) return this.exhaust();
      const block = this.blockWith(target, this.block + 1);
      if (block === this.blocks) return this.exhaust();
      this.loadBlock(block);
    }
    const { docs } = this;
    let low = this.index + 1;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle]! < target) low = middle + 1;
      else high = middle;
    }
    this.index = low;
    return (this.doc = docs[low]!);
  }

  freq(): number {
    if (!this.wantsFreqs) return 1;
    if (this.freqBlock !== this.block) this.loadFreqs();
    return this.freqs[this.index]!;
  }

  restOfBlock(): PostingsBlock {
    if (this.wantsFreqs && this.freqBlock !== this.block) this.loadFreqs();
    const freqs = this.wantsFreqs ? this.freqs : null;
    return { docs: this.docs, freqs, from: this.index, to: this.count };
  }

  /** The encoded positions of all documents of the current block, one document's after the other's. */
  positionsOfBlock(): Uint8Array {
    this.loadPositions(this.block);
    return this.positions;
  }

  /** Passes over the rest of the current block. */
  leaveBlock(): void {
    this.index = this.count - 1;
  }

  nextPosition(): number {
    if (this.positionsDoc !== this.doc) this.startPositions();
    const { positions } = this;
    let byte = positions[this.positionsAt++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = positions[this.positionsAt++]!;
      step |= (byte & 0x7f) << shift;
    }
    this.positionsLeft--;
    return (this.position += step);
  }

  readPositions(into: Int32Array): void {
    this.startPositions();
    const { positions } = this;
    const count = this.positionsLeft;
    let at = this.positionsAt;
    let position = 0;
    for (let i = 0; i < count; i++) {
      let byte = positions[at++]!;
      let step = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = positions[at++]!;
        step |= (byte & 0x7f) << shift;
      }
      into[i] = position += step;
    }
    this.positionsAt = at;
    this.positionsLeft = 0;
    this.position = position;
  }

  fill(into: Bitset): void {
    const { words } = into;
    setBits(words, this.docs, this.index + 1, this.count);
    for (let block = this.block + 1; block < this.blocks; block++) {
      const header = this.headersAt + block * this.stride;
      const full = this.cost - block * POSTINGS_BLOCK >= POSTINGS_BLOCK;
      if (full && (this.headers[header + 2]! & 0xff) === 0) {
        const last = this.headers[header]!;
        setRange(words, last - POSTINGS_BLOCK + 1, last);
      } else {
        this.loadBlock(block);
        setBits(words, this.docs, 0, this.count);
      }
    }
    this.exhaust();
  }

  /** Copies all documents of a term just opened into `into` from `at`; returns the place after the last. */
  copyDocs(into: Uint32Array, at: number): number {
    let to = at;
    if (this.block === 0) to = copyInto(into, to, this.docs, this.count);
    for (let block = this.block + 1; block < this.blocks; block++) {
      this.loadBlock(block);
      to = copyInto(into, to, this.docs, this.count);
    }
    this.exhaust();
    return to;
  }

  blockEnd(target: number): number {
    if (this.headers.length === 0) {
      this.boundsBlock = 0;
      const last = this.cost === 0 ? -1 : this.docs[this.cost - 1]!;
      return target <= last ? last : NO_MORE_DOCS;
    }
    const from = Math.max(this.boundsBlock, this.block, 0);
    const start = from > 0 && target <= this.lastOf(from - 1) ? 0 : from;
    const block = this.blockWith(target, start);
    this.boundsBlock = Math.min(block, this.blocks - 1);
    return block === this.blocks ? NO_MORE_DOCS : this.lastOf(block);
  }

  blockMaxFreq(): number {
    if (!this.layout.hasFreqs) return 1;
    if (this.headers.length > 0) return decodeMaxFreq(this.bounds() >>> 24);
    let max = 1;
    for (let i = 0; i < this.cost && this.wantsFreqs; i++) max = Math.max(max, this.freqs[i]!);
    return max;
  }

  blockMaxNorm(): number {
    if (this.headers.length > 0) return (this.bounds() >>> 16) & 0xff;
    const norms = this.norms();
    if (norms === null) return 0;
    let max = 0;
    for (let i = 0; i < this.cost; i++) max = Math.max(max, norms[this.docs[i]!]!);
    return max;
  }

  private bounds(): number {
    return this.headers[this.headersAt + this.boundsBlock * this.stride + 2]!;
  }

  private lastOf(block: number): number {
    return this.headers[this.headersAt + block * this.stride]!;
  }

  private exhaust(): number {
    this.index = 0;
    this.count = 0;
    this.block = this.blocks;
    this.blockLast = -1;
    return (this.doc = NO_MORE_DOCS);
  }

  private nextBlock(): number {
    if (this.block + 1 >= this.blocks) return this.exhaust();
    this.loadBlock(this.block + 1);
    this.index = 0;
    return (this.doc = this.docs[0]!);
  }

  /** The first block from `from` on whose last document is >= target, or the number of blocks. */
  private blockWith(target: number, from: number): number {
    const { headers, headersAt, stride, blocks } = this;
    let low = from;
    let step = 1;
    while (low + step < blocks && headers[headersAt + (low + step - 1) * stride]! < target) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, blocks);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (headers[headersAt + middle * stride]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Both arrays in one buffer: memory for a buffer costs more than a short list of postings. */
  private makeRoom(room: number): void {
    if (!this.wantsFreqs) {
      this.docs = new Uint32Array(room);
      return;
    }
    const both = new ArrayBuffer(8 * room);
    this.docs = new Uint32Array(both, 0, room);
    this.freqs = new Uint32Array(both, 4 * room, room);
  }

  private openInline(term: TermData): void {
    for (let i = 0; i < term.docFreq; i++) {
      this.docs[i] = term.inlineDocs[i]!;
      if (this.wantsFreqs) this.freqs[i] = term.inlineFreqs[i]!;
    }
  }

  private openHeaders(term: TermData): void {
    const { file } = this.layout;
    const length = this.blocks * this.stride * 4;
    if (SegmentFile.inOneBlock(term.postings, length)) {
      const at = term.postings & BLOCK_MASK;
      this.headers = file.page((term.postings - at) / BLOCK_BYTES).words;
      this.headersAt = at >>> 2;
    } else {
      const bytes = file.bytes(term.postings, length);
      this.headers = new Uint32Array(bytes.buffer, bytes.byteOffset, length >>> 2);
      this.headersAt = 0;
    }
    this.dataStart = term.postings + length;
    this.dataEnd = term.postings + term.postingsLength;
  }

  private loadBlock(block: number): void {
    const { headers, stride, layout } = this;
    const header = this.headersAt + block * stride;
    const base = block === 0 ? -1 : headers[header - stride]!;
    const offset = this.dataStart + headers[header + 1]!;
    this.block = block;
    this.index = -1;
    this.blockLast = headers[header]!;
    this.count = Math.min(POSTINGS_BLOCK, this.cost - block * POSTINGS_BLOCK);
    if (this.count < POSTINGS_BLOCK) {
      this.readTail(layout.file.bytes(offset, this.dataEnd - offset), 0, base);
      this.freqBlock = block;
      return;
    }
    const bits = headers[header + 2]!;
    const docBits = bits & 0xff;
    this.freqBits = (bits >>> 8) & 0xff;
    const length = (docBits + this.freqBits) * 16;
    let at = 0;
    if (SegmentFile.inOneBlock(offset, length)) {
      const inPage = offset & BLOCK_MASK;
      this.words =
        length === 0 ? EMPTY_WORDS : layout.file.page((offset - inPage) / BLOCK_BYTES).words;
      at = inPage >>> 2;
    } else {
      const bytes = layout.file.bytes(offset, length);
      if (this.straddling.length === 0) this.straddling = new Uint32Array(2 * 32 * 4);
      new Uint8Array(this.straddling.buffer).set(bytes);
      this.words = this.straddling;
    }
    this.freqAt = at + docBits * 4;
    unpack(docBits, this.words, at, this.docs, base, -1);
  }

  private loadFreqs(): void {
    unpack(this.freqBits, this.words, this.freqAt, this.freqs, 0, 0);
    this.freqBlock = this.block;
  }

  /** Decodes `count` documents, and their frequencies if anybody wants them. */
  private readTail(bytes: Uint8Array, from: number, base: number): void {
    const { docs, freqs, count, wantsFreqs } = this;
    let at = from;
    let doc = base;
    for (let i = 0; i < count; i++) {
      let byte = bytes[at++]!;
      let step = byte & 0x7f;
      for (let scale = 128; byte >= 0x80; scale *= 128) {
        byte = bytes[at++]!;
        step += (byte & 0x7f) * scale;
      }
      if (!this.layout.hasFreqs) {
        docs[i] = doc = doc + 1 + step;
        continue;
      }
      const single = step & 1;
      docs[i] = doc = doc + 1 + (step - single) / 2;
      let freq = 1;
      if (single === 0) {
        byte = bytes[at++]!;
        freq = 2 + (byte & 0x7f);
        for (let scale = 128; byte >= 0x80; scale *= 128) {
          byte = bytes[at++]!;
          freq += (byte & 0x7f) * scale;
        }
      }
      if (wantsFreqs) freqs[i] = freq;
    }
  }

  /** Moves to the positions of the current document, over those of earlier ones of its block. */
  private startPositions(): void {
    this.freq();
    const { block, index, freqs } = this;
    if (this.positionsBlock !== block || this.positionsIndex > index) {
      this.loadPositions(block);
      this.positionsBlock = block;
      this.positionsAt = 0;
      this.positionsIndex = 0;
      this.positionsLeft = freqs[0]!;
    }
    let skip = 0;
    for (; this.positionsIndex < index;) {
      skip += this.positionsLeft;
      this.positionsLeft = freqs[++this.positionsIndex]!;
    }
    const { positions } = this;
    let at = this.positionsAt;
    while (skip > 0) if (positions[at++]! < 0x80) skip--;
    this.positionsAt = at;
    this.positionsDoc = this.doc;
    this.position = 0;
  }

  private loadPositions(block: number): void {
    let from = this.positionsStart;
    let to = this.positionsEnd;
    if (this.headers.length > 0) {
      const header = this.headersAt + block * this.stride + 3;
      if (block + 1 < this.blocks) to = from + this.headers[header + this.stride]!;
      from += this.headers[header]!;
    }
    this.positions = this.layout.file.bytes(from, to - from);
  }
}

function copyInto(into: Uint32Array, at: number, docs: Uint32Array, count: number): number {
  for (let i = 0; i < count; i++) into[at + i] = docs[i]!;
  return at + count;
}

function setBits(words: Uint32Array, docs: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const doc = docs[i]!;
    words[doc >>> 5]! |= 1 << (doc & 31);
  }
}

/** Sets the bits first .. last. */
function setRange(words: Uint32Array, first: number, last: number): void {
  for (let doc = first; doc <= last;) {
    if ((doc & 31) === 0 && doc + 31 <= last) {
      words[doc >>> 5] = 0xffffffff;
      doc += 32;
    } else {
      words[doc >>> 5]! |= 1 << (doc & 31);
      doc++;
    }
  }
}

/** The postings of an inline or tail term decoded straight into a set, without an iterator. */
export function fillSmall(term: TermData, layout: PostingsLayout, words: Uint32Array): void {
  if (term.docFreq <= MAX_INLINE_DOCS) {
    for (let i = 0; i < term.docFreq; i++) {
      const doc = term.inlineDocs[i]!;
      words[doc >>> 5]! |= 1 << (doc & 31);
    }
    return;
  }
  const input = new ByteInput(layout.file.bytes(term.postings, term.postingsLength));
  let doc = -1;
  for (let i = 0; i < term.docFreq; i++) {
    let step = input.vint();
    if (layout.hasFreqs) {
      const single = step & 1;
      step = (step - single) / 2;
      if (single === 0) input.vint();
    }
    doc += 1 + step;
    words[doc >>> 5]! |= 1 << (doc & 31);
  }
}

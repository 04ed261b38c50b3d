// Encodes postings and positions term by term (docs/format-segments.md, "Postings"). Hot: one call of `add`
// per document and term, one of `addPosition` per occurrence.

import { bitsNeeded, pack } from './bit-packing';
import { MAX_INLINE_DOCS, POSTINGS_BLOCK } from '../format/format';
import { PartBuffer } from '../format/part-buffer';

/** Frequencies up to here are kept exactly in block headers. */
export const EXACT_MAX_FREQ = 127;

/** The byte that stands for "at most `freq`" in a block header. */
export function encodeMaxFreq(freq: number): number {
  return freq <= EXACT_MAX_FREQ ? freq : 128 + (32 - Math.clz32(freq - 1));
}

/** The bound behind a byte of {@link encodeMaxFreq}; never less than the frequency. */
export function decodeMaxFreq(code: number): number {
  return code <= EXACT_MAX_FREQ ? code : 2 ** (code - 128);
}

export class PostingsWriter {
  readonly postings = new PartBuffer();
  readonly positions = new PartBuffer();
  /** Documents and occurrences of the current term. */
  docFreq = 0;
  totalTermFreq = 0;

  private readonly docs = new Uint32Array(POSTINGS_BLOCK);
  private readonly freqs = new Uint32Array(POSTINGS_BLOCK);
  private readonly steps = new Uint32Array(POSTINGS_BLOCK);
  /** Documents of the current term that wait in `docs` and `freqs`. */
  private waiting = 0;
  /** The last document of the last full block. */
  private blockStart = -1;
  private headers = new Uint32Array(64);
  private headerWords = 0;
  private packed = new Uint32Array(1024);
  private packedWords = 0;
  /** Where the positions of the term and of the current block begin. */
  private positionsStart = 0;
  private blockPositions = 0;
  private lastPosition = 0;

  /** @param norms the field's norm bytes by document, or null; only the bounds of blocks need them. */
  constructor(
    readonly hasFreqs: boolean,
    readonly hasPositions: boolean,
    private readonly norms: Uint8Array | null,
  ) {}

  startTerm(): void {
    this.docFreq = 0;
    this.totalTermFreq = 0;
    this.waiting = 0;
    this.blockStart = -1;
    this.headerWords = 0;
    this.packedWords = 0;
    this.positionsStart = this.positions.length;
  }

  /** The next document of the term, in ascending order; `freq` calls of {@link addPosition} follow. */
  add(doc: number, freq: number): void {
    if (this.waiting === 0) this.blockPositions = this.positions.length - this.positionsStart;
    this.docs[this.waiting] = doc;
    this.freqs[this.waiting] = freq;
    this.waiting++;
    this.docFreq++;
    this.totalTermFreq += freq;
    this.lastPosition = 0;
    if (this.waiting === POSTINGS_BLOCK) this.flushBlock();
  }

  /**
   * Adds those of a block of another segment's postings that survive, under their new numbers, in one go:
   * their positions are copied as they are, because those of a document do not depend on the ones before it.
   *
   * @param freqs null: all are 1
   * @param newDocs new numbers by old; negative: the document is left out
   * @param positions the encoded positions of docs[0 .. count); null without
   */
  addBlock(
    docs: Uint32Array,
    freqs: Uint32Array | null,
    count: number,
    newDocs: Int32Array,
    positions: Uint8Array | null,
  ): void {
    let at = 0;
    for (let i = 0; i < count;) {
      if (newDocs[docs[i]!]! < 0) {
        if (positions !== null) at = skipPositions(positions, at, freqs![i]!);
        i++;
        continue;
      }
      if (this.waiting === 0) this.blockPositions = this.positions.length - this.positionsStart;
      let { waiting } = this;
      const end = Math.min(count, i + POSTINGS_BLOCK - waiting);
      const first = i;
      let occurrences = 0;
      for (; i < end; i++) {
        const doc = newDocs[docs[i]!]!;
        if (doc < 0) break;
        const freq = freqs === null ? 1 : freqs[i]!;
        this.docs[waiting] = doc;
        this.freqs[waiting++] = freq;
        occurrences += freq;
      }
      this.waiting = waiting;
      this.docFreq += i - first;
      this.totalTermFreq += occurrences;
      if (positions !== null) {
        const to = i === count ? positions.length : skipPositions(positions, at, occurrences);
        this.positions.appendRange(positions, at, to);
        at = to;
      }
      if (waiting === POSTINGS_BLOCK) this.flushBlock();
    }
  }

  /** Positions of the current document, ascending. */
  addPosition(position: number): void {
    this.positions.vint(position - this.lastPosition);
    this.lastPosition = position;
  }

  /** Ends the term: writes its postings, and its line of the data section of the dictionary to `data`. */
  finishTerm(data: PartBuffer): void {
    const { docFreq } = this;
    const single = !this.hasFreqs || this.totalTermFreq === docFreq;
    data.vint(docFreq * 2 + (single ? 1 : 0));
    if (!single) data.vint(this.totalTermFreq - docFreq);
    if (docFreq <= MAX_INLINE_DOCS) {
      let previous = -1;
      for (let i = 0; i < docFreq; i++) {
        data.vint(this.docs[i]! - previous - 1);
        if (!single) data.vint(this.freqs[i]! - 1);
        previous = this.docs[i]!;
      }
    } else {
      data.vint(this.writePostings());
    }
    if (this.hasPositions) data.vint(this.positions.length - this.positionsStart);
  }

  /** Returns the number of bytes written, padding before them excluded. */
  private writePostings(): number {
    const { postings } = this;
    if (this.docFreq < POSTINGS_BLOCK) {
      const start = postings.length;
      this.writeTail();
      return postings.length - start;
    }
    if (this.waiting > 0) this.addHeader(0, 0);
    postings.align(4);
    const start = postings.length;
    postings.array(this.headers.subarray(0, this.headerWords));
    postings.array(this.packed.subarray(0, this.packedWords));
    this.writeTail();
    return postings.length - start;
  }

  private writeTail(): void {
    const { postings, docs, freqs } = this;
    let previous = this.blockStart;
    for (let i = 0; i < this.waiting; i++) {
      const step = docs[i]! - previous - 1;
      previous = docs[i]!;
      if (!this.hasFreqs) {
        postings.vint(step);
      } else if (freqs[i] === 1) {
        postings.vint(step * 2 + 1);
      } else {
        postings.vint(step * 2);
        postings.vint(freqs[i]! - 2);
      }
    }
  }

  private flushBlock(): void {
    const { docs, freqs, steps } = this;
    let previous = this.blockStart;
    for (let i = 0; i < POSTINGS_BLOCK; i++) {
      steps[i] = docs[i]! - previous - 1;
      previous = docs[i]!;
    }
    const docBits = bitsNeeded(steps);
    const at = this.packedWords;
    this.reservePacked();
    pack(docBits, steps, this.packed, at);
    this.packedWords = at + 4 * docBits;
    let freqBits = 0;
    if (this.hasFreqs) {
      for (let i = 0; i < POSTINGS_BLOCK; i++) steps[i] = freqs[i]! - 1;
      freqBits = bitsNeeded(steps);
      pack(freqBits, steps, this.packed, this.packedWords);
      this.packedWords += 4 * freqBits;
    }
    this.addHeader(docBits, freqBits, at);
    this.blockStart = previous;
    this.waiting = 0;
  }

  private addHeader(docBits: number, freqBits: number, at = this.packedWords): void {
    const { docs, freqs, norms, waiting } = this;
    let maxFreq = 1;
    let maxNorm = 0;
    for (let i = 0; i < waiting; i++) {
      if (freqs[i]! > maxFreq) maxFreq = freqs[i]!;
      if (norms !== null && norms[docs[i]!]! > maxNorm) maxNorm = norms[docs[i]!]!;
    }
    if (!this.hasFreqs) maxFreq = 1;
    if (this.headerWords + 4 > this.headers.length) this.headers = doubled(this.headers);
    const { headers } = this;
    headers[this.headerWords++] = docs[waiting - 1]!;
    headers[this.headerWords++] = at * 4;
    headers[this.headerWords++] =
      docBits | (freqBits << 8) | (maxNorm << 16) | (encodeMaxFreq(maxFreq) << 24);
    if (this.hasPositions) headers[this.headerWords++] = this.blockPositions;
  }

  private reservePacked(): void {
    if (this.packedWords + 8 * 32 > this.packed.length) this.packed = doubled(this.packed);
  }
}

/** Where the next `n` of encoded positions end. */
function skipPositions(positions: Uint8Array, from: number, n: number): number {
  let at = from;
  for (let left = n; left > 0;) if (positions[at++]! < 0x80) left--;
  return at;
}

function doubled(words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(words.length * 2);
  grown.set(words);
  return grown;
}

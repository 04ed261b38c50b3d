// Walks the term dictionary of a field block by block: the text of the terms and their data lines, each on
// demand. Look-ups, scans, uninverting and merging all read through this one decoder. Hot.

import {
  MAX_INLINE_DOCS,
  POSTINGS_BLOCK,
  TERMS_PER_BLOCK,
  TERMS_PER_BLOCK_SHIFT,
} from '../format/format';
import { TermData, type PostingsLayout } from '../postings/term-data';
import type { TermIndex } from './term-index';

/** Where the parts of a string field lie in the stream, and how its postings are made. */
export interface TermLayout extends PostingsLayout {
  readonly index: TermIndex;
  readonly termsOffset: number;
}

export class TermCursor {
  /** The bytes of the current term are term[0 .. termLength). */
  term = new Uint8Array(64);
  termLength = 0;
  /** Whether the term last looked for by {@link findCeiling} is there. */
  isFound = false;
  /** The data line last read by {@link nextData}. */
  readonly data = new TermData();

  private bytes: Uint8Array = new Uint8Array(0);
  private block = -1;
  /** Within the block: terms whose text, and whose data were read. */
  private textsRead = 0;
  private datasRead = 0;
  private textAt = 0;
  private dataAt = 0;
  private postingsNext = 0;
  private positionsNext = 0;
  /** Offset of text and data sections in the block, to begin anew. */
  private textStart = 0;
  private dataStart = 0;
  private postingsBase = 0;
  private positionsBase = 0;

  constructor(readonly layout: TermLayout) {}

  /** Positions text and data before the first term of a block. */
  openBlock(block: number): void {
    if (block !== this.block) {
      const { layout } = this;
      const from = layout.index.blockOffset(block);
      const length = layout.index.blockOffset(block + 1) - from;
      this.bytes = layout.file.bytes(layout.termsOffset + from, length);
      this.block = block;
      this.dataAt = 0;
      const textLength = this.dataVint();
      this.postingsBase = this.dataVint();
      this.positionsBase = layout.hasPositions ? this.dataVint() : 0;
      this.textStart = this.dataAt;
      this.dataStart = this.dataAt + textLength;
    }
    this.rewindText();
    this.rewindData();
  }

  /** Reads the text of the next term of the block into {@link term}. */
  nextText(): void {
    const { bytes } = this;
    let at = this.textAt;
    const lengths = bytes[at++]!;
    let shared = lengths >>> 4;
    let suffix = lengths & 15;
    if (shared === 15 || suffix === 15) {
      this.textAt = at;
      if (shared === 15) shared += this.textVint();
      if (suffix === 15) suffix += this.textVint();
      at = this.textAt;
    }
    const length = shared + suffix;
    if (length > this.term.length) this.growTerm(length);
    const { term } = this;
    for (let i = shared; i < length; i++) term[i] = bytes[at++]!;
    this.termLength = length;
    this.textAt = at;
    this.textsRead++;
  }

  /**
   * Finds the first of the next `count` terms of a block just opened that is >= bytes[0 .. length), and reads
   * it; `count` where there is none.
   *
   * Terms are told apart by what they share with the one before, without making them: of terms below the
   * wanted one, `common` is how many bytes the last one has in common with it. What shares more with that
   * one is below as well; what shares less is above.
   */
  findCeiling(wanted: Uint8Array, length: number, count: number): number {
    const { bytes } = this;
    let at = this.textAt;
    let common = 0;
    for (let place = 0; place < count; place++) {
      const lengths = bytes[at++]!;
      let shared = lengths >>> 4;
      let suffix = lengths & 15;
      if (shared === 15 || suffix === 15) {
        this.textAt = at;
        if (shared === 15) shared += this.textVint();
        if (suffix === 15) suffix += this.textVint();
        at = this.textAt;
      }
      let isBelow = shared > common;
      if (shared === common) {
        const end = Math.min(suffix, length - shared);
        let i = 0;
        while (i < end && bytes[at + i] === wanted[shared + i]) i++;
        common = shared + i;
        isBelow = i < end ? bytes[at + i]! < wanted[common]! : i === suffix && common < length;
      }
      if (!isBelow) {
        this.isFound = common === length && shared + suffix === length;
        this.take(wanted, shared, at, suffix);
        this.textsRead = place + 1;
        return place;
      }
      at += suffix;
    }
    this.isFound = false;
    this.rewindText();
    return count;
  }

  /** Makes a term of the first bytes of another one and of what follows in the block. */
  private take(beginning: Uint8Array, shared: number, at: number, suffix: number): void {
    const length = shared + suffix;
    if (length > this.term.length) this.growTerm(length);
    const { bytes, term } = this;
    for (let i = 0; i < shared; i++) term[i] = beginning[i]!;
    for (let i = 0; i < suffix; i++) term[shared + i] = bytes[at + i]!;
    this.termLength = length;
    this.textAt = at + suffix;
  }

  /** Reads the data line of the next term of the block into {@link data}. */
  nextData(): void {
    const { data, layout } = this;
    const head = this.dataVint();
    const docFreq = head % 2 === 0 ? head / 2 : (head - 1) / 2;
    const single = head % 2 === 1;
    data.docFreq = docFreq;
    data.totalTermFreq = single ? docFreq : docFreq + this.dataVint();
    if (docFreq <= MAX_INLINE_DOCS) {
      let doc = -1;
      for (let i = 0; i < docFreq; i++) {
        doc += 1 + this.dataVint();
        data.inlineDocs[i] = doc;
        data.inlineFreqs[i] = single ? 1 : 1 + this.dataVint();
      }
    } else {
      let next = this.postingsNext;
      if (docFreq >= POSTINGS_BLOCK) next += (4 - (next % 4)) % 4;
      data.postings = layout.postingsOffset + next;
      data.postingsLength = this.dataVint();
      this.postingsNext = next + data.postingsLength;
    }
    if (layout.hasPositions) {
      data.positions = layout.positionsOffset + this.positionsNext;
      data.positionsLength = this.dataVint();
      this.positionsNext += data.positionsLength;
    }
    this.datasRead++;
  }

  /** Reads the data line of a term by its ordinal. */
  seekData(ordinal: number): void {
    const block = ordinal >>> TERMS_PER_BLOCK_SHIFT;
    const within = ordinal & (TERMS_PER_BLOCK - 1);
    if (block !== this.block) this.openBlock(block);
    else if (this.datasRead === within + 1) return;
    else if (this.datasRead > within) this.rewindData();
    while (this.datasRead <= within) this.nextData();
  }

  /** Reads the text of a term by its ordinal. */
  seekText(ordinal: number): void {
    const block = ordinal >>> TERMS_PER_BLOCK_SHIFT;
    const within = ordinal & (TERMS_PER_BLOCK - 1);
    if (block !== this.block) this.openBlock(block);
    else if (this.textsRead === within + 1) return;
    else if (this.textsRead > within) this.rewindText();
    while (this.textsRead <= within) this.nextText();
  }

  private rewindText(): void {
    this.textsRead = 0;
    this.textAt = this.textStart;
    this.termLength = 0;
  }

  private rewindData(): void {
    this.datasRead = 0;
    this.dataAt = this.dataStart;
    this.postingsNext = this.postingsBase;
    this.positionsNext = this.positionsBase;
  }

  private growTerm(length: number): void {
    const grown = new Uint8Array(length * 2);
    grown.set(this.term);
    this.term = grown;
  }

  private dataVint(): number {
    const { bytes } = this;
    let byte = bytes[this.dataAt++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = bytes[this.dataAt++]!;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }

  private textVint(): number {
    const { bytes } = this;
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = bytes[this.textAt++]!;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }
}

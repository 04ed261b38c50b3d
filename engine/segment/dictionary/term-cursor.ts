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

/** Making so many terms on the way to another costs less than passing over them. */
const MOST_READ = 2;

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
  /** By turns the shared beginning of a part and where its bytes begin; only for {@link skipTo}. */
  private readonly parts: number[] = [];
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

  /** The block that is open, or -1. */
  get openedBlock(): number {
    return this.block;
  }

  /**
   * Finds the first of the `count` terms of the opened block that is >= bytes[0 .. length), and reads it;
   * `count` where there is none. Goes on from the current term where that is below.
   *
   * Terms are told apart by what they share with the one before, without making them: of terms below the
   * wanted one, `common` is how many bytes the last one has in common with it. What shares more with that
   * one is below as well; what shares less is above.
   */
  findCeiling(wanted: Uint8Array, length: number, count: number): number {
    const { bytes } = this;
    let common = this.textsRead === 0 ? -1 : this.commonIfBelow(wanted, length);
    if (common < 0) {
      if (this.textsRead > 0) this.rewindText();
      common = 0;
    }
    let at = this.textAt;
    for (let place = this.textsRead; place < count; place++) {
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

  /** The bytes that the current term has in common with another one; -1 unless it is below that. */
  private commonIfBelow(wanted: Uint8Array, length: number): number {
    const { term, termLength } = this;
    const end = Math.min(length, termLength);
    let i = 0;
    while (i < end && term[i] === wanted[i]) i++;
    const isBelow = i < end ? term[i]! < wanted[i]! : termLength < length;
    return isBelow ? i : -1;
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
    if (within - this.textsRead < MOST_READ) while (this.textsRead <= within) this.nextText();
    else this.skipTo(within);
  }

  /** Reads the text of a later term of the block without making those before it. */
  private skipTo(within: number): void {
    const { bytes, parts } = this;
    // What the last term is made of: behind the beginning that each part shares, until the next part begins.
    let count = 0;
    let length = 0;
    let at = this.textAt;
    while (this.textsRead <= within) {
      const lengths = bytes[at++]!;
      let shared = lengths >>> 4;
      let suffix = lengths & 15;
      if (shared === 15 || suffix === 15) {
        this.textAt = at;
        if (shared === 15) shared += this.textVint();
        if (suffix === 15) suffix += this.textVint();
        at = this.textAt;
      }
      while (count > 0 && parts[2 * count - 2]! >= shared) count--;
      parts[2 * count] = shared;
      parts[2 * count + 1] = at;
      count++;
      length = shared + suffix;
      at += suffix;
      this.textsRead++;
    }
    if (length > this.term.length) this.growTerm(length);
    const { term } = this;
    for (let part = 0; part < count; part++) {
      const shared = parts[2 * part]!;
      const end = part + 1 < count ? parts[2 * part + 2]! : length;
      const from = parts[2 * part + 1]! - shared;
      for (let i = shared; i < end; i++) term[i] = bytes[from + i]!;
    }
    this.termLength = length;
    this.textAt = at;
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

// Writes the term dictionary of one string field: terms in byte order, each followed by its postings
// (docs/format-segments.md, "Terms, term index").

import { atOnce } from '../../common/index';
import { PART, TERMS_PER_BLOCK } from '../format/format';
import { PartBuffer } from '../format/part-buffer';
import type { PostingsWriter } from '../postings/postings-writer';
import type { SegmentWriter } from '../format/segment-writer';
import { ENDLESS, type StepClock } from '../format/steps';
import type { FieldId } from '../../metadata/index';

/** Lengths of shared prefix and suffix from here on do not fit the byte that holds both. */
const LONG = 15;

export class TermWriter {
  termCount = 0;
  sumDocFreq = 0;
  sumTotalTermFreq = 0;

  private readonly terms = new PartBuffer();
  private readonly text = new PartBuffer();
  private readonly data = new PartBuffer();
  private readonly blockOffsets: number[] = [];
  private readonly textOffsets: number[] = [];
  private readonly indexText = new PartBuffer();
  private previous = new Uint8Array(64);
  private previousLength = 0;
  /** Offsets of the current block's first term in postings and positions. */
  private postingsBase = 0;
  private positionsBase = 0;

  /**
   * Postings of each term are added to `postings` between {@link startTerm} and {@link finishTerm}.
   *
   * @param sub which of the dictionaries of its field this is; 0: that of its terms
   */
  constructor(
    readonly postings: PostingsWriter,
    private readonly sub = 0,
  ) {}

  startTerm(): void {
    if (this.termCount % TERMS_PER_BLOCK === 0) {
      this.postingsBase = this.postings.postings.length;
      this.positionsBase = this.postings.positions.length;
    }
    this.postings.startTerm();
  }

  /** Ends a term whose bytes are bytes[from .. to); it must be greater than the one before. */
  finishTerm(bytes: Uint8Array, from: number, to: number): void {
    const { text, previous, previousLength } = this;
    const length = to - from;
    let shared = 0;
    const limit = Math.min(length, previousLength);
    while (shared < limit && previous[shared] === bytes[from + shared]) shared++;
    if (this.termCount % TERMS_PER_BLOCK === 0) {
      this.startBlock(bytes, from, this.termCount === 0 ? 0 : Math.min(length, shared + 1));
      shared = 0;
    }
    const suffix = length - shared;
    text.u8((Math.min(shared, LONG) << 4) | Math.min(suffix, LONG));
    if (shared >= LONG) text.vint(shared - LONG);
    if (suffix >= LONG) text.vint(suffix - LONG);
    text.appendRange(bytes, from + shared, to);

    if (length > previous.length) this.previous = new Uint8Array(length * 2);
    for (let i = shared; i < length; i++) this.previous[i] = bytes[from + i]!;
    if (this.previous !== previous) this.previous.set(bytes.subarray(from, to));
    this.previousLength = length;

    this.postings.finishTerm(this.data);
    this.sumDocFreq += this.postings.docFreq;
    this.sumTotalTermFreq += this.postings.totalTermFreq;
    this.termCount++;
    if (this.termCount % TERMS_PER_BLOCK === 0) this.flushBlock();
  }

  /** Writes the parts of the field. Without terms nothing is written. */
  finish(field: FieldId, segment: SegmentWriter): void {
    atOnce(this.finishInSteps(field, segment, ENDLESS));
  }

  /** {@link finish} in steps. */
  *finishInSteps(field: FieldId, segment: SegmentWriter, turns: StepClock): Generator<void, void> {
    if (this.termCount === 0) return;
    if (this.termCount % TERMS_PER_BLOCK !== 0) this.flushBlock();
    const { blockOffsets, textOffsets, indexText } = this;
    const index = new PartBuffer();
    index.u32(blockOffsets.length);
    index.u32(TERMS_PER_BLOCK);
    index.u32(this.termCount);
    index.u32(indexText.length);
    for (const offset of blockOffsets) index.u32(offset);
    index.u32(this.terms.length);
    for (const offset of textOffsets) index.u32(offset);
    index.u32(indexText.length);
    index.take(indexText);
    const { postings, positions } = this.postings;
    yield* segment.addLongPart(field, PART.termIndex, index, turns, this.sub);
    yield* segment.addLongPart(field, PART.terms, this.terms, turns, this.sub);
    yield* segment.addLongPart(field, PART.postings, postings, turns, this.sub);
    yield* segment.addLongPart(field, PART.positions, positions, turns, this.sub);
  }

  /** Notes the block in the index under the first `length` bytes of its first term. */
  private startBlock(bytes: Uint8Array, from: number, length: number): void {
    this.blockOffsets.push(this.terms.length);
    this.textOffsets.push(this.indexText.length);
    this.indexText.appendRange(bytes, from, from + length);
  }

  private flushBlock(): void {
    const { terms, text, data } = this;
    terms.vint(text.length);
    terms.vint(this.postingsBase);
    if (this.postings.hasPositions) terms.vint(this.positionsBase);
    terms.take(text);
    terms.take(data);
  }
}

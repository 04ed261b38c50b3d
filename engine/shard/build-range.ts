// How much of the document log one build takes. A document over which the indexer thread itself dies (its
// heap is used up, it hangs) cannot be caught where it is built. It is found by building ever less of the
// log: what can be built is committed on the way, until one record is left alone with the failure.

import type { SequenceNumber } from '../../storage/index';

/** Records that a build is expected to take when nothing limits it. */
const WHOLE_SLICE = 16_384;
/** A range that failed is cut into so many: few threads die, and few small segments are left to be merged. */
const PARTS = 8;

/** The ranges that one shard builds. */
export class BuildRange {
  /** Records of one build at most. */
  private most = Infinity;
  /** The record over which a thread died while it was alone, or null. */
  private suspect: SequenceNumber | null = null;

  /** Where a build that begins behind `from` ends. */
  end(from: SequenceNumber, target: SequenceNumber): SequenceNumber {
    return Math.min(target, from + this.most);
  }

  /** Records that the next build leaves out. */
  get fatal(): readonly SequenceNumber[] {
    return this.suspect === null ? [] : [this.suspect];
  }

  /**
   * Takes less of (from, to] next time, because a thread died over it.
   * @returns false when there is nothing left to try: the thread dies without the record, too
   */
  narrow(from: SequenceNumber, to: SequenceNumber): boolean {
    if (this.suspect !== null) {
      this.suspect = null;
      this.most = Infinity;
      return false;
    }
    const records = Math.min(to - from, WHOLE_SLICE);
    if (records === 1) this.suspect = to;
    else this.most = Math.ceil(records / PARTS);
    return true;
  }

  /** Takes more again: a build succeeded. */
  widen(): void {
    this.suspect = null;
    this.most = this.most * PARTS < WHOLE_SLICE ? this.most * PARTS : Infinity;
  }
}

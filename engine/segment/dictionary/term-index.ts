// The sampled first terms of the dictionary's blocks: which block can hold a term. Stays in memory while
// its field is in use.

import { compareBytes } from './utf8-order';

export class TermIndex {
  readonly termCount: number;
  readonly blockCount: number;
  readonly byteLength: number;
  private readonly blockOffsets: Uint32Array;
  private readonly textOffsets: Uint32Array;
  private readonly text: Uint8Array;

  /** @param bytes the term index part, 8-aligned */
  constructor(bytes: Uint8Array) {
    this.byteLength = bytes.byteLength;
    const head = new Uint32Array(bytes.buffer, bytes.byteOffset, 4);
    this.blockCount = head[0]!;
    this.termCount = head[2]!;
    const n = this.blockCount + 1;
    const at = bytes.byteOffset + 16;
    this.blockOffsets = new Uint32Array(bytes.buffer, at, n);
    this.textOffsets = new Uint32Array(bytes.buffer, at + 4 * n, n);
    this.text = bytes.subarray(16 + 8 * n);
  }

  /** Offset of a block within the terms part; of block {@link blockCount}, the end of the part. */
  blockOffset(block: number): number {
    return this.blockOffsets[block]!;
  }

  /**
   * The last block whose first term may be <= the given one.
   *
   * @param near a block to look around first: of look-ups in order each is close to the one before
   */
  blockOf(term: Uint8Array, length: number, near = 0): number {
    let low = 0;
    let high = this.blockCount - 1;
    if (near > 0 && this.beginsAtOrBefore(near, term, length)) {
      low = near;
      for (let step = 1; low < high; step *= 2) {
        const next = Math.min(high, low + step);
        if (this.beginsAtOrBefore(next, term, length)) low = next;
        else high = next - 1;
      }
    }
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.beginsAtOrBefore(middle, term, length)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private beginsAtOrBefore(block: number, term: Uint8Array, length: number): boolean {
    const { textOffsets, text } = this;
    const [from, to] = [textOffsets[block]!, textOffsets[block + 1]!];
    return compareBytes(text, from, to, term, 0, length) <= 0;
  }
}

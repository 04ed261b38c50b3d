// The tokens of one document while it is inverted: UTF-8 bytes, hashes and position increments side by
// side, so that a text which several fields share (`_all`) is analyzed and encoded once. Hot.

import type { Analyzer } from '../analysis/analyzer';
import { MAX_TERM_BYTES } from './format';
import { hashTerm } from './term-hash';
import { maxUtf8Length, writeUtf8 } from './utf8-order';

/** The tokens of one value in a {@link TokenBuffer}, and the positions skipped after the last one. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
  readonly skipped: number;
}

export class TokenBuffer {
  /** Number of tokens. */
  count = 0;
  bytes = new Uint8Array(4096);
  /** Token i is bytes[starts[i] .. starts[i + 1]). */
  starts = new Uint32Array(256);
  hashes = new Uint32Array(256);
  increments = new Uint32Array(256);
  /** Increments of dropped tokens, owed to the next one. */
  private owed = 0;

  private readonly emit = (term: string, positionIncrement: number): void => {
    this.push(term, positionIncrement);
  };

  clear(): void {
    this.count = 0;
  }

  /**
   * Appends the tokens of a text; without an analyzer the text is one token.
   *
   * @returns where they are; valid until {@link clear}
   */
  analyze(analyzer: Analyzer | null, text: string): TokenRange {
    const from = this.count;
    let skipped = 0;
    this.owed = 0;
    if (analyzer === null) this.push(text, 1);
    else skipped = analyzer.forEachTerm(text, this.emit) ?? 0;
    return { from, to: this.count, skipped: skipped + this.owed };
  }

  private push(term: string, positionIncrement: number): void {
    const from = this.starts[this.count]!;
    const room = from + maxUtf8Length(term);
    if (room > this.bytes.length) this.growBytes(from, room);
    const to = writeUtf8(term, this.bytes, from);
    if (to - from > MAX_TERM_BYTES) {
      this.owed += positionIncrement;
      return;
    }
    if (this.count + 2 > this.starts.length) this.growTokens();
    const { bytes } = this;
    this.hashes[this.count] = hashTerm(bytes, from, to);
    this.increments[this.count] = positionIncrement + this.owed;
    this.owed = 0;
    this.starts[++this.count] = to;
  }

  private growBytes(used: number, needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, used));
    this.bytes = grown;
  }

  private growTokens(): void {
    this.starts = doubled(this.starts);
    this.hashes = doubled(this.hashes);
    this.increments = doubled(this.increments);
  }
}

function doubled(words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(words.length * 2);
  grown.set(words);
  return grown;
}

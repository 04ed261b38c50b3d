// The tokens of one document while it is inverted: UTF-8 bytes, hashes and position increments side by
// side, so that a text which several fields share (`_all`) is analyzed and encoded once. Hot: plain ASCII
// text goes from its characters to bytes and hashes without a string in between.

import type { Analyzer, AsciiWords } from '../../analysis/index';
import { MAX_TERM_BYTES } from '../format/format';
import { finishHash, HASH_FACTOR, HASH_START, hashTerm } from '../dictionary/term-hash';
import { maxUtf8Length, writeUtf8 } from '../dictionary/utf8-order';

export class TokenBuffer {
  /** Number of tokens. */
  count = 0;
  bytes = new Uint8Array(4096);
  /** Token i is bytes[starts[i] .. starts[i + 1]). */
  starts = new Uint32Array(256);
  hashes = new Uint32Array(256);
  increments = new Uint32Array(256);
  /** Positions skipped after the last token of the text analyzed last. */
  skipped = 0;
  /** Increments of dropped tokens, owed to the next one. */
  private owed = 0;

  private readonly emit = (term: string, positionIncrement: number): void => {
    this.push(term, positionIncrement);
  };

  clear(): void {
    this.count = 0;
  }

  /**
   * Appends the tokens of a text, whose increments are `skipped` in all; without an analyzer the text is one
   * token.
   *
   * @returns true when every token is one position and nothing was skipped
   */
  analyze(analyzer: Analyzer | null, text: string): boolean {
    this.skipped = 0;
    this.owed = 0;
    const words = analyzer?.asciiWords;
    if (words !== null && words !== undefined && this.pushAscii(words, text)) return true;
    const from = this.count;
    if (analyzer === null) this.push(text, 1);
    else this.skipped = analyzer.forEachTerm(text, this.emit) ?? 0;
    this.skipped += this.owed;
    if (this.skipped > 0) return false;
    for (let i = from; i < this.count; i++) if (this.increments[i] !== 1) return false;
    return true;
  }

  /**
   * Appends the words of ASCII text; false, with nothing appended, when `text` is not or the tables do not
   * hold.
   */
  private pushAscii({ next, firstAccepting, maxLength, fold }: AsciiWords, text: string): boolean {
    const n = text.length;
    let { count } = this;
    let start = this.starts[count]!;
    if (start + n > this.bytes.length) this.growBytes(start, start + n);
    let { starts, hashes, increments } = this;
    const { bytes } = this;
    for (let i = 0; i < n;) {
      let code = text.charCodeAt(i);
      if (code > 127) return false;
      let state = next[code]!;
      if (state === 0) {
        i++;
        continue;
      }
      let at = start;
      let hash = HASH_START;
      let p = i;
      let end = start;
      let endHash = 0;
      let after = i;
      do {
        const byte = fold[code]!;
        bytes[at++] = byte;
        hash = Math.imul(hash ^ byte, HASH_FACTOR);
        p++;
        if (state >= firstAccepting) {
          end = at;
          endHash = hash;
          after = p;
        }
        if (p === n) break;
        code = text.charCodeAt(p);
        if (code > 127) return false;
        state = next[(state << 7) | code]!;
      } while (state !== 0);
      if (p - i > maxLength) return false;
      if (end === start) {
        i = p;
        continue;
      }
      i = after;
      if (count + 2 > starts.length) {
        this.growTokens();
        ({ starts, hashes, increments } = this);
      }
      hashes[count] = finishHash(endHash);
      increments[count] = 1;
      starts[++count] = end;
      start = end;
    }
    this.count = count;
    return true;
  }

  private push(term: string, positionIncrement: number): void {
    const from = this.starts[this.count]!;
    const room = from + maxUtf8Length(term);
    if (room > this.bytes.length) this.growBytes(from, room);
    const { bytes } = this;
    // ASCII is encoded and hashed in one go.
    const n = term.length;
    let hash = HASH_START;
    let i = 0;
    for (; i < n; i++) {
      const code = term.charCodeAt(i);
      if (code > 127) break;
      bytes[from + i] = code;
      hash = Math.imul(hash ^ code, HASH_FACTOR);
    }
    let to = from + n;
    if (i === n) {
      hash = finishHash(hash);
    } else {
      to = writeUtf8(term, bytes, from);
      hash = hashTerm(bytes, from, to);
    }
    if (to - from > MAX_TERM_BYTES) {
      this.owed += positionIncrement;
      return;
    }
    if (this.count + 2 > this.starts.length) this.growTokens();
    this.hashes[this.count] = hash;
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

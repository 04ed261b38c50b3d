// A text in which a character filter replaces pieces, from the beginning to the end.

import type { FilteredText } from '../chain/components';
import { OffsetMap } from './offset-map';

/** Pieces that are joined at a time: one string of many pieces takes many times its length. */
const PIECES = 4096;

/** Puts the filtered text together. */
export class ReplacedText {
  readonly #offsets = new OffsetMap();
  readonly #done: string[] = [];
  #pieces: string[] = [];
  #length = 0;
  /** How much of the original has been taken over. */
  #copied = 0;

  constructor(private readonly text: string) {}

  /** Replaces `start` to `end` of the original, which lie behind what was replaced before. */
  replace(start: number, end: number, put: string): void {
    this.#push(this.text.slice(this.#copied, start));
    const matched = end - start;
    const at = this.#length;
    // A shorter replacement ends where its match does; what a longer one has in excess stands at the end.
    if (put.length < matched) {
      this.#offsets.add(at + put.length, this.#offsets.lastDifference + matched - put.length);
    } else if (put.length > matched) {
      this.#offsets.addExcess(at + matched, put.length - matched);
    }
    this.#push(put);
    this.#copied = end;
  }

  result(): FilteredText {
    this.#push(this.text.slice(this.#copied));
    this.#done.push(this.#pieces.join(''));
    return this.#offsets.result(this.#done.join(''));
  }

  #push(piece: string): void {
    if (this.#pieces.push(piece) >= PIECES) {
      this.#done.push(this.#pieces.join(''));
      this.#pieces = [];
    }
    this.#length += piece.length;
  }
}

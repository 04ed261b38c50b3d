// Document sets in windows of a few thousand documents: what is worked out for a window stays in the
// processor's cache until it is used.

import { checkTurn } from '../common/index';

/** Words of the document set in one window: 4096 documents. */
const WINDOW_WORDS = 128;
export const WINDOW_DOCS = WINDOW_WORDS * 32;

/** The windows of a document set that hold a document, one after the other; left when time is up. */
export class Windows {
  /** The window: words[from .. to). */
  from = 0;
  to = 0;
  /** Words of the windows to come. */
  width = WINDOW_WORDS;

  constructor(private readonly words: Uint32Array) {}

  /** Makes the windows to come of so many words, within bounds. */
  resize(words: number): void {
    this.width = Math.min(WINDOW_WORDS, Math.max(1, words));
  }

  /** Goes on to the next window; false: there is none. */
  next(): boolean {
    const { words } = this;
    checkTurn();
    while (this.to < words.length) {
      this.from = this.to;
      this.to = Math.min(this.from + this.width, words.length);
      for (let w = this.from; w < this.to; w++) if (words[w] !== 0) return true;
    }
    return false;
  }
}

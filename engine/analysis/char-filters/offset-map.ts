// The way back from offsets in a filtered text to those in the text before it.

import type { FilteredText } from '../chain/components';

/** Remembers by how much offsets differ from those in the original text, from some offset on. */
export class OffsetMap {
  readonly #from: number[] = [];
  readonly #difference: number[] = [];

  /** The difference that holds at the end. */
  get lastDifference(): number {
    return this.#difference.at(-1) ?? 0;
  }

  /** From the offset `from` of the filtered text on, the original is `difference` units further. */
  add(from: number, difference: number): void {
    if (this.#from.at(-1) === from) {
      this.#difference[this.#difference.length - 1] = difference;
    } else {
      this.#from.push(from);
      this.#difference.push(difference);
    }
  }

  /** The offset in the original text. */
  toOriginal(offset: number): number {
    let low = 0;
    let high = this.#from.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#from[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    // What was put in before the first character stands at the beginning.
    return low === 0 ? offset : Math.max(0, offset + this.#difference[low - 1]!);
  }

  /** What a filter gives back: `text`, and this map, which must be complete. */
  result(text: string): FilteredText {
    if (this.#from.length === 0) return { text, originalOffset: (offset) => offset };
    return { text, originalOffset: (offset) => this.toOriginal(offset) };
  }
}

// The way back from offsets in a filtered text to those in the text before it.

import type { FilteredText } from '../chain/components';

/** Remembers by how much offsets differ from those in the original text, from some offset on. */
export class OffsetMap {
  readonly #from: number[] = [];
  readonly #difference: number[] = [];
  /** Units behind `from` that stand for the same place as it. */
  readonly #flat: number[] = [];

  /** The difference that holds at the end. */
  get lastDifference(): number {
    return (this.#difference.at(-1) ?? 0) - (this.#flat.at(-1) ?? 0);
  }

  /** From the offset `from` of the filtered text on, the original is `difference` units further. */
  add(from: number, difference: number): void {
    this.#put(from, difference, 0);
  }

  /** `count` units from `from` on were put in: all stand for the place before the first of them. */
  addExcess(from: number, count: number): void {
    this.#put(from, this.lastDifference - 1, count - 1);
  }

  #put(from: number, difference: number, flat: number): void {
    const at = this.#from.at(-1) === from ? this.#from.length - 1 : this.#from.length;
    this.#from[at] = from;
    this.#difference[at] = difference;
    this.#flat[at] = flat;
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
    if (low === 0) return offset;
    const flat = Math.min(offset - this.#from[low - 1]!, this.#flat[low - 1]!);
    return Math.max(0, offset + this.#difference[low - 1]! - flat);
  }

  /** What a filter gives back: `text`, and this map, which must be complete. */
  result(text: string): FilteredText {
    if (this.#from.length === 0) return { text, originalOffset: (offset) => offset };
    return { text, originalOffset: (offset) => this.toOriginal(offset) };
  }
}

// Distances of documents' points, a window at a time. Hot: measures every point of every document in scope.

import type { NumberReader } from './number-reader';
import { formatDouble } from '../json/index';
import type { GeoColumn } from '../segment/index';

/**
 * The distances of the points of one segment as a {@link NumberReader}; not ascending, but in the order of
 * the points' texts, which decides what comes first in a document (reference server).
 */
export class DistanceReader implements NumberReader {
  values = new Float64Array(0);
  firstDoc = 0;
  firstValue = 0;
  readonly offsets: Uint32Array;
  readonly present = null;
  readonly isComputed = false;

  constructor(
    private readonly column: GeoColumn,
    private readonly distance: (latitude: number, longitude: number) => number,
  ) {
    this.offsets = column.offsets;
  }

  load(words: Uint32Array, from: number, to: number): void {
    const { column, offsets, distance } = this;
    const { latitudes, longitudes, docCount } = column;
    const first = offsets[from * 32]!;
    const room = offsets[Math.min(to * 32, docCount)]! - first;
    this.firstDoc = from * 32;
    this.firstValue = first;
    if (room > this.values.length) this.values = new Float64Array(2 * room);
    const { values } = this;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        const start = offsets[doc]!;
        const end = offsets[doc + 1]!;
        for (let i = start; i < end; i++)
          values[i - first] = distance(latitudes[i]!, longitudes[i]!);
        if (end - start > 1) this.arrange(start, end);
      }
    }
  }

  /** Puts the distances of a document with several points into the order of their texts. */
  private arrange(start: number, end: number): void {
    const { values, firstValue } = this;
    const { latitudes, longitudes } = this.column;
    const entries = Array.from({ length: end - start }, (_, i) => ({
      text: `${formatDouble(latitudes[start + i]!)},${formatDouble(longitudes[start + i]!)}`,
      distance: values[start + i - firstValue]!,
    }));
    entries.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    entries.forEach(({ distance }, i) => {
      values[start + i - firstValue] = distance;
    });
  }
}

// The geohash cells of documents' points as keys, a window at a time. Hot: finds the cell of every point of
// every document in scope.

import { encodeGeohash } from '../geo/index';
import type { GeoColumn } from '../segment/index';
import { doubled } from './bucket-ids';
import { type KeyList, textKeys } from './key-lists';
import type { KeyReader } from './bucket-window';
import { NumberIds } from './number-ids';

const BITS_PER_CHARACTER = 5;

/** The cells of a document's points, each once. */
export class GeohashKeys implements KeyReader {
  docs = new Uint32Array(64);
  buckets = new Uint32Array(64);
  readonly mayRepeat = false;
  private readonly ids = new NumberIds();
  /** By key: a point that lies in the cell. */
  private readonly points: number[] = [];
  /** By key: which of the documents that were loaded it was last found for. */
  private lastFound = new Uint32Array(64);
  private loaded = 0;
  private readonly columnBits: number;
  private readonly rowBits: number;

  /** @param length characters of a geohash, at most 12 */
  constructor(
    private readonly column: GeoColumn,
    private readonly length: number,
  ) {
    const bits = length * BITS_PER_CHARACTER;
    this.columnBits = Math.ceil(bits / 2);
    this.rowBits = Math.floor(bits / 2);
  }

  get size(): number {
    return this.ids.size;
  }

  /** The geohashes of the keys that were handed out. */
  keys(): KeyList {
    const { latitudes, longitudes } = this.column;
    return textKeys(
      this.points.map((point) =>
        encodeGeohash({ latitude: latitudes[point]!, longitude: longitudes[point]! }, this.length),
      ),
    );
  }

  load(words: Uint32Array, from: number, to: number): number {
    const { offsets } = this.column;
    const base = from << 5;
    let n = 0;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        const end = offsets[doc + 1]!;
        // Windows may have a document in common.
        const loaded = ++this.loaded;
        for (let point = offsets[doc]!; point < end; point++) {
          const key = this.keyOf(point);
          if (this.lastFound[key] === loaded) continue;
          this.lastFound[key] = loaded;
          if (n === this.docs.length) this.grow();
          this.docs[n] = doc - base;
          this.buckets[n++] = key;
        }
      }
    }
    return n;
  }

  private keyOf(point: number): number {
    const { ids, column } = this;
    const x = cellOf(column.longitudes[point]!, 180, this.columnBits);
    const y = cellOf(column.latitudes[point]!, 90, this.rowBits);
    const id = ids.idOf(x, y);
    if (id === this.points.length) {
      this.points.push(point);
      if (id === this.lastFound.length) this.lastFound = doubled(this.lastFound);
    }
    return id;
  }

  private grow(): void {
    this.docs = doubled(this.docs);
    this.buckets = doubled(this.buckets);
  }
}

/** Which of 2^bits equal parts of -limit .. limit a coordinate lies in; borders belong to the lower part. */
function cellOf(coordinate: number, limit: number, bits: number): number {
  let low = -limit;
  let high = limit;
  let cell = 0;
  for (let i = 0; i < bits; i++) {
    const middle = (low + high) / 2;
    cell <<= 1;
    if (coordinate > middle) {
      cell |= 1;
      low = middle;
    } else high = middle;
  }
  return cell;
}

// Text terms that come from no dictionary: one that every document has, and points as text.

import type { KeyReader } from '../buckets/key-reader';
import { WINDOW_DOCS } from '../buckets/number-reader';
import { formatDouble } from '../json/write';
import type { GeoColumn } from '../segment/reader';
import type { StatsTerms } from './terms-stats-spec';

/** Every document has the one bucket. */
export class ConstantKeys implements KeyReader {
  size = 0;
  readonly docs = new Uint32Array(WINDOW_DOCS);
  readonly buckets = new Uint32Array(WINDOW_DOCS);

  load(words: Uint32Array, from: number, to: number): number {
    const { docs } = this;
    let n = 0;
    for (let w = from; w < to; w++) {
      const base = (w - from) << 5;
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        docs[n++] = base + 31 - Math.clz32(bit);
        word ^= bit;
      }
    }
    if (n > 0) this.size = 1;
    return n;
  }
}

/** Each distinct point, written `[lat, lon]` as the reference does, is a bucket. */
export class PointKeys implements KeyReader {
  docs = new Uint32Array(WINDOW_DOCS);
  buckets = new Uint32Array(WINDOW_DOCS);
  private readonly ids = new Map<string, number>();

  constructor(private readonly column: GeoColumn) {}

  get size(): number {
    return this.ids.size;
  }

  load(words: Uint32Array, from: number, to: number): number {
    const { offsets, docCount } = this.column;
    const room = offsets[Math.min(to * 32, docCount)]! - offsets[from * 32]!;
    if (room > this.docs.length) {
      this.docs = new Uint32Array(2 * room);
      this.buckets = new Uint32Array(2 * room);
    }
    let n = 0;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        const first = n;
        for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) {
          const bucket = this.bucketOf(i);
          // A point counts once per document.
          if (this.buckets.subarray(first, n).includes(bucket)) continue;
          this.docs[n] = doc - (from << 5);
          this.buckets[n++] = bucket;
        }
      }
    }
    return n;
  }

  /** The terms, ascending, and their buckets. */
  inOrder(): { readonly terms: StatsTerms; readonly buckets: Uint32Array } {
    // Only digits, signs and punctuation: the order of bytes is that of UTF-16.
    const texts = [...this.ids.keys()].sort();
    return {
      terms: textTerms(texts),
      buckets: Uint32Array.from(texts, (text) => this.ids.get(text)!),
    };
  }

  private bucketOf(place: number): number {
    const { latitudes, longitudes } = this.column;
    const text = `[${formatDouble(latitudes[place]!)}, ${formatDouble(longitudes[place]!)}]`;
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.ids.size;
    this.ids.set(text, id);
    return id;
  }
}

/** Texts, given in ascending order, as terms. */
export function textTerms(texts: readonly string[]): StatsTerms {
  const pieces = texts.map((text) => Buffer.from(text));
  const starts = new Uint32Array(texts.length + 1);
  pieces.forEach((piece, i) => {
    starts[i + 1] = starts[i]! + piece.length;
  });
  return { type: 'string', text: new Uint8Array(Buffer.concat(pieces)), starts };
}

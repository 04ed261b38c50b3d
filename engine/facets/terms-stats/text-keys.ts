// Text terms that come from no dictionary: one that every document has, and points as text.

import { ColumnKeys, type KeyList, textKeys } from '../../counting/index';
import { formatDouble } from '../../json/index';
import type { GeoColumn } from '../../segment/index';

/** Each distinct point, written `[lat, lon]` as the reference does, is a bucket. */
export class PointKeys extends ColumnKeys {
  private readonly ids = new Map<string, number>();

  constructor(private readonly column: GeoColumn) {
    super(column.offsets, column.docCount);
  }

  get size(): number {
    return this.ids.size;
  }

  protected assign(n: number): number {
    const { valueIndexes, docs, buckets, first } = this;
    let pairs = 0;
    /** Where the pairs of the document begin. */
    let own = 0;
    for (let i = 0; i < n; i++) {
      const doc = docs[i]!;
      if (i > 0 && doc !== docs[pairs - 1]) own = pairs;
      const bucket = this.bucketOf(first + valueIndexes[i]!);
      // A point counts once per document.
      if (buckets.subarray(own, pairs).includes(bucket)) continue;
      docs[pairs] = doc;
      buckets[pairs++] = bucket;
    }
    return pairs;
  }

  /** The terms, ascending, and their buckets. */
  inOrder(): { readonly terms: KeyList; readonly buckets: Uint32Array } {
    // Only digits, signs and punctuation: the order of bytes is that of UTF-16.
    const texts = [...this.ids.keys()].sort();
    return {
      terms: textKeys(texts),
      buckets: Uint32Array.from(texts, (text) => this.ids.get(text)!),
    };
  }

  private bucketOf(valueIndex: number): number {
    const { latitudes, longitudes } = this.column;
    const text = `[${formatDouble(latitudes[valueIndex]!)}, ${formatDouble(longitudes[valueIndex]!)}]`;
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.ids.size;
    this.ids.set(text, id);
    return id;
  }
}

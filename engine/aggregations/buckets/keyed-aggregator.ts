// Buckets by key, a key being a small number that a reader of keys hands out: terms, histograms and
// grids. Hot: every key of every document in scope.

import {
  BucketIds,
  type DocBuckets,
  type KeyList,
  type KeyReader,
  WindowWriter,
} from '../../counting/index';
import type { SegmentReader } from '../../segment/index';
import type { KeyedBuckets } from './keyed-buckets';
import type { HoldMemory } from '../contract/aggregation';
import { grown } from '../contract/merging';
import type { SubAggregators } from '../contract/sub-aggregators';

/** What a bucket takes here and in a metric below it, about. */
const BUCKET_BYTES = 64;

/** Counts documents by owner and key; several keys of a document that are the same count once. */
export class KeyedCounts {
  counts = new Float64Array(16);
  readonly ids = new BucketIds();
  private readonly out: WindowWriter | null;
  /** By key below {@link known}: its bucket where the parent has one bucket only. */
  private bucketOf = new Uint32Array(64);
  private known = 0;

  /**
   * @param accepts which keys have buckets; null: all
   * @param hold is told of memory
   */
  constructor(
    segment: SegmentReader,
    private readonly keys: KeyReader,
    readonly subs: SubAggregators,
    private readonly accepts: ((key: number) => boolean) | null,
    private readonly hold: HoldMemory,
  ) {
    this.out = subs.isEmpty ? null : new WindowWriter(segment.docCount);
  }

  collect(window: DocBuckets): void {
    const { keys, accepts } = this;
    const n = keys.load(window.words, window.from, window.to);
    if (window.bucketCount === 1 && accepts === null && !keys.mayRepeat) this.collectAll(window, n);
    else this.collectJoined(window, n);
  }

  /** The one bucket of the parent has all documents: every pair of the reader is an entry. */
  private collectAll(window: DocBuckets, n: number): void {
    const { keys, ids, out } = this;
    for (let key = this.known; key < keys.size; key++) {
      this.bucketOf = withRoom(this.bucketOf, key);
      this.bucketOf[key] = ids.idOf(0, key);
    }
    this.known = keys.size;
    this.reserve(ids.size);
    const { counts, bucketOf } = this;
    const { buckets } = keys;
    if (out === null) {
      for (let k = 0; k < n; k++) counts[bucketOf[buckets[k]!]!]!++;
      return;
    }
    out.begin(window.from, window.to);
    out.reserve(n);
    const { docs: outDocs, buckets: outBuckets } = out;
    for (let k = 0; k < n; k++) {
      const bucket = bucketOf[buckets[k]!]!;
      counts[bucket]!++;
      outBuckets[k] = bucket;
    }
    outDocs.set(n === keys.docs.length ? keys.docs : keys.docs.subarray(0, n));
    out.size = n;
    out.end(ids.size);
    this.subs.collect(out);
  }

  private collectJoined(window: DocBuckets, n: number): void {
    const { keys, ids, out, accepts } = this;
    const { from, to, size, docs, buckets } = window;
    const keyDocs = keys.docs;
    const keyIds = keys.buckets;
    out?.begin(from, to);
    let first = 0;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      const owner = buckets[i]!;
      while (first < n && keyDocs[first]! < doc) first++;
      if (out !== null) out.reserve(out.size + n - first);
      let before = -1;
      for (let k = first; k < n && keyDocs[k] === doc; k++) {
        const key = keyIds[k]!;
        if (key === before || (accepts !== null && !accepts(key))) continue;
        before = key;
        const bucket = ids.idOf(owner, key);
        if (bucket >= this.counts.length) this.reserve(bucket + 1);
        this.counts[bucket]!++;
        out?.add(doc, bucket);
      }
    }
    if (out === null) return;
    out.end(ids.size);
    this.subs.collect(out);
  }

  /** What was counted. @param keys that the reader of keys handed out */
  buckets(keys: KeyList): KeyedBuckets {
    const { ids, counts } = this;
    return {
      keys,
      owners: ids.ownerOf.slice(),
      keyOf: ids.keyOf.slice(),
      counts: counts.slice(0, ids.size),
    };
  }

  /** @throws EngineError CircuitBreakingException when there are too many buckets */
  private reserve(size: number): void {
    const old = this.counts.length;
    this.counts = grown(this.counts, size);
    this.hold((this.counts.length - old) * BUCKET_BYTES);
  }

  /** Gives every owner a bucket for a key. */
  ensure(key: number, owners: number): void {
    for (let owner = 0; owner < owners; owner++) {
      const bucket = this.ids.idOf(owner, key);
      if (bucket >= this.counts.length) this.reserve(bucket + 1);
    }
  }
}

function withRoom(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array;
  const larger = new Uint32Array(2 * index);
  larger.set(array);
  return larger;
}

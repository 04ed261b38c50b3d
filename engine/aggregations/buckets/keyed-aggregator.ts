// Buckets by key, a key being a small number that a reader of keys hands out: terms, histograms and
// grids. Hot: every key of every document in scope.

import {
  BucketIds,
  type DocBuckets,
  type KeyColumn,
  type KeyList,
  type KeyReader,
  type SharedKeys,
  WindowWriter,
} from '../../counting/index';
import type { SegmentReader } from '../../segment/index';
import type { KeyedBuckets } from './keyed-buckets';
import type { HoldMemory } from '../contract/aggregation';
import type { PlacedKeys } from '../contract/bucket-keys';
import type { SubAggregators } from '../contract/sub-aggregators';

/** What a bucket takes here and in a metric below it, about. */
const BUCKET_BYTES = 64;
const NONE = new Uint32Array(0);

/** Counts documents by owner and key; several keys of a document that are the same count once. */
export class KeyedCounts {
  /** By bucket; integers, because adding one to a double takes twice as long. */
  private counts = new Uint32Array(16);
  readonly ids: BucketIds;
  private readonly reader: KeyReader | null;
  private readonly column: KeyColumn | null;
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
    keys: KeyReader | KeyColumn,
    readonly subs: SubAggregators,
    private readonly accepts: ((key: number) => boolean) | null,
    private readonly hold: HoldMemory,
  ) {
    this.out = subs.isEmpty ? null : new WindowWriter(segment.docCount);
    const isReader = 'load' in keys;
    this.reader = isReader ? keys : null;
    this.column = isReader ? null : keys;
    this.ids = new BucketIds(isReader ? 0 : keys.size);
  }

  collect(window: DocBuckets): void {
    const { column, reader, accepts } = this;
    if (column !== null) {
      if (column.offsets === null) this.collectSingle(window, column);
      else this.collectSeveral(window, column, column.offsets);
      return;
    }
    const n = reader!.load(window.words, window.from, window.to);
    if (window.bucketCount === 1 && accepts === null && !reader!.mayRepeat)
      this.collectAll(window, reader!, n);
    else this.collectJoined(window, reader!, n);
  }

  /** Of documents that have one key each; 0 stands for none. */
  private collectSingle(window: DocBuckets, { ordinals, size: keyCount }: KeyColumn): void {
    const { ids, out, accepts } = this;
    const { from, to, size, docs, buckets, bucketCount } = window;
    const table = accepts === null ? ids.tableOf(bucketCount, keyCount) : null;
    if (table !== null && out !== null) {
      this.collectTabled(window, ordinals, keyCount, table, out);
      return;
    }
    const first = from << 5;
    let { counts } = this;
    let entries = 0;
    out?.begin(from, to);
    out?.reserve(size);
    const outDocs = out === null ? NONE : out.docs;
    const outBuckets = out === null ? NONE : out.buckets;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      const slot = ordinals[first + doc]!;
      if (slot === 0 || (accepts !== null && !accepts(slot - 1))) continue;
      const bucket = ids.idOf(buckets[i]!, slot - 1);
      if (bucket >= counts.length) counts = this.reserve(bucket + 1);
      counts[bucket]!++;
      if (out === null) continue;
      outDocs[entries] = doc;
      outBuckets[entries++] = bucket;
    }
    if (out === null) return;
    out.size = entries;
    this.handOn(out);
  }

  /** The same where every pair of owner and key has a cell, and documents are handed on. */
  private collectTabled(
    { from, to, size, docs, buckets }: DocBuckets,
    ordinals: KeyColumn['ordinals'],
    keyCount: number,
    table: Uint32Array,
    out: WindowWriter,
  ): void {
    const { ids } = this;
    const first = from << 5;
    out.begin(from, to);
    out.reserve(size);
    const { docs: outDocs, buckets: outBuckets } = out;
    let { counts } = this;
    let entries = 0;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      const slot = ordinals[first + doc]!;
      if (slot === 0) continue;
      const owner = buckets[i]!;
      let id = table[owner * keyCount + slot - 1]!;
      if (id === 0) {
        id = ids.idOf(owner, slot - 1) + 1;
        if (id > counts.length) counts = this.reserve(id);
      }
      counts[id - 1]!++;
      outDocs[entries] = doc;
      outBuckets[entries++] = id - 1;
    }
    out.size = entries;
    this.handOn(out);
  }

  private collectSeveral(
    window: DocBuckets,
    { ordinals, mayRepeat }: KeyColumn,
    offsets: Uint32Array,
  ): void {
    const { ids, out, accepts } = this;
    const { from, to, size, docs, buckets } = window;
    const first = from << 5;
    let { counts } = this;
    out?.begin(from, to);
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      const owner = buckets[i]!;
      const end = offsets[first + doc + 1]!;
      const start = offsets[first + doc]!;
      if (out?.isFullBefore(doc) === true) this.handOn(out);
      out?.reserve(out.size + end - start);
      for (let v = start; v < end; v++) {
        const key = ordinals[v]!;
        if (mayRepeat && v > start && key === ordinals[v - 1]) continue;
        if (accepts !== null && !accepts(key)) continue;
        const bucket = ids.idOf(owner, key);
        if (bucket >= counts.length) counts = this.reserve(bucket + 1);
        counts[bucket]!++;
        out?.add(doc, bucket);
      }
    }
    if (out !== null) this.handOn(out);
  }

  private handOn(out: WindowWriter): void {
    out.end(this.ids.size);
    this.subs.collect(out);
    out.goOn();
  }

  /** The one bucket of the parent has all documents: every pair of the reader is an entry. */
  private collectAll(window: DocBuckets, keys: KeyReader, n: number): void {
    const { ids, out } = this;
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
    this.handOn(out);
  }

  private collectJoined(window: DocBuckets, keys: KeyReader, n: number): void {
    const { ids, out, accepts } = this;
    const { from, to, size, docs, buckets } = window;
    const keyDocs = keys.docs;
    const keyIds = keys.buckets;
    out?.begin(from, to);
    let first = 0;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      const owner = buckets[i]!;
      while (first < n && keyDocs[first]! < doc) first++;
      if (out?.isFullBefore(doc) === true) this.handOn(out);
      out?.reserve(out.size + n - first);
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
    if (out !== null) this.handOn(out);
  }

  /** What was counted. @param keys those that the reader of keys, or the column of keys, has */
  buckets(keys: KeyList): KeyedBuckets<KeyList> {
    return this.bucketsAt((keyOf) => ({ keys, keyOf: keyOf.slice() }));
  }

  /** What was counted, given what keys are by their numbers. */
  bucketsAt<K extends KeyList | SharedKeys>(
    placed: (keyOf: Uint32Array) => PlacedKeys<K>,
  ): KeyedBuckets<K> {
    const { ids, counts } = this;
    return {
      ...placed(ids.keyOf),
      owners: ids.ownerOf.slice(),
      counts: new Float64Array(counts.subarray(0, ids.size)),
    };
  }

  /** @throws EngineError CircuitBreakingException when there are too many buckets */
  private reserve(size: number): Uint32Array<ArrayBuffer> {
    const old = this.counts.length;
    if (size <= old) return this.counts;
    const counts = new Uint32Array(Math.max(size, 2 * old));
    counts.set(this.counts);
    this.hold((counts.length - old) * BUCKET_BYTES);
    return (this.counts = counts);
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

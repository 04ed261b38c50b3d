// What segments and shards counted by key, and adding it up.

import {
  BucketIds,
  KeyIds,
  type KeyList,
  SharedKeys,
  textAt,
  TypeConflict,
} from '../../counting/index';
import { compareBytes } from '../../segment/index';
import { type BucketMap, type MergePart, NO_BUCKET } from '../contract/aggregation';
import { listed, type PlacedKeys, typeOfKeys } from '../contract/bucket-keys';
import { grown } from '../contract/merging';

/** Bucket i belongs to bucket owners[i] of the parent. Plain data where its keys are a list. */
export interface KeyedBuckets<
  K extends KeyList | SharedKeys = KeyList | SharedKeys,
> extends PlacedKeys<K> {
  readonly owners: Uint32Array;
  readonly counts: Float64Array;
}

/** The numbers below one. */
export function allUpTo(size: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(size);
  for (let i = 0; i < size; i++) all[i] = i;
  return all;
}

/** No buckets. @param type of the keys */
export function noBuckets(type: KeyList['type']): KeyedBuckets<KeyList> {
  return {
    keys: new KeyIds(type).list(),
    owners: new Uint32Array(0),
    keyOf: new Uint32Array(0),
    counts: new Float64Array(0),
  };
}

/**
 * The type of the keys of all parts that have buckets.
 *
 * @throws TypeConflict where there are several
 */
export function commonKeyType(
  parts: readonly Pick<MergePart<object, KeyedBuckets>, 'data'>[],
): KeyList['type'] {
  let type: KeyList['type'] | null = null;
  for (const { data } of parts) {
    if (data.counts.length === 0) continue;
    const own = typeOfKeys(data.keys);
    if (type !== null && own !== type) throw new TypeConflict('NumberFormatException');
    type = own;
  }
  return type ?? 'string';
}

/**
 * Adds up buckets of equal owner and key. Keys that all parts have the same numbers for stay numbers.
 *
 * @param type of the keys, which all parts with buckets have
 */
export function mergeKeyedBuckets(
  parts: readonly Pick<MergePart<object, KeyedBuckets>, 'data' | 'owners'>[],
  type: KeyList['type'],
): { readonly data: KeyedBuckets; readonly maps: BucketMap[] } {
  if (parts.length === 1 && parts[0]!.owners === null)
    return { data: parts[0]!.data, maps: [null] };
  const shared = sharedBy(parts);
  const keyIds = new KeyIds(type);
  const ids = new BucketIds(shared?.space.size);
  let counts = new Float64Array(16);
  const maps = parts.map(({ data, owners }): BucketMap => {
    const map = new Uint32Array(data.counts.length).fill(NO_BUCKET);
    if (map.length === 0) return map;
    const { keys, keyOf } = shared === null ? listed(data) : data;
    const own = keys instanceof SharedKeys ? null : keyIds.idsOf(keys);
    for (let i = 0; i < map.length; i++) {
      const owner = owners === null ? data.owners[i]! : owners[data.owners[i]!]!;
      if (owner === NO_BUCKET) continue;
      const bucket = ids.idOf(owner, own === null ? keyOf[i]! : own[keyOf[i]!]!);
      if (bucket >= counts.length) counts = grown(counts, bucket + 1);
      counts[bucket]! += data.counts[i]!;
      map[i] = bucket;
    }
    return map;
  });
  return {
    data: {
      keys: shared ?? keyIds.list(),
      owners: ids.ownerOf.slice(),
      keyOf: ids.keyOf.slice(),
      counts: counts.slice(0, ids.size),
    },
    maps,
  };
}

/** The numbers that all parts with buckets have for their keys; null: they do not. */
function sharedBy(
  parts: readonly Pick<MergePart<object, KeyedBuckets>, 'data'>[],
): SharedKeys | null {
  let shared: SharedKeys | null = null;
  for (const { data } of parts) {
    if (data.counts.length === 0) continue;
    if (!(data.keys instanceof SharedKeys) || (shared ?? data.keys) !== data.keys) return null;
    shared = data.keys;
  }
  return shared;
}

/** The buckets of each owner: those of owner o are list[starts[o] .. starts[o + 1]). */
export interface BucketsByOwner {
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
}

/** Groups buckets by their owners. @param count how many owners there are */
export function byOwner({ owners }: Pick<KeyedBuckets, 'owners'>, count: number): BucketsByOwner {
  if (count === 1)
    return { starts: Uint32Array.of(0, owners.length), list: allUpTo(owners.length) };
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < owners.length; i++) starts[owners[i]! + 1]!++;
  for (let o = 0; o < count; o++) starts[o + 1]! += starts[o]!;
  const next = starts.slice(0, count);
  const list = new Uint32Array(owners.length);
  for (let i = 0; i < owners.length; i++) list[next[owners[i]!]!++] = i;
  return { starts, list };
}

const grouped = new WeakMap<KeyedBuckets, BucketsByOwner>();

/** The buckets of one owner; they are grouped once for all of them. @param count how many owners there are */
export function bucketsOf(data: KeyedBuckets, owner: number, count: number): Uint32Array {
  let groups = grouped.get(data);
  if (groups === undefined) grouped.set(data, (groups = byOwner(data, count)));
  return groups.list.subarray(groups.starts[owner], groups.starts[owner + 1]);
}

/** The buckets that are left, in this order, and what became of all. */
export function keepBuckets(
  data: KeyedBuckets,
  kept: Uint32Array,
): { readonly data: KeyedBuckets; readonly became: Uint32Array } {
  const became = new Uint32Array(data.counts.length).fill(NO_BUCKET);
  const owners = new Uint32Array(kept.length);
  const keyOf = new Uint32Array(kept.length);
  const counts = new Float64Array(kept.length);
  for (let i = 0; i < kept.length; i++) {
    const bucket = kept[i]!;
    became[bucket] = i;
    owners[i] = data.owners[bucket]!;
    keyOf[i] = data.keyOf[bucket]!;
    counts[i] = data.counts[bucket]!;
  }
  return { data: { keys: data.keys, owners, keyOf, counts }, became };
}

/** One map after another. */
export function chained(first: BucketMap, second: Uint32Array): BucketMap {
  if (first === null) return second;
  return first.map((bucket) => (bucket === NO_BUCKET ? NO_BUCKET : second[bucket]!));
}

/** Compares two buckets by key, ascending: texts by their bytes. */
export function keyComparator({ keys, keyOf }: KeyedBuckets): (a: number, b: number) => number {
  if (keys instanceof SharedKeys) {
    const { space } = keys;
    return (a, b) => space.compare(keyOf[a]!, keyOf[b]!);
  }
  if (keys.type === 'string') {
    const { text, starts } = keys;
    return (a, b) => {
      const i = keyOf[a]!;
      const j = keyOf[b]!;
      return compareBytes(text, starts[i]!, starts[i + 1]!, text, starts[j]!, starts[j + 1]!);
    };
  }
  const { values } = keys;
  return (a, b) => {
    const one = values[keyOf[a]!]!;
    const other = values[keyOf[b]!]!;
    if (one === other) return Number(Object.is(other, -0)) - Number(Object.is(one, -0));
    return one < other ? -1 : 1;
  };
}

/** The key of a bucket: a text, an exact integer or a double. */
export function keyAt({ keys, keyOf }: PlacedKeys, bucket: number): string | bigint | number {
  const number = keyOf[bucket]!;
  const [list, i] =
    keys instanceof SharedKeys ? [keys.space.listOf(Uint32Array.of(number)), 0] : [keys, number];
  return list.type === 'string' ? textAt(list, i) : list.values[i]!;
}

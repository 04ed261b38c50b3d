// Buckets for all keys of a field, also for those that no document in scope has (`min_doc_count` 0).

import { KeyIds, type KeyList } from '../../counting/index';
import { refuseTooManyBuckets } from '../contract/bucket-limit';
import { listed } from '../contract/bucket-keys';
import { type KeyedBuckets, noBuckets } from './keyed-buckets';

/** The keys of several lists, those of another type left out; null: there are none. */
export function joinKeys(
  lists: readonly (KeyList | null)[],
  type: KeyList['type'],
): KeyList | null {
  let ids: KeyIds | null = null;
  for (const list of lists) {
    if (list?.type === type) (ids ??= new KeyIds(type)).idsOf(list);
  }
  return ids?.list() ?? null;
}

/**
 * The buckets, behind them those without documents that are missing: each owner has all keys that any of them
 * has, and `others`, of segments where the parent has no bucket.
 *
 * @param owners how many buckets the parent has
 * @throws EngineError AggregationExecutionException when too many are missing
 */
export function withEveryKey(
  data: KeyedBuckets,
  others: KeyList | null,
  owners: number,
): KeyedBuckets<KeyList> {
  // Without buckets nothing is known of the type of their keys.
  const hasNone = data.counts.length === 0 && others !== null;
  const { keys, keyOf } = listed(hasNone ? noBuckets(others.type) : data);
  const ids = new KeyIds(keys.type);
  const idOf = ids.idsOf(keys);
  if (others?.type === keys.type) ids.idsOf(others);
  const { size } = ids;
  const total = size * owners;
  const own = data.counts.length;
  if (total === own) return { ...data, keys, keyOf };
  refuseTooManyBuckets(total - own);
  const [ownersOf, keysOf] = [new Uint32Array(total), new Uint32Array(total)];
  const counts = new Float64Array(total);
  const has = new Uint8Array(total);
  ownersOf.set(data.owners);
  counts.set(data.counts);
  for (let i = 0; i < own; i++) {
    const key = idOf[keyOf[i]!]!;
    keysOf[i] = key;
    has[ownersOf[i]! * size + key] = 1;
  }
  let next = own;
  for (let place = 0; next < total; place++) {
    if (has[place] === 1) continue;
    ownersOf[next] = Math.floor(place / size);
    keysOf[next++] = place % size;
  }
  return { keys: ids.list(), owners: ownersOf, keyOf: keysOf, counts };
}

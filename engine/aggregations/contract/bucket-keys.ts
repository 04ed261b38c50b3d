// The keys of buckets: lists of them, or numbers that hold on one shard.

import { type KeyList, SharedKeys } from '../../counting/index';

/** Bucket i has key keyOf[i]. Plain data where keys are a list, which is so of whatever leaves a shard. */
export interface PlacedKeys<K extends KeyList | SharedKeys = KeyList | SharedKeys> {
  readonly keys: K;
  readonly keyOf: Uint32Array;
}

/** The type of keys. */
export function typeOfKeys(keys: KeyList | SharedKeys): KeyList['type'] {
  return keys instanceof SharedKeys ? keys.space.type : keys.type;
}

/** With a list of the keys that buckets have. */
export function listed({ keys, keyOf }: PlacedKeys): PlacedKeys<KeyList> {
  if (!(keys instanceof SharedKeys)) return { keys, keyOf };
  const { space } = keys;
  /** By number: 1 + position in the list, or 0. */
  const positions = new Uint32Array(space.size);
  for (let i = 0; i < keyOf.length; i++) positions[keyOf[i]!] = 1;
  let n = 0;
  const used = new Uint32Array(Math.min(positions.length, keyOf.length));
  for (let number = 0; number < positions.length; number++) {
    if (positions[number] === 0) continue;
    used[n] = number;
    positions[number] = ++n;
  }
  return {
    keys: space.listOf(used.subarray(0, n)),
    keyOf: keyOf.map((number) => positions[number]! - 1),
  };
}

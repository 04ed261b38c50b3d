// Which keys a damaged part of a table may have held.

import { describeKey, recordKey } from '../keys';
import type { ShardId } from '../types';
import type { LostKeys } from './table-file';

/** Whether a key is one of them. */
export function isAmong({ after, upTo }: LostKeys, key: Buffer): boolean {
  return (
    (after === null || Buffer.compare(after, key) < 0) &&
    (upTo === null || Buffer.compare(key, upTo) <= 0)
  );
}

/**
 * Whether keys of a kind and shard may be among them.
 * @param from only keys from this one on
 */
export function mayHold(lost: LostKeys, prefix: number, shard: ShardId, from?: Buffer): boolean {
  const first = Buffer.alloc(5);
  first[0] = prefix;
  first.writeUInt32BE(shard, 1);
  const next = Buffer.from(first);
  if (shard === 2 ** 32 - 1) next.fill(0xff, 1);
  else next.writeUInt32BE(shard + 1, 1);
  return meets(lost, from ?? first, next);
}

/** Whether keys of a kind may be among them. */
export function mayHoldAny(lost: LostKeys, prefix: number): boolean {
  return meets(lost, Buffer.from([prefix]), Buffer.from([prefix + 1]));
}

/** Whether some key k with from <= k < to may be one of them. */
function meets({ after, upTo }: LostKeys, from: Buffer, to: Buffer): boolean {
  return (
    (after === null || Buffer.compare(after, to) < 0) &&
    (upTo === null || Buffer.compare(upTo, from) >= 0)
  );
}

/** In words. Ends are where the next part begins, and need not be keys that were there. */
export function describeLost({ after, upTo }: LostKeys): string {
  const from = after === null ? 'from the beginning' : `after ${describeKey(inFull(after))}`;
  const to = upTo === null ? 'to the end of the file' : `up to ${describeKey(inFull(upTo))}`;
  return `entries ${from} ${to} were in a damaged part`;
}

/** LevelDB cuts such keys short; what it cut off counts as zeros. */
function inFull(key: Buffer): Buffer {
  const full = Buffer.alloc(Math.max(key.length, recordKey(0, 0).length));
  key.copy(full);
  return full;
}

// The key layout of both databases: one prefix byte, then fixed-width big-endian ids, so that the keys of
// a shard or a segment are one contiguous range in numeric order. User text comes length-prefixed or last.
//
//   `log`                                          `segments`
//   'B' batch u48              a written batch     'N'                                   node identity
//   'C' shard u32              commit point        'S' segment u48, block u32            segment block
//   'D' shard u32              delete intent       'X' segment u48, chunk u32, gen u48   deletion chunk
//   'F'                        batch floor
//   'I' segment u48            build intent
//   'M' name                   cluster metadata
//   'N'                        node identity
//   'R' shard u32, seq u48     document record
//   'U' shard u32, n u32, type (n bytes), id       uid entry
//
// Described with examples in docs/format.md.

import type { SegmentId, SequenceNumber, ShardId } from './types';
import { decodeText, encodeText, writeShortText } from './text';

/** Prefix bytes; letters, so that a dump can be read. */
export const KeyPrefix = {
  batchNumber: 0x42, // B
  commit: 0x43, // C
  deleteIntent: 0x44, // D
  batchFloor: 0x46, // F
  buildIntent: 0x49, // I
  metadata: 0x4d, // M
  identity: 0x4e, // N
  record: 0x52, // R
  block: 0x53, // S
  uid: 0x55, // U
  deletions: 0x58, // X
} as const;

/** Keys k with gte <= k < lt, in byte order. */
export interface KeyRange {
  readonly gte: Buffer;
  readonly lt: Buffer;
}

const SHARD_BYTES = 4;
const ID_BYTES = 6;
const MAX_U32 = 2 ** 32 - 1;
const MAX_U48 = 2 ** 48 - 1;

/** The single key that names the node, in both databases. */
export const IDENTITY_KEY: Buffer = Buffer.from([KeyPrefix.identity]);
/** The single key that holds the lowest batch number that must be present. */
export const BATCH_FLOOR_KEY: Buffer = Buffer.from([KeyPrefix.batchFloor]);

/** 'B' batch:u48 */
export function batchNumberKey(batch: number): Buffer {
  return idKey(KeyPrefix.batchNumber, batch);
}

/** The number in a key of `batchNumberKey`. */
export function batchNumberOf(key: Buffer): number {
  return key.readUIntBE(1, ID_BYTES);
}

/** All batch numbers from `first` on. */
export function batchNumberRange(first: number): KeyRange {
  const { lt } = prefixRange(Buffer.from([KeyPrefix.batchNumber]));
  return { gte: batchNumberKey(first), lt };
}

/** 'C' shard:u32 */
export function commitKey(shard: ShardId): Buffer {
  return shardKey(KeyPrefix.commit, shard, 0);
}

/** 'D' shard:u32 */
export function deleteIntentKey(shard: ShardId): Buffer {
  return shardKey(KeyPrefix.deleteIntent, shard, 0);
}

/** The shard in a key of `deleteIntentKey` or `recordKey`. */
export function shardOfKey(key: Buffer): ShardId {
  return key.readUInt32BE(1);
}

/** All delete intents. */
export function deleteIntentRange(): KeyRange {
  return prefixRange(Buffer.from([KeyPrefix.deleteIntent]));
}

/** 'I' segment:u48 */
export function buildIntentKey(segment: SegmentId): Buffer {
  return idKey(KeyPrefix.buildIntent, segment);
}

/** The segment in a key of `buildIntentKey` or `blockKey`. */
export function segmentOfKey(key: Buffer): SegmentId {
  return key.readUIntBE(1, ID_BYTES);
}

/** All build intents. */
export function buildIntentRange(): KeyRange {
  return prefixRange(Buffer.from([KeyPrefix.buildIntent]));
}

/** 'M' name */
export function metadataKey(name: string): Buffer {
  return Buffer.concat([Buffer.from([KeyPrefix.metadata]), encodeText(name)]);
}

/** The name in a key of `metadataKey`. */
export function metadataNameOf(key: Buffer): string {
  return decodeText(key, 1);
}

/** Cluster metadata under names that begin with `prefix`. */
export function metadataRange(prefix: string): KeyRange {
  return prefixRange(metadataKey(prefix));
}

/** 'R' shard:u32 sequence:u48 */
export function recordKey(shard: ShardId, sequence: SequenceNumber): Buffer {
  const key = shardKey(KeyPrefix.record, shard, ID_BYTES);
  key.writeUIntBE(checkId(sequence, MAX_U48), 1 + SHARD_BYTES, ID_BYTES);
  return key;
}

/** The sequence number in a key of `recordKey`. */
export function sequenceOf(key: Buffer): SequenceNumber {
  return key.readUIntBE(1 + SHARD_BYTES, ID_BYTES);
}

/** Records with from < sequence <= to. */
export function recordRange(shard: ShardId, from: SequenceNumber, to: SequenceNumber): KeyRange {
  return {
    gte: recordKey(shard, from + 1),
    lt: successor(recordKey(shard, Math.min(to, MAX_U48))),
  };
}

/** All records of a shard. */
export function shardRecordRange(shard: ShardId): KeyRange {
  return prefixRange(shardKey(KeyPrefix.record, shard, 0));
}

/** 'U' shard:u32 n:u32 type:n id */
export function uidKey(shard: ShardId, type: string, id: string): Buffer {
  return shortUidKey(shard, type, id) ?? longUidKey(shard, type, id);
}

function shortUidKey(shard: ShardId, type: string, id: string): Buffer | null {
  const key = shardKey(KeyPrefix.uid, shard, 4 + type.length + id.length);
  key.writeUInt32BE(type.length, 1 + SHARD_BYTES);
  const idStart = writeShortText(type, key, 1 + SHARD_BYTES + 4);
  return idStart < 0 || writeShortText(id, key, idStart) < 0 ? null : key;
}

function longUidKey(shard: ShardId, type: string, id: string): Buffer {
  const typeBytes = encodeText(type);
  const idBytes = encodeText(id);
  const typeStart = 1 + SHARD_BYTES + 4;
  const key = shardKey(KeyPrefix.uid, shard, 4 + typeBytes.length + idBytes.length);
  key.writeUInt32BE(typeBytes.length, 1 + SHARD_BYTES);
  typeBytes.copy(key, typeStart);
  idBytes.copy(key, typeStart + typeBytes.length);
  return key;
}

/** Type and id in a key of `uidKey`. */
export function uidOf(key: Buffer): { readonly type: string; readonly id: string } {
  const typeStart = 1 + SHARD_BYTES + 4;
  const idStart = typeStart + key.readUInt32BE(1 + SHARD_BYTES);
  return { type: decodeText(key, typeStart, idStart), id: decodeText(key, idStart) };
}

/** All uid entries of a shard. */
export function shardUidRange(shard: ShardId): KeyRange {
  return prefixRange(shardKey(KeyPrefix.uid, shard, 0));
}

/** The uid entries of a shard's documents of one type. */
export function typeUidRange(shard: ShardId, type: string): KeyRange {
  return prefixRange(uidKey(shard, type, ''));
}

/** 'S' segment:u48 block:u32 */
export function blockKey(segment: SegmentId, block: number): Buffer {
  return pieceKey(KeyPrefix.block, segment, block, 0);
}

/** All blocks of a segment. */
export function segmentBlockRange(segment: SegmentId): KeyRange {
  return prefixRange(idKey(KeyPrefix.block, segment));
}

/** Where blocks of the segments from `from` on would be, up to those of `before` (null: of all after it). */
export function segmentGap(from: SegmentId, before: SegmentId | null): KeyRange {
  const gte = idKey(KeyPrefix.block, from);
  const all = prefixRange(gte.subarray(0, 1));
  return { gte, lt: before === null ? all.lt : idKey(KeyPrefix.block, before) };
}

/** 'X' segment:u48 chunk:u32 generation:u48 */
export function deletionsKey(segment: SegmentId, chunk: number, generation: number): Buffer {
  const key = pieceKey(KeyPrefix.deletions, segment, chunk, ID_BYTES);
  key.writeUIntBE(checkId(generation, MAX_U48), 1 + ID_BYTES + 4, ID_BYTES);
  return key;
}

/** Chunk number and generation in a key of `deletionsKey`. */
export function deletionChunkOf(key: Buffer): {
  readonly chunk: number;
  readonly generation: number;
} {
  return {
    chunk: key.readUInt32BE(1 + ID_BYTES),
    generation: key.readUIntBE(1 + ID_BYTES + 4, ID_BYTES),
  };
}

/** All deletion chunks of a segment, of all generations. */
export function segmentDeletionsRange(segment: SegmentId): KeyRange {
  return prefixRange(idKey(KeyPrefix.deletions, segment));
}

/** Bytes of the shortest key of each kind that holds ids. */
const SHORTEST: ReadonlyMap<number, number> = new Map([
  [KeyPrefix.batchNumber, 1 + ID_BYTES],
  [KeyPrefix.commit, 1 + SHARD_BYTES],
  [KeyPrefix.deleteIntent, 1 + SHARD_BYTES],
  [KeyPrefix.buildIntent, 1 + ID_BYTES],
  [KeyPrefix.record, 1 + SHARD_BYTES + ID_BYTES],
  [KeyPrefix.uid, 1 + SHARD_BYTES + 4],
  [KeyPrefix.block, 1 + ID_BYTES + 4],
  [KeyPrefix.deletions, 1 + ID_BYTES + 4 + ID_BYTES],
]);

/** A key in words, for error messages: user text is left out. Takes any bytes. */
export function describeKey(key: Buffer): string {
  if (key.length < (SHORTEST.get(key[0] ?? 0) ?? 1)) return `malformed key ${key.toString('hex')}`;
  switch (key[0]) {
    case KeyPrefix.batchNumber:
      return `batch number ${batchNumberOf(key)}`;
    case KeyPrefix.commit:
      return `commit point of shard ${shardOfKey(key)}`;
    case KeyPrefix.deleteIntent:
      return `delete intent of shard ${shardOfKey(key)}`;
    case KeyPrefix.batchFloor:
      return 'batch floor';
    case KeyPrefix.buildIntent:
      return `build intent of segment ${segmentOfKey(key)}`;
    case KeyPrefix.metadata:
      return 'cluster metadata';
    case KeyPrefix.identity:
      return 'node identity';
    case KeyPrefix.record:
      return `record ${sequenceOf(key)} of shard ${shardOfKey(key)}`;
    case KeyPrefix.uid:
      return `uid entry of shard ${shardOfKey(key)}`;
    case KeyPrefix.block:
      return `block ${key.readUInt32BE(1 + ID_BYTES)} of segment ${segmentOfKey(key)}`;
    case KeyPrefix.deletions:
      return `deletion chunk ${key.readUInt32BE(1 + ID_BYTES)} of segment ${segmentOfKey(key)}`;
    case undefined:
    default:
      return `key of unknown kind ${key[0] ?? 'none'}`;
  }
}

function shardKey(prefix: number, shard: ShardId, more: number): Buffer {
  const key = Buffer.allocUnsafe(1 + SHARD_BYTES + more);
  key[0] = prefix;
  key.writeUInt32BE(checkId(shard, MAX_U32), 1);
  return key;
}

function idKey(prefix: number, id: number): Buffer {
  const key = Buffer.allocUnsafe(1 + ID_BYTES);
  key[0] = prefix;
  key.writeUIntBE(checkId(id, MAX_U48), 1, ID_BYTES);
  return key;
}

function pieceKey(prefix: number, segment: SegmentId, piece: number, more: number): Buffer {
  const key = Buffer.allocUnsafe(1 + ID_BYTES + 4 + more);
  key[0] = prefix;
  key.writeUIntBE(checkId(segment, MAX_U48), 1, ID_BYTES);
  key.writeUInt32BE(checkId(piece, MAX_U32), 1 + ID_BYTES);
  return key;
}

function checkId(id: number, max: number): number {
  if (!Number.isInteger(id) || id < 0 || id > max) {
    throw new RangeError(`id ${id} is not an integer from 0 to ${max}`);
  }
  return id;
}

function prefixRange(prefix: Buffer): KeyRange {
  return { gte: prefix, lt: nextPrefix(prefix) };
}

/** The first key after `key` itself. */
function successor(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.from([0])]);
}

/** The first key after all keys that begin with `prefix`; a prefix byte is a letter, so there is one. */
function nextPrefix(prefix: Buffer): Buffer {
  const next = Buffer.from(prefix);
  let last = next.length - 1;
  while (next[last] === 0xff) last--;
  next[last] = (next[last] ?? 0) + 1;
  return next.subarray(0, last + 1);
}

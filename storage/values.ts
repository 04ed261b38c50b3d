// The payloads of the `log` database: document record, uid entry, commit point, intents, floor, identity.
// Each encode function returns the whole framed value; each decode function takes it. Fields are read in
// the order they were written, there are no names, and user text is never a key of an object.

import { ByteReader, ByteWriter, frameValue, unframeValue } from './codec';
import { CorruptionError } from './errors';
import { describeKey } from './keys';
import { decodeText } from './text';
import type {
  CommitPoint,
  CommittedSegment,
  LogRecord,
  SegmentId,
  SequenceNumber,
  UidEntry,
} from './types';

const OP_INDEX = 1;
const OP_DELETE = 2;

const HAS_ROUTING = 1;
const HAS_PARENT = 2;
const HAS_TIMESTAMP = 4;
const HAS_EXPIRY = 8;
const RECORD_FLAGS = HAS_ROUTING | HAS_PARENT | HAS_TIMESTAMP | HAS_EXPIRY;

const UID_DELETED = 1;

// Encoding is synchronous and never nested, so one scratch writer serves all.
const scratch = new ByteWriter();

/**
 * op:u8 flags:u8 version:varint supersedes:varint type:text id:text
 * [routing:text] [parent:text] [timestamp:f64] [expiry:f64] source:rest
 *
 * The source bytes are copied once and never looked at.
 */
export function encodeRecord(key: Buffer, record: LogRecord): Buffer {
  return frameValue(key, writeRecordHead(scratch.reset(), record).view(), record.source);
}

/** Everything of a record's payload but its source, which comes last. */
export function writeRecordHead(writer: ByteWriter, record: LogRecord): ByteWriter {
  const flags =
    (record.routing === null ? 0 : HAS_ROUTING) |
    (record.parent === null ? 0 : HAS_PARENT) |
    (record.timestamp === null ? 0 : HAS_TIMESTAMP) |
    (record.expiry === null ? 0 : HAS_EXPIRY);
  const head = writer
    .u8(record.op === 'index' ? OP_INDEX : OP_DELETE)
    .u8(flags)
    .varint(record.version)
    .varint(record.supersedes)
    .text(record.type)
    .text(record.id);
  if (record.routing !== null) head.text(record.routing);
  if (record.parent !== null) head.text(record.parent);
  if (record.timestamp !== null) head.f64(record.timestamp);
  if (record.expiry !== null) head.f64(record.expiry);
  return head;
}

/** @throws CorruptionError when the value is damaged. */
export function decodeRecord(key: Buffer, value: Buffer): LogRecord {
  return readRecord(new ByteReader(unframeValue(key, value), key), key);
}

/** The record of a payload. @throws CorruptionError when it is malformed; `key` says which. */
export function readRecord(reader: ByteReader, key: Buffer): LogRecord {
  const op = readOperation(reader, key);
  const flags = reader.u8();
  if ((flags & ~RECORD_FLAGS) !== 0) throw unknownTag(key, 'flags', flags);
  const version = reader.varint();
  const supersedes = reader.varint();
  const type = decodeText(reader.bytes());
  const id = decodeText(reader.bytes());
  const routing = (flags & HAS_ROUTING) === 0 ? null : decodeText(reader.bytes());
  const parent = (flags & HAS_PARENT) === 0 ? null : decodeText(reader.bytes());
  const timestamp = (flags & HAS_TIMESTAMP) === 0 ? null : reader.f64();
  const expiry = (flags & HAS_EXPIRY) === 0 ? null : reader.f64();
  return {
    op,
    type,
    id,
    version,
    routing,
    parent,
    timestamp,
    expiry,
    supersedes,
    source: reader.rest(),
  };
}

/** The sequence number of what the record of a payload replaced. @throws CorruptionError as `readRecord`. */
export function readSuperseded(reader: ByteReader, key: Buffer): SequenceNumber {
  readOperation(reader, key);
  reader.u8();
  reader.varint();
  return reader.varint();
}

function readOperation(reader: ByteReader, key: Buffer): LogRecord['op'] {
  const op = reader.u8();
  if (op !== OP_INDEX && op !== OP_DELETE) throw unknownTag(key, 'operation', op);
  return op === OP_INDEX ? 'index' : 'delete';
}

/** flags:u8 sequence:varint version:varint [deletedAt:f64 when deleted] */
export function encodeUid(key: Buffer, entry: UidEntry): Buffer {
  const writer = scratch
    .reset()
    .u8(entry.deleted ? UID_DELETED : 0)
    .varint(entry.sequence)
    .varint(entry.version);
  if (entry.deleted) writer.f64(entry.deletedAt);
  return frameValue(key, writer.view());
}

/** @throws CorruptionError when the value is damaged. */
export function decodeUid(key: Buffer, value: Buffer): UidEntry {
  const reader = new ByteReader(unframeValue(key, value), key);
  const flags = reader.u8();
  if ((flags & ~UID_DELETED) !== 0) throw unknownTag(key, 'flags', flags);
  const sequence = reader.varint();
  const version = reader.varint();
  const deleted = flags === UID_DELETED;
  const deletedAt = deleted ? reader.f64() : 0;
  reader.end();
  return { sequence, version, deleted, deletedAt };
}

/**
 * generation sequence count, then per segment: id blocks bytes docCount deletedCount rootCount
 * deletedRootCount minSequence maxSequence chunkCount chunk generations; all varints.
 */
export function encodeCommit(key: Buffer, commit: CommitPoint): Buffer {
  const writer = scratch.reset().varint(commit.generation).varint(commit.sequence);
  writer.varint(commit.segments.length);
  for (const segment of commit.segments) {
    writer
      .varint(segment.id)
      .varint(segment.blocks)
      .varint(segment.bytes)
      .varint(segment.docCount)
      .varint(segment.deletedCount)
      .varint(segment.rootCount)
      .varint(segment.deletedRootCount)
      .varint(segment.minSequence)
      .varint(segment.maxSequence)
      .varint(segment.deletionChunks.length);
    for (const generation of segment.deletionChunks) writer.varint(generation);
  }
  return frameValue(key, writer.view());
}

/** @throws CorruptionError when the value is damaged. */
export function decodeCommit(key: Buffer, value: Buffer): CommitPoint {
  const reader = new ByteReader(unframeValue(key, value), key);
  const generation = reader.varint();
  const sequence = reader.varint();
  const count = reader.varint();
  const segments: CommittedSegment[] = [];
  for (let i = 0; i < count; i++) segments.push(readSegment(reader));
  reader.end();
  return { generation, sequence, segments };
}

function readSegment(reader: ByteReader): CommittedSegment {
  const id = reader.varint();
  const blocks = reader.varint();
  const bytes = reader.varint();
  const docCount = reader.varint();
  const deletedCount = reader.varint();
  const rootCount = reader.varint();
  const deletedRootCount = reader.varint();
  const minSequence = reader.varint();
  const maxSequence = reader.varint();
  const chunkCount = reader.varint();
  const deletionChunks: number[] = [];
  for (let i = 0; i < chunkCount; i++) deletionChunks.push(reader.varint());
  return {
    id,
    blocks,
    bytes,
    docCount,
    deletedCount,
    rootCount,
    deletedRootCount,
    minSequence,
    maxSequence,
    deletionChunks,
  };
}

/** count:varint, then segment ids; all varints. */
export function encodeDeleteIntent(key: Buffer, segments: readonly SegmentId[]): Buffer {
  const writer = scratch.reset().varint(segments.length);
  for (const segment of segments) writer.varint(segment);
  return frameValue(key, writer.view());
}

/** @throws CorruptionError when the value is damaged. */
export function decodeDeleteIntent(key: Buffer, value: Buffer): SegmentId[] {
  const reader = new ByteReader(unframeValue(key, value), key);
  const count = reader.varint();
  const segments: SegmentId[] = [];
  for (let i = 0; i < count; i++) segments.push(reader.varint());
  reader.end();
  return segments;
}

/** floor:varint */
export function encodeBatchFloor(key: Buffer, floor: number): Buffer {
  return frameValue(key, scratch.reset().varint(floor).view());
}

/** @throws CorruptionError when the value is damaged. */
export function decodeBatchFloor(key: Buffer, value: Buffer): number {
  const reader = new ByteReader(unframeValue(key, value), key);
  const floor = reader.varint();
  reader.end();
  return floor;
}

/** node id:text */
export function encodeIdentity(key: Buffer, nodeId: string): Buffer {
  return frameValue(key, scratch.reset().text(nodeId).view());
}

/** @throws CorruptionError when the value is damaged. */
export function decodeIdentity(key: Buffer, value: Buffer): string {
  const reader = new ByteReader(unframeValue(key, value), key);
  const nodeId = decodeText(reader.bytes());
  reader.end();
  return nodeId;
}

function unknownTag(key: Buffer, what: string, value: number): CorruptionError {
  return new CorruptionError(`${describeKey(key)} is damaged: unknown ${what} ${value}`);
}

// Records outside of the log: one after the other in a run of bytes, as snapshots keep them.
//
// Each is `length:varint` and the payload of a record of the log (docs/format.md). What a record replaces is
// not part of it: in a list there is one record for each document.

import { ByteReader, ByteWriter } from './codec';
import type { LogRecord } from './types';
import { readRecord, writeRecordHead } from './values';

// Packing is synchronous and never nested, so two scratch writers serve all.
const head = new ByteWriter();
const length = new ByteWriter();
/** Lists have no key that an error could name. */
const NO_KEY = Buffer.alloc(0);

/** One entry of a list. The source bytes are copied. */
export function packRecord(record: LogRecord): Buffer {
  const fields = writeRecordHead(head.reset(), { ...record, supersedes: 0 }).view();
  const prefix = length
    .reset()
    .varint(fields.length + record.source.length)
    .view();
  return Buffer.concat([prefix, fields, record.source]);
}

/**
 * The records of a list in order; sources are views of `bytes`.
 * @throws CorruptionError when it is malformed.
 */
export function* unpackRecords(bytes: Buffer): Generator<LogRecord> {
  const list = new ByteReader(bytes, NO_KEY);
  while (!list.isAtEnd) yield readRecord(new ByteReader(list.bytes(), NO_KEY), NO_KEY);
}

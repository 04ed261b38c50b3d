// Many records of the log kept as the bytes they are stored in, one after the other in one piece of memory.
//
// For code that needs thousands of records at a time, each for a short while: as objects they would survive
// several garbage collections, which would copy them and promote them to the old generation.

import { ByteReader, unframeValue } from './codec';
import { recordKey, sequenceOf } from './keys';
import type { LogRecord, RecordSink, SequenceNumber, ShardId } from './types';
import { readRecord, readSuperseded } from './values';

const FIRST_BYTES = 1024 * 1024;
const FIRST_RECORDS = 1024;

/** Many records of the log in one buffer. */
export class RecordSlab implements RecordSink {
  /** Records in it. */
  length = 0;
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** Record i is bytes[starts[i] .. starts[i + 1]). */
  private starts = new Uint32Array(FIRST_RECORDS + 1);
  private sequences = new Float64Array(FIRST_RECORDS);
  private superseded = new Float64Array(FIRST_RECORDS);

  /** Bytes of the records. */
  get used(): number {
    return this.starts[this.length]!;
  }

  /** Bytes of memory held. */
  get capacity(): number {
    return this.bytes.length;
  }

  /** Adds a copy of a stored record. @throws CorruptionError when it is damaged. */
  add(key: Buffer, value: Buffer): void {
    const payload = unframeValue(key, value);
    const { length, used } = this;
    const end = used + payload.length;
    if (end > this.bytes.length) this.growBytes(used, end);
    if (length === this.sequences.length) this.growRecords();
    payload.copy(this.bytes, used);
    this.sequences[length] = sequenceOf(key);
    this.superseded[length] = readSuperseded(new ByteReader(payload, key), key);
    this.starts[length + 1] = end;
    this.length++;
  }

  /** The sequence number of record `i`. */
  sequence(i: number): SequenceNumber {
    return this.sequences[i]!;
  }

  /** The sequence number of the record that record `i` replaced; 0 without one. */
  supersedes(i: number): SequenceNumber {
    return this.superseded[i]!;
  }

  /**
   * Record `i`, of `shard`; its source is a view of the slab.
   * @throws CorruptionError when it is malformed.
   */
  record(shard: ShardId, i: number): LogRecord {
    const key = recordKey(shard, this.sequence(i));
    const payload = this.bytes.subarray(this.starts[i], this.starts[i + 1]);
    return readRecord(new ByteReader(payload, key), key);
  }

  /** Forgets all records; the memory is used again. */
  clear(): void {
    this.length = 0;
  }

  private growBytes(used: number, needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, used);
    this.bytes = grown;
  }

  private growRecords(): void {
    const size = this.sequences.length * 2;
    const { starts, sequences, superseded } = this;
    this.starts = new Uint32Array(size + 1);
    this.starts.set(starts);
    this.sequences = new Float64Array(size);
    this.sequences.set(sequences);
    this.superseded = new Float64Array(size);
    this.superseded.set(superseded);
  }
}

// What is whole of a damaged write-ahead file of LevelDB, and a new file made of it.
//
//   a record is one batch: sequence number u64, count u32, and for each operation a kind (1 put, 0 delete),
//   the key and, of a put, the value, with a varint length before each

import { unframeValue } from '../codec';
import { maskedCrc } from '../level-files/crc32c';
import {
  FIRST,
  HEADER_BYTES,
  LAST,
  MIDDLE,
  readRecords,
  RECORD_BLOCK_BYTES,
  WHOLE,
} from '../level-files/log-records';
import { readVarint, type Reader } from '../level-files/snappy';

const BATCH_HEADER_BYTES = 12;

/** What a write-ahead file holds. */
interface WriteAheadContents {
  /** Damage, in words. */
  readonly problems: readonly string[];
  /** Batches; of damaged ones what is whole. */
  readonly batches: readonly Buffer[];
}

/** Reads what can be read of a write-ahead file. A last write that was not finished is no damage. */
export function readWriteAhead(file: Buffer): WriteAheadContents {
  const { problems, records } = readRecords(file);
  const batches: Buffer[] = [];
  for (const { bytes, isWhole } of records) {
    const kept = isWhole ? bytes : wholeOperations(bytes);
    if (kept !== null) batches.push(kept);
  }
  return { problems, batches };
}

/** A write-ahead file of batches. */
export function writeWriteAhead(batches: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  const put = (part: Buffer): void => {
    parts.push(part);
    at += part.length;
  };
  for (const batch of batches) {
    for (let from = 0; from === 0 || from < batch.length;) {
      const room = RECORD_BLOCK_BYTES - (at % RECORD_BLOCK_BYTES);
      if (room < HEADER_BYTES) {
        put(Buffer.alloc(room));
        continue;
      }
      const to = Math.min(batch.length, from + room - HEADER_BYTES);
      const isLast = to === batch.length;
      const fragment = Buffer.alloc(HEADER_BYTES + to - from);
      fragment.writeUInt16LE(to - from, 4);
      fragment[6] = from === 0 ? (isLast ? WHOLE : FIRST) : isLast ? LAST : MIDDLE;
      batch.copy(fragment, HEADER_BYTES, from, to);
      fragment.writeUInt32LE(maskedCrc(fragment, 6, fragment.length), 0);
      put(fragment);
      if (isLast) break;
      from = to;
    }
  }
  return Buffer.concat(parts);
}

/** A damaged batch without the puts that are damaged; null when nothing of it can be told apart. */
function wholeOperations(batch: Buffer): Buffer | null {
  if (batch.length < BATCH_HEADER_BYTES) return null;
  const reader: Reader = { bytes: batch, at: BATCH_HEADER_BYTES };
  const kept: Buffer[] = [];
  try {
    while (reader.at < batch.length) {
      const from = reader.at;
      const kind = batch[reader.at++];
      if (kind !== 0 && kind !== 1) return null;
      const key = readBytes(reader);
      if (kind === 1) {
        const value = readBytes(reader);
        try {
          unframeValue(key, value);
        } catch {
          continue;
        }
      }
      kept.push(batch.subarray(from, reader.at));
    }
  } catch {
    // A damaged length: what came before it can be told apart.
  }
  const head = Buffer.from(batch.subarray(0, BATCH_HEADER_BYTES));
  head.writeUInt32LE(kept.length, 8);
  return Buffer.concat([head, ...kept]);
}

function readBytes(reader: Reader): Buffer {
  const length = readVarint(reader);
  const from = reader.at;
  if (from + length > reader.bytes.length) throw new Error('an operation is cut short');
  reader.at = from + length;
  return reader.bytes.subarray(from, reader.at);
}

// LevelDB's write-ahead files (its log_format.md), read without LevelDB, which drops damaged parts silently
// and up to the end of a 32 KB block.
//
//   block of 32,768 bytes: fragments, and less than 7 bytes of nothing at its end
//   fragment: masked CRC-32C of kind and bytes, length u16, kind (1 whole, 2 first, 3 middle, 4 last), bytes
//   fragments put together are one batch: sequence number u64, count u32, and for each operation a kind (1
//   put, 0 delete), the key and, of a put, the value, with a varint length before each

import { unframeValue } from '../codec';
import { maskedCrc } from './crc32c';
import { readVarint, type Reader } from './snappy';

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const BATCH_HEADER_BYTES = 12;
const WHOLE = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

/** What a write-ahead file holds. */
interface WriteAheadContents {
  /** Damage, in words. */
  readonly problems: readonly string[];
  /** Batches; of damaged ones what is whole. */
  readonly batches: readonly Buffer[];
}

interface Fragment {
  readonly kind: number;
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Reads what can be read of a write-ahead file. A last write that was not finished is no damage. */
export function readWriteAhead(file: Buffer): WriteAheadContents {
  const problems: string[] = [];
  const batches: Buffer[] = [];
  let open: Fragment[] = [];
  const finish = (): void => {
    const batch = Buffer.concat(open.map(({ bytes }) => bytes));
    if (open.every(({ isWhole }) => isWhole)) batches.push(batch);
    else {
      const kept = wholeOperations(batch);
      if (kept !== null) batches.push(kept);
    }
    open = [];
  };
  for (let at = 0; ;) {
    const room = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (room < HEADER_BYTES) {
      at += room;
      continue;
    }
    if (at + HEADER_BYTES > file.length) break;
    const length = file.readUInt16LE(at + 4);
    const kind = file[at + 6]!;
    if (kind === 0 && length === 0) {
      // Space that was set aside, to the end of the block.
      if (file.subarray(at, Math.min(at + room, file.length)).some((byte) => byte !== 0)) {
        problems.push(`fragment at ${at} has no head`);
      }
      at += room;
      continue;
    }
    const end = at + HEADER_BYTES + length;
    if (kind > LAST || HEADER_BYTES + length > room) {
      problems.push(`fragment at ${at} has a damaged head`);
      open = [];
      at += room;
      continue;
    }
    if (end > file.length) break;
    const isWhole = maskedCrc(file, at + 6, end) === file.readUInt32LE(at);
    if (!isWhole) problems.push(`fragment at ${at} has a wrong checksum`);
    if (kind === WHOLE || kind === FIRST) open = [];
    open.push({ kind, bytes: file.subarray(at + HEADER_BYTES, end), isWhole });
    const isComplete = open[0]!.kind === (kind === LAST ? FIRST : kind) && kind !== MIDDLE;
    if (isComplete && kind !== FIRST) finish();
    at = end;
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
      const room = BLOCK_BYTES - (at % BLOCK_BYTES);
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

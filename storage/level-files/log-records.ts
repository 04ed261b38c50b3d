// The form of LevelDB's write-ahead files and of its lists of files (its log_format.md), read without
// LevelDB, which drops damaged parts silently and up to the end of a 32 KB block.
//
//   block of 32,768 bytes: fragments, and less than 7 bytes of nothing at its end
//   fragment: masked CRC-32C of kind and bytes, length u16, kind (1 whole, 2 first, 3 middle, 4 last), bytes
//   fragments put together are one record

import { maskedCrc } from './crc32c';

/** Bytes of a block, and of what a fragment begins with. */
export const RECORD_BLOCK_BYTES = 32_768;
export const HEADER_BYTES = 7;
/** Kinds of fragments. */
export const WHOLE = 1;
export const FIRST = 2;
export const MIDDLE = 3;
export const LAST = 4;

/** One record; bytes are damaged where it is not whole. */
interface LogRecord {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
  /** Where in the file it ends. */
  readonly end: number;
}

/** What a file of records holds. */
interface Records {
  /** Damage, in words. */
  readonly problems: readonly string[];
  readonly records: readonly LogRecord[];
}

interface Fragment {
  readonly kind: number;
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Reads what can be read of a file of records. A last one that was not finished is no damage. */
export function readRecords(file: Buffer): Records {
  const problems: string[] = [];
  const records: LogRecord[] = [];
  let open: Fragment[] = [];
  const finish = (end: number): void => {
    const bytes = Buffer.concat(open.map((fragment) => fragment.bytes));
    records.push({ bytes, isWhole: open.every(({ isWhole }) => isWhole), end });
    open = [];
  };
  for (let at = 0; ;) {
    const room = RECORD_BLOCK_BYTES - (at % RECORD_BLOCK_BYTES);
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
    if (isComplete && kind !== FIRST) finish(end);
    at = end;
  }
  return { problems, records };
}

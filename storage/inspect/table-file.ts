// LevelDB's table files (its table_format.md), read without LevelDB: the binding does not verify their
// checksums, and a flipped bit in a key or in an index block would go unseen. What is whole of a damaged file
// is kept.
//
//   block … block, filter block, metaindex block, index block, footer
//   the footer has 48 bytes: two handles, padding, magic number
//   each block is followed by its type (0 plain, 1 Snappy) and the masked CRC-32C of block and type
//   a key in a block is the user's key and 8 bytes: sequence number and kind (1 a value, 0 a deletion)

import { unframeValue } from '../codec';
import { messageOf } from '../error-cause';
import { extendCrc, maskCrc, maskedCrc } from './crc32c';
import { decompressSnappy, readVarint, type Reader } from './snappy';

const FOOTER_BYTES = 48;
const TRAILER_BYTES = 5;
const KEY_SUFFIX_BYTES = 8;
const PLAIN = 0;
const SNAPPY = 1;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
/** Bytes of a block that is written. */
const BLOCK_BYTES = 4096;

/** A key with its suffix, and the value. */
type TableEntry = readonly [key: Buffer, value: Buffer];

/** Keys k with after < k <= upTo that a file held and that cannot be read; null: not known. */
export interface LostKeys {
  readonly after: Buffer | null;
  readonly upTo: Buffer | null;
}

/** What a table file holds. */
interface TableContents {
  /** Damage, in words. */
  readonly problems: readonly string[];
  readonly entries: readonly TableEntry[];
  readonly lost: readonly LostKeys[];
}

interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** What is wrong with the bytes of a table file, in words; empty when nothing is. */
export function tableProblems(file: Buffer): string[] {
  try {
    const problems: string[] = [];
    const { metaindex, index, isPadded } = readFooter(file);
    if (!isPadded) problems.push('its end is damaged');
    // The metaindex names the key filter, by which a key would be taken for missing.
    for (const list of [metaindex, index]) {
      for (const [, handle] of handlesOf(readBlock(file, list))) {
        const problem = blockProblem(file, handle);
        if (problem !== null) problems.push(problem);
      }
    }
    return problems;
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Reads what can be read of a table file. */
export function readTable(file: Buffer): TableContents {
  let blocks: (readonly [key: Buffer, handle: Handle])[];
  try {
    blocks = handlesOf(readBlock(file, readFooter(file).index));
  } catch (error) {
    return readWithoutIndex(file, messageOf(error));
  }
  const problems: string[] = [];
  const entries: TableEntry[] = [];
  const lost: LostKeys[] = [];
  let after: Buffer | null = null;
  for (const [last, handle] of blocks) {
    const upTo = userKey(last);
    try {
      for (const entry of entriesOf(readBlock(file, handle))) entries.push(entry);
    } catch (error) {
      problems.push(messageOf(error));
      lost.push({ after, upTo });
    }
    after = upTo;
  }
  return { problems, entries, lost };
}

/** The key without its suffix. */
function userKey(key: Buffer): Buffer {
  return key.subarray(0, Math.max(0, key.length - KEY_SUFFIX_BYTES));
}

/** A table file of entries in the order of their keys; LevelDB reads it, and would write it smaller. */
export function writeTable(entries: readonly TableEntry[]): Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  const write = (content: readonly TableEntry[]): Buffer => {
    const block = encodeBlock(content);
    const handle = Buffer.concat([varint(bytes), varint(block.length - TRAILER_BYTES)]);
    parts.push(block);
    bytes += block.length;
    return handle;
  };
  const index: TableEntry[] = [];
  let open: TableEntry[] = [];
  let size = 0;
  for (const entry of entries) {
    open.push(entry);
    size += entry[0].length + entry[1].length;
    if (size < BLOCK_BYTES) continue;
    index.push([entry[0], write(open)]);
    open = [];
    size = 0;
  }
  const last = open.at(-1);
  if (last !== undefined) index.push([last[0], write(open)]);
  const handles = Buffer.concat([write([]), write(index)]);
  const footer = Buffer.alloc(FOOTER_BYTES);
  handles.copy(footer);
  MAGIC.copy(footer, FOOTER_BYTES - MAGIC.length);
  return Buffer.concat([...parts, footer]);
}

interface Footer {
  readonly metaindex: Handle;
  readonly index: Handle;
  /** There is nothing between the handles and the magic number. */
  readonly isPadded: boolean;
}

function readFooter(file: Buffer): Footer {
  if (file.length < FOOTER_BYTES) throw new Error('it is cut short');
  const footer = file.subarray(file.length - FOOTER_BYTES);
  if (!footer.subarray(FOOTER_BYTES - MAGIC.length).equals(MAGIC)) throw new Error('it has no end');
  const reader = { bytes: footer, at: 0 };
  const [metaindex, index] = [readHandle(reader), readHandle(reader)];
  const padding = footer.subarray(reader.at, FOOTER_BYTES - MAGIC.length);
  return { metaindex, index, isPadded: padding.every((byte) => byte === 0) };
}

function blockProblem(file: Buffer, { offset, size }: Handle): string | null {
  const end = offset + size;
  if (end + TRAILER_BYTES > file.length) return `block at ${offset} is out of bounds`;
  const isWhole = maskedCrc(file, offset, end + 1) === file.readUInt32LE(end + 1);
  return isWhole ? null : `block at ${offset} has a wrong checksum`;
}

/** The plain content of a block. @throws Error saying what is wrong with it */
function readBlock(file: Buffer, handle: Handle): Buffer {
  const problem = blockProblem(file, handle);
  if (problem !== null) throw new Error(problem);
  const end = handle.offset + handle.size;
  const content = file.subarray(handle.offset, end);
  return file[end] === PLAIN ? content : decompressSnappy(content);
}

/**
 * Blocks stand one after the other from the beginning of a file: where one ends is where its checksum is
 * right. The first that is damaged is the last that can be found.
 */
function readWithoutIndex(file: Buffer, problem: string): TableContents {
  const entries: TableEntry[] = [];
  let after: Buffer | null = null;
  for (let offset = 0; ;) {
    const size = sizeOfBlock(file, offset);
    if (size === null) break;
    try {
      const found = entriesOf(readBlock(file, { offset, size })).filter(isOurs);
      for (const entry of found) entries.push(entry);
      const last = found.at(-1);
      if (last !== undefined) after = userKey(last[0]);
    } catch {
      // The key filter, which is no list of entries.
    }
    offset += size + TRAILER_BYTES;
  }
  return { problems: [problem], entries, lost: [{ after, upTo: null }] };
}

function sizeOfBlock(file: Buffer, offset: number): number | null {
  let crc = 0xffffffff;
  for (let at = offset; at + TRAILER_BYTES <= file.length; at++) {
    const byte = file[at]!;
    const next = extendCrc(crc, byte);
    if (byte <= SNAPPY && at > offset && maskCrc(next) === file.readUInt32LE(at + 1)) {
      return at - offset;
    }
    crc = next;
  }
  return null;
}

/** Whether an entry is one of our values or a deletion, and not of an index block. */
function isOurs([key, value]: TableEntry): boolean {
  if (key.length <= KEY_SUFFIX_BYTES) return false;
  if (key[key.length - KEY_SUFFIX_BYTES] === 0) return value.length === 0;
  try {
    unframeValue(userKey(key), value);
    return true;
  } catch {
    return false;
  }
}

/** The entries of a plain block. Restart points are at its end. */
function entriesOf(block: Buffer): TableEntry[] {
  if (block.length < 4) throw new Error('a block is too short');
  const end = block.length - 4 - 4 * block.readUInt32LE(block.length - 4);
  const entries: TableEntry[] = [];
  const reader: Reader = { bytes: block, at: 0 };
  let key: Buffer = Buffer.alloc(0);
  while (reader.at < end) {
    const shared = readVarint(reader);
    const rest = readVarint(reader);
    const valueBytes = readVarint(reader);
    const from = reader.at;
    reader.at = from + rest + valueBytes;
    if (shared > key.length || reader.at > end) throw new Error('a block is malformed');
    key = Buffer.concat([key.subarray(0, shared), block.subarray(from, from + rest)]);
    entries.push([key, block.subarray(from + rest, reader.at)]);
  }
  return entries;
}

/** The keys and handles of an index block. */
function handlesOf(block: Buffer): (readonly [key: Buffer, handle: Handle])[] {
  return entriesOf(block).map(([key, value]) => [key, readHandle({ bytes: value, at: 0 })]);
}

function readHandle(reader: Reader): Handle {
  return { offset: readVarint(reader), size: readVarint(reader) };
}

/** A plain block with its trailer, every key in full. */
function encodeBlock(entries: readonly TableEntry[]): Buffer {
  const parts: Buffer[] = [];
  const restarts: number[] = [];
  let bytes = 0;
  for (const [key, value] of entries) {
    restarts.push(bytes);
    const head = Buffer.concat([varint(0), varint(key.length), varint(value.length)]);
    parts.push(head, key, value);
    bytes += head.length + key.length + value.length;
  }
  if (restarts.length === 0) restarts.push(0);
  const end = Buffer.alloc(4 * restarts.length + 4 + TRAILER_BYTES);
  for (const [i, restart] of restarts.entries()) end.writeUInt32LE(restart, 4 * i);
  end.writeUInt32LE(restarts.length, 4 * restarts.length);
  const block = Buffer.concat([...parts, end]);
  const sum = block.length - 4;
  block.writeUInt32LE(maskedCrc(block, 0, sum), sum);
  return block;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

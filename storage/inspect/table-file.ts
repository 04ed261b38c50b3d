// What is whole of a damaged table file of LevelDB, and a new file made of it.

import { unframeValue } from '../codec';
import { messageOf } from '../error-cause';
import { extendCrc, maskCrc, maskedCrc } from '../level-files/crc32c';
import {
  entriesOf,
  FOOTER_BYTES,
  handlesOf,
  readBlock,
  readFooter,
  SNAPPY,
  TABLE_MAGIC,
  TRAILER_BYTES,
  type Handle,
  type TableEntry,
} from '../level-files/table-blocks';

const KEY_SUFFIX_BYTES = 8;
/** Bytes of a block that is written. */
const BLOCK_BYTES = 4096;

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
  TABLE_MAGIC.copy(footer, FOOTER_BYTES - TABLE_MAGIC.length);
  return Buffer.concat([...parts, footer]);
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

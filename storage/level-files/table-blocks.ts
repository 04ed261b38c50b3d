// LevelDB's table files (its table_format.md), block by block, and what is wrong with them. The binding has
// LevelDB read them without looking at checksums: damage in keys or in an index block goes unseen, hides
// keys, or ends the process in an assertion.
//
//   block … block, filter block, metaindex block, index block, footer
//   the footer has 48 bytes: two handles, padding, magic number
//   each block is followed by its type (0 plain, 1 Snappy) and the masked CRC-32C of block and type
//   a key in a block is the user's key and 8 bytes: sequence number and kind (1 a value, 0 a deletion)

import { maskedCrc } from './crc32c';
import { decompressSnappy, readVarint, type Reader } from './snappy';

/** Bytes of the end of a table. */
export const FOOTER_BYTES = 48;
/** Bytes after each block: its type and checksum. */
export const TRAILER_BYTES = 5;
/** What a table ends with. */
export const TABLE_MAGIC = Buffer.from('57fb808b247547db', 'hex');
/** Types of blocks. */
export const PLAIN = 0;
export const SNAPPY = 1;
/** A type that LevelDB does not know: it refuses a block that has it, with "bad block type". */
const REFUSED = 0xff;

/** A key with its suffix, and the value. */
export type TableEntry = readonly [key: Buffer, value: Buffer];

/** Where a block is. */
export interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** What a table ends with. */
export interface Footer {
  readonly metaindex: Handle;
  readonly index: Handle;
  /** There is nothing between the handles and the magic number. */
  readonly isPadded: boolean;
}

/** One byte of a file to be written so that LevelDB refuses what is damaged instead of trusting it. */
export interface TableMark {
  readonly offset: number;
  readonly byte: number;
}

/** Damage of a table file. */
export interface TableProblem {
  /** In words. */
  readonly text: string;
  /** Null: LevelDB refuses it, or takes no harm, as it is. */
  readonly mark: TableMark | null;
}

/**
 * Looks at a table file block by block, so that a caller can pause in between: what is wrong with a block, or
 * null.
 *
 * Marks: a damaged block gets an unknown type, so that reading it fails, and a damaged key filter or the list
 * that names it is left out, because LevelDB goes on without. Where index or footer are damaged nothing in
 * the file can be found for sure, and the magic number is broken, by which LevelDB refuses the file.
 */
export function* checkTable(file: Buffer): Generator<TableProblem | null, void> {
  let footer: Footer;
  try {
    footer = readFooter(file);
  } catch (error) {
    yield { text: textOf(error), mark: null };
    return;
  }
  const { metaindex, index, isPadded } = footer;
  let blocks: Handle[];
  try {
    if (endOf(index) + FOOTER_BYTES !== file.length || endOf(metaindex) !== index.offset)
      throw new Error('its end is damaged');
    blocks = handlesOf(readBlock(file, index)).map(([, handle]) => handle);
  } catch (error) {
    const last = file.length - 1;
    yield { text: textOf(error), mark: { offset: last, byte: ~file[last]! & 255 } };
    return;
  }
  // LevelDB does not look at the padding.
  if (!isPadded) yield { text: 'its end is damaged', mark: null };
  const problem = problemOf(file, metaindex);
  yield problem;
  // The metaindex names the key filter, by which a key would be taken for missing.
  if (problem === null) {
    for (const [, handle] of handlesOf(readBlock(file, metaindex))) blocks.push(handle);
  }
  for (const handle of blocks) yield problemOf(file, handle);
}

/** What is wrong with the bytes of a table file; empty when nothing is. */
export function tableProblems(file: Buffer): TableProblem[] {
  return [...checkTable(file)].filter((problem) => problem !== null);
}

function problemOf(file: Buffer, handle: Handle): TableProblem | null {
  const text = blockProblem(file, handle);
  return text === null ? null : { text, mark: markOf(file, handle) };
}

/** Null when LevelDB refuses the block already. */
function markOf(file: Buffer, { offset, size }: Handle): TableMark | null {
  const at = offset + size;
  const isTrusted = file[at] === PLAIN || file[at] === SNAPPY;
  return isTrusted ? { offset: at, byte: REFUSED } : null;
}

/** @throws Error saying what is wrong with it */
export function readFooter(file: Buffer): Footer {
  if (file.length < FOOTER_BYTES) throw new Error('it is cut short');
  const footer = file.subarray(file.length - FOOTER_BYTES);
  if (!footer.subarray(FOOTER_BYTES - TABLE_MAGIC.length).equals(TABLE_MAGIC))
    throw new Error('it has no end');
  const reader = { bytes: footer, at: 0 };
  const [metaindex, index] = [readHandle(reader), readHandle(reader)];
  const padding = footer.subarray(reader.at, FOOTER_BYTES - TABLE_MAGIC.length);
  return { metaindex, index, isPadded: padding.every((byte) => byte === 0) };
}

/** What is wrong with a block, in words, or null. */
function blockProblem(file: Buffer, { offset, size }: Handle): string | null {
  const end = offset + size;
  if (end + TRAILER_BYTES > file.length) return `block at ${offset} is out of bounds`;
  const isWhole = maskedCrc(file, offset, end + 1) === file.readUInt32LE(end + 1);
  return isWhole ? null : `block at ${offset} has a wrong checksum`;
}

/** The plain content of a block. @throws Error saying what is wrong with it */
export function readBlock(file: Buffer, handle: Handle): Buffer {
  const problem = blockProblem(file, handle);
  if (problem !== null) throw new Error(problem);
  const end = endOf(handle) - TRAILER_BYTES;
  const content = file.subarray(handle.offset, end);
  return file[end] === PLAIN ? content : decompressSnappy(content);
}

/** The entries of a plain block. Restart points are at its end. @throws Error when it is malformed */
export function entriesOf(block: Buffer): TableEntry[] {
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

/** The keys and handles of an index block. @throws Error when it is malformed */
export function handlesOf(block: Buffer): (readonly [key: Buffer, handle: Handle])[] {
  return entriesOf(block).map(([key, value]) => [key, readHandle({ bytes: value, at: 0 })]);
}

function readHandle(reader: Reader): Handle {
  return { offset: readVarint(reader), size: readVarint(reader) };
}

/** Where what follows a block begins. */
function endOf({ offset, size }: Handle): number {
  return offset + size + TRAILER_BYTES;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

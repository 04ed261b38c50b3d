// LevelDB's list of files (MANIFEST): which tables a database consists of. Tables that it does not name are
// left over from a compaction that was not finished, and LevelDB deletes them when it opens the database.
//
//   each record is a change of the list: a tag, and what belongs to it, one after the other

import { readRecords } from './log-records';
import { readVarint, type Reader } from './snappy';

const COMPARATOR = 1;
const LOG_NUMBER = 2;
const NEXT_FILE_NUMBER = 3;
const LAST_SEQUENCE = 4;
const COMPACT_POINTER = 5;
const DELETED_FILE = 6;
const NEW_FILE = 7;
const PREVIOUS_LOG_NUMBER = 9;

/** What a list of files says. */
interface FileList {
  /** Sizes of the tables in bytes, by their numbers. */
  readonly tables: Map<number, number>;
  /** Number of the oldest write-ahead file that is still needed. */
  oldestLog: number;
}

/**
 * The tables that a list of files names: their sizes in bytes by their numbers.
 * @throws Error when the list is damaged
 */
export function listedTables(list: Buffer): Map<number, number> {
  const { problems, records } = readRecords(list);
  if (problems.length > 0) throw new Error(problems[0]);
  return listOf(records).tables;
}

/** A list of files without the change at its end that was not written to its end. */
export interface CutList extends Readonly<FileList> {
  /** Bytes of the list before that change. */
  readonly bytes: number;
}

/**
 * The list before a last change whose bytes are not what was to be written, as a power cut leaves it; null
 * when that is not all that is wrong with the list, or nothing is.
 */
export function withoutLastChange(list: Buffer): CutList | null {
  const { problems, records } = readRecords(list);
  if (problems.length === 0) return null;
  const damaged = records.findIndex(({ isWhole }) => !isWhole);
  const whole = damaged === -1 ? records : records.slice(0, damaged);
  const last = whole.at(-1);
  if (last === undefined || records.slice(whole.length).some(({ isWhole }) => isWhole)) return null;
  // What is damaged may be between whole ones without being a record.
  if (readRecords(list.subarray(0, last.end)).problems.length > 0) return null;
  return { ...listOf(whole), bytes: last.end };
}

function listOf(records: readonly { readonly bytes: Buffer }[]): FileList {
  const list: FileList = { tables: new Map(), oldestLog: 0 };
  for (const { bytes } of records) applyChange({ bytes, at: 0 }, list);
  return list;
}

function applyChange(reader: Reader, list: FileList): void {
  const { tables } = list;
  const removed: number[] = [];
  const added: (readonly [number, number])[] = [];
  while (reader.at < reader.bytes.length) {
    const tag = readVarint(reader);
    if (tag === COMPARATOR) skipBytes(reader);
    else if (tag === COMPACT_POINTER) {
      readVarint(reader);
      skipBytes(reader);
    } else if (tag === DELETED_FILE) {
      readVarint(reader);
      removed.push(readVarint(reader));
    } else if (tag === NEW_FILE) {
      readVarint(reader);
      added.push([readVarint(reader), readVarint(reader)]);
      skipBytes(reader);
      skipBytes(reader);
    } else if (tag === LOG_NUMBER) list.oldestLog = readVarint(reader);
    else if (isNumber(tag)) readVarint(reader);
    else throw new Error(`a change of the list has the unknown part ${tag}`);
  }
  // A table that moves to another level is removed and added by one change.
  for (const number of removed) tables.delete(number);
  for (const [number, size] of added) tables.set(number, size);
}

function isNumber(tag: number): boolean {
  return tag === NEXT_FILE_NUMBER || tag === LAST_SEQUENCE || tag === PREVIOUS_LOG_NUMBER;
}

function skipBytes(reader: Reader): void {
  const length = readVarint(reader);
  reader.at += length;
}

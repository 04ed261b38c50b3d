// The checksums of LevelDB's tables. The binding has LevelDB read tables without looking at them: damage may
// end the process in an assertion, or hide a key. So tables are read here, before LevelDB reads them where it
// has ended unexpectedly, and what is damaged is marked in place, by one byte, so that LevelDB refuses it.
// Then it is damage like any other: named by those who meet it, while the rest is served.

import { open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { databasePath } from './data-dir';
import { codesOf, messageOf } from './error-cause';
import { CorruptionError } from './errors';
import type { DatabaseName } from './key-value-database';
import { listedTables } from './level-files/file-list';
import { checkTable, type TableMark, type TableProblem } from './level-files/table-blocks';

const TABLE = /^(\d+)\.(?:ldb|sst)$/;
/** Checking goes on for so long before others get their turn. Milliseconds. */
const SLICE_MS = 4;

/** A damaged table. */
export interface TableDamage {
  /** Below the data folder. */
  readonly file: string;
  /** What is wrong, in words. */
  readonly problem: string;
  /** Whether it was marked just now: LevelDB may have read it before. */
  readonly isNew: boolean;
}

/** How fast tables are checked, and for how long. */
export interface CheckPace {
  /** Called after each file. */
  checked(bytes: number): Promise<void>;
  /** Whether to stop. */
  isOver(): boolean;
}

/** The tables of a database. */
export interface TableList {
  readonly database: DatabaseName;
  /** Names of files, with the sizes in bytes that they should have; null: not known. */
  readonly tables: ReadonlyMap<string, number | null>;
}

/**
 * The tables that a database consists of now; all that are there when its list of files cannot be read, which
 * LevelDB refuses by itself. Files that are being written are not among them.
 */
export async function listTables(folder: string, database: DatabaseName): Promise<TableList> {
  const path = databasePath(folder, database);
  const names = await readdir(path).catch(() => []);
  const listed = await readList(path);
  const tables = new Map<string, number | null>();
  for (const name of names.sort()) {
    const number = Number(TABLE.exec(name)?.[1] ?? NaN);
    if (Number.isNaN(number)) continue;
    if (listed === null) tables.set(name, null);
    else if (listed.has(number)) tables.set(name, listed.get(number)!);
  }
  return { database, tables };
}

/** Null when there is none, or when it is damaged. */
async function readList(path: string): Promise<Map<number, number> | null> {
  try {
    const name = (await readFile(join(path, 'CURRENT'), 'latin1')).trim();
    return /^MANIFEST-\d+$/.test(name) ? listedTables(await readFile(join(path, name))) : null;
  } catch {
    return null;
  }
}

/**
 * Checks tables, and marks what is damaged. Those that are gone meanwhile are not missed.
 * @throws CorruptionError when damage cannot be marked
 */
export async function checkTables(
  folder: string,
  { database, tables }: TableList,
  pace: CheckPace,
): Promise<TableDamage[]> {
  const damages: TableDamage[] = [];
  const reader = new FileReader();
  for (const [name, size] of tables) {
    if (pace.isOver()) break;
    const file = `${database}/${name}`;
    const path = join(databasePath(folder, database), name);
    let bytes: Buffer;
    try {
      bytes = await reader.read(path);
    } catch (error) {
      if (codesOf(error)[0] === 'ENOENT') continue;
      damages.push({ file, problem: `it cannot be read: ${messageOf(error)}`, isNew: false });
      continue;
    }
    const problems = await problemsOf(bytes);
    if (size !== null && size !== bytes.length) {
      problems.unshift({ text: `it has ${bytes.length} bytes, not ${size}`, mark: null });
    }
    if (problems.length > 0) damages.push(await markDamage(file, path, problems));
    await pace.checked(bytes.length);
  }
  return damages;
}

async function problemsOf(bytes: Buffer): Promise<TableProblem[]> {
  const problems: TableProblem[] = [];
  let began = performance.now();
  for (const problem of checkTable(bytes)) {
    if (problem !== null) problems.push(problem);
    if (performance.now() - began < SLICE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return problems;
}

async function markDamage(
  file: string,
  path: string,
  problems: readonly TableProblem[],
): Promise<TableDamage> {
  const marks = problems.flatMap(({ mark }) => (mark === null ? [] : [mark]));
  const problem = problems.map(({ text }) => text).join('; ');
  try {
    if (marks.length > 0) await writeMarks(path, marks);
  } catch (error) {
    throw new CorruptionError(
      `${file} is damaged: ${problem}; LevelDB cannot be kept from reading it: ${messageOf(error)}`,
      error,
    );
  }
  return { file, problem, isNew: marks.length > 0 };
}

async function writeMarks(path: string, marks: readonly TableMark[]): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    for (const { offset, byte } of marks) await handle.write(Buffer.of(byte), 0, 1, offset);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads files into one buffer, which is overwritten by the next one. */
class FileReader {
  private buffer = Buffer.alloc(0);

  async read(path: string): Promise<Buffer> {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      if (size > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(size);
      return this.buffer.subarray(0, await readFully(handle, this.buffer, size));
    } finally {
      await handle.close();
    }
  }
}

async function readFully(handle: FileHandle, buffer: Buffer, size: number): Promise<number> {
  let at = 0;
  while (at < size) {
    const { bytesRead } = await handle.read(buffer, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at;
}

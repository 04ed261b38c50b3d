// The files of a data folder's databases: which are damaged, and a copy of a database that can be opened and
// holds all that is whole. The copy is made of links to what is whole, because opening LevelDB itself
// rewrites files and drops damaged parts silently, and may end the process over a table that is cut short.

import { copyFile, link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databasePath } from '../data-dir';
import { messageOf } from '../error-cause';
import { CorruptionError, DiskFullError } from '../errors';
import type { DatabaseName } from '../key-value-database';
import { LevelDatabase } from '../level-database';
import { tableProblems } from '../level-files/table-blocks';
import { readTable, writeTable, type LostKeys } from './table-file';
import { readWriteAhead, writeWriteAhead } from './write-ahead-file';

const TABLE = /\.(ldb|sst)$/;
const WRITE_AHEAD = /\.log$/;
/** The lists of files have the form of write-ahead files. */
const LIST = /^MANIFEST-\d+$/;
const DATABASES: readonly DatabaseName[] = ['log', 'segments'];

/** What is damaged, by path below the data folder. */
export interface FileDamage {
  readonly tables: ReadonlySet<string>;
  readonly writeAhead: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
  /** One sentence each. */
  readonly problems: readonly string[];
}

/** Reads all tables and write-ahead files. @throws CorruptionError when a database is missing */
export async function checkFiles(
  folder: string,
  onProgress: (done: number, total: number) => void,
): Promise<FileDamage> {
  const tables = new Set<string>();
  const writeAhead = new Set<string>();
  const lists = new Set<string>();
  const files: {
    readonly label: string;
    readonly bytes: number;
    readonly damaged: Set<string>;
  }[] = [];
  for (const name of DATABASES) {
    const entries = await readdir(databasePath(folder, name)).catch(() => {
      throw new CorruptionError(`the ${name} database is missing`);
    });
    for (const entry of entries.sort()) {
      let damaged: Set<string>;
      if (TABLE.test(entry)) damaged = tables;
      else if (WRITE_AHEAD.test(entry)) damaged = writeAhead;
      else if (LIST.test(entry)) damaged = lists;
      else continue;
      const label = `${name}/${entry}`;
      files.push({ label, bytes: (await stat(join(folder, label))).size, damaged });
    }
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const problems: string[] = [];
  let done = 0;
  for (const { label, bytes, damaged } of files) {
    const content = await readFile(join(folder, label));
    const found =
      damaged === tables
        ? tableProblems(content).map(({ text }) => text)
        : readWriteAhead(content).problems;
    if (found.length > 0) damaged.add(label);
    for (const problem of found) problems.push(`file ${label}: ${problem}`);
    done += bytes;
    onProgress(done, total);
  }
  return { tables, writeAhead, lists, problems };
}

/** A database opened over a copy. */
export interface OpenedCopy {
  readonly database: LevelDatabase;
  /** Keys that its damaged tables held. */
  readonly lost: readonly LostKeys[];
  /** Why LevelDB could not open the files as they are, although tables and write-ahead files are whole. */
  readonly refusal: string | null;
}

/**
 * Opens a copy of a database.
 *
 * @param copy the folder to make it in
 * @param isListed whether LevelDB's list of files may be believed; else all files in the folder count
 * @throws DiskFullError; CorruptionError when even what is whole cannot be opened
 */
export async function openCopy(
  folder: string,
  name: DatabaseName,
  copy: string,
  damage: FileDamage,
  isListed: boolean,
): Promise<OpenedCopy> {
  const damaged = [...damage.tables, ...damage.writeAhead, ...damage.lists].some((label) =>
    label.startsWith(`${name}/`),
  );
  if (isListed && !damaged) {
    await linkFiles(databasePath(folder, name), copy);
    try {
      return { database: await LevelDatabase.open(name, copy, false), lost: [], refusal: null };
    } catch (error) {
      if (error instanceof DiskFullError) throw error;
      await rm(copy, { recursive: true });
      return { ...(await rebuildCopy(folder, name, copy, damage)), refusal: messageOf(error) };
    }
  }
  return { ...(await rebuildCopy(folder, name, copy, damage)), refusal: null };
}

/** Puts what is whole of damaged files in place of them, and lets LevelDB make its list of files anew. */
async function rebuildCopy(
  folder: string,
  name: DatabaseName,
  copy: string,
  damage: FileDamage,
): Promise<Pick<OpenedCopy, 'database' | 'lost'>> {
  const lost: LostKeys[] = [];
  const from = databasePath(folder, name);
  await linkFiles(from, copy, async (entry) => {
    if (entry === 'CURRENT' || LIST.test(entry)) return true;
    const label = `${name}/${entry}`;
    if (damage.tables.has(label)) {
      const table = readTable(await readFile(join(from, entry)));
      for (const keys of table.lost) lost.push(keys);
      if (table.entries.length > 0) await writeFile(join(copy, entry), writeTable(table.entries));
      return true;
    }
    if (!damage.writeAhead.has(label)) return false;
    const { batches } = readWriteAhead(await readFile(join(from, entry)));
    await writeFile(join(copy, entry), writeWriteAhead(batches));
    return true;
  });
  await LevelDatabase.rebuild(name, copy);
  return { database: await LevelDatabase.open(name, copy, false), lost };
}

/**
 * Tables are never changed in place, so a link is as good as a copy; all else is copied.
 *
 * @param replace whether a file is left out, because something else was put in its place
 */
async function linkFiles(
  from: string,
  to: string,
  replace: (entry: string) => Promise<boolean> = async () => false,
): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from)) {
    if (entry === 'LOCK' || (await replace(entry))) continue;
    const isLinked =
      TABLE.test(entry) &&
      (await link(join(from, entry), join(to, entry)).then(
        () => true,
        () => false,
      ));
    if (!isLinked) await copyFile(join(from, entry), join(to, entry));
  }
}

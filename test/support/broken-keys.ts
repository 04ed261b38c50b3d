// Damage to tables that LevelDB cannot stand: a key without its suffix ends the process in an assertion.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databasePath } from '../../storage/data-dir';
import type { DatabaseName } from '../../storage/key-value-database';
import {
  entriesOf,
  handlesOf,
  PLAIN,
  readBlock,
  readFooter,
  type Handle,
} from '../../storage/level-files/table-blocks';

/** Puts a block of the same size in the place of one, whose only key is too short. Its checksum is wrong. */
export function breakKey(file: Buffer, { offset, size }: Handle): void {
  const restarts = 8;
  // What a value leaves for itself depends on how many bytes say so.
  const lengthBytes = size - restarts - 4 < 128 ? 1 : size - restarts - 5 < 16_384 ? 2 : 3;
  let left = size - restarts - 3 - lengthBytes;
  const head = [0, 1];
  for (let i = 1; i < lengthBytes; i++, left = Math.floor(left / 128)) {
    head.push((left % 128) | 128);
  }
  head.push(left, 0x4b);
  file.fill(0, offset, offset + size);
  file.set(head, offset);
  file.writeUInt32LE(1, offset + size - 4);
  file[offset + size] = PLAIN;
}

/** The blocks of a table that hold entries, with their keys. */
export function blocksOf(file: Buffer): { readonly handle: Handle; readonly keys: Buffer[] }[] {
  return handlesOf(readBlock(file, readFooter(file).index)).map(([, handle]) => ({
    handle,
    keys: entriesOf(readBlock(file, handle)).map(([key]) => key),
  }));
}

/**
 * Breaks blocks in the tables of a database.
 * @param isWanted chooses by a key of the block, whose last 8 bytes are LevelDB's
 * @returns the names of the files below the data folder
 */
export async function breakKeys(
  folder: string,
  name: DatabaseName,
  isWanted: (key: Buffer) => boolean,
): Promise<string[]> {
  return changeTables(folder, name, (file) => {
    const wanted = blocksOf(file).filter(({ keys }) => keys.some(isWanted));
    for (const { handle } of wanted) breakKey(file, handle);
    return wanted.length > 0;
  });
}

/** Breaks the index blocks of all tables of a database. @returns as {@link breakKeys} */
export async function breakIndices(folder: string, name: DatabaseName): Promise<string[]> {
  return changeTables(folder, name, (file) => {
    breakKey(file, readFooter(file).index);
    return true;
  });
}

async function changeTables(
  folder: string,
  name: DatabaseName,
  change: (file: Buffer) => boolean,
): Promise<string[]> {
  const path = databasePath(folder, name);
  const changed: string[] = [];
  for (const entry of (await readdir(path)).filter((file) => file.endsWith('.ldb'))) {
    const file = await readFile(join(path, entry));
    if (!change(file)) continue;
    await writeFile(join(path, entry), file);
    changed.push(`${name}/${entry}`);
  }
  return changed;
}

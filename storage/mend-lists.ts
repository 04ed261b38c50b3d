// LevelDB's lists of files (MANIFEST) after a power cut. LevelDB syncs each change of a list before it
// relies on it, and only then deletes the files that the change makes unnecessary. What a power cut leaves
// of a change that was being written can be anything; LevelDB takes a change that is cut short for one that
// was never made, but refuses to open a database over one that is garbage. So that is cut off, where the
// files show that nothing came after it.

import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { databasePath } from './data-dir';
import { translateFileError } from './level-database';
import { withoutLastChange, type CutList } from './level-files/file-list';

const TABLE = /^(\d+)\.(?:ldb|sst)$/;
const WRITE_AHEAD = /^(\d+)\.log$/;

/**
 * Cuts garbage off the ends of the lists of files of a data folder that nobody has open. Lists that are
 * damaged in another way stay as they are.
 * @throws DiskFullError, InputOutputError, DataFolderError
 */
export async function mendLists(
  folder: string,
  onWarning: (message: string) => void,
): Promise<void> {
  for (const name of ['log', 'segments'] as const) {
    const path = databasePath(folder, name);
    try {
      const current = (await readFile(join(path, 'CURRENT'), 'latin1').catch(() => '')).trim();
      if (!/^MANIFEST-\d+$/.test(current)) continue;
      const file = join(path, current);
      const list = await readFile(file).catch(() => null);
      const cut = list === null ? null : cutOf(list);
      if (list === null || cut === null || !(await isComplete(path, cut))) continue;
      const handle = await open(file, 'r+');
      try {
        await handle.truncate(cut.bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      const bytes = list.length - cut.bytes;
      onWarning(
        `${name}/${current}: ${bytes} bytes of a change that was not written to its end are cut off`,
      );
    } catch (error) {
      throw translateFileError(error, `cannot mend the list of files of the ${name} database`);
    }
  }
}

function cutOf(list: Buffer): CutList | null {
  try {
    return withoutLastChange(list);
  } catch {
    // It has something that this release does not know.
    return null;
  }
}

/** Whether all files are there that the list names, so that no change has come after it. */
async function isComplete(path: string, { tables, oldestLog }: CutList): Promise<boolean> {
  const names = await readdir(path);
  const numbers = (form: RegExp): Set<number> =>
    new Set(names.map((name) => Number(form.exec(name)?.[1] ?? NaN)));
  const found = numbers(TABLE);
  return (
    [...tables.keys()].every((table) => found.has(table)) && numbers(WRITE_AHEAD).has(oldestLog)
  );
}

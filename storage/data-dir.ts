// The data folder: who may use it, whether it is new, and the one path all threads open it by.
//
// A folder is new only if it has no stamp and is empty. Anything else without a stamp is refused: it is
// either somebody else's or one of ours that lost its stamp, and creating a database in it could delete
// what is there.

import { mkdir, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codesOf } from './error-cause';
import { CorruptionError, DataFolderError, LockedError, UnsafeFolderError } from './errors';
import { databaseInUse } from './file-holder';
import { translateFileError } from './level-database';
import { readStamp, STAMP_FILE, STAMP_TEMPORARY_FILE, syncFolder, type Stamp } from './stamp';

/** There while the databases are being opened. */
const OPENING_FILE = 'opening';

/**
 * What an empty folder may contain: the mount point of a fresh volume, and stamps that were never finished.
 */
function isNothing(name: string): boolean {
  return name === 'lost+found' || name.startsWith(STAMP_TEMPORARY_FILE);
}

/**
 * Folders that are open in this process. Opening LevelDB a second time in one process fails and drops
 * the lock of the first, so that another process could come in; it must not be tried.
 */
const OPEN_FOLDERS = new Set<string>();

/** A claimed data folder. */
export interface DataDir {
  /** The real path; every thread opens the databases by it. */
  readonly path: string;
  /** Null for a new folder, and for one whose stamp is lost or damaged when that was allowed. */
  readonly stamp: Stamp | null;
  /** The folder holds databases although it has no usable stamp. */
  readonly stampLost: boolean;
}

/** How to claim a folder. */
interface ClaimOptions {
  /** Go on when databases are there but the stamp is missing or damaged. */
  readonly acceptLostStamp: boolean;
  /** Told about things that are unsafe but do not stop the start. */
  readonly onWarning: (message: string) => void;
}

/** The folder of one of the two databases. */
export function databasePath(folder: string, name: 'log' | 'segments'): string {
  return join(folder, name);
}

/**
 * Creates the folder if needed (mode 0700), claims it for this process and reads its stamp. The claim
 * holds until `releaseDataDir`.
 * @throws LockedError when this process has it open; DataFolderError when it is not ours or not usable;
 *         UnsafeFolderError when every user may write in it;
 *         CorruptionError when the stamp is damaged; FormatVersionError.
 */
export async function claimDataDir(path: string, options: ClaimOptions): Promise<DataDir> {
  const folder = await makeFolder(path);
  if (OPEN_FOLDERS.has(folder))
    throw new LockedError(`the data folder ${folder} is already open in this process`);
  OPEN_FOLDERS.add(folder);
  try {
    await checkPermissions(folder, options.onWarning);
    return await inspect(folder, options);
  } catch (error) {
    OPEN_FOLDERS.delete(folder);
    throw error;
  }
}

/**
 * Notes that the databases are being opened, over which LevelDB may end the process: the stamp says so only
 * when they are open. Power cuts do not matter here, so that nothing is synced.
 * @returns whether an earlier process noted it and did not get to its end
 */
export async function noteOpening(folder: string): Promise<boolean> {
  try {
    await (await open(join(folder, OPENING_FILE), 'wx', 0o600)).close();
    return false;
  } catch (error) {
    // On a full disk there is no room for it.
    return codesOf(error)[0] === 'EEXIST';
  }
}

/** Ends {@link noteOpening}, whether or not they could be opened. */
export async function forgetOpening(folder: string): Promise<void> {
  await rm(join(folder, OPENING_FILE), { force: true }).catch(() => undefined);
}

/** Ends a claim. */
export function releaseDataDir(path: string): void {
  OPEN_FOLDERS.delete(path);
}

/** @throws LockedError when a process holds the lock of a database; known on Linux only. */
export async function assertUnused(folder: string): Promise<void> {
  const name = await lockedDatabase(folder);
  if (name === null) return;
  throw databaseInUse(databasePath(folder, name));
}

/** Whether a process holds the lock of a database; known on Linux only. */
export async function isInUse(folder: string): Promise<boolean> {
  return (await lockedDatabase(folder)) !== null;
}

async function lockedDatabase(folder: string): Promise<'log' | 'segments' | null> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '');
  for (const name of ['log', 'segments'] as const) {
    const file = await stat(join(databasePath(folder, name), 'LOCK')).catch(() => null);
    if (file !== null && new RegExp(`:${file.ino} `).test(locks)) return name;
  }
  return null;
}

async function makeFolder(path: string): Promise<string> {
  try {
    const created = await mkdir(path, { recursive: true, mode: 0o700 });
    const folder = await realpath(path);
    if (created !== undefined) await syncFolder(dirname(folder));
    if (!(await stat(folder)).isDirectory()) throw new DataFolderError(`${folder} is not a folder`);
    return folder;
  } catch (error) {
    throw translateFileError(error, `cannot use the data folder ${path}`);
  }
}

async function checkPermissions(
  folder: string,
  onWarning: (message: string) => void,
): Promise<void> {
  // There are no such bits on Windows.
  if (process.getuid === undefined) return;
  const mode = (await stat(folder)).mode & 0o777;
  if ((mode & 0o002) !== 0) throw new UnsafeFolderError(folder);
  if ((mode & 0o077) !== 0) {
    onWarning(
      `the data folder ${folder} has mode ${mode.toString(8)}: others can enter it, 700 is recommended`,
    );
  }
}

async function inspect(folder: string, options: ClaimOptions): Promise<DataDir> {
  let stamp: Stamp | undefined;
  let damage: CorruptionError | undefined;
  try {
    stamp = await readStamp(folder);
  } catch (error) {
    if (!(error instanceof CorruptionError)) throw error;
    damage = error;
  }
  if (stamp !== undefined) return { path: folder, stamp, stampLost: false };

  const names = await readdir(folder).catch((error: unknown) => {
    throw translateFileError(error, `cannot list the data folder ${folder}`);
  });
  if (names.every(isNothing)) return { path: folder, stamp: null, stampLost: false };
  const ours = names.includes('log') && names.includes('segments');
  if (ours && options.acceptLostStamp) {
    options.onWarning(
      `${STAMP_FILE} is ${damage === undefined ? 'missing' : 'damaged'} and is made anew`,
    );
    return { path: folder, stamp: null, stampLost: true };
  }
  if (damage !== undefined) throw damage;
  throw new DataFolderError(
    ours
      ? `the data folder ${folder} has lost its ${STAMP_FILE}: restore it, or start once with the setting node.accept_data_loss`
      : `the folder ${folder} is not empty and is not a data folder of facetd (it has no ${STAMP_FILE})`,
  );
}

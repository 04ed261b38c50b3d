// Opening the two databases of a data folder, each of which says whose it is.

import { databasePath } from './data-dir';
import { messageOf } from './error-cause';
import { CorruptionError, DataFolderError, SegmentDamageError } from './errors';
import type { DatabaseName, KeyValueDatabase, WriteOperation } from './key-value-database';
import { IDENTITY_KEY } from './keys';
import { LevelDatabase } from './level-database';
import { setSegmentsAside } from './set-aside';
import { readStamp, syncFolder } from './stamp';
import { decodeIdentity, encodeIdentity } from './values';

/** What opening a database needs. */
export interface DatabaseOptions {
  /** The real path of the data folder. */
  readonly folder: string;
  readonly wrap: (database: KeyValueDatabase) => KeyValueDatabase;
  readonly onWarning: (message: string) => void;
}

/**
 * Opens a database.
 * @param create there is none yet, or one that was not completed
 * @throws CorruptionError, and what opening throws
 */
export async function openDatabase(
  options: DatabaseOptions,
  name: DatabaseName,
  create: boolean,
): Promise<KeyValueDatabase> {
  const path = databasePath(options.folder, name);
  try {
    return options.wrap(await LevelDatabase.open(name, path, create));
  } catch (error) {
    if (!create || !(error instanceof CorruptionError)) throw error;
    // LevelDB does not sync all of a new database, and a power cut leaves one that it refuses. While the
    // stamp says so, nothing was ever acknowledged.
    if ((await readStamp(options.folder))?.state !== 'creating') throw error;
    options.onWarning(`the ${name} database was not completed, and is made again`);
    await LevelDatabase.destroy(name, path);
    return options.wrap(await LevelDatabase.open(name, path, true));
  }
}

/**
 * Opens `segments`, or makes an empty one in the place of a damaged one.
 * @param known see {@link Session.open}
 */
export async function openSegments(
  options: DatabaseOptions,
  nodeId: string,
  known: SegmentDamageError | null,
): Promise<{ readonly segments: KeyValueDatabase; readonly lost: SegmentDamageError | null }> {
  const { folder, onWarning } = options;
  try {
    if (known !== null) throw known;
    return { segments: await openWholeSegments(options, nodeId), lost: null };
  } catch (error) {
    if (!(error instanceof SegmentDamageError)) throw error;
    const kept = await setSegmentsAside(folder, onWarning);
    onWarning(
      `the segments database is damaged and is built again from the document log${kept === null ? '' : `; the damaged one is in ${kept}`}: ${messageOf(error)}`,
    );
    const segments = await openDatabase(options, 'segments', true);
    try {
      await segments.batch([identityOperation(nodeId)]);
      await syncFolder(databasePath(folder, 'segments'));
      await syncFolder(folder);
    } catch (failure) {
      await closeQuietly([segments], onWarning);
      throw failure;
    }
    return { segments, lost: error };
  }
}

/** @throws SegmentDamageError when it is damaged, as far as that shows here */
async function openWholeSegments(
  options: DatabaseOptions,
  nodeId: string,
): Promise<KeyValueDatabase> {
  const segments = await openDatabase(options, 'segments', false);
  try {
    if (readIdentity(segments, nodeId) === null) {
      // Its blocks may be damaged as well; they are checked one by one and can be built again.
      options.onWarning('the segments database has lost its node identity, which is written again');
      await segments.batch([identityOperation(nodeId)]);
    }
    return segments;
  } catch (error) {
    await closeQuietly([segments], options.onWarning);
    const isDamage = error instanceof CorruptionError && !(error instanceof SegmentDamageError);
    throw isDamage ? new SegmentDamageError(error.message, error) : error;
  }
}

/** Closes the last opened first. */
export async function closeQuietly(
  databases: readonly KeyValueDatabase[],
  onWarning: (message: string) => void,
): Promise<void> {
  for (const database of [...databases].reverse()) {
    try {
      await database.close();
    } catch (error) {
      onWarning(`the ${database.name} database did not close: ${messageOf(error)}`);
    }
  }
}

/** Says whose database it is. */
export function identityOperation(nodeId: string): WriteOperation {
  return { type: 'put', key: IDENTITY_KEY, value: encodeIdentity(IDENTITY_KEY, nodeId) };
}

/**
 * The node id in a database, or null when it has none.
 * @param expected null when the stamp is lost.
 * @throws DataFolderError when it is another node's.
 */
export function readIdentity(database: KeyValueDatabase, expected: string | null): string | null {
  const value = database.get(IDENTITY_KEY);
  if (value === undefined) return null;
  const nodeId = decodeIdentity(IDENTITY_KEY, value);
  if (expected !== null && nodeId !== expected) {
    throw new DataFolderError(
      `the ${database.name} database is of node ${nodeId}, the data folder of node ${expected}: folders of two nodes were mixed`,
    );
  }
  return nodeId;
}

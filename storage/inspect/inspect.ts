// Looking through a whole data folder without changing it: every file, every value, and whether what is
// referred to is there. The databases are opened as copies, which hold what is whole of damaged files.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isIncomplete, readBatchNumbers, type BatchNumbers } from '../batch-numbers';
import { assertUnused, databasePath } from '../data-dir';
import { CorruptionError, DataFolderError } from '../errors';
import type { DatabaseName, KeyValueDatabase } from '../key-value-database';
import { KeyPrefix } from '../keys';
import { readStamp, STAMP_FILE, type Stamp } from '../stamp';
import { checkFiles, openCopy, type FileDamage, type OpenedCopy } from './files';
import type { Inspection, OnProgress, OpenedCopies } from './inspection';
import { describeLost, mayHoldAny } from './lost-keys';
import { ValueReading } from './value-reading';

/**
 * Reads everything in a data folder that no process uses. When files are damaged it needs as much free space
 * as their database takes.
 * @param use is called with the opened databases when all was read, before they are closed.
 * @throws LockedError when a server runs over it; DataFolderError; FormatVersionError; DiskFullError;
 *         CorruptionError when a database is not there at all.
 */
export async function inspectFolder(
  folder: string,
  onProgress: OnProgress,
  use: (inspection: Inspection, databases: OpenedCopies) => Promise<void> = async () => undefined,
): Promise<Inspection> {
  const problems: string[] = [];
  const stamp = await readStampOf(folder, problems);
  await assertUnused(folder);
  const inspection: Inspection = {
    stamp,
    nodeId: stamp?.nodeId ?? '',
    problems,
    lost: [],
    leftovers: [],
    lostKeys: [],
    metadata: new Map(),
    isMetadataDamaged: false,
    commits: new Map(),
    damagedShards: new Set(),
    renewedUids: new Map(),
    isLogIncomplete: false,
    lastBatch: 0,
    documents: 0,
    values: 0,
  };
  const damage = await checkFiles(folder, (done, total) => onProgress('files', done, total));
  for (const problem of damage.problems) problems.push(problem);
  const copies = await mkdtemp(join(folder, '.inspect-'));
  const databases = new Map<DatabaseName, KeyValueDatabase>();
  try {
    databases.set('log', await openLog(folder, copies, damage, inspection));
    const segments = await openCopy(folder, 'segments', join(copies, 'segments'), damage, true);
    databases.set('segments', segments.database);
    noteRefusal(inspection, 'segments', segments);
    await new ValueReading(inspection, databases, onProgress).run();
    await use(inspection, databases);
    return inspection;
  } finally {
    for (const database of databases.values()) await database.close();
    await rm(copies, { recursive: true, force: true });
  }
}

/** Null, and a problem, when it is damaged, or missing in a folder that has our databases. */
async function readStampOf(folder: string, problems: string[]): Promise<Stamp | null> {
  try {
    const stamp = await readStamp(folder);
    if (stamp !== undefined) return stamp;
  } catch (error) {
    if (!(error instanceof CorruptionError)) throw error;
    problems.push(error.message);
    return null;
  }
  const isOurs = await stat(join(databasePath(folder, 'log'), 'CURRENT')).catch(() => null);
  if (isOurs === null) throw new DataFolderError(`${folder} is not a data folder of facetd`);
  problems.push(`${STAMP_FILE} is missing`);
  return null;
}

/**
 * Opens the log. Where batches are missing although nothing seems damaged, LevelDB's list of files may be an
 * older one, and the batches in files that it does not name.
 */
async function openLog(
  folder: string,
  copies: string,
  damage: FileDamage,
  inspection: Inspection,
): Promise<KeyValueDatabase> {
  let log = await openCopy(folder, 'log', join(copies, 'log'), damage, true);
  let numbers = await readNumbers(log.database, inspection);
  const mayBeOld = log.lost.length === 0 && log.refusal === null && damage.writeAhead.size === 0;
  if (mayBeOld && (numbers === null || isIncomplete(numbers))) {
    const all = await openCopy(folder, 'log', join(copies, 'log-all'), damage, false);
    const more = await readNumbers(all.database, inspection);
    if (more !== null && !isIncomplete(more)) {
      await log.database.close();
      [log, numbers] = [{ ...all, refusal: 'it does not name all files' }, more];
    } else await all.database.close();
  }
  noteRefusal(inspection, 'log', log);
  const { problems, lostKeys } = inspection;
  for (const lost of log.lost) {
    lostKeys.push(lost);
    problems.push(`log: ${describeLost(lost)}`);
  }
  // A table that is gone may have held anything.
  const isGone = log.refusal?.includes('missing files') === true;
  if (isGone || log.lost.some((lost) => mayHoldAny(lost, KeyPrefix.metadata))) {
    inspection.isMetadataDamaged = true;
    problems.push('log: cluster metadata may be lost');
  }
  inspection.lastBatch = numbers?.last ?? 0;
  inspection.isLogIncomplete =
    numbers === null ||
    isIncomplete(numbers) ||
    [...damage.writeAhead].some((label) => label.startsWith('log/'));
  if (numbers === null) problems.push('log: batch numbers cannot be read');
  else if (isIncomplete(numbers)) {
    const runs = numbers.missing.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
    const text = `acknowledged batches are missing: ${runs.join(', ') || 'all numbers'}`;
    problems.push(`log: ${text}`);
    // Unless it is only their numbers that are lost.
    if (!log.lost.some((lost) => mayHoldAny(lost, KeyPrefix.batchNumber)))
      inspection.lost.push(text);
  }
  return log.database;
}

async function readNumbers(
  log: KeyValueDatabase,
  { stamp }: Inspection,
): Promise<BatchNumbers | null> {
  try {
    return await readBatchNumbers(log, stamp?.batch ?? 0);
  } catch {
    return null;
  }
}

function noteRefusal({ problems }: Inspection, name: DatabaseName, { refusal }: OpenedCopy): void {
  if (refusal !== null) problems.push(`${name}: the list of files is damaged: ${refusal}`);
}

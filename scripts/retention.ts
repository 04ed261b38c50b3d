// Which backups are kept.

import type { ListedSnapshot } from './snapshot-client';

/** What the names of backups begin with; other snapshots of the repository are left alone. */
const BACKUP_PREFIX = 'backup-';

const DAY_MS = 86_400_000;

/** The name of a backup that begins at a time: `backup-2014.03.01-12.30.00`, in UTC. */
export function backupName(now: Date): string {
  const [day, time] = now.toISOString().slice(0, 19).split('T');
  return `${BACKUP_PREFIX}${day!.replaceAll('-', '.')}-${time!.replaceAll(':', '.')}`;
}

/**
 * Backups that neither rule keeps. The newest complete one is kept in any case.
 *
 * @param snapshots the oldest first
 * @param keep so many of the newest; undefined: no such rule
 * @param keepDays those that are at most so old; undefined: no such rule
 */
export function outdated(
  snapshots: readonly ListedSnapshot[],
  rules: { readonly keep: number | undefined; readonly keepDays: number | undefined },
  now: number,
): readonly string[] {
  const { keep, keepDays } = rules;
  if (keep === undefined && keepDays === undefined) return [];
  const backups = snapshots.filter(({ snapshot }) => snapshot.startsWith(BACKUP_PREFIX));
  const newest = backups.findLast(({ state }) => state === 'SUCCESS');
  const oldestKept = keepDays === undefined ? Infinity : now - keepDays * DAY_MS;
  const firstKept = keep === undefined ? Infinity : backups.length - keep;
  return backups
    .filter((one, i) => one !== newest && i < firstKept && one.start_time_in_millis < oldestKept)
    .map(({ snapshot }) => snapshot);
}

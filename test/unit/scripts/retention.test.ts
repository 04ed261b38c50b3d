import { backupName, outdated } from '../../../scripts/retention';
import type { ListedSnapshot } from '../../../scripts/snapshot-client';

const DAY = 86_400_000;
const NOW = Date.UTC(2014, 2, 10, 12);

function backup(day: number, state = 'SUCCESS', snapshot = `backup-${day}`): ListedSnapshot {
  const start = NOW - day * DAY;
  return {
    snapshot,
    state,
    indices: [],
    start_time: new Date(start).toISOString(),
    start_time_in_millis: start,
  };
}

function drop(
  snapshots: readonly ListedSnapshot[],
  keep: number | undefined,
  keepDays: number | undefined,
): readonly string[] {
  return outdated(snapshots, { keep, keepDays }, NOW);
}

test('a backup is named by its time', () => {
  expect(backupName(new Date(NOW + 61_000))).toBe('backup-2014.03.10-12.01.01');
});

test('without a rule nothing is deleted', () => {
  expect(drop([backup(400), backup(1)], undefined, undefined)).toEqual([]);
});

test('the newest are kept by number, by age, or by either', () => {
  const all = [backup(30), backup(9), backup(5), backup(1)];
  expect(drop(all, 2, undefined)).toEqual(['backup-30', 'backup-9']);
  expect(drop(all, undefined, 7)).toEqual(['backup-30', 'backup-9']);
  expect(drop(all, 1, 7)).toEqual(['backup-30', 'backup-9']);
  expect(drop(all, 3, 7)).toEqual(['backup-30']);
});

test('the newest complete backup and the snapshots of others are left alone', () => {
  const all = [backup(50, 'SUCCESS', 'mine'), backup(40), backup(30), backup(20, 'PARTIAL')];
  expect(drop(all, undefined, 7)).toEqual(['backup-40', 'backup-20']);
  expect(drop(all, 1, undefined)).toEqual(['backup-40']);
});

import { checkReadVersion, nextVersion } from '../../../../engine/documents/versions';
import type { UidEntry } from '../../../../storage/types';
import { errorOf } from '../metadata/support';
import type { VersionType } from '../../../../engine/api/documents';

const SUBJECT = { index: 'i', shard: 2, type: 't', id: '1' };

function at(version: number, deleted = false): UidEntry {
  return { sequence: 1, version, deleted, deletedAt: 0 };
}

function conflict(current: number, provided: number): string {
  return (
    '409 VersionConflictEngineException[[i][2] [t][1]: version conflict, ' +
    `current [${current}], provided [${provided}]]`
  );
}

/** The new version, or the error. */
function next(entry: UidEntry | undefined, type: VersionType, version?: number): number | string {
  let result = 0;
  const attempt = () => {
    result = nextVersion(entry, version, type, SUBJECT);
  };
  try {
    attempt();
    return result;
  } catch {
    return errorOf(attempt);
  }
}

test('internal versions count up from 1; a given one must be the current one', () => {
  expect(next(undefined, 'internal')).toBe(1);
  expect(next(at(7), 'internal')).toBe(8);
  expect(next(at(7), 'internal', 7)).toBe(8);
  expect(next(at(7), 'internal', 6)).toBe(conflict(7, 6));
  expect(next(undefined, 'internal', 1)).toBe(conflict(-1, 1));
});

test('0 stands for no version', () => {
  expect(next(at(7), 'internal', 0)).toBe(8);
  expect(next(undefined, 'internal', 0)).toBe(1);
});

test('a tombstone counts like a live version', () => {
  expect(next(at(3, true), 'internal')).toBe(4);
  expect(next(at(3, true), 'internal', 3)).toBe(4);
  expect(next(at(3, true), 'external', 3)).toBe(conflict(3, 3));
});

test('external versions must grow, external_gte must not shrink, force does as it likes', () => {
  expect(next(undefined, 'external', 0)).toBe(0);
  expect(next(at(5), 'external', 6)).toBe(6);
  expect(next(at(5), 'external', 5)).toBe(conflict(5, 5));
  expect(next(at(5), 'external_gte', 5)).toBe(5);
  expect(next(at(5), 'external_gte', 4)).toBe(conflict(5, 4));
  expect(next(at(5), 'force', 2)).toBe(2);
});

test('a reader may ask for exactly the current version', () => {
  const read = (version: number | undefined, type: VersionType) => () =>
    checkReadVersion(5, version, type, SUBJECT);
  for (const ok of [read(undefined, 'internal'), read(5, 'internal'), read(0, 'internal')]) {
    expect(ok).not.toThrow();
  }
  expect(read(9, 'force')).not.toThrow();
  expect(errorOf(read(4, 'internal'))).toBe(conflict(5, 4));
  expect(errorOf(read(6, 'external_gte'))).toBe(conflict(5, 6));
  expect(errorOf(read(0, 'external'))).toBe(conflict(5, 0));
});

// Optimistic concurrency: which writes an id's current version lets through (reference server).
//
// A deleted id keeps its version as a tombstone for a while, and writes are checked against it like
// against a live one; without a tombstone the id counts as never written.

import { EngineError } from '../errors';
import type { UidEntry } from '../../storage/index';
import type { VersionType } from '../api/index';

/** What the reference prints as the current version of an id that does not exist. */
const NOT_FOUND = -1;

/** The document a version conflict talks about. */
export interface VersionSubject {
  readonly index: string;
  readonly shard: number;
  readonly type: string;
  readonly id: string;
}

function describe({ index, shard, type, id }: VersionSubject): string {
  return `[${index}][${shard}] [${type}][${id}]`;
}

/** 409 with the reference's text. */
export function versionConflict(
  subject: VersionSubject,
  current: number,
  provided: number,
): EngineError {
  return new EngineError(
    'VersionConflictEngineException',
    `${describe(subject)}: version conflict, current [${current}], provided [${provided}]`,
  );
}

/** 409 for a create of an existing document. */
export function alreadyExists(subject: VersionSubject): EngineError {
  return new EngineError(
    'DocumentAlreadyExistsException',
    `${describe(subject)}: document already exists`,
  );
}

/** Whether a write failed over the version that is stored: on another try it may pass. */
export function isVersionConflict(error: unknown): boolean {
  return (
    error instanceof EngineError &&
    (error.wireName === 'VersionConflictEngineException' ||
      error.wireName === 'DocumentAlreadyExistsException')
  );
}

/**
 * The version a write gets, given what is stored under its id.
 * @throws EngineError (409) when the versions conflict.
 */
export function nextVersion(
  entry: Pick<UidEntry, 'version'> | undefined,
  version: number | undefined,
  type: VersionType,
  subject: VersionSubject,
): number {
  const current = entry?.version ?? NOT_FOUND;
  switch (type) {
    case 'internal':
      // 0 stands for "no version given", as on the reference.
      if (version !== undefined && version !== 0 && version !== current) {
        throw versionConflict(subject, current, version);
      }
      return current === NOT_FOUND ? 1 : current + 1;
    case 'external':
      if (current !== NOT_FOUND && version! <= current)
        throw versionConflict(subject, current, version!);
      return version!;
    case 'external_gte':
      if (current !== NOT_FOUND && version! < current)
        throw versionConflict(subject, current, version!);
      return version!;
    case 'force':
      return version!;
  }
}

/**
 * Checks the version a reader asked for against the live document's.
 * @throws EngineError (409) unless they are equal; `force` never conflicts.
 */
export function checkReadVersion(
  current: number,
  version: number | undefined,
  type: VersionType,
  subject: VersionSubject,
): void {
  if (version === undefined || type === 'force' || (type === 'internal' && version === 0)) return;
  if (version !== current) throw versionConflict(subject, current, version);
}

// Names of snapshots, and the errors that name one (reference server). No name ever becomes part of a path.

import { EngineError, type ErrorName } from '../errors';

const INVALID_CHARACTERS = /[\\/*?"<>| ,]/;

/**
 * @param repository of the snapshot, for the message
 * @throws EngineError InvalidSnapshotNameException
 */
export function validateSnapshotName(repository: string, name: string): void {
  const reason = invalidSnapshotName(name);
  if (reason !== null) throw invalidName(repository, name, reason);
}

function invalidSnapshotName(name: string): string | null {
  if (name === '') return 'cannot be empty';
  if (/\s/.test(name)) return 'must not contain whitespace';
  if (name.includes(',')) return "must not contain ','";
  if (name.includes('#')) return "must not contain '#'";
  if (name.startsWith('_')) return "must not start with '_'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  return INVALID_CHARACTERS.test(name)
    ? 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'
    : null;
}

/** 400: a name that cannot be given to a snapshot. */
export function invalidName(repository: string, name: string, reason: string): EngineError {
  return snapshotError(
    'InvalidSnapshotNameException',
    repository,
    name,
    `Invalid snapshot name [${name}], ${reason}`,
  );
}

/** 404: no such snapshot. */
export function snapshotMissing(repository: string, name: string): EngineError {
  const cause = new EngineError(
    'FileNotFoundException',
    `snapshot-${name} (No such file or directory)`,
  );
  return snapshotError('SnapshotMissingException', repository, name, 'is missing', cause);
}

/** 404: no such repository. */
export function repositoryMissing(name: string): EngineError {
  return new EngineError('RepositoryMissingException', `[${name}] missing`);
}

/** 503: snapshots of a node are made and deleted one at a time. */
export function concurrentExecution(repository: string, name: string, reason: string): EngineError {
  return snapshotError('ConcurrentSnapshotExecutionException', repository, name, reason);
}

/** An error about one snapshot: `[repository:name] reason`. */
export function snapshotError(
  wireName: ErrorName,
  repository: string,
  name: string,
  reason: string,
  cause?: unknown,
): EngineError {
  return new EngineError(wireName, `[${repository}:${name}] ${reason}`, { cause });
}

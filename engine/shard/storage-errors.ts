// What a failing disk looks like to a client: the one place where storage errors become engine errors.

import {
  CorruptionError,
  DataLossError,
  DiskFullError,
  SegmentDamageError,
  StorageError,
  StorageFailure,
} from '../../storage/index';
import { EngineError } from '../errors';
import { SegmentFormatError } from '../segment/index';

/** Damage to segments, which can be built again from the document log. Plain data. */
export interface SegmentDamage {
  /** Null: not known. */
  readonly segment: number | null;
  readonly reason: string;
}

/** How many causes of an error are looked at. */
const MAX_CAUSES = 8;

/** What an error, or one that it was caused by, says of damaged segments; null: nothing. */
export function segmentDamageOf(error: unknown): SegmentDamage | null {
  let at = error;
  for (let i = 0; i < MAX_CAUSES && at instanceof Error; i++) {
    // A batch that failed concerns the whole database, which is dealt with when storage is reopened.
    if (at instanceof StorageFailure) return null;
    if (at instanceof SegmentDamageError) return { segment: at.segment, reason: at.message };
    if (at instanceof SegmentFormatError) return { segment: at.segmentId, reason: at.message };
    at = at.cause;
  }
  return null;
}

/** What a client is told about stored bytes that are damaged, or null when `error` is something else. */
export function describeDamage(error: unknown): EngineError | null {
  if (error instanceof EngineError && error.wireName === 'CorruptIndexException') return error;
  const isDamage = error instanceof CorruptionError || error instanceof SegmentFormatError;
  return isDamage ? new EngineError('CorruptIndexException', `${error.message}, run verify`) : null;
}

/**
 * Translates an error of storage or of stored bytes into one that carries a wire name and status; anything
 * else is returned as it is. Nothing in the text names a file or folder.
 */
export function translateStorageError(error: unknown): unknown {
  const damage = describeDamage(error);
  if (damage !== null) return damage;
  if (!(error instanceof StorageError)) return error;
  const diskFull =
    error instanceof DiskFullError ||
    (error instanceof StorageFailure && error.cause instanceof DiskFullError);
  if (diskFull) {
    return new EngineError(
      'ClusterBlockException',
      'blocked by: [SERVICE_UNAVAILABLE/100/disk full, writes refused];',
      { status: 503 },
    );
  }
  const needed = operatorNeeded(error);
  if (needed !== null) return new EngineError('StorageFailureException', needed);
  return new EngineError(
    'StorageFailureException',
    'storage is not available at the moment, nothing was written or the outcome is unknown; try again',
  );
}

/** What is wrong and what to do, where waiting does not help; null: it does. */
function operatorNeeded(error: StorageError): string | null {
  if (error instanceof DataLossError) return error.message;
  if (!(error instanceof StorageFailure) || !(error.cause instanceof CorruptionError)) return null;
  // The segments are built again.
  if (error.cause instanceof SegmentDamageError) return null;
  return `writes are refused, because stored data is damaged: ${error.cause.message}, run verify`;
}

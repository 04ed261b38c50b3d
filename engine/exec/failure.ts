// Exceptions as plain data, so that they may cross a thread boundary.

import { EngineError } from '../errors';
import { translateStorageError } from '../storage-errors';
import type { JobFailure } from './executor';

/**
 * What a client is told about a failure of one shard: known errors, and storage errors such as a damaged
 * block. Null for anything else, which is a defect and must surface as one.
 */
export function describeFailure(error: unknown): JobFailure | null {
  const known = translateStorageError(error);
  return known instanceof EngineError
    ? { status: known.status, reason: known.toWireString() }
    : null;
}

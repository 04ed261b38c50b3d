// Exceptions as plain data, so that they may cross a thread boundary.

import { EngineError } from '../../errors';
import { segmentDamageOf, translateStorageError, type SegmentDamage } from '../../shard/index';

/**
 * What a client is told about a failure of one shard: known errors, and storage errors such as a damaged
 * block. Null for anything else, which is a defect and must surface as one.
 */
export function describeFailure(error: unknown): JobFailure | null {
  const known = translateStorageError(error);
  if (!(known instanceof EngineError)) return null;
  const failure = { status: known.status, reason: known.toWireString() };
  const damage = segmentDamageOf(error);
  return damage === null ? failure : { ...failure, damage };
}

/** Why a job failed, as plain data: status and text are what a client is told. */
export interface JobFailure {
  readonly status: number;
  /** `Name[message]`, or a chain ending in `; `. */
  readonly reason: string;
  /** Set when it failed over damaged segments. */
  readonly damage?: SegmentDamage;
}

// Exceptions as plain data, so that they may cross a thread boundary.

import { RunFailure } from '../../aggregations/index';
import { EngineError } from '../../errors';
import { segmentDamageOf, translateStorageError, type SegmentDamage } from '../../shard/index';

/**
 * What a client is told about a failure of one shard: known errors, and storage errors such as a damaged
 * block. Null for anything else, which is a defect and must surface as one.
 */
export function describeFailure(error: unknown): JobFailure | null {
  if (error instanceof RunFailure) {
    return { status: error.cause.status, reason: error.cause.toWireString(), isOfShard: true };
  }
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
  /** The shard failed with it as it is, not the query. */
  readonly isOfShard?: true;
  /** Set when it failed over damaged segments. */
  readonly damage?: SegmentDamage;
  /** The snapshot is not held any more where its documents are. */
  readonly isLost?: true;
}

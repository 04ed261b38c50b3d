// How many buckets there may be.

import { EngineError } from '../../errors';

/** Buckets of all aggregations of a response together. */
const MAX_BUCKETS = 1_000_000;

/** @throws EngineError AggregationExecutionException beyond the limit */
export function refuseTooManyBuckets(count: number): void {
  const error = tooManyBuckets(count);
  if (error !== null) throw error;
}

/** Why so many buckets are refused; null: they are not. */
export function tooManyBuckets(count: number): EngineError | null {
  if (count <= MAX_BUCKETS) return null;
  return new EngineError(
    'AggregationExecutionException',
    `aggregations would return more than [${MAX_BUCKETS}] buckets`,
  );
}

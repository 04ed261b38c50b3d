// How many buckets there may be.

import { EngineError } from '../../errors';

/** Buckets of all aggregations of a response together. */
const MAX_BUCKETS = 1_000_000;

/** Those of them that histograms show without documents: they cost nothing to ask for. */
const MAX_EMPTY_BUCKETS = 100_000;

/** @throws EngineError AggregationExecutionException beyond the limit of buckets without documents */
export function refuseTooManyEmptyBuckets(count: number): void {
  if (count <= MAX_EMPTY_BUCKETS) return;
  throw new EngineError(
    'AggregationExecutionException',
    `histograms would return more than [${MAX_EMPTY_BUCKETS}] buckets without documents, use a larger interval or a min_doc_count of 1`,
  );
}

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

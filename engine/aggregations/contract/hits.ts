// What the aggregation of hits takes from the search that it belongs to, which knows how hits are sorted
// and shown.

import type { DocBuckets, ScoresOf } from '../../counting/index';
import type { JsonObject } from '../../json/index';
import type { SearchContext } from '../../query/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { SlottedBuckets } from './aggregation';

/**
 * How the hits of buckets are found and shown. Plain data; what is behind `search` is the search's
 * affair.
 */
export interface BucketHitsSpec {
  readonly from: number;
  readonly size: number;
  /** The names of the aggregations from the top down to this one. */
  readonly path: readonly string[];
  /** How they are sorted and shown. */
  readonly search: object;
}

/** A hit of a bucket. Plain data. */
export type BucketHit = object;

/** What buckets of the parent have, by their numbers. Plain data. */
export interface BucketHitsData {
  readonly totals: Float64Array;
  /** NaN where nothing was scored. */
  readonly maxScores: Float64Array;
  /** Best first. */
  readonly hits: readonly (readonly BucketHit[])[];
}

/** Finds the best hits of buckets in one segment. */
export interface BucketHitsCollector {
  collect(docs: DocBuckets): void;
  /** As of an aggregator. */
  takesSlots(docs: Bitset, size: number): boolean;
  /** As of an aggregator. */
  collectSlots(docs: Bitset, slots: SlottedBuckets): void;
  data(owners: number): BucketHitsData;
}

/** Where an aggregation of hits stands. */
export interface HitsPlace {
  /** The names of the aggregations around it and its own. */
  readonly path: readonly string[];
  /** Its documents are the nested objects of this path; null: documents. */
  readonly nestedPath: string | null;
}

/** Reads the body of an aggregation of hits. @throws ElementFailure, EngineError, RunFailure */
export type ParseHits = (
  name: string,
  body: JsonObject,
  place: HitsPlace,
  search: SearchContext,
) => BucketHitsSpec;

/** Finds and orders hits. */
export interface HitsFinder {
  /** @param hold is told of memory, in bytes; throws when it is too much */
  collector(
    spec: BucketHitsSpec,
    shard: { readonly segments: readonly SegmentReader[]; readonly position: number },
    scoresOf: ScoresOf,
    segment: SegmentReader,
    hold: (bytes: number) => void,
  ): BucketHitsCollector;
  /** Negative where the first hit is better. */
  compare(spec: BucketHitsSpec, a: BucketHit, b: BucketHit): number;
}

// The aggregation contract. A kind is one file: it parses, collects per segment, merges and renders. The
// table of kinds is engine/aggregations/registry.ts.
//
// Aggregations of a tree work level by level on small numbers: a bucket of the parent (the owner) is a
// number, and what an aggregation knows of all owners stands in arrays by that number. So nothing is made
// per bucket, and what a segment or a shard contributes is plain data.

import type { DocBuckets, ScoresOf } from '../../counting/index';
import type { JsonObject } from '../../json/index';
import type { EngineError } from '../../errors';
import type { FieldId } from '../../metadata/index';
import type { Query, SearchContext } from '../../query/index';
import type { Bitset, SegmentReader, UnsignedArray } from '../../segment/index';
import type { BucketHit, BucketHitsSpec, HitsFinder, ParseHits } from './hits';

/** What a parsed aggregation is, resolved against one index's mapping: plain data, the kind's own affair. */
export type AggregationSpec = object;

/** An aggregation of a request with what is below it, ready to run on the shards of one index. Plain data. */
export interface AggregationPlan<S extends AggregationSpec = AggregationSpec> {
  readonly name: string;
  /** The key into the table of kinds. */
  readonly type: string;
  readonly spec: S;
  readonly subs: readonly AggregationPlan[];
}

/** What an aggregation may look at while it is parsed: one index at a time. */
export interface AggregationParseContext {
  readonly search: SearchContext;
  /** Reads the body of an aggregation of hits. */
  readonly parseHits: ParseHits;
  /** The plans around it, from the top down. */
  readonly parents: readonly ParentAggregation[];
}

/** What an aggregation may know of one around it. */
export interface ParentAggregation {
  readonly name: string;
  readonly type: string;
  readonly spec: AggregationSpec;
}

/** What a segment, a shard or all of them contribute to an aggregation and to those below it. Plain data. */
export interface AggregationPartial<D extends object = object> {
  /** By bucket of the parent. */
  readonly data: D;
  /** Buckets of its own, which the partials below it are by. */
  readonly size: number;
  readonly subs: readonly AggregationPartial[];
  /** Of the top: it is all there is, without what is not shown. */
  readonly isFinal?: boolean;
}

/** Collects one aggregation over the documents of one segment. */
export interface Aggregator {
  /** Takes documents with the buckets of the parent that they are in. Windows come in document order. */
  collect(docs: DocBuckets): void;
  /**
   * Takes all documents at once, in bucket 0; instead of {@link collect}, where it is quicker. False: it
   * is not, for these documents.
   */
  collectSet?(docs: Bitset): boolean;
  /** Whether it is quicker to take all documents of a set at once. @param size every slot is below this */
  takesSlots?(docs: Bitset, size: number): boolean;
  /** Takes all documents of a set, each in one bucket at most; instead of {@link collect}. */
  collectSlots?(docs: Bitset, slots: SlottedBuckets): void;
  /** The memory that it holds by now, in bytes, where that grows by documents; looked at window by window. */
  readonly bytes?: number;
  /** What was collected. @param owners how many buckets the parent has */
  partial(owners: number): AggregationPartial;
}

/** The one bucket of each document of a segment: bucket b has those whose slot is 1 + used[b]. */
export interface SlottedBuckets {
  /** By document; 0: it has none. */
  readonly slots: UnsignedArray;
  /** Every slot is below this. */
  readonly size: number;
  /** The buckets that have documents of the set, ascending. */
  readonly used: Uint32Array;
}

/** Work that gives others a turn now and then. */
export type Steps<R> = Generator<void, R, void>;

/** Opens a segment for an aggregation. */
export type OpenAggregator = (segment: SegmentReader) => Aggregator;

/**
 * Is told of memory that an aggregation takes, in bytes.
 *
 * @throws EngineError CircuitBreakingException when all aggregations of the search together take too much
 */
export type HoldMemory = (bytes: number) => void;

/** What aggregations may know of the shard they run on. */
export interface ShardBinding {
  /** All segments of the shard, to bind queries to. */
  readonly segments: readonly SegmentReader[];
  /** Scores of the documents of the search, for scripts. */
  readonly scoresOf: ScoresOf;
  /**
   * The documents of a segment whatever the query says: types of the URL and alias filters hold. Null:
   * none.
   */
  globalDocs(segment: SegmentReader): Bitset | null;
  /** Position of the shard among all shards of the search. */
  readonly position: number;
  readonly hits: HitsFinder;
  /** The memory of the aggregation of this name. */
  holding(name: string): HoldMemory;
  bind(plan: AggregationPlan): OpenAggregator;
  /** Adds up what several segments contribute to the same buckets of a parent. */
  merge(
    plan: AggregationPlan,
    partials: readonly AggregationPartial[],
    owners: number,
  ): AggregationPartial;
}

/**
 * Says for a bucket what it became: null leaves all as they are, {@link NO_BUCKET} stands for dropped
 * ones.
 */
export type BucketMap = Uint32Array | null;

/** What a bucket that was dropped is mapped to. */
export const NO_BUCKET = 0xffffffff;

/** The bucket that stands for what no document is in: everything about it is empty. */
export const EMPTY_BUCKET = -1;

/** What is merged. */
export interface MergePart<S extends AggregationSpec = AggregationSpec, D extends object = object> {
  readonly spec: S;
  readonly data: D;
  /** Its own buckets. */
  readonly size: number;
  /** What became of the parent's buckets. */
  readonly owners: BucketMap;
  /** Parts of one shard have the same number. */
  readonly shard: number;
}

/** Parts added up. */
export interface Merged<D extends object = object> {
  readonly data: D;
  readonly size: number;
  /** By part: what became of its own buckets. */
  readonly maps: readonly BucketMap[];
}

/** How parts are merged. */
export interface MergeOptions {
  /** Nothing will be added any more: what is not shown may be dropped. */
  readonly isFinal: boolean;
  /** How many shards are searched, those of other parts included. */
  readonly shards: number;
  readonly hits: HitsFinder;
}

/** An aggregation with everything added up, as it is rendered. */
export interface ReducedAggregation<
  S extends AggregationSpec = AggregationSpec,
  D extends object = object,
> {
  readonly name: string;
  readonly kind: AggregationKind;
  readonly spec: S;
  readonly data: D;
  readonly size: number;
  readonly subs: readonly ReducedAggregation[];
}

/** What rendering may ask for. */
export interface RenderContext {
  /** The members that the aggregations below give a bucket: `,"name":{…}` each. */
  subs(node: ReducedAggregation, bucket: number): string;
  /** The JSON text of a hit; null: it is left out. */
  hit(spec: BucketHitsSpec, hit: BucketHit): string | null;
  /** Counts in buckets of the answer. @throws EngineError when there are too many */
  countBuckets(count: number): void;
  /** Counts in those of a histogram that have no documents. @throws EngineError when there are too many */
  countEmptyBuckets(count: number): void;
}

/** The kind of a type that plans name. */
export type KindOf = (type: string) => AggregationKind;

/** What counting in a segment reads besides its documents. */
export interface AggregationReads {
  /** What is counted depends on them, too. */
  readonly queries: readonly Query[];
  /**
   * Fields whose values are counted. Null: how much is read, or how many buckets there are, cannot be told
   * from fields.
   */
  readonly fields: readonly FieldId[] | null;
  /** It counts all documents, whatever the search finds. */
  readonly global?: boolean;
  /** Values are read off columns and added up in arrays: a few ns each, less where a set is counted. */
  readonly isQuick?: boolean;
}

/** One aggregation type. */
export interface AggregationKind<
  S extends AggregationSpec = AggregationSpec,
  D extends object = object,
> {
  /** As requests name it. */
  readonly type: string;
  /** Others may stand below it. */
  readonly hasBuckets: boolean;
  /**
   * @throws ElementFailure, EngineError with the reference server's exception names and messages
   */
  parse(name: string, body: JsonObject, context: AggregationParseContext): S;
  /** Why it will fail to run, once it is known what is below it; null: it will not. */
  check?(
    plan: AggregationPlan<S>,
    parents: readonly ParentAggregation[],
    kindOf: KindOf,
  ): EngineError | null;
  /** Buckets that are shown for each of the parent, whatever documents there are. Absent: not told. */
  fixedBuckets?(spec: S): number;
  /** Binds it to a shard. */
  bind(plan: AggregationPlan<S>, shard: ShardBinding): OpenAggregator;
  /**
   * Goes on with what all segments of a shard contributed, before the shard hands it on. A kind that has
   * this gets all segments of a shard in one thread.
   */
  finish?(plan: AggregationPlan<S>, data: D, owners: number, shard: ShardBinding): Steps<D>;
  /** Goes on with what is left when everything is added up, before it is rendered. */
  conclude?(spec: S, data: D): Steps<D>;
  /** Adds up parts, of which there may be none. `owners`: buckets of the parent. Exact. */
  merge(parts: readonly MergePart<S, D>[], owners: number, options: MergeOptions): Merged<D>;
  /** The spec that says how all is rendered, of those of several indices; absent: the first one. */
  lead?(specs: readonly S[]): S;
  /** The JSON text of what one bucket of the parent has. */
  render(node: ReducedAggregation<S, D>, owner: number, context: RenderContext): string;
  /** For kinds that can be ordered by. */
  readonly order?: OrderableKind<S, D>;
  /** What it counts from. Null, or absent: counts depend on more than the segment, and are not kept. */
  reads?(spec: S): AggregationReads | null;
}

/** How buckets can be ordered by what an aggregation below them says. */
export interface OrderableKind<
  S extends AggregationSpec = AggregationSpec,
  D extends object = object,
> {
  /** It has one bucket for each of the parent, with the same number, so that a path goes on below it. */
  readonly isSingleBucket: boolean;
  /** Whether it has a value of this name; null asks for the only one. */
  has(spec: S, member: string | null): boolean;
  /** The value; of {@link EMPTY_BUCKET} that of no documents. */
  value(node: ReducedAggregation<S, D>, member: string | null, owner: number): number;
}

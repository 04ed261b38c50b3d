// Aggregations with one bucket for each of the parent, which has the same number: they keep some of the
// documents, or go from them to others.

import { type DocBuckets, WindowWriter } from '../../counting/index';
import type { SegmentReader } from '../../segment/index';
import type {
  AggregationKind,
  AggregationPartial,
  AggregationPlan,
  AggregationSpec,
  Aggregator,
  OpenAggregator,
  ShardBinding,
} from '../contract/aggregation';
import { type DocCounts, grown, mergeCounts, sized } from '../contract/merging';
import { bindSubs, type SubAggregators } from '../contract/sub-aggregators';

const FIRST_ROOM = 16;

/** Counts the entries of windows, and hands them on. */
export class BucketCounts {
  private counts = new Float64Array(FIRST_ROOM);

  constructor(readonly subs: SubAggregators) {}

  /** Takes a window of the documents that are left. */
  take(docs: DocBuckets): void {
    this.counts = grown(this.counts, docs.bucketCount);
    const { counts } = this;
    const { size, buckets } = docs;
    for (let i = 0; i < size; i++) counts[buckets[i]!]!++;
    this.subs.collect(docs);
  }

  /** Takes what was written so far, and lets another part of the window begin. */
  takeWritten(out: WindowWriter, bucketCount: number): void {
    out.end(bucketCount);
    this.take(out);
    out.goOn();
  }

  /** Adds documents of a bucket that were handed on already, or have nothing to be handed on to. */
  add(bucket: number, count: number): void {
    this.counts = grown(this.counts, bucket + 1);
    this.counts[bucket]! += count;
  }

  partial(owners: number): AggregationPartial<DocCounts> {
    const counts = sized(this.counts, owners);
    return { data: { counts }, size: owners, subs: this.subs.partials(owners) };
  }
}

/** Keeps the documents of a set, which is asked for once it is needed. */
export class SetAggregator implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter | null;

  /** @param words of the set; null: it is empty */
  constructor(
    segment: SegmentReader,
    subs: SubAggregators,
    private readonly words: Uint32Array | null,
  ) {
    this.kept = new BucketCounts(subs);
    this.out = words === null ? null : new WindowWriter(segment.docCount);
  }

  collect(docs: DocBuckets): void {
    const { words, out } = this;
    if (words === null || out === null) return;
    const { from, to, size } = docs;
    out.begin(from, to);
    out.reserve(size);
    for (let i = 0; i < size; i++) {
      const doc = docs.docs[i]!;
      if (((words[from + (doc >>> 5)]! >>> (doc & 31)) & 1) === 1) out.add(doc, docs.buckets[i]!);
    }
    this.kept.takeWritten(out, docs.bucketCount);
  }

  partial(owners: number): AggregationPartial<DocCounts> {
    return this.kept.partial(owners);
  }
}

/** A kind with one bucket for each of the parent, given how it parses and collects. */
export function singleBucket<S extends AggregationSpec>(
  type: string,
  kind: {
    readonly parse: AggregationKind<S>['parse'];
    readonly check?: NonNullable<AggregationKind<S>['check']>;
    readonly reads?: NonNullable<AggregationKind<S>['reads']>;
    /** Binds it to a shard: opens a segment with what is below it. */
    readonly open: (
      plan: AggregationPlan<S>,
      shard: ShardBinding,
    ) => (segment: SegmentReader, subs: SubAggregators) => Aggregator;
  },
): AggregationKind<S, DocCounts> {
  return {
    ...boundBucket(type, kind.parse, (plan, shard): OpenAggregator => {
      const subs = bindSubs(plan.subs, shard);
      const open = kind.open(plan, shard);
      return (segment) => open(segment, subs(segment));
    }),
    ...(kind.check === undefined ? {} : { check: kind.check }),
    ...(kind.reads === undefined ? {} : { reads: kind.reads }),
  };
}

/** The same of a kind that opens what is below it by itself. */
export function boundBucket<S extends AggregationSpec>(
  type: string,
  parse: AggregationKind<S>['parse'],
  bind: AggregationKind<S>['bind'],
): AggregationKind<S, DocCounts> {
  return {
    type,
    hasBuckets: true,
    parse,
    bind,
    fixedBuckets: () => 1,
    merge: mergeCounts,
    render: (node, owner, context) =>
      `{"doc_count":${node.data.counts[owner] ?? 0}${context.subs(node, owner)}}`,
    order: {
      isSingleBucket: true,
      has: (_spec, member) => member === null || member === '_count' || member === 'doc_count',
      value: ({ data }, _member, owner) => data.counts[owner] ?? 0,
    },
  };
}

// What stands below an aggregation, on one segment.

import { type DocBuckets, SetWindows } from '../../counting/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type {
  AggregationPartial,
  AggregationPlan,
  Aggregator,
  OpenAggregator,
  ShardBinding,
  SlottedBuckets,
} from './aggregation';

/** Opens the aggregations below one. */
export type OpenSubs = (segment: SegmentReader) => SubAggregators;

/** Binds the aggregations below one. */
export function bindSubs(plans: readonly AggregationPlan[], shard: ShardBinding): OpenSubs {
  const open: readonly OpenAggregator[] = plans.map((plan) => shard.bind(plan));
  return (segment) => new SubAggregators(open.map((each) => each(segment)));
}

/** The aggregations below one, on one segment. */
export class SubAggregators {
  constructor(private readonly all: readonly Aggregator[]) {}

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  collect(docs: DocBuckets): void {
    const { all } = this;
    if (docs.size === 0) return;
    for (let i = 0; i < all.length; i++) all[i]!.collect(docs);
  }

  /** Takes all documents in bucket 0. */
  collectSet(docs: Bitset): void {
    for (const each of this.all) collectAll(each, docs);
  }

  /** Whether all take the documents of a set by their slots; so do none at all. */
  takeSlots(docs: Bitset, size: number): boolean {
    return this.all.every((each) => each.takesSlots?.(docs, size) === true);
  }

  collectSlots(docs: Bitset, slots: SlottedBuckets): void {
    for (const each of this.all) each.collectSlots?.(docs, slots);
  }

  partials(owners: number): AggregationPartial[] {
    return this.all.map((each) => each.partial(owners));
  }
}

/** Gives an aggregator all documents of a set, in bucket 0. */
function collectAll(aggregator: Aggregator, docs: Bitset): void {
  if (aggregator.collectSet?.(docs) === true) return;
  const windows = new SetWindows(docs);
  while (windows.next()) windows.handOn((window) => aggregator.collect(window));
}

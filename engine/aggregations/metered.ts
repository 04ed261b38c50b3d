// The memory of aggregations while they collect: what one tells of is counted in after each window of
// documents, and counted out when it has handed on what it collected, which whoever gets it counts in.

import type { DocBuckets } from '../counting/index';
import type { Bitset } from '../segment/index';
import type {
  AggregationPartial,
  Aggregator,
  HoldMemory,
  SlottedBuckets,
} from './contract/aggregation';

/** An aggregation whose memory is counted in, if it tells of any. */
export function metered(aggregator: Aggregator, hold: HoldMemory): Aggregator {
  return aggregator.bytes === undefined ? aggregator : new Metered(aggregator, hold);
}

class Metered implements Aggregator {
  private held = 0;

  constructor(
    private readonly inner: Aggregator,
    private readonly hold: HoldMemory,
  ) {}

  collect(docs: DocBuckets): void {
    this.inner.collect(docs);
    this.meter(this.inner.bytes!);
  }

  collectSet(docs: Bitset): boolean {
    const isTaken = this.inner.collectSet?.(docs) ?? false;
    this.meter(this.inner.bytes!);
    return isTaken;
  }

  takesSlots(docs: Bitset, size: number): boolean {
    return this.inner.takesSlots?.(docs, size) ?? false;
  }

  collectSlots(docs: Bitset, slots: SlottedBuckets): void {
    this.inner.collectSlots?.(docs, slots);
    this.meter(this.inner.bytes!);
  }

  partial(owners: number): AggregationPartial {
    const partial = this.inner.partial(owners);
    this.meter(0);
    return partial;
  }

  private meter(bytes: number): void {
    const more = bytes - this.held;
    if (more === 0) return;
    this.held = bytes;
    this.hold(more);
  }
}

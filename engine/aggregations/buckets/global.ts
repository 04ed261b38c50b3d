// global: all documents of the indices and types asked for, whatever the query says (reference server).

import { EngineError } from '../../errors';
import { ElementFailure, tokenName } from '../../query/index';
import type { Bitset } from '../../segment/index';
import type { DocBuckets } from '../../counting/index';
import type { Aggregator, AggregationPartial } from '../contract/aggregation';
import type { SubAggregators } from '../contract/sub-aggregators';
import { BucketCounts, singleBucket } from './single-bucket';

export const GLOBAL_AGGREGATION = singleBucket<object>('global', {
  parse: (name, body) => {
    for (const [, value] of body)
      throw new ElementFailure(
        `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${tokenName(value)}] in [${name}]`,
      );
    return {};
  },
  reads: () => ({ queries: [], fields: [], global: true }),
  check: ({ name }, parents) =>
    parents.length === 0
      ? null
      : new EngineError(
          'AggregationExecutionException',
          `Aggregation [${parents.at(-1)!.name}] cannot have a global sub-aggregation [${name}]. ` +
            'Global aggregations can only be defined as top level aggregations',
        ),
  open: (_plan, shard) => (segment, subs) => new GlobalAggregator(subs, shard.globalDocs(segment)),
});

/** Counts a set of its own, whatever it is given. */
class GlobalAggregator implements Aggregator {
  private readonly kept: BucketCounts;

  /** @param docs null: there are none */
  constructor(subs: SubAggregators, docs: Bitset | null) {
    this.kept = new BucketCounts(subs);
    if (docs === null) return;
    this.kept.add(0, docs.count());
    subs.collectSet(docs);
  }

  collect(_docs: DocBuckets): void {
    // What the query finds does not matter.
  }

  partial(owners: number): AggregationPartial {
    return this.kept.partial(owners);
  }
}

// The aggregations of one search on one shard: each goes through the segments, and what the segments
// contribute is added up.

import { arrayBytes, CountingMemory, type DocScores } from '../counting/index';
import {
  bindPart,
  bindQuery,
  type Query,
  type SearchStatistics,
  type Weight,
} from '../query/index';
import { Bitset, keepLiveRoots, liveRoots, type SegmentReader } from '../segment/index';
import type { Similarities } from '../similarity/index';
import type {
  AggregationPartial,
  AggregationPlan,
  OpenAggregator,
  ShardBinding,
} from './contract/aggregation';
import type { HitsFinder } from './contract/hits';
import { collectAll } from './contract/sub-aggregators';
import { mergePartials } from './merge-partials';
import { kindOf } from './registry';

/** What aggregations need to know of the search of one index that they belong to. Plain data. */
export interface AggregatedSearch {
  /** The query with type restriction and alias filter already wrapped around it. */
  readonly query: Query;
  /** The restriction without the query: what `global` sees. Null: all live root documents. */
  readonly scope: Query | null;
  /** Multiplies scores (`indices_boost`). */
  readonly indexBoost: number;
  /** How fields are scored. */
  readonly similarities: Similarities;
  readonly aggregations: readonly AggregationPlan[];
  /** What they may hold in memory on a shard, in bytes. */
  readonly facetMemory: number;
}

interface RunOptions {
  readonly segments: readonly SegmentReader[];
  /** What the search's query scores by; null: the shard's own terms. */
  readonly statistics: SearchStatistics | null;
  /** Position of the shard among all shards of the search. */
  readonly position: number;
  readonly hits: HitsFinder;
}

/** Feed it segment by segment. */
export class AggregationRun implements ShardBinding {
  readonly segments: readonly SegmentReader[];
  readonly position: number;
  readonly hits: HitsFinder;
  private readonly open: readonly OpenAggregator[];
  private readonly memory: CountingMemory;
  /** By aggregation: what the segments contributed. */
  private readonly partials: AggregationPartial[][];
  private weight: Weight | null = null;
  private scope: Weight | null = null;

  constructor(
    private readonly plan: AggregatedSearch,
    private readonly options: RunOptions,
  ) {
    this.segments = options.segments;
    this.position = options.position;
    this.hits = options.hits;
    this.memory = new CountingMemory(plan.facetMemory);
    this.partials = plan.aggregations.map(() => []);
    this.open = plan.aggregations.map((each) => this.bind(each));
  }

  get size(): number {
    return this.plan.aggregations.length;
  }

  bind(plan: AggregationPlan): OpenAggregator {
    return kindOf(plan.type).bind(plan, this);
  }

  merge(
    plan: AggregationPlan,
    partials: readonly AggregationPartial[],
    owners: number,
  ): AggregationPartial {
    return mergePartials(
      partials.map((partial) => ({ plan, partial })),
      plan,
      owners,
      this.hits,
    );
  }

  /**
   * Collects aggregation `a` in a segment.
   *
   * @param main its live root documents that match the search; null: none
   * @throws EngineError CircuitBreakingException when all together hold too much
   */
  collect(a: number, segment: SegmentReader, main: Bitset | null): void {
    const aggregator = this.open[a]!(segment);
    if (main !== null) collectAll(aggregator, main);
    const partial = aggregator.partial(1);
    this.memory.hold(`aggregation ${this.plan.aggregations[a]!.name}`, arrayBytes(partial));
    this.partials[a]!.push(partial);
  }

  /** What aggregation `a` contributes. @throws EngineError as {@link collect} */
  partial(a: number): AggregationPartial {
    const plan = this.plan.aggregations[a]!;
    const partial = this.merge(plan, this.partials[a]!, 1);
    this.memory.hold(`aggregation ${plan.name}`, arrayBytes(partial));
    return partial;
  }

  /** What aggregation `a` contributes when it counted nothing. */
  emptyPartial(a: number): AggregationPartial {
    return this.merge(this.plan.aggregations[a]!, [], 1);
  }

  readonly scoresOf = (segment: SegmentReader): DocScores => {
    this.weight ??= bindPart(
      this.plan.query,
      this.segments,
      this.plan.similarities,
      this.options.statistics,
    );
    const scorer = this.weight.scorer(segment);
    if (scorer === null) return () => 1;
    const { roots } = segment;
    const { indexBoost } = this.plan;
    return (doc) => {
      // Nested objects have the score of their root.
      const root = roots === null ? doc : roots.next(doc);
      if (scorer.doc < root) scorer.advance(root);
      return scorer.doc === root ? Math.fround(scorer.score() * indexBoost) : 1;
    };
  };

  globalDocs(segment: SegmentReader): Bitset | null {
    const { scope, similarities } = this.plan;
    if (scope === null) return liveRoots(segment) ?? Bitset.full(segment.docCount);
    this.scope ??= bindQuery(scope, this.segments, similarities);
    return keepLiveRoots(segment, this.scope.matches(segment));
  }
}

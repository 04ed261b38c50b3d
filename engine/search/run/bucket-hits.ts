// The hits of buckets, once it is known which are shown: fetched like those of a page, each by the plan
// of its own index.

import type { BucketHit, BucketHitsSpec, ReducedAggregation } from '../../aggregations/index';
import type { AggregationPlan } from '../../aggregations/index';
import { decodeUtf8 } from '../../json/index';
import type { ExplainedSearch, FetchJob, SearchShard } from '../plan/executor';
import type { ShardHit } from '../plan/search-plan';
import type { TopHitsSpec } from '../plan/top-hits-spec';
import { renderAggregations } from './reduce';

/** The hits of one aggregation on one shard, and the job that makes texts of them. */
export interface BucketHitsJob {
  readonly shard: SearchShard;
  readonly job: FetchJob;
}

/** Finds out which hits are shown, and puts their texts in. */
export class BucketHits {
  /** By aggregation and shard. */
  private readonly wanted = new Map<
    string,
    { readonly spec: TopHitsSpec; readonly hits: ShardHit[] }
  >();
  private readonly texts = new Map<BucketHit, string>();

  constructor(private readonly reduced: readonly ReducedAggregation[]) {
    renderAggregations(reduced, (spec, hit) => this.want(spec as TopHitsSpec, hit as ShardHit));
  }

  /**
   * What is to be fetched.
   *
   * @param now epoch milliseconds
   * @param explained how the scores of a shard came about
   */
  jobs(
    shards: readonly SearchShard[],
    now: number,
    explained: (shard: SearchShard) => ExplainedSearch,
  ): readonly BucketHitsJob[] {
    const byPosition = new Map(shards.map((shard) => [shard.position, shard]));
    return [...this.wanted.values()].flatMap(({ spec, hits }) => {
      const shard = byPosition.get(hits[0]!.shard);
      if (shard === undefined) return [];
      const own = specAt(shard.planned.plan.aggregations, spec.path) as TopHitsSpec;
      const { fetch, sort } = own.search;
      const { snapshot, planned } = shard;
      const job: FetchJob = {
        snapshot,
        hits,
        fetch,
        sort,
        named: [],
        now,
        explained: fetch.explain === null ? null : explained(shard),
        deadline: planned.deadline,
      };
      return [{ shard, job }];
    });
  }

  /** Takes the texts of a job's hits. */
  take({ job }: BucketHitsJob, texts: readonly Uint8Array[]): void {
    job.hits.forEach((hit, i) => this.texts.set(hit, decodeUtf8(Buffer.from(texts[i]!))));
  }

  /** The aggregations with their hits; those that could not be fetched are left out. */
  render(): ReadonlyMap<string, string> | null {
    return renderAggregations(this.reduced, (_spec, hit) => this.texts.get(hit) ?? null);
  }

  private want(spec: TopHitsSpec, hit: ShardHit): null {
    const key = `${hit.shard}/${spec.path.join('>')}`;
    const known = this.wanted.get(key);
    if (known === undefined) this.wanted.set(key, { spec, hits: [hit] });
    else known.hits.push(hit);
    return null;
  }
}

function specAt(plans: readonly AggregationPlan[], path: readonly string[]): BucketHitsSpec {
  let found: AggregationPlan | undefined;
  for (const name of path) found = (found?.subs ?? plans).find((plan) => plan.name === name);
  return found!.spec as BucketHitsSpec;
}

// The facets of one search on one shard: every facet gets the documents of its scope, segment by segment.
//
// What a facet counted in a segment is kept under (segment, deletion generation, canonical request), so that
// a request that comes again after a refresh counts the new segment only. It is kept from its second time
// on, because most requests that differ at all come only once.

import { arrayBytes, CountingMemory } from '../counting/index';
import { canonicalKey, canonicalText, type SearchStatistics, isSegmentLocal } from '../query/index';
import type { Bitset, SegmentReader } from '../segment/index';
import {
  isReusable,
  type FacetCollectOptions,
  type FacetCollector,
  type FacetPartial,
  type FacetPlan,
  type FacetedSearch,
} from './contract/facet';
import { facetKind } from './registry';
import { FacetScopes } from './scope';

/** The kind under which caches count facets: its misses are the segments that were really counted. */
const FACET_CACHE_KIND = 'facet';

/** What the facets of a search may know of it. */
interface FacetRunOptions extends Omit<FacetCollectOptions, 'scoresOf'> {
  /** What the search's query scores by; null: the shard's own terms. */
  readonly statistics: SearchStatistics | null;
}

export class FacetRun {
  private readonly plans: readonly FacetPlan[];
  private readonly collectors: readonly FacetCollector[];
  /** What identifies a facet's counts within a segment; null: they are not kept. */
  private readonly keys: readonly (string | null)[];
  private readonly scopes: FacetScopes;
  private readonly memory: CountingMemory;
  private segment: SegmentReader | null = null;
  private isWhole = true;

  constructor(
    plan: FacetedSearch,
    private readonly options: FacetRunOptions,
  ) {
    this.plans = plan.facets;
    this.collectors = this.newCollectors();
    this.keys = plan.facets.map((facet, f) => {
      const collector = this.collectors[f]!;
      return isReusable(collector) ? cacheKey(facet, plan, collector.countKey) : null;
    });
    this.scopes = new FacetScopes(plan, options.segments, options.statistics);
    this.memory = new CountingMemory(plan.facetMemory);
  }

  get size(): number {
    return this.plans.length;
  }

  /**
   * Goes on to a segment.
   *
   * @param main its live root documents that match the search
   * @param isWhole false: time ran out, and `main` may lack some
   */
  enter(segment: SegmentReader, main: Bitset | null, isWhole: boolean): void {
    this.segment = segment;
    this.isWhole = isWhole;
    this.scopes.enter(segment, main);
  }

  /**
   * Counts facet `f` in the current segment, or takes what was counted before.
   *
   * @throws EngineError CircuitBreakingException when all facets together hold too much
   */
  collect(f: number): void {
    const segment = this.segment!;
    const collector = this.collectors[f]!;
    const key = this.keys[f] ?? null;
    if (key === null || !this.isWhole || !isReusable(collector)) {
      segment.cache.countMiss(FACET_CACHE_KIND);
      collector.collect(segment, this.docs(f));
      return;
    }
    const ownKey = `${segment.deletionGeneration}/${key}`;
    let counts = segment.cache.get<object>(ownKey, FACET_CACHE_KIND);
    if (counts === undefined) {
      counts = collector.count(segment, this.docs(f));
      if (segment.cache.askedBefore(ownKey))
        segment.cache.put(ownKey, FACET_CACHE_KIND, counts, collector.bytesOf(counts));
    }
    this.memory.hold(`facet ${this.plans[f]!.name}`, collector.bytesOf(counts));
    collector.add(segment, counts);
  }

  /** What facet `f` contributes. @throws EngineError as {@link collect} */
  partial(f: number): FacetPartial {
    const partial = this.collectors[f]!.partial();
    this.memory.hold(`facet ${this.plans[f]!.name}`, arrayBytes(partial));
    return partial;
  }

  /** What facet `f` contributes when it counted nothing. */
  emptyPartial(f: number): FacetPartial {
    return this.newCollectors()[f]!.partial();
  }

  private docs(f: number): Bitset | null {
    return this.scopes.docs(this.plans[f]!, f);
  }

  private newCollectors(): FacetCollector[] {
    const { soleShard, segments } = this.options;
    return this.plans.map((facet, f) =>
      facetKind(facet.type).collector(facet.spec, {
        soleShard,
        segments,
        scoresOf: (segment) => this.scopes.scores(segment, facet, f),
      }),
    );
  }
}

/** Whether counting again in the same segments gives the same: no script has a say, and no other document. */
export function isRepeatableFacet({ type, spec, filter, mainQuery }: FacetPlan): boolean {
  const reads = facetKind(type).reads?.(spec) ?? null;
  if (reads === null) return false;
  const queries = [filter, mainQuery, ...reads.queries];
  return queries.every((query) => query === null || isSegmentLocal(query));
}

/** Null: what the facet counts in a segment depends on more than the segment. */
function cacheKey(facet: FacetPlan, plan: FacetedSearch, countKey: object): string | null {
  const { type, global, filter, nestedPath } = facet;
  const base = global ? plan.scope : (facet.mainQuery ?? plan.query);
  const dependsOnScores = !global && plan.minScore !== null;
  const isLocal =
    (base === null || isSegmentLocal(base)) && (filter === null || isSegmentLocal(filter));
  if (!isLocal || dependsOnScores) return null;
  const parts = [base, filter].map((query) => (query === null ? '' : canonicalKey(query)));
  return [type, global, nestedPath, ...parts, canonicalText(countKey)].join('/');
}

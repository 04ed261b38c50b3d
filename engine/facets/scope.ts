// Which documents of a segment a facet counts: main or global scope, then facet_filter, on the root
// documents or on their nested objects (reference server).

import type { DocScores } from '../counting/index';
import {
  canonicalKey,
  bindFilter,
  bindPart,
  bindQuery,
  type SearchStatistics,
  type Weight,
} from '../query/index';
import {
  liveRoots,
  keepLiveRoots,
  childrenOf,
  Bitset,
  NO_MORE_DOCS,
  type SegmentReader,
} from '../segment/index';
import type { FacetPlan, FacetedSearch } from './contract/facet';
import { facetKind } from './registry';

/** The scopes of all facets of one search on one shard. Feed it segment by segment. */
export class FacetScopes {
  private readonly filters: readonly (Weight | null)[];
  private readonly globalScope: Weight | null;
  /** For facets with a main query of their own; the same query is bound once. */
  private readonly ownMains: readonly (OwnMain | null)[];
  private segment: SegmentReader | null = null;
  private main: Bitset | null = null;
  private global: Bitset | null | undefined;

  private readonly mainWeight: () => Weight;

  /** @param statistics what the search's query scores by; null: the shard's own terms */
  constructor(
    private readonly plan: FacetedSearch,
    segments: readonly SegmentReader[],
    statistics: SearchStatistics | null,
  ) {
    const { facets: plans, scope, similarities } = plan;
    let main: Weight | null = null;
    this.mainWeight = () => (main ??= bindPart(plan.query, segments, similarities, statistics));
    this.filters = plans.map(({ filter }) =>
      filter === null ? null : bindFilter(filter, segments),
    );
    const bound = new Map<string, OwnMain>();
    this.ownMains = plans.map(({ mainQuery }) => {
      if (mainQuery === null) return null;
      const key = canonicalKey(mainQuery);
      let own = bound.get(key);
      if (own === undefined) {
        own = new OwnMain(bindPart(mainQuery, segments, similarities, statistics), plan);
        bound.set(key, own);
      }
      return own;
    });
    const needsScope = scope !== null && plans.some(({ global }) => global);
    this.globalScope = needsScope ? bindQuery(scope, segments, similarities) : null;
  }

  /** Goes on to a segment, whose live root documents that match the search are `main`. */
  enter(segment: SegmentReader, main: Bitset | null): void {
    this.segment = segment;
    this.main = main;
    this.global = undefined;
  }

  /** The documents that facet `index` counts in the current segment; not to be modified. Null: none. */
  docs(plan: FacetPlan, index: number): Bitset | null {
    const { segment } = this;
    if (segment === null) return null;
    let docs = plan.global ? this.globalDocs(segment, plan) : this.mainDocs(segment, index);
    if (docs !== null && plan.nestedPath !== null)
      docs = childrenOf(segment, plan.nestedPath, docs);
    const filter = this.filters[index] ?? null;
    if (docs === null || filter === null) return docs;
    if (filter.matchesWithin !== undefined) return filter.matchesWithin(segment, docs);
    const matches = filter.matches(segment);
    return matches === null ? null : docs.clone().and(matches);
  }

  /**
   * The scores of the documents that a facet counts. Nested objects have that of their root, and where the
   * query does not narrow everything has 1 (reference server).
   */
  scores(segment: SegmentReader, facet: FacetPlan, index: number): DocScores {
    if (facet.global) return () => 1;
    const weight = this.ownMains[index]?.weight ?? this.mainWeight();
    const scorer = weight.scorer(segment);
    if (scorer === null) return () => 1;
    const roots = facet.nestedPath === null ? null : segment.roots;
    const { indexBoost } = this.plan;
    return (doc) => {
      const root = roots === null ? doc : roots.next(doc);
      if (scorer.doc < root) scorer.advance(root);
      return Math.fround(scorer.score() * indexBoost);
    };
  }

  private mainDocs(segment: SegmentReader, index: number): Bitset | null {
    const own = this.ownMains[index] ?? null;
    return own === null ? this.main : own.docs(segment);
  }

  private globalDocs(segment: SegmentReader, plan: FacetPlan): Bitset | null {
    if (facetKind(plan.type).globalIsUnrestricted === true) {
      return segment.liveDocs ?? Bitset.full(segment.docCount);
    }
    if (this.global === undefined) {
      this.global =
        this.globalScope === null
          ? (liveRoots(segment) ?? Bitset.full(segment.docCount))
          : keepLiveRoots(segment, this.globalScope.matches(segment));
    }
    return this.global;
  }
}

/** The documents of a main query other than the search's, kept while a segment lasts. */
class OwnMain {
  private segment: SegmentReader | null = null;
  private found: Bitset | null = null;

  /** @param plan of the search, whose least score holds here, too */
  constructor(
    readonly weight: Weight,
    private readonly plan: FacetedSearch,
  ) {}

  docs(segment: SegmentReader): Bitset | null {
    if (this.segment !== segment) {
      this.segment = segment;
      this.found = keepLiveRoots(segment, this.matches(segment));
    }
    return this.found;
  }

  private matches(segment: SegmentReader): Bitset | null {
    const { weight, plan } = this;
    if (plan.minScore === null) return weight.matches(segment);
    const scorer = weight.scorer(segment);
    if (scorer === null) return null;
    const docs = new Bitset(segment.docCount);
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc())
      if (Math.fround(scorer.score() * plan.indexBoost) >= plan.minScore) docs.add(doc);
    return docs;
  }
}

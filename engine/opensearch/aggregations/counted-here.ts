// What OpenSearch cannot count is counted here, by the embedded engine over a segment of just the documents,
// where these are few: scripts, levels of paths, documents with several points.

import {
  AggregationRun,
  type AggregationPartial,
  type AggregationPlan,
} from '../../aggregations/index';
import { atOnce } from '../../common/index';
import { EngineError } from '../../errors';
import { facetKind, type FacetPartial, type FacetPlan, FacetRun } from '../../facets/index';
import { MATCH_ALL } from '../../query/index';
import { HITS_FINDER } from '../../search/index';
import { Bitset, liveRoots, type SegmentReader } from '../../segment/index';
import { type CountContext, everything } from '../counting/count-context';
import type { Clause } from '../queries/clause-context';
import type { Counting } from './counts';

/** Documents of a shard that are counted here at most. */
export const MOST_DOCS = 2000;

/** The documents that are counted; null: those that the search finds. */
export type CountedDocuments = Clause | null;

/** Of a facet; undefined: it cannot be counted here. */
export function documentsOfFacet(
  { type, spec, global, mainQuery }: FacetPlan,
  { scope, minScore }: Counting,
  context: CountContext,
): CountedDocuments | undefined {
  if (asksForScores(spec)) return undefined;
  if (global) {
    const isUnrestricted = facetKind(type).globalIsUnrestricted === true;
    return everything([isUnrestricted ? null : scope], context);
  }
  if (mainQuery === null) return null;
  return minScore === null ? everything([mainQuery], context) : undefined;
}

/** Aggregations that look at other documents than those, or at their scores. */
const ELSEWHERE: ReadonlySet<string> = new Set(['top_hits', 'children', 'significant_terms']);

/** Of an aggregation; undefined: it cannot be counted here. */
export function documentsOfAggregation(
  plan: AggregationPlan,
  { scope }: Counting,
  context: CountContext,
): CountedDocuments | undefined {
  if (!staysHere(plan)) return undefined;
  return plan.type === 'global' ? everything([scope], context) : null;
}

function staysHere({ type, spec, subs }: AggregationPlan): boolean {
  return !ELSEWHERE.has(type) && !asksForScores(spec) && subs.every(staysHere);
}

/** Whether a script of a spec may look at scores, which are not known here. */
function asksForScores(spec: unknown): boolean {
  if (typeof spec !== 'object' || spec === null) return false;
  if (Array.isArray(spec)) return spec.some(asksForScores);
  const { lang, source, ...rest } = spec as { lang?: unknown; source?: unknown };
  if (typeof lang === 'string' && typeof source === 'string' && /score/i.test(source)) return true;
  return Object.values(rest).some(asksForScores);
}

function rootsOf(segment: SegmentReader): Bitset {
  return liveRoots(segment) ?? Bitset.full(segment.docCount);
}

/** Counts facet `f` over the {@link documentsOfFacet}. @throws EngineError of scripts and of memory */
export function facetHere(plan: Counting, f: number, segment: SegmentReader): FacetPartial {
  const facet = { ...plan.facets[f]!, mainQuery: null };
  const own = { ...plan, query: MATCH_ALL, scope: null, minScore: null, facets: [facet] };
  const run = new FacetRun(own, { soleShard: false, segments: [segment], statistics: null });
  run.enter(segment, rootsOf(segment), true);
  run.collect(0);
  return run.partial(0);
}

/** Counts aggregation `a` over the {@link documentsOfAggregation}. @throws EngineError as a facet does */
export function aggregationHere(
  plan: Counting,
  a: number,
  segment: SegmentReader,
): AggregationPartial {
  const aggregations = [plan.aggregations[a]!];
  const own = { ...plan, query: MATCH_ALL, scope: null, minScore: null, aggregations };
  const run = new AggregationRun(own, {
    segments: [segment],
    collected: null,
    statistics: null,
    position: 0,
    soleShard: false,
    hits: HITS_FINDER,
  });
  atOnce(run.collect(0, segment, rootsOf(segment), IN_TIME));
  return atOnce(run.partial(0));
}

/** Documents are few. */
const IN_TIME = {
  timedOut: false,
  inTime: (work: () => void) => work(),
  isPastDeadline: () => false,
};

/** Says that there are too many documents for it. */
export function tooManyHere(error: EngineError): EngineError {
  return new EngineError(
    error.wireName,
    `${error.message}; facetd counts it itself for up to [${MOST_DOCS}] documents on a shard, and there are more`,
  );
}

// The facets of a search as aggregations of OpenSearch: each within the documents that it counts
// (engine/facets/scope.ts), which are told apart by a chain of aggregations with one bucket each.

import {
  facetKind,
  type FacetedSearch,
  type FacetPartial,
  type FacetPlan,
} from '../../facets/index';
import type { JsonObject } from '../../json/index';
import { MATCH_ALL } from '../../query/index';
import { docCount, partOf } from '../transport/answers';
import type { Aggs, Choose, CountContext, TermsAsked } from '../counting/count-context';
import { chooseAll, everything } from '../counting/count-context';
import { nestedPath } from '../layout/names';
import { clauseOf } from '../queries/clause';
import { unsupported } from '../layout/unsupported';
import { FACETS } from './table';

/** The aggregation inside another one of a chain. */
const INSIDE = 'in';

/**
 * @param choose says of which terms there are buckets
 * @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had
 */
export function facetAggs(
  plan: FacetedSearch,
  context: CountContext,
  choose: Choose = chooseAll,
): Aggs {
  const aggs: Record<string, Aggs> = {};
  plan.facets.forEach((facet, f) => {
    const choice = choose(`f${f}`);
    if (choice === null) return;
    const own = { ...scopeOf(facet, context), choice };
    const inner = FACETS[facet.type]!.translation.request(facet.spec, own);
    const chain = chainOf(facet, plan, context);
    const [outermost] = chain.reduceRight<readonly Aggs[]>((below, level) => {
      const [inside] = below;
      const aggs = inside === undefined ? inner : { [INSIDE]: inside };
      return [Object.keys(aggs).length === 0 ? level : { ...level, aggs }];
    }, []);
    aggs[`f${f}`] = outermost!;
  });
  return aggs;
}

/** What OpenSearch has of facet `f`. @param choice of which terms it has buckets @throws EngineError */
export function readFacet(
  plan: FacetedSearch,
  f: number,
  answer: JsonObject | null,
  context: CountContext,
  choice?: TermsAsked,
): FacetPartial {
  const { type, spec } = plan.facets[f]!;
  const counted = answerOf(plan, f, answer, context);
  const own = { ...scopeOf(plan.facets[f]!, context), choice };
  return FACETS[type]!.translation.read(spec, { docs: docCount(counted), counted }, own);
}

/** The part of an answer that is about facet `f`. */
export function answerOf(
  plan: FacetedSearch,
  f: number,
  answer: JsonObject | null,
  context: CountContext,
): JsonObject | null {
  let counted = partOf(answer, `f${f}`);
  for (let level = 1; level < chainOf(plan.facets[f]!, plan, context).length; level++)
    counted = partOf(counted, INSIDE);
  return counted;
}

/** Where the fields of a facet stand. */
function scopeOf({ nestedPath: path }: FacetPlan, context: CountContext): CountContext {
  return path === null ? context : { ...context, path: nestedPath(context.mapping, path) };
}

function chainOf(facet: FacetPlan, plan: FacetedSearch, context: CountContext): readonly Aggs[] {
  const { global, mainQuery, filter } = facet;
  const chain: Aggs[] = [];
  if (global) {
    const isUnrestricted = facetKind(facet.type).globalIsUnrestricted === true;
    const seen = everything([isUnrestricted ? null : plan.scope], context);
    chain.push({ global: {} }, { filter: seen });
  } else if (mainQuery !== null) {
    if (plan.minScore !== null)
      throw unsupported(
        '[min_score] with a facet that counts by a query of its own',
        'filters have no scores',
      );
    chain.push({ global: {} }, { filter: everything([mainQuery], context) });
  }
  const scope = scopeOf(facet, context);
  if (facet.nestedPath !== null) chain.push({ nested: { path: scope.path } });
  // The last one says how many documents there are.
  chain.push({ filter: clauseOf(filter ?? MATCH_ALL, scope) });
  return chain;
}

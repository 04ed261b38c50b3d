// From the elements of a search to the plan that runs on the shards of one index.

import { analysisSource } from '../../analysis/index';
import type { JsonObject, SourceFilter } from '../../json/index';
import { type AggregationPlan, TOP_HITS_TYPE } from '../../aggregations/index';
import type { FacetPlan } from '../../facets/index';
import { type HighlightPlan, planHighlight } from '../../highlight/index';
import {
  boolQuery,
  MATCH_ALL,
  type Query,
  ROOTS_TEXT,
  withoutNamed,
  type SearchContext,
} from '../../query/index';
import { fieldNamesOf, type IndexMapping, PERCOLATOR_TYPE } from '../../mapping/index';
import { assertSeenWhole } from '../plan/document-view';
import { resolveFielddata, resolveFields } from './parse-source';
import type { SearchElements } from './hit-elements';
import type { RescorePlan } from '../plan/rescore-plan';
import type { TopHitsSpec } from '../plan/top-hits-spec';
import { isSlowSuggest } from '../../suggest/index';
import type { FetchPlan, IndexPlan } from '../plan/search-plan';

/**
 * What an index is restricted to whatever is asked of it: the types of the URL, and the filters of the
 * aliases it was reached through, of which one must match. Null: nothing.
 *
 * @throws EngineError when an alias filter cannot be read
 */
export function indexScope(
  context: SearchContext,
  aliasFilters: readonly JsonObject[] | null,
): Query | null {
  const must: Query[] = [];
  const types = typeScope(context);
  if (types !== null) must.push(types);
  const aliases = aliasScope(context, aliasFilters);
  if (aliases !== null) must.push(aliases);
  if (must.length <= 1) return must[0] ?? null;
  const shown = must.map((filter) => `+${context.filterText(filter)}`).join(' ');
  return context.shown(boolQuery({ must, disableCoord: true }), shown);
}

/** What the filters of aliases restrict an index to, of which one must match. Null: nothing. */
export function aliasScope(
  context: SearchContext,
  aliasFilters: readonly JsonObject[] | null,
): Query | null {
  return aliasFilters === null ? null : anyOf(context, aliasFilters);
}

/** The types of the URL; without any all but the stored queries, where there are some. */
function typeScope(context: SearchContext): Query | null {
  const { types } = context;
  const text = typesText(context);
  if (types.length > 0) return context.shown({ kind: 'types', types, boost: 1 }, text);
  if (context.mapping.types.includes(PERCOLATOR_TYPE)) {
    const stored: Query = { kind: 'types', types: [PERCOLATOR_TYPE], boost: 1 };
    return context.shown(
      boolQuery({ must: [MATCH_ALL], mustNot: [stored], disableCoord: true }),
      text,
    );
  }
  // Nested documents are left out in any case, but it is part of what is shown.
  return context.explains && text !== '' ? { ...MATCH_ALL, shown: text } : null;
}

/** How the reference prints what the types of a search come to; empty: it restricts nothing. */
function typesText({ types, mapping }: SearchContext): string {
  const [first, second] = types;
  const named = types.map((type) => `_type:${type}`).join(' ');
  const isNested = (type: string): boolean =>
    mapping.fieldsOf(type).some(({ nestedPath }) => nestedPath !== null);
  if (second !== undefined) {
    const areKnown = types.every((type) => mapping.types.includes(type));
    return areKnown ? `cache(${named})` : `cache(BooleanFilter(${named}))`;
  }
  if (first !== undefined) {
    return isNested(first) ? `cache(+${named} +${ROOTS_TEXT})` : `cache(${named})`;
  }
  const parts = [
    ...(mapping.types.includes(PERCOLATOR_TYPE) ? [`NotFilter(_type:${PERCOLATOR_TYPE})`] : []),
    ...(mapping.types.some(isNested) ? [ROOTS_TEXT] : []),
  ];
  if (parts.length <= 1) return parts.length === 0 ? '' : `cache(${parts[0]!})`;
  return `cache(${parts.map((part) => `+${part}`).join(' ')})`;
}

/** Null when one of the filters lets everything pass. */
function anyOf(context: SearchContext, filters: readonly JsonObject[]): Query | null {
  const plain = context.withoutTypes();
  const should: Query[] = [];
  for (const filter of filters) {
    const query = plain.parseFilter(filter, null);
    if (query === null) return null;
    should.push(query);
  }
  if (should.length === 1) return should[0]!;
  const texts = should.map((filter) => context.filterText(filter));
  return context.shown(
    boolQuery({ should, disableCoord: true }),
    `BooleanFilter(${texts.join(' ')})`,
  );
}

/** `query` within `scope`; scores are those of the query alone. */
export function withinScope(query: Query | null, scope: Query | null): Query {
  if (scope === null) return query ?? MATCH_ALL;
  return { kind: 'filtered', query: query ?? MATCH_ALL, filter: scope, boost: 1 };
}

/** The elements that say which documents are found, and in which order. */
type QueryElements = Pick<
  SearchElements,
  | 'query'
  | 'postFilter'
  | 'minScore'
  | 'sort'
  | 'trackScores'
  | 'terminateAfter'
  | 'indexBoost'
  | 'facets'
  | 'aggregations'
  | 'highlight'
  | 'rescores'
  | 'suggest'
>;

/**
 * @param window hits needed from each shard
 * @param facetMemory bytes that facets may hold on a shard
 */
export function indexPlan(
  context: SearchContext,
  elements: QueryElements,
  scope: Query | null,
  window: number,
  facetMemory: number,
): IndexPlan {
  assertConfinable(context, elements);
  const plan: IndexPlan = {
    index: context.index.name,
    query: withinScope(elements.query, scope),
    scope,
    postFilter: elements.postFilter,
    minScore: elements.minScore,
    similarities: context.mapping.similarities,
    sort: elements.sort,
    trackScores: elements.trackScores,
    window,
    isLarge: context.meter.isLarge || marksMuch(context, elements),
    facets: elements.facets.map((facet) => inOwnScope(facet, elements, scope)),
    aggregations: elements.aggregations.plans.map((plan) => withMarks(plan, context, elements)),
    facetMemory,
    terminateAfter: elements.terminateAfter,
    indexBoost: elements.indexBoost,
  };
  const { suggest } = elements;
  const rescored = elements.rescores.length === 0 ? plan : withRescoring(plan, elements.rescores);
  if (suggest === null) return rescored;
  const isLarge = rescored.isLarge === true || suggest.some(isSlowSuggest);
  return { ...rescored, suggest, isLarge };
}

/** Fields whose texts are looked through in a hit without delaying others. */
const FEW_MARKED_FIELDS = 4;

/** Whether marking takes long in short texts already: in many fields, for other queries, by own analyzers. */
function marksMuch({ index }: SearchContext, { highlight }: QueryElements): boolean {
  if (highlight === null || highlight.length === 0) return false;
  return (
    highlight.length > FEW_MARKED_FIELDS ||
    highlight.some(({ field, query }) => query !== null || field.includes('*')) ||
    analysisSource(index).key !== ''
  );
}

/**
 * Refuses what shows terms of documents that a key does not see: terms are kept by segment, whoever sees
 * which documents.
 *
 * @throws EngineError AuthorizationException (403)
 */
function assertConfinable(
  { index }: SearchContext,
  { facets, aggregations, suggest }: QueryElements,
): void {
  if (index.view === undefined) return;
  if (suggest !== null) assertSeenWhole(index, 'suggest');
  if (facets.some(({ spec }) => (spec as { allTerms?: boolean }).allTerms === true)) {
    assertSeenWhole(index, 'all_terms');
  }
  const showsAbsent = ({ type, spec, subs }: AggregationPlan): boolean =>
    (/terms$/.test(type) && (spec as { minDocCount?: number }).minDocCount === 0) ||
    subs.some(showsAbsent);
  if (aggregations.plans.some(showsAbsent)) assertSeenWhole(index, 'min_doc_count of 0');
}

/** Settles what aggregations of hits mark in them, once the query is known. */
function withMarks(
  plan: AggregationPlan,
  context: SearchContext,
  { query }: Pick<QueryElements, 'query'>,
): AggregationPlan {
  if (plan.type !== TOP_HITS_TYPE) {
    if (plan.subs.length === 0) return plan;
    return { ...plan, subs: plan.subs.map((sub) => withMarks(sub, context, { query })) };
  }
  const spec = plan.spec as TopHitsSpec;
  const { highlight } = spec.search;
  if (highlight === null) return plan;
  const marked = { ...spec.search.fetch, highlight: highlightOf(context, { highlight, query }) };
  return { ...plan, spec: { ...spec, search: { ...spec.search, fetch: marked } } };
}

/** compat: sorted hits keep their scores. */
function withRescoring(plan: IndexPlan, rescores: readonly RescorePlan[]): IndexPlan {
  if (plan.sort !== null || plan.window === 0) return plan;
  const window = rescores.reduce((most, each) => Math.max(most, each.window), plan.window);
  return { ...plan, rescores, window };
}

/** Settles what a facet counts that does not feel all of the query, or the filter of hits as well. */
function inOwnScope(
  facet: FacetPlan,
  { query, postFilter }: QueryElements,
  scope: Query | null,
): FacetPlan {
  const isLess = facet.excludeFilter.length > 0 && query !== null;
  const isMore = facet.afterPostFilter && postFilter !== null;
  if (!isLess && !isMore) return facet;
  const rest = isLess ? withoutNamed(query, new Set(facet.excludeFilter)) : query;
  const main = withinScope(rest, scope);
  return { ...facet, mainQuery: isMore ? withinScope(main, postFilter) : main };
}

/** The elements that say what of hits is shown. */
type ShownElements = Pick<
  SearchElements,
  | 'query'
  | 'source'
  | 'fields'
  | 'fielddataFields'
  | 'scriptFields'
  | 'partialFields'
  | 'highlight'
  | 'version'
  | 'explain'
>;

/** What the mapping hides of sources, by type. */
export function mappedSources(mapping: IndexMapping): ReadonlyMap<string, SourceFilter> {
  const filters = new Map<string, SourceFilter>();
  for (const type of mapping.types) {
    const filter = mapping.sourceFilter(type);
    if (filter !== true) filters.set(type, filter);
  }
  return filters;
}

/** @throws EngineError when `fields` names an object */
export function fetchPlan(context: SearchContext, elements: ShownElements): FetchPlan {
  const { mapping, types } = context;
  if (elements.explain) assertSeenWhole(context.index, 'explain');
  const { fields } = elements;
  return {
    source: sourceOf(elements),
    fields: fields ?? null,
    resolvedFields: fields === undefined ? [] : resolveFields(fields, mapping, types),
    fielddataFields: resolveFielddata(elements.fielddataFields, mapping, types),
    scriptFields: elements.scriptFields,
    partialFields: elements.partialFields,
    highlight: highlightOf(context, elements),
    alwaysFields: elements.fielddataFields.length > 0,
    version: elements.version,
    explain: elements.explain
      ? { nodeId: context.services.nodeId, fieldNames: fieldNamesOf(context.index) }
      : null,
    mappedSource: mappedSources(mapping),
  };
}

function highlightOf(
  { index, mapping, types }: SearchContext,
  { highlight, query }: Pick<SearchElements, 'highlight' | 'query'>,
): HighlightPlan | null {
  if (highlight === null || highlight.length === 0) return null;
  return planHighlight(highlight, query, index, mapping, types);
}

/** compat: fields of any kind take `_source` away unless it is among the names or asked for on its own. */
function sourceOf(elements: ShownElements): SourceFilter {
  const { source, fields } = elements;
  const isNamed = fields?.includes('_source') === true;
  if (source !== undefined) return source === false && isNamed ? true : source;
  if (isNamed) return true;
  return fields === undefined && elements.scriptFields.length + elements.partialFields.length === 0;
}

// The search behind a view: query, filters, facets, marks, order and page, as one 1.x request.

import type { Field } from './fields';
import { planFacet, type FacetPlan } from './facet-plan';
import { namedFilter } from './filters';
import { MARK_BEGIN, MARK_END } from './marks';
import type { JsonObject } from './own';
import type { FacetChoice, SearchState } from './search-state';
import type { Survey } from './survey';

/** A search, and where in its answer the facets are. */
export interface SearchPlan {
  readonly body: JsonObject;
  readonly facets: readonly FacetPlan[];
}

/** Fields that are marked, at most. */
const MOST_MARKED = 30;
const FRAGMENT = 160;

/** The search of a view. @param facets those shown */
export function planSearch(
  state: SearchState,
  facets: readonly FacetChoice[],
  fields: readonly Field[],
  survey: Survey,
): SearchPlan {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const bodies = new Map<string, JsonObject>();
  const context = { fields: byPath, survey, conditions: state.conditions };
  const plans = facets.flatMap((choice) => planFacet(choice, context, bodies) ?? []);
  return {
    facets: plans,
    body: {
      query: queryOf(state, byPath),
      ...(state.sort === null ? {} : { sort: [sortOf(state.sort), '_score'] }),
      from: state.page * state.size,
      size: state.size,
      ...(state.text === '' ? {} : { highlight: highlightOf(fields) }),
      ...(bodies.size === 0 ? {} : { facets: Object.fromEntries(bodies) }),
    },
  };
}

/** The query of a view: what was typed, narrowed by the conditions. */
export function queryOf(
  { text, conditions }: Pick<SearchState, 'text' | 'conditions'>,
  fields: ReadonlyMap<string, Field>,
): JsonObject {
  const query: JsonObject =
    text.trim() === ''
      ? { match_all: {} }
      : { query_string: { query: text, default_operator: 'and', lenient: true } };
  if (conditions.length === 0) return query;
  const filters = conditions.map((one) => namedFilter(one, fields.get(one.field)));
  return { filtered: { query, filter: { and: filters } } };
}

/** Documents without a value come last, and indices without the field do not fail. */
function sortOf({ field, isDescending }: NonNullable<SearchState['sort']>): JsonObject {
  const order = isDescending ? 'desc' : 'asc';
  if (field === '_score') return { _score: { order } };
  return { [field]: { order, missing: '_last', ignore_unmapped: true } };
}

function highlightOf(fields: readonly Field[]): JsonObject {
  const marked = fields
    .filter(({ kind, formOf }) => (kind === 'text' || kind === 'keyword') && formOf === null)
    .filter(({ path }) => !path.startsWith('_'))
    .slice(0, MOST_MARKED);
  return {
    pre_tags: [MARK_BEGIN],
    post_tags: [MARK_END],
    require_field_match: false,
    fragment_size: FRAGMENT,
    number_of_fragments: 2,
    fields: Object.fromEntries(marked.map(({ path }) => [path, {}])),
  };
}

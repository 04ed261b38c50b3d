// Changes of a search. Each makes another address.

import { go } from '../../hooks/use-route';
import {
  conditionOf,
  toggled,
  withCondition,
  type Condition,
  type FacetChoice,
  type SearchState,
} from '../../model/search-state';

/** Changes parts of a search; other hits begin at their first page. */
export function change(search: SearchState, parts: Partial<SearchState>, isReplaced = false): void {
  const stays = Object.keys(parts).every((name) => STAYS.has(name));
  go(
    { view: 'search', search: { ...search, ...(stays ? {} : { page: 0 }), ...parts } },
    isReplaced,
  );
}

/** Parts that do not change which hits there are. */
const STAYS = new Set(['page', 'layout', 'document', 'facets']);

/** Puts a condition in the place of that of its facet. */
export function changeCondition(search: SearchState, condition: Condition): void {
  change(search, { conditions: withCondition(search.conditions, condition) });
}

/** Ticks a value, or unticks it. */
export function tick(search: SearchState, field: string, value: string): void {
  const known = conditionOf(search.conditions, { kind: 'terms', field });
  const values = toggled(known?.kind === 'in' ? known.values : [], value);
  changeCondition(search, { kind: 'in', field, values });
}

/** Changes one of the facets that are shown. */
export function changeFacet(
  search: SearchState,
  shown: readonly FacetChoice[],
  facet: FacetChoice,
  parts: Partial<FacetChoice>,
): void {
  const facets = shown.map((one) => (one === facet ? { ...one, ...parts } : one));
  change(search, { facets }, true);
}

/** Takes a facet away, with its condition. */
export function removeFacet(
  search: SearchState,
  shown: readonly FacetChoice[],
  facet: FacetChoice,
): void {
  const condition = conditionOf(search.conditions, facet);
  const conditions = search.conditions.filter((one) => one !== condition);
  const facets = shown.filter((one) => one !== facet);
  change(search, condition === undefined ? { facets } : { facets, conditions });
}

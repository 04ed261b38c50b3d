// What every facet beside the hits is given.

import type { SearchAnswer } from '../../api/endpoints';
import type { FacetPlan } from '../../model/facet-plan';
import type { SearchState, FacetChoice } from '../../model/search-state';

/** What every facet is given. */
export interface FacetProps {
  readonly search: SearchState;
  /** All facets that are shown. */
  readonly shown: readonly FacetChoice[];
  readonly plan: FacetPlan;
  readonly answer: SearchAnswer;
}

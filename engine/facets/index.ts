// Facets: parsing, counting and adding up; one file or folder for each type.

export { entriesIn, refuseTooManyEntries } from './contract/facet-limits';
export type { FacetedSearch, FacetPartial, FacetPlan, FacetSpec } from './contract/facet';
export { castFailure } from './contract/number-field';
export { FacetRun, isRepeatableFacet } from './facet-run';
export { parseFacets } from './parse-facets';
export { facetKind } from './registry';

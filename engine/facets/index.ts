// Facets: parsing, counting and adding up; one file or folder for each type.

export type { MatchCount, MatchSpec } from './filter';
export type { DateHistogramSpec } from './histogram/date-histogram';
export type { HistogramSpec } from './histogram/histogram';
export type { FoldedValues, KeyedPartial } from './histogram/keyed-collector';
export type { GeoDistanceSpec } from './range/geo-distance';
export type { RangeSpec } from './range/range';
export type { StatisticalSpec } from './statistical';
export {
  asText,
  collectTerms,
  keepText,
  mergeCounted,
  type TermWithCount,
} from './terms/counted-terms';
export { textTest } from './terms/term-filter';
export { showsExcluded, termTypeOf } from './terms/terms-spec';
export type {
  Candidates,
  FieldSource,
  TermSource,
  TermsPartial,
  TermsSpec,
} from './terms/terms-spec';
export type { TermsStatsPartial, TermsStatsSpec } from './terms-stats/terms-stats-spec';
export { entriesIn, refuseTooManyEntries } from './contract/facet-limits';
export type { FacetedSearch, FacetPartial, FacetPlan, FacetSpec } from './contract/facet';
export { castFailure } from './contract/number-field';
export { FacetRun, isRepeatableFacet } from './facet-run';
export { parseFacets } from './parse-facets';
export { facetKind } from './registry';

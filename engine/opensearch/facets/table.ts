// The facet types, how OpenSearch counts them, and how exact that is.

import type { Verdict } from '../counting/verdict';
import type { FacetTranslation } from './contract';
import { GEO_DISTANCE_FACET } from './geo-distance';
import { DATE_HISTOGRAM_FACET, HISTOGRAM_FACET } from './keyed';
import { MATCH_FACET } from './match';
import { RANGE_FACET } from './range';
import { STATISTICAL_FACET } from './statistical';
import { TERMS_FACET } from './terms';
import { TERMS_STATS_FACET } from './terms-stats';

/** A facet type. */
interface FacetRow extends Verdict {
  readonly translation: FacetTranslation;
}

const NO_SCRIPTS = 'scripts are refused';
const SUMS = 'sums of fractions may differ in the last digit';
const POINTS = 'documents with several points are refused';

/** By the name of the type; specs and partials are those of facetd's own type of this name. */
export const FACETS: Readonly<Record<string, FacetRow>> = {
  terms: {
    is: 'exact',
    but: `${NO_SCRIPTS}, and so are [hierarchy], points where documents have several, and more than 65,535 distinct terms on a shard; [all_terms] also shows terms of deleted documents until OpenSearch merges them away`,
    translation: TERMS_FACET,
  },
  terms_stats: {
    is: 'near',
    but: `${NO_SCRIPTS}; ${SUMS}; more than 65,535 distinct terms on a shard are refused`,
    translation: TERMS_STATS_FACET,
  },
  statistical: { is: 'near', but: `${NO_SCRIPTS}; ${SUMS}`, translation: STATISTICAL_FACET },
  histogram: { is: 'exact', but: NO_SCRIPTS, translation: HISTOGRAM_FACET },
  date_histogram: {
    is: 'exact',
    but: `${NO_SCRIPTS}; time zones change as OpenSearch's Java knows it`,
    translation: DATE_HISTOGRAM_FACET,
  },
  range: { is: 'exact', but: NO_SCRIPTS, translation: RANGE_FACET },
  filter: {
    is: 'exact',
    but: 'a global one does not count nested objects besides documents',
    translation: MATCH_FACET,
  },
  query: {
    is: 'exact',
    but: 'a global one does not count nested objects besides documents',
    translation: MATCH_FACET,
  },
  geo_distance: {
    is: 'near',
    but: `${NO_SCRIPTS}; ${POINTS}, and more than 65,535 distinct points on a shard; ${SUMS}`,
    translation: GEO_DISTANCE_FACET,
  },
};

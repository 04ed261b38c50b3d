// The facet types, how OpenSearch counts them, and how exact that is.

import { FEW_DOCUMENTS, UNSCORED, type Verdict } from '../counting/verdict';
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

const SCRIPTS = `scripts ${FEW_DOCUMENTS}; ${UNSCORED}`;
const UNTRANSLATED = `scripts that are not translated ${FEW_DOCUMENTS}; ${UNSCORED}; extremes of those that give NaN are NaN`;
const SUMS = 'sums of fractions may differ in the last digit';
const POINTS = `several points in a document ${FEW_DOCUMENTS}; at most 65,535 distinct points on a shard`;
const ZONES = "time zones change as OpenSearch's Java knows it";
const ROOTS = 'a global one does not count nested objects besides documents';

/** By the name of the type; specs and partials are those of facetd's own type of this name. */
export const FACETS: Readonly<Record<string, FacetRow>> = {
  terms: {
    is: 'exact',
    but: `scripts, [hierarchy] and several points in a document ${FEW_DOCUMENTS}; of scripts ${UNSCORED}; orders that need all terms at most 65,535 distinct ones on a shard; [all_terms] also shows terms of deleted documents until OpenSearch merges them away`,
    translation: TERMS_FACET,
  },
  terms_stats: {
    is: 'near',
    but: `${SUMS}; ${UNTRANSLATED}; at most 65,535 distinct terms on a shard`,
    translation: TERMS_STATS_FACET,
  },
  statistical: { is: 'near', but: `${SUMS}; ${UNTRANSLATED}`, translation: STATISTICAL_FACET },
  histogram: { is: 'exact', but: SCRIPTS, translation: HISTOGRAM_FACET },
  date_histogram: { is: 'exact', but: `${ZONES}; ${SCRIPTS}`, translation: DATE_HISTOGRAM_FACET },
  range: { is: 'exact', but: SCRIPTS, translation: RANGE_FACET },
  filter: { is: 'exact', but: ROOTS, translation: MATCH_FACET },
  query: { is: 'exact', but: ROOTS, translation: MATCH_FACET },
  geo_distance: {
    is: 'near',
    but: `${SUMS}; ${UNTRANSLATED}; ${POINTS}`,
    translation: GEO_DISTANCE_FACET,
  },
};

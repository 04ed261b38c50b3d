// The table of facet types. A new type is one file and one line here.

import type { FacetKind } from './contract/facet';
import { DATE_HISTOGRAM_FACET } from './histogram/date-histogram';
import { FILTER_FACET, QUERY_FACET } from './filter';
import { GEO_DISTANCE_FACET } from './range/geo-distance';
import { HISTOGRAM_FACET } from './histogram/histogram';
import { RANGE_FACET } from './range/range';
import { STATISTICAL_FACET } from './statistical';
import { TERMS_FACET } from './terms/terms';
import { TERMS_STATS_FACET } from './terms-stats/terms-stats';

const KINDS: readonly FacetKind[] = [
  TERMS_FACET,
  TERMS_STATS_FACET,
  STATISTICAL_FACET,
  HISTOGRAM_FACET,
  DATE_HISTOGRAM_FACET,
  RANGE_FACET,
  FILTER_FACET,
  QUERY_FACET,
  GEO_DISTANCE_FACET,
];

const BY_SPELLING: ReadonlyMap<string, FacetKind> = new Map(
  KINDS.flatMap((kind) => kind.names.map((name) => [name, kind] as const)),
);

/** The facet type that a request calls `name`; case matters. */
export function facetKindNamed(name: string): FacetKind | undefined {
  return BY_SPELLING.get(name);
}

/** What requests may call facet types. */
export const FACET_NAMES: readonly string[] = [...BY_SPELLING.keys()];

/** The facet type with this canonical name, as plans hold it. */
export function facetKind(type: string): FacetKind {
  const kind = KINDS.find((candidate) => candidate.type === type);
  if (kind === undefined) throw new TypeError(`no facet kind ${type}`);
  return kind;
}

// The table of facet types. A new type is one file and one line here.
//
// Spellings of types still to come, so that they are taken up with them: `term_stats` (for terms_stats)
// and `date histogram` (for date_histogram) are accepted besides the reference's own names.

import type { FacetKind } from './facet';
import { STATISTICAL_FACET } from './statistical';
import { TERMS_FACET } from './terms';

const KINDS: readonly FacetKind[] = [TERMS_FACET, STATISTICAL_FACET];

const BY_SPELLING: ReadonlyMap<string, FacetKind> = new Map(
  KINDS.flatMap((kind) => kind.names.map((name) => [name, kind] as const)),
);

/** The facet type that a request calls `name`; case matters. */
export function facetKindNamed(name: string): FacetKind | undefined {
  return BY_SPELLING.get(name);
}

/** The facet type with this canonical name, as plans hold it. */
export function facetKind(type: string): FacetKind {
  const kind = KINDS.find((candidate) => candidate.type === type);
  if (kind === undefined) throw new TypeError(`no facet kind ${type}`);
  return kind;
}

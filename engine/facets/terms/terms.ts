// The terms facet: the most frequent terms of one or more fields (reference server).
//
// terms-parse.ts -> terms-collect.ts (per shard) -> terms-reduce.ts.

import { MOST_SMALL_ENTRIES } from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import type { FacetKind, FacetReads } from '../contract/facet';
import { termsCollector } from './terms-collect';
import { parseTerms } from './terms-parse';
import { reduceTerms } from './terms-reduce';
import type { TermsPartial, TermsSpec } from './terms-spec';

export const TERMS_FACET: FacetKind<TermsSpec, TermsPartial> = {
  type: 'terms',
  names: ['terms'],
  parse: parseTerms,
  collector: termsCollector,
  reads: readsOfTerms,
  countedFields: (spec) => (spec.script === null ? fieldsOf(spec) : null),
  reduce: reduceTerms,
};

/** Terms that are looked at one by one, or shown by the thousand, take more than their counts do. */
function readsOfTerms(spec: TermsSpec): FacetReads | null {
  const { script, hierarchy, pattern, search, allTerms, exclude } = spec;
  const isPlain = script === null && hierarchy === null && pattern === null && search === null;
  const isShort = spec.from + spec.size + exclude.length <= MOST_SMALL_ENTRIES;
  if (!isPlain || !isShort || allTerms) return null;
  return { fields: fieldsOf(spec), queries: [] };
}

function fieldsOf({ sources }: TermsSpec): readonly FieldId[] {
  return sources.flatMap((source) => (source.kind === 'field' ? [source.field] : []));
}

// The terms facet: the most frequent terms of one or more fields (reference server).
//
// terms-parse.ts -> terms-collect.ts (per shard) -> terms-reduce.ts.

import type { FacetKind } from './facet';
import { termsCollector } from './terms-collect';
import { parseTerms } from './terms-parse';
import { reduceTerms } from './terms-reduce';
import type { TermsPartial, TermsSpec } from './terms-spec';

export const TERMS_FACET: FacetKind<TermsSpec, TermsPartial> = {
  type: 'terms',
  names: ['terms'],
  parse: parseTerms,
  collector: termsCollector,
  reduce: reduceTerms,
};

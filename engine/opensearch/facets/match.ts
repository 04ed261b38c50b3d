// filter and query: how many documents match.

import type { MatchCount, MatchSpec } from '../../facets/index';
import { docCount, partOf } from '../transport/answers';
import { clauseOf } from '../queries/clause';
import type { FacetTranslation } from './contract';

const MATCHES = 'matches';

export const MATCH_FACET: FacetTranslation<MatchSpec, MatchCount> = {
  request: ({ query }, context) => ({ [MATCHES]: { filter: clauseOf(query, context) } }),
  read: (_spec, { counted }) => ({ count: docCount(partOf(counted, MATCHES)) }),
};

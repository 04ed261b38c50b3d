// Making bool queries of what is said about them.

import type { QueryOf } from './traits';

/** A bool query: clauses not given are none, no minimum is set, scores have coord, and the boost is 1. */
export function boolQuery({
  must = [],
  should = [],
  mustNot = [],
  minimumShouldMatch = 0,
  disableCoord = false,
  boost = 1,
  order,
}: Partial<Omit<QueryOf<'bool'>, 'kind'>>): QueryOf<'bool'> {
  const query = { must, should, mustNot, minimumShouldMatch, disableCoord, boost };
  return order === undefined ? { kind: 'bool', ...query } : { kind: 'bool', ...query, order };
}

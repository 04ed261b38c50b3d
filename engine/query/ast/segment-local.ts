// Whether what a query matches in a segment depends on that segment alone.

import type { Query } from './query';

/**
 * True when the documents that match in a segment are the same whatever other segments the shard has: then
 * they may be remembered by segment. False is always safe.
 */
export function isSegmentLocal(query: Query): boolean {
  switch (query.kind) {
    case 'matchAll':
    case 'matchNone':
    case 'term':
    case 'termSet':
    case 'numberSet':
    case 'numericRange':
    case 'stringRange':
    case 'phrase':
    case 'exists':
    case 'uids':
    case 'types':
    case 'blended':
      return true;
    case 'prefix':
    case 'wildcard':
    case 'regexp':
      // The others pick the terms of the shard that take part.
      return query.rewrite.method === 'constant';
    case 'bool':
      return [query.must, query.should, query.mustNot].every((list) => list.every(isSegmentLocal));
    case 'disMax':
      return query.queries.every(isSegmentLocal);
    case 'constantScore':
    case 'nested':
    case 'named':
      return isSegmentLocal(query.query);
    case 'filtered':
      return isSegmentLocal(query.query) && isSegmentLocal(query.filter);
    case 'boosting':
      return isSegmentLocal(query.positive) && isSegmentLocal(query.negative);
    default:
      return false;
  }
}

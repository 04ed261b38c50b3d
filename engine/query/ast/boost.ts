// Changing the boost of a query that is already a tree.

import type { Query } from './query';

const f = Math.fround;

/** The query with its boost multiplied. Boosting queries and `matchNone` have none and stay as they are. */
export function multiplyBoost(query: Query, factor: number): Query {
  return factor === 1 ? query : mapBoost(query, (boost) => f(f(boost) * f(factor)));
}

/** The query with its boost replaced. */
export function replaceBoost(query: Query, boost: number): Query {
  return mapBoost(query, () => boost);
}

function mapBoost(query: Query, change: (boost: number) => number): Query {
  switch (query.kind) {
    case 'matchNone':
    case 'boosting':
      return query;
    case 'named':
      return { ...query, query: mapBoost(query.query, change) };
    case 'limit':
      return { kind: 'constantScore', query, boost: change(1) };
    default:
      return { ...query, boost: change(query.boost) };
  }
}

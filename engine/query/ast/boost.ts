// Changing the boost of a query that is already a tree.

import { children, mapChildren } from './children';
import type { Query } from './query';
import { traitsOf } from './traits';

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
  const place = traitsOf(query).boost;
  switch (place) {
    case 'own':
      return 'boost' in query ? { ...query, boost: change(query.boost) } : query;
    case 'asQuery':
      return mapChildren(query, (child) => mapBoost(child, change));
    case 'around':
      return { kind: 'constantScore', query, boost: change(1) };
    case 'dropped':
    case 'inherited':
      return query;
  }
}

/** Whether a query of one clause cannot hand its boost down to the clause, which has no place for it. */
export function inheritsBoost(query: Query): boolean {
  const place = traitsOf(query).boost;
  return place === 'asQuery' ? children(query).some(inheritsBoost) : place === 'inherited';
}

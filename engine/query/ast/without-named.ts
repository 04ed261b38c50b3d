// A query without some of its named parts: the scope of a facet that shall not feel certain filters.

import { MATCH_ALL, type Query } from './query';

/**
 * The query as if the parts called by `names` had not been asked for; null: nothing is left of it, so that it
 * restricts nothing. What else restricts stays: clauses that were optional do not become required.
 */
export function withoutNamed(query: Query, names: ReadonlySet<string>): Query | null {
  const remove = (part: Query): Query | null => withoutNamed(part, names);
  switch (query.kind) {
    case 'named': {
      if (names.has(query.name)) return null;
      const inner = remove(query.query);
      return inner === null ? null : { ...query, query: inner };
    }
    case 'bool':
      return withoutClauses(query, names);
    case 'filtered': {
      const inner = remove(query.query);
      const filter = remove(query.filter);
      if (filter === null) return inner;
      return { ...query, query: inner ?? MATCH_ALL, filter };
    }
    case 'constantScore':
    case 'nested': {
      const inner = remove(query.query);
      return inner === null ? null : { ...query, query: inner };
    }
    case 'functionScore':
      return { ...query, query: remove(query.query) ?? MATCH_ALL };
    case 'disMax': {
      const queries = removeFrom(query.queries, names);
      return queries.length === 0 && query.queries.length > 0 ? null : { ...query, queries };
    }
    case 'boosting': {
      const positive = remove(query.positive);
      if (positive === null) return null;
      const negative = remove(query.negative);
      return negative === null ? positive : { ...query, positive, negative };
    }
    default:
      return query;
  }
}

function withoutClauses(
  query: Extract<Query, { kind: 'bool' }>,
  names: ReadonlySet<string>,
): Query | null {
  const kept = removeFrom(query.must, names);
  const should = removeFrom(query.should, names);
  const mustNot = removeFrom(query.mustNot, names);
  const before = query.must.length + query.should.length + query.mustNot.length;
  const after = kept.length + should.length + mustNot.length;
  if (after === before) return { ...query, must: kept, should, mustNot };
  if (after === 0) return null;
  // Something else was required, or nothing but what is prohibited is left.
  const isOpen = kept.length === 0 && (query.must.length > 0 || should.length === 0);
  const must = isOpen ? [MATCH_ALL] : kept;
  const minimumShouldMatch = Math.min(query.minimumShouldMatch, should.length);
  return { ...query, must, should, mustNot, minimumShouldMatch };
}

function removeFrom(queries: readonly Query[], names: ReadonlySet<string>): Query[] {
  return queries.map((part) => withoutNamed(part, names)).filter((part) => part !== null);
}

// A query without some of its named parts: the scope of a facet that shall not feel certain filters.

import { mapChildren } from './children';
import { MATCH_ALL, type Query, type QueryKind } from './query';
import type { QueryOf } from './traits';

/** The kinds of which something can be left when a part is removed. */
const REMAINDERS: {
  readonly [Kind in QueryKind]?: (query: QueryOf<Kind>, names: ReadonlySet<string>) => Query | null;
} = {
  bool: withoutClauses,
  filtered: (query, names) => {
    const inner = withoutNamed(query.query, names);
    const filter = withoutNamed(query.filter, names);
    if (filter === null) return inner;
    return { ...query, query: inner ?? MATCH_ALL, filter };
  },
  functionScore: (query, names) => ({
    ...query,
    query: withoutNamed(query.query, names) ?? MATCH_ALL,
  }),
  disMax: (query, names) => {
    const queries = removeFrom(query.queries, names);
    return queries.length === 0 && query.queries.length > 0 ? null : { ...query, queries };
  },
  boosting: (query, names) => {
    const positive = withoutNamed(query.positive, names);
    if (positive === null) return null;
    const negative = withoutNamed(query.negative, names);
    return negative === null ? positive : { ...query, positive, negative };
  },
};

/**
 * The query as if the parts called by `names` had not been asked for; null: nothing is left of it, so that it
 * restricts nothing. What else restricts stays: clauses that were optional do not become required.
 */
export function withoutNamed(query: Query, names: ReadonlySet<string>): Query | null {
  if (query.kind === 'named' && names.has(query.name)) return null;
  const remainder = REMAINDERS[query.kind] as
    | ((query: Query, names: ReadonlySet<string>) => Query | null)
    | undefined;
  if (remainder !== undefined) return remainder(query, names);
  let isWhole = true;
  const left = mapChildren(query, (child) => {
    const part = withoutNamed(child, names);
    if (part === null) isWhole = false;
    return part ?? child;
  });
  return isWhole ? left : null;
}

function withoutClauses(query: QueryOf<'bool'>, names: ReadonlySet<string>): Query | null {
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

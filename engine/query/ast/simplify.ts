// Reduces a parsed tree as the reference does before it scores. Scores
// depend on it: a bool of one clause has neither coord nor a norm of its own.

import { multiplyBoost } from './boost';
import { MATCH_NONE, type Query } from './query';

type Of<Kind extends Query['kind']> = Extract<Query, { kind: Kind }>;

/** The reduced form of a tree. Depth is bounded by the parsers. */
export function simplify(query: Query): Query {
  switch (query.kind) {
    case 'bool':
      return simplifyBool(query);
    case 'disMax':
      return simplifyDisMax(query);
    case 'phrase':
      return simplifyPhrase(query);
    case 'filtered':
      return { ...query, query: simplify(query.query), filter: simplify(query.filter) };
    case 'functionScore':
      return {
        ...query,
        query: simplify(query.query),
        functions: query.functions.map((entry) => ({
          ...entry,
          filter: entry.filter === null ? null : simplify(entry.filter),
        })),
      };
    case 'boosting':
      return { ...query, positive: simplify(query.positive), negative: simplify(query.negative) };
    case 'constantScore':
    case 'nested':
    case 'named':
      return { ...query, query: simplify(query.query) };
    default:
      return query;
  }
}

/** One clause that is not prohibited, and no minimum: the clause itself with boosts multiplied. */
function simplifyBool(query: Of<'bool'>): Query {
  const must = query.must.map(simplify);
  const should = query.should.map(simplify);
  const mustNot = query.mustNot.map(simplify);
  const positive = must.length + should.length;
  if (positive + mustNot.length === 0) return MATCH_NONE;
  if (positive === 1 && mustNot.length === 0 && query.minimumShouldMatch === 0) {
    const clause = must[0] ?? should[0] ?? MATCH_NONE;
    // A boosting query has no boost that could take up the outer one.
    if (query.boost === 1 || !isBoosting(clause)) return multiplyBoost(clause, query.boost);
  }
  return { ...query, must, should, mustNot };
}

function isBoosting(query: Query): boolean {
  return query.kind === 'named' ? isBoosting(query.query) : query.kind === 'boosting';
}

function simplifyDisMax(query: Of<'disMax'>): Query {
  const queries = query.queries.map(simplify);
  const [first, second] = queries;
  if (first === undefined) return MATCH_NONE;
  if (second === undefined && (query.boost === 1 || !isBoosting(first))) {
    return multiplyBoost(first, query.boost);
  }
  return { ...query, queries };
}

/** A phrase of one place is that term, or any of its alternatives. */
function simplifyPhrase(query: Of<'phrase'>): Query {
  const [first, second] = query.slots;
  if (first === undefined) return MATCH_NONE;
  if (second !== undefined) return query;
  const terms = first.terms.map((term): Query => ({
    kind: 'term',
    field: query.field,
    term,
    boost: 1,
    scored: true,
  }));
  return simplifyBool({
    kind: 'bool',
    must: [],
    should: terms,
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: true,
    boost: query.boost,
  });
}

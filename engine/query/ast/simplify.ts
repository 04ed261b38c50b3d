// Reduces a parsed tree as the reference does before it scores. Scores
// depend on it: a bool of one clause has neither coord nor a norm of its own.

import { boolQuery } from './bool-query';
import { inheritsBoost, multiplyBoost } from './boost';
import { mapChildren } from './children';
import { MATCH_NONE, type PhraseSlot, type Query } from './query';
import type { QueryOf } from './traits';

/** The reduced form of a tree. Depth is bounded by the parsers. */
export function simplify(query: Query): Query {
  if (query.kind === 'phrase') return simplifyPhrase(query);
  const simple = mapChildren(query, simplify);
  if (simple.kind === 'bool') return simplifyBool(simple);
  return simple.kind === 'disMax' ? simplifyDisMax(simple) : simple;
}

/** One clause that is not prohibited, and no minimum: the clause itself with boosts multiplied. */
function simplifyBool(query: QueryOf<'bool'>): Query {
  const { must, should, mustNot } = query;
  const positive = must.length + should.length;
  if (positive === 1 && mustNot.length === 0 && query.minimumShouldMatch === 0) {
    const clause = must[0] ?? should[0] ?? MATCH_NONE;
    if (query.boost === 1 || !inheritsBoost(clause)) {
      const alone = multiplyBoost(clause, query.boost);
      // A filter is shown as it was written.
      return query.shown === undefined ? alone : { ...alone, shown: query.shown };
    }
  }
  return query;
}

function simplifyDisMax(query: QueryOf<'disMax'>): Query {
  const [first, second] = query.queries;
  if (first === undefined) return MATCH_NONE;
  if (second === undefined && (query.boost === 1 || !inheritsBoost(first))) {
    return multiplyBoost(first, query.boost);
  }
  return query;
}

/** A phrase of one place is that term, or any of its alternatives. */
function simplifyPhrase(query: QueryOf<'phrase'>): Query {
  const [first, second] = query.slots;
  if (first === undefined) return MATCH_NONE;
  if (second !== undefined) return query;
  return simplifyBool(anyTermOf(query, first));
}

/** A phrase of one slot: any of its terms. */
export function anyTermOf({ field, boost }: QueryOf<'phrase'>, slot: PhraseSlot): QueryOf<'bool'> {
  const should = slot.terms.map((term): Query => ({
    kind: 'term',
    field,
    term,
    boost: 1,
    scored: true,
  }));
  return boolQuery({ should, disableCoord: true, boost });
}

// Scores of spans of several lengths. OpenSearch counts other stretches than 1.x does, and by the places left
// free in them only: where few documents have such spans, these are counted here and come as a list.

import {
  type Query,
  type QueryOf,
  scoredChildren,
  type SpanFigures,
  type SpanTree,
} from '../../query/index';
import type { Scoring } from '../../similarity/index';
import type { Clause } from './clause-context';

/** What documents of a shard are scored by, by sequence number, for trees of spans. */
export type CountedSpans = ReadonlyMap<SpanTree, ReadonlyMap<number, SpanFigures>>;

/** How many places are taken by each span, free ones between its parts left out; null: it varies. */
export function lengthOf(tree: SpanTree): number | null {
  switch (tree.type) {
    case 'term':
    case 'multi':
      return 1;
    case 'first':
    case 'masked':
      return lengthOf(tree.match);
    case 'not':
      return lengthOf(tree.include);
    case 'or': {
      const lengths = new Set(tree.clauses.map(lengthOf));
      const [only] = lengths;
      return lengths.size === 1 ? only! : null;
    }
    case 'near': {
      let sum = 0;
      for (const clause of tree.clauses) sum += lengthOf(clause) ?? 1;
      return sum;
    }
  }
}

/** Whether all spans of a tree are as long as {@link lengthOf} says, and the same ones there. */
function isOfOneLength(tree: SpanTree): boolean {
  switch (tree.type) {
    case 'term':
    case 'multi':
      return true;
    case 'first':
    case 'masked':
      return isOfOneLength(tree.match);
    case 'not':
      return isOfOneLength(tree.include);
    case 'or':
      return lengthOf(tree) !== null && tree.clauses.every(isOfOneLength);
    case 'near': {
      const { clauses, slop, isOrdered } = tree;
      return (clauses.length === 1 || (slop === 0 && isOrdered)) && clauses.every(isOfOneLength);
    }
  }
}

/** The spans in a query that OpenSearch would score otherwise; those of nested objects are left out. */
export function uncountedSpans(query: Query): readonly QueryOf<'spans'>[] {
  if (query.kind === 'spans') return isOfOneLength(query.tree) ? [] : [query];
  return query.kind === 'nested' ? [] : scoredChildren(query).flatMap(uncountedSpans);
}

const BY_SEQUENCE =
  "def score = params.scores.get(String.valueOf(doc['_seq_no'].value)); return score == null ? 0 : score;";

/** Documents with the scores that their spans have. @param scoring whose factors are settled */
export function listedScores(
  filter: Clause,
  figures: ReadonlyMap<number, SpanFigures>,
  scoring: Scoring,
): Clause {
  const scores = Array.from(figures, ([sequence, { freq, norm }]): [string, number] => {
    const score = scoring.scorePhrase(freq, norm);
    // Of a shard without documents nothing can be said.
    return [String(sequence), Number.isFinite(score) ? score : 0];
  });
  const params = { scores: Object.fromEntries(scores) };
  // Unlike those of a function_score, scores of equal clauses are multiplied where OpenSearch joins these.
  return {
    script_score: {
      query: { bool: { filter: [filter] } },
      script: { lang: 'painless', source: BY_SEQUENCE, params },
    },
  };
}

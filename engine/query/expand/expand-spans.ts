// Span queries over queries of terms, which become any of the terms (reference server: however the query of
// terms would be rewritten on its own, unless it takes the best terms only).

import { EngineError } from '../../errors';
import { NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import type { Query, SpanTree } from '../ast/query';
import { hasSpanTerms, mapSpanTerms } from '../ast/spans';
import type { QueryOf } from '../ast/traits';
import type { Weight } from '../scoring/weight';
import { withoutPositions } from '../spans/positions';
import { collectTerms } from './collect-terms';
import type { MultiTermQuery } from './term-selection';

/** Most terms that the queries of terms of one span query stand for. */
const MAX_TERMS = 16_384;

type MultiSpans = Extract<SpanTree, { type: 'multi' }>;
type Numbers = QueryOf<'numberSet' | 'numericRange'>;
/** Queries of numbers: spans are never found, but it may be an error to look for them. */
type NumberSpans = MultiSpans & { readonly query: Numbers };

/**
 * A span query with terms in place of its queries of terms.
 *
 * @param numbers what stands for those of numbers
 * @throws EngineError TooManyClauses (500) when they stand for too many terms
 */
export function expandSpans(
  query: QueryOf<'spans'>,
  segments: readonly SegmentReader[],
  numbers: (node: NumberSpans) => SpanTree,
): QueryOf<'spans'> {
  if (!hasSpanTerms(query.tree)) return query;
  let left = MAX_TERMS;
  const tree = mapSpanTerms(query.tree, (node): SpanTree => {
    if (isOfNumbers(node)) return numbers(node);
    const terms = termsOf(node.query as MultiTermQuery, segments, left + 1);
    left -= terms.length;
    if (left < 0) throw tooManyTerms();
    return anyOf(node, terms);
  });
  return { ...query, tree };
}

function tooManyTerms(): EngineError {
  const message = `span_multi stands for more than [${MAX_TERMS}] terms`;
  return new EngineError('TooManyClauses', message, { status: 500 });
}

function isOfNumbers(node: MultiSpans): node is NumberSpans {
  return node.query.kind === 'numberSet' || node.query.kind === 'numericRange';
}

function termsOf(
  query: MultiTermQuery,
  segments: readonly SegmentReader[],
  limit: number,
): readonly string[] {
  const isFuzzy = query.kind === 'fuzzy';
  const rewrite = 'rewrite' in query ? query.rewrite : null;
  let size = isFuzzy && rewrite === null ? query.maxExpansions : limit;
  if (rewrite?.method === 'topTerms') ({ size } = rewrite);
  const terms = collectTerms(query, segments, Math.min(size, limit), isFuzzy && size < limit);
  return terms.map(({ term }) => term);
}

/** compat: what stands for no term has no field, which shows in the weight of what is around it. */
function anyOf({ field, name }: MultiSpans, terms: readonly string[]): SpanTree {
  return {
    type: 'or',
    field: terms.length === 0 ? null : field,
    clauses: terms.map((term): SpanTree => ({ type: 'term', field, term })),
    ...(name === undefined ? {} : { name }),
  };
}

/**
 * What numbers are in a shard, where fields of numbers have no positions: nothing if the shard has none of
 * them.
 *
 * @throws EngineError IllegalStateException if it has one
 */
export function numbersOfShard(
  node: NumberSpans,
  segments: readonly SegmentReader[],
  context: { unscored(query: Query): Weight },
): SpanTree {
  const { query } = node;
  const weight = context.unscored(query);
  for (const segment of segments) {
    const scorer = weight.scorer(segment);
    if (scorer === null || scorer.nextDoc() === NO_MORE_DOCS) continue;
    const name = segment.fields().find(({ id }) => id === query.field)?.name;
    throw withoutPositions(name ?? String(query.field), firstOf(query), 'SpanTermQuery');
  }
  return noNumbers(node);
}

/** Numbers that are looked for where there are none. */
export function noNumbers(node: NumberSpans): SpanTree {
  // compat: a single number is a term, which weighs something.
  if (node.query.kind === 'numericRange') return anyOf(node, []);
  return anyOf(node, [firstOf(node.query)]);
}

function firstOf(query: Numbers): string {
  return String(query.kind === 'numberSet' ? query.values[0] : (query.from ?? query.to ?? '*'));
}

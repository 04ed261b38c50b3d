// Queries whose shape or weight depends on how frequent their terms are in the shard: words blended over
// several fields (cross_fields) and common terms (cutoff_frequency).

import { boolQuery } from '../ast/bool-query';
import { greatestOf, leastOf } from '../../common/index';
import type { SegmentReader } from '../../segment/index';
import { minimumShouldMatch } from '../ast/minimum-should-match';
import type { Query } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import type { FieldId } from '../../metadata/index';

const f = Math.fround;

/** Number of documents of the shard that contain a term, deleted ones included. */
export function docFreqOf(
  segments: readonly SegmentReader[],
  field: FieldId,
  term: string,
): number {
  let docFreq = 0;
  for (const segment of segments) {
    const terms = segment.terms(field);
    if (terms === null) continue;
    const ordinal = terms.ordinalOf(term);
    if (ordinal >= 0) docFreq += terms.docFreq(ordinal);
  }
  return docFreq;
}

/** How often a term occurs in the shard, deleted documents included; -1 where that is not recorded. */
export function totalTermFreqOf(
  segments: readonly SegmentReader[],
  field: FieldId,
  term: string,
): number {
  let total = 0;
  for (const segment of segments) {
    const terms = segment.terms(field);
    const ordinal = terms?.ordinalOf(term) ?? -1;
    if (terms === null || ordinal < 0) continue;
    if (!terms.hasFreqs) return -1;
    total += terms.totalTermFreq(ordinal);
  }
  return total;
}

function maxDocOf(segments: readonly SegmentReader[]): number {
  return segments.reduce((sum, segment) => sum + segment.docCount, 0);
}

/** Number of tokens of a field in the shard; -1 when it does not record frequencies. */
export function tokensOf(segments: readonly SegmentReader[], field: FieldId): number {
  let sum = 0;
  for (const segment of segments) {
    const terms = segment.terms(field);
    if (terms === null) continue;
    if (terms.sumTotalTermFreq < 0) return -1;
    sum += terms.sumTotalTermFreq;
  }
  return sum;
}

/**
 * The terms of a blended query with their common document frequency: the highest of theirs, plus one for
 * each step down to a rarer field, so that the more usual field weighs a little less than the others.
 */
export function expandBlended(
  query: QueryOf<'blended'>,
  segments: readonly SegmentReader[],
): Query {
  const frequencies = query.terms.map(({ field, term }) => docFreqOf(segments, field, term));
  const blended = blend(query, frequencies, segments);
  const terms = query.terms.map(({ field, term, boost }, i): Query => {
    return { kind: 'term', field, term, boost, scored: true, ...blended[i] };
  });
  const { boost, tieBreaker } = query;
  if (!query.asBool) return { kind: 'disMax', queries: terms, tieBreaker, boost };
  return boolQuery({ should: terms, boost });
}

/** What terms count by that share their frequencies. */
type SharedFrequencies = Required<Pick<QueryOf<'term'>, 'docFreq' | 'totalTermFreq'>>;

/** Frequencies by term; absent: the term keeps its own. */
function blend(
  query: QueryOf<'blended'>,
  frequencies: readonly number[],
  segments: readonly SegmentReader[],
): readonly (SharedFrequencies | undefined)[] {
  const highest = greatestOf(frequencies, 0);
  const blended: (SharedFrequencies | undefined)[] = frequencies.map(() => undefined);
  if (frequencies.length < 2 || highest === 0) return blended;
  // A frequency cannot exceed the number of tokens of the smallest field.
  let limit = maxDocOf(segments);
  const tokens = query.terms.map(({ field }) => tokensOf(segments, field));
  let totalTermFreq = -1;
  if (tokens.every((count) => count >= 0)) {
    limit = leastOf(tokens, limit);
    let total = 0;
    for (const { field, term } of query.terms) total += totalTermFreqOf(segments, field, term);
    totalTermFreq = leastOf(tokens, total);
  }
  const byFrequency = [...frequencies.keys()].sort((a, b) => frequencies[b]! - frequencies[a]!);
  let actual = Math.min(limit, highest);
  let previous = frequencies[byFrequency[0]!]!;
  for (const i of byFrequency) {
    const current = frequencies[i]!;
    if (current === 0) break;
    if (previous > current) actual++;
    blended[i] = { docFreq: Math.min(limit, actual), totalTermFreq };
    previous = current;
  }
  return blended;
}

/**
 * Rare terms decide what matches, frequent ones only add to the score. When all are frequent, all are
 * required (unless a minimum is set for them).
 */
export function expandCommonTerms(
  query: QueryOf<'commonTerms'>,
  segments: readonly SegmentReader[],
): Query {
  const { field, terms, boost, cutoff, disableCoord } = query;
  if (terms.length === 0) return { kind: 'matchNone' };
  const clause = (term: string, termBoost: number): Query => ({
    kind: 'term',
    field,
    term,
    boost: termBoost,
    scored: true,
  });
  if (terms.length === 1) return clause(terms[0]!, boost);
  const share = Math.ceil(f(f(cutoff) * maxDocOf(segments)));
  const low: Query[] = [];
  const high: Query[] = [];
  for (const term of terms) {
    const docFreq = docFreqOf(segments, field, term);
    const frequent = (cutoff >= 1 && docFreq > cutoff) || docFreq > share;
    (frequent ? high : low).push(clause(term, 1));
  }
  if (high.length === 0) {
    return partOf(low, query.lowOperator, query.lowMinimum, disableCoord, boost);
  }
  if (low.length === 0) {
    const minimum = query.highMinimum;
    const required =
      query.highOperator === 'or' &&
      (minimum === null || minimumShouldMatch(high.length, minimum) === 0);
    return partOf(high, required ? 'and' : query.highOperator, minimum, disableCoord, boost);
  }
  return boolQuery({
    must: [partOf(low, query.lowOperator, query.lowMinimum, disableCoord, 1)],
    should: [partOf(high, query.highOperator, query.highMinimum, disableCoord, 1)],
    order: ['should', 'must'],
    disableCoord: true,
    boost,
  });
}

function partOf(
  clauses: readonly Query[],
  operator: 'and' | 'or',
  minimum: string | null,
  disableCoord: boolean,
  boost: number,
): Query {
  const optional = operator === 'or';
  return boolQuery({
    must: optional ? [] : clauses,
    should: optional ? clauses : [],
    minimumShouldMatch:
      optional && minimum !== null ? minimumShouldMatch(clauses.length, minimum) : 0,
    disableCoord,
    boost,
  });
}

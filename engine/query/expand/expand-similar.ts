// Queries for documents like others: which words are worth looking for depends on how frequent they are in
// the shard (more_like_this), or on which terms there are (fuzzy_like_this).

import { inTableOrder } from '../../common/index';
import { boolQuery } from '../ast/bool-query';
import type { SegmentReader } from '../../segment/index';
import { BoundedQueue } from './bounded-queue';
import { docFreqOf } from './expand-frequencies';
import { minimumShouldMatch } from '../ast/minimum-should-match';
import type { FuzzyWord, Query, SimilarTerms } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import { idf } from '../../similarity/index';
import { forEachTerm } from '../automaton/term-matcher';
import { fuzzySelection } from './term-selection';
import type { FieldId } from '../../metadata/index';

const f = Math.fround;

/** Terms like one word that are considered at most. */
const MAX_VARIANTS = 50;

interface ScoredTerm {
  readonly field: FieldId;
  readonly term: string;
  readonly score: number;
}

/** A bool over the words with the highest tf·idf. */
export function expandSimilar(
  query: QueryOf<'similar'>,
  segments: readonly SegmentReader[],
): Query {
  const { boostTerms } = query;
  const liveDocs = liveDocsOf(segments);
  const should = query.terms.flatMap((terms) => {
    const best = characteristic(terms, query, segments, liveDocs);
    const least = best[0]?.score ?? 1;
    return best.map(({ field, term, score }): Query => ({
      kind: 'term',
      field,
      term,
      boost: boostTerms === 0 ? 1 : f(f(f(boostTerms) * score) / least),
      scored: true,
    }));
  });
  if (should.length === 0) return { kind: 'matchNone' };
  return boolQuery({
    should,
    minimumShouldMatch: minimumShouldMatch(should.length, query.minimumShouldMatch),
    boost: query.boost,
  });
}

/** The words to look for, least characteristic first. */
function characteristic(
  { fields, words }: SimilarTerms,
  query: QueryOf<'similar'>,
  segments: readonly SegmentReader[],
  liveDocs: number,
): readonly ScoredTerm[] {
  const best = new BoundedQueue<ScoredTerm>(query.maxQueryTerms, ({ score }) => score);
  const counts = new Map(words.map(({ word, count }) => [word, count]));
  // compat: which of words that are worth the same is taken.
  for (const word of inTableOrder([...counts.keys()])) {
    const count = counts.get(word)!;
    if (count < query.minTermFreq) continue;
    let field = fields[0]!;
    let docFreq = 0;
    for (const candidate of fields) {
      const own = docFreqOf(segments, candidate, word);
      if (own > docFreq) {
        field = candidate;
        docFreq = own;
      }
    }
    if (docFreq === 0 || docFreq < query.minDocFreq || docFreq > query.maxDocFreq) continue;
    best.offer({ field, term: word, score: f(count * idf(docFreq, liveDocs)) });
  }
  return best.drain();
}

/** A bool over the best terms like the words; terms like the same word compete without coordination. */
export function expandFuzzyWords(
  query: QueryOf<'fuzzyWords'>,
  segments: readonly SegmentReader[],
): Query {
  const liveDocs = liveDocsOf(segments);
  const candidates = query.words.flatMap((word, i) =>
    variantsOf(word, query.prefixLength, segments, liveDocs).map((variant) => ({ ...variant, i })),
  );
  const byWord = new Map<number, Query[]>();
  for (const { field, term, score, i } of bestOf(candidates, query.maxQueryTerms)) {
    const variants = byWord.get(i) ?? [];
    byWord.set(i, variants);
    variants.push({
      kind: 'term',
      field,
      term,
      boost: score,
      scored: !query.ignoresFrequency,
      docFreq: 1,
    });
  }
  const should = [...byWord.values()].map((variants): Query => {
    const [only] = variants;
    return variants.length === 1 && only !== undefined
      ? only
      : boolQuery({ should: variants, disableCoord: true });
  });
  return should.length === 0 ? { kind: 'matchNone' } : boolQuery({ should, boost: query.boost });
}

/** Terms of the shard like a word, scored by similarity and by the rarity of the word itself. */
function variantsOf(
  { field, word, maxEdits, minSimilarity }: FuzzyWord,
  prefixLength: number,
  segments: readonly SegmentReader[],
  liveDocs: number,
): ScoredTerm[] {
  const options = { maxEdits, minSimilarity, prefixLength, transpositions: false };
  const selection = fuzzySelection(word, options);
  const similarities = new Map<string, number>();
  for (const segment of segments) {
    const dictionary = segment.terms(field);
    if (dictionary === null) continue;
    forEachTerm(dictionary, selection, (term) => {
      similarities.set(term, selection.matcher?.boost ?? 1);
      return true;
    });
  }
  if (similarities.size === 0) return [];
  let docFreq = docFreqOf(segments, field, word);
  if (docFreq === 0) {
    let sum = 0;
    for (const term of similarities.keys()) sum += docFreqOf(segments, field, term);
    docFreq = Math.trunc(sum / similarities.size);
  }
  const rarity = idf(docFreq, liveDocs);
  const variants = Array.from(similarities, ([term, score]) => ({ field, term, score }));
  return bestOf(variants, MAX_VARIANTS).map((variant) => ({
    ...variant,
    score: f(f(f(variant.score) * f(variant.score)) * rarity),
  }));
}

/** The `limit` entries with the highest scores, lowest first. */
function bestOf<T extends ScoredTerm>(terms: readonly T[], limit: number): readonly T[] {
  const sorted = [...terms].sort((a, b) => b.score - a.score);
  return sorted.slice(0, Math.max(0, limit)).reverse();
}

function liveDocsOf(segments: readonly SegmentReader[]): number {
  return segments.reduce((sum, { docCount, deletedCount }) => sum + docCount - deletedCount, 0);
}

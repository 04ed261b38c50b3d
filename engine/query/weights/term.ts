// One term of a string field.

import type { Bitset, PostingsIterator, PostingsNeed, SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import {
  type ExplainContext,
  type Explanation,
  explainFreq,
  match,
  noMatch,
} from '../scoring/explanation';
import {
  NO_NORM,
  type Scoring,
  scoringOf,
  similarityOf,
  STANDARD_SIMILARITY,
} from '../../similarity/index';
import type { Binder } from './binder';
import { ConstantScoreWeight } from './constant';
import type { QueryWeight } from './query-weight';
import { TermScorer } from '../scorers/term-scorer';
import { TermsTopK, type RankedTerm, type SumRule } from '../top-k/terms-top-k';
import type { TopK, Scorer, SearchStatistics } from '../scoring/weight';
import type { FieldId } from '../../metadata/index';

/** A single term: its score as it is. */
const ALONE: SumRule = { factors: new Float32Array([0, 1]), rounding: 'productOnly' };

/** The weight of a term query. */
export function bindTerm(query: QueryOf<'term'>, { statistics }: Binder): QueryWeight {
  if (!query.scored) return new ConstantScoreWeight(new TermWeight(query, null), query);
  const scoring = statistics === null ? null : scoringOfTerms(query, [query.term], statistics);
  return new TermWeight(query, scoring);
}

/**
 * How documents score that have the terms of a query, one or those of a phrase. Frequencies that a query
 * brings along count instead of those of the shard.
 */
export function scoringOfTerms(
  query: Pick<QueryOf<'term'>, 'field' | 'boost' | 'docFreq' | 'totalTermFreq'>,
  terms: readonly string[],
  { similarities, maxDoc, docFreqs, totalTermFreqs, fields, merged }: SearchStatistics,
): Scoring {
  const { field, boost } = query;
  const own = merged === true ? undefined : query.docFreq;
  const freqs = docFreqs.get(field);
  const totals = totalTermFreqs.get(field);
  return scoringOf(similarityOf(similarities, field), {
    field: fields.get(field) ?? { maxDoc, sumTotalTermFreq: 0 },
    terms: terms.map((term) => ({
      docFreq: own ?? freqs?.get(term) ?? 0,
      totalTermFreq: (own === undefined ? totals?.get(term) : query.totalTermFreq) ?? -1,
    })),
    boost,
  });
}

/** What a term or phrase says of the score that its similarity gives. */
export function explainTerms(text: string, doc: number, score: Explanation): Explanation {
  const what = `weight(${text} in ${doc}) [PerFieldSimilarity], result of:`;
  return match(score.value, what, [score]);
}

/** Of documents whose scores nobody asks for. */
const NO_SCORES = scoringOf(STANDARD_SIMILARITY, {
  field: { maxDoc: 0, sumTotalTermFreq: 0 },
  terms: [],
  boost: 0,
});

/** Postings of a term in a segment, or null when it does not occur there. */
function termPostings(
  segment: SegmentReader,
  field: FieldId,
  term: string,
  need: PostingsNeed,
): PostingsIterator | null {
  const terms = segment.terms(field);
  if (terms === null) return null;
  const ordinal = terms.ordinalOf(term);
  return ordinal < 0 ? null : terms.postings(ordinal, need);
}

/** A term as its similarity scores it. Unscored weights read documents only. */
export class TermWeight implements QueryWeight {
  private readonly field: FieldId;
  private readonly term: string;

  /** @param scoring null when nobody asks for scores */
  constructor(
    private readonly query: QueryOf<'term'>,
    private readonly scoring: Scoring | null,
  ) {
    this.field = query.field;
    this.term = query.term;
  }

  squaredWeights(): number {
    return this.scoring?.squaredWeights() ?? 0;
  }

  normalize(norm: number, topBoost: number): void {
    this.scoring?.normalize(norm, topBoost);
  }

  cost(segment: SegmentReader): number {
    const terms = segment.terms(this.field);
    if (terms === null) return 0;
    const ordinal = terms.ordinalOf(this.term);
    return ordinal < 0 ? 0 : terms.docFreq(ordinal);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const { scoring } = this;
    const isScored = scoring !== null;
    const postings = termPostings(segment, this.field, this.term, isScored ? 'freqs' : 'docs');
    if (postings === null) return null;
    const norms = isScored ? segment.norms(this.field) : null;
    return new TermScorer(postings, scoring ?? NO_SCORES, norms);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const postings = termPostings(segment, this.field, this.term, 'freqs');
    if (postings?.advance(doc) !== doc) return noMatch('no matching term');
    const freq = explainFreq('termFreq', postings.freq());
    const norm = segment.norms(this.field)?.[doc] ?? NO_NORM;
    const score = (this.scoring ?? NO_SCORES).explain(doc, freq, norm);
    return explainTerms(context.textOf(this.query), doc, score);
  }

  matches(segment: SegmentReader): Bitset | null {
    const terms = segment.terms(this.field);
    const ordinal = terms === null ? -1 : terms.ordinalOf(this.term);
    return ordinal < 0 ? null : terms!.docs(ordinal, segment.docCount);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const terms = segment.terms(this.field);
    const ordinal = terms === null ? -1 : terms.ordinalOf(this.term);
    if (ordinal >= 0) terms!.addDocs(ordinal, into);
  }

  count(segment: SegmentReader): number {
    return this.cost(segment);
  }

  topK(segment: SegmentReader): TopK | null {
    if (!this.isRankable) return null;
    const ranked = this.rankedIn(segment);
    return new TermsTopK(ranked === null ? [] : [ranked], ALONE, segment.docCount);
  }

  /** Whether the scores are bounded. */
  get isRankable(): boolean {
    return this.scoring?.isBounded() === true;
  }

  /** The term in a segment; null when it does not occur there. Only where scores are bounded. */
  rankedIn(segment: SegmentReader): RankedTerm | null {
    const terms = segment.terms(this.field);
    const ordinal = terms === null ? -1 : terms.ordinalOf(this.term);
    if (terms === null || ordinal < 0) return null;
    const scoring = this.scoring ?? NO_SCORES;
    return { terms, ordinal, scoring, norms: segment.norms(this.field) };
  }
}

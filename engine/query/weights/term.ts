// One term of a string field.

import type { Bitset, PostingsIterator, PostingsNeed, SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import { idf } from '../scoring/similarity';
import type { Binder } from './binder';
import { ConstantScoreWeight } from './constant';
import type { QueryWeight } from './query-weight';
import { TermScorer } from '../scorers/term-scorer';
import { TermsTopK, type RankedTerm, type SumRule } from '../top-k/terms-top-k';
import type { TopK, Scorer, SearchStatistics } from '../scoring/weight';
import type { FieldId } from '../../metadata/index';

const f = Math.fround;

/** A single term: its score as it is. */
const ALONE: SumRule = { factors: new Float32Array([0, 1]), rounding: 'productOnly' };

/** The weight of a term query. */
export function bindTerm(query: QueryOf<'term'>, { statistics }: Binder): QueryWeight {
  const { field, term, boost } = query;
  if (!query.scored) return new ConstantScoreWeight(new TermWeight(field, term, null, 1), boost);
  const termIdf = statistics === null ? null : idfOf(query, term, statistics);
  return new TermWeight(field, term, termIdf, boost);
}

/** The inverse document frequency of a term, by the frequency that its query brings along if that counts. */
export function idfOf(
  query: { readonly field: FieldId; readonly docFreq?: number },
  term: string,
  statistics: SearchStatistics,
): number {
  const own = statistics.merged === true ? undefined : query.docFreq;
  const docFreq = own ?? statistics.docFreqs.get(query.field)?.get(term) ?? 0;
  return idf(docFreq, statistics.maxDoc);
}

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

/** tf-idf of a term. Unscored weights read documents only. */
export class TermWeight implements QueryWeight {
  /** Query weight; times idf it is what tf is multiplied by. */
  private queryWeight: number;
  private value: number;

  /** @param idf null when nobody asks for scores */
  constructor(
    readonly field: FieldId,
    readonly term: string,
    private readonly idf: number | null,
    boost: number,
  ) {
    this.queryWeight = f((idf ?? 0) * f(boost));
    this.value = 0;
  }

  squaredWeights(): number {
    return f(this.queryWeight * this.queryWeight);
  }

  normalize(norm: number, topBoost: number): void {
    this.queryWeight = f(this.queryWeight * f(norm * topBoost));
    this.value = f(this.queryWeight * (this.idf ?? 0));
  }

  cost(segment: SegmentReader): number {
    const terms = segment.terms(this.field);
    if (terms === null) return 0;
    const ordinal = terms.ordinalOf(this.term);
    return ordinal < 0 ? 0 : terms.docFreq(ordinal);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const scored = this.idf !== null;
    const postings = termPostings(segment, this.field, this.term, scored ? 'freqs' : 'docs');
    if (postings === null) return null;
    return new TermScorer(postings, this.value, scored ? segment.norms(this.field) : null);
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

  /** Whether bounds hold: more and shorter is better only while the weight is positive. */
  get isRankable(): boolean {
    return this.idf !== null && this.value > 0 && this.value < Infinity;
  }

  /** The term in a segment; null when it does not occur there. */
  rankedIn(segment: SegmentReader): RankedTerm | null {
    const terms = segment.terms(this.field);
    const ordinal = terms === null ? -1 : terms.ordinalOf(this.term);
    if (terms === null || ordinal < 0) return null;
    return { terms, ordinal, weight: this.value, norms: segment.norms(this.field) };
  }
}

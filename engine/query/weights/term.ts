// One term of a string field.

import type { FieldId } from '../../mapping/field';
import { Bitset } from '../../segment/bitset';
import type { PostingsIterator, PostingsNeed, SegmentReader } from '../../segment/reader';
import type { QueryWeight } from '../query-weight';
import { TermScorer } from '../scorers/term-scorer';
import type { Scorer } from '../weight';

const f = Math.fround;

/** Postings of a term in a segment, or null when it does not occur there. */
export function termPostings(
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
    const postings = termPostings(segment, this.field, this.term, 'docs');
    if (postings === null) return null;
    const set = new Bitset(segment.docCount);
    postings.fill(set);
    return set;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    termPostings(segment, this.field, this.term, 'docs')?.fill(into);
  }
}

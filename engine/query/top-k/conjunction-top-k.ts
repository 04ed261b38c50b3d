// The best documents that have all of several terms. Which those are is settled first, without frequencies:
// frequent terms are sets, rarer ones are walked. Then blocks are passed over in which even the best of each
// term could not enter together, and so are documents too long to enter whatever their frequencies are. The
// float32 steps are those of conjunction.ts.

import { Bitset, NO_MORE_DOCS, scratchSet } from '../../segment/index';
import { NO_NORM } from '../../similarity/index';
import type { TermScorer } from '../scorers/term-scorer';
import type { BestHits, DocTest, TopK } from '../scoring/weight';
import { openTerm, type RankedTerm } from './terms-top-k';

const f = Math.fround;

/** A term is made a set where it is at most so many times as frequent as the rarest one; else looked up. */
const SET_SHARE = 16;
/** Sets are intersected whole where the rarest term is in more than one of so many documents. */
const DENSE_SHARE = 32;

/** Ranks the documents of all of some terms. */
export class ConjunctionTopK implements TopK {
  /** By ascending frequency; equal ones in the order of the clauses. */
  private readonly ranked: readonly RankedTerm[];
  /** The matches in {@link accept}, ascending. */
  private found: Uint32Array | null = null;
  private accept: DocTest | null = null;

  /** @param ranked at least one */
  constructor(
    ranked: readonly RankedTerm[],
    private readonly factor: number,
    private readonly docCount: number,
  ) {
    this.ranked = [...ranked].sort((a, b) => docFreqOf(a) - docFreqOf(b));
  }

  count(accept: DocTest | null): number {
    return this.matches(accept).length;
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    const docs = this.matches(accept);
    const scorers = this.ranked.map(openTerm);
    const most = new Float32Array(scorers.length);
    const parts = new Float32Array(scorers.length);
    const { factor } = this;
    let { threshold } = best;
    let boundedTo = -1;
    let enters = true;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      if (doc > boundedTo) {
        boundedTo = bound(scorers, doc, most, parts);
        enters = f(sumFrom(0, 0, most) * factor) > threshold;
      }
      if (!enters || f(mostOf(doc, scorers, parts) * factor) <= threshold) continue;
      const score = scoreAbove(threshold, doc, scorers, most, factor);
      if (score <= threshold) continue;
      best.offer(score, segment, doc);
      if (best.threshold === threshold) continue;
      threshold = best.threshold;
      enters = f(sumFrom(0, 0, most) * factor) > threshold;
    }
  }

  private matches(accept: DocTest | null): Uint32Array {
    if (this.found === null || this.accept !== accept) {
      this.found = this.find(accept);
      this.accept = accept;
    }
    return this.found;
  }

  private find(accept: DocTest | null): Uint32Array {
    const { ranked, docCount } = this;
    const [first, ...others] = ranked;
    const least = docFreqOf(first!);
    if (least * DENSE_SHARE >= docCount) {
      const all = scratchSet(docCount);
      first!.terms.addDocs(first!.ordinal, all);
      for (const { terms, ordinal } of others) all.and(terms.docs(ordinal, docCount));
      if (accept instanceof Bitset) all.and(accept);
      return accept === null || accept instanceof Bitset
        ? membersOf(all)
        : keepAccepted(membersOf(all), accept);
    }
    let docs = docsOf(first!, least);
    for (const term of others) {
      docs =
        docFreqOf(term) <= least * SET_SHARE
          ? keepAccepted(docs, term.terms.docs(term.ordinal, docCount))
          : keepCommon(docs, term);
    }
    return accept === null ? docs : keepAccepted(docs, accept);
  }
}

function docFreqOf({ terms, ordinal }: RankedTerm): number {
  return terms.docFreq(ordinal);
}

function membersOf(set: Bitset): Uint32Array {
  const docs = new Uint32Array(set.count());
  const { words } = set;
  let n = 0;
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i]!; word !== 0; word &= word - 1) {
      docs[n++] = (i << 5) + 31 - Math.clz32(word & -word);
    }
  }
  return docs;
}

function docsOf({ terms, ordinal }: RankedTerm, count: number): Uint32Array {
  const postings = terms.postings(ordinal, 'docs');
  const docs = new Uint32Array(count);
  for (let i = 0; i < count; i++) docs[i] = postings.nextDoc();
  return docs;
}

/** The documents in `accept`, in the same array. */
function keepAccepted(docs: Uint32Array, accept: DocTest): Uint32Array {
  let kept = 0;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    if (accept.has(doc)) docs[kept++] = doc;
  }
  return docs.subarray(0, kept);
}

/** The documents of a term, in the same array. */
function keepCommon(docs: Uint32Array, { terms, ordinal }: RankedTerm): Uint32Array {
  const postings = terms.postings(ordinal, 'docs');
  let kept = 0;
  let at = -1;
  for (let i = 0; i < docs.length && at !== NO_MORE_DOCS; i++) {
    const doc = docs[i]!;
    if (at < doc) at = postings.advance(doc);
    if (at === doc) docs[kept++] = doc;
  }
  return docs.subarray(0, kept);
}

/**
 * Fills `most` with what each term can score at most from `doc` on to where the first of their blocks ends,
 * and `parts` with what of it does not depend on norms.
 */
function bound(
  scorers: readonly TermScorer[],
  doc: number,
  most: Float32Array,
  parts: Float32Array,
): number {
  let end = NO_MORE_DOCS;
  for (let i = 0; i < scorers.length; i++) {
    const scorer = scorers[i]!;
    end = Math.min(end, scorer.postings.blockEnd(doc));
    most[i] = scorer.blockMaxScore();
    parts[i] = scorer.blockMaxPart();
  }
  return end;
}

/** `sum` and the scores from the one at `from` on, added as a conjunction adds them. */
function sumFrom(from: number, sum: number, scores: Float32Array): number {
  let all = sum;
  for (let i = from; i < scores.length; i++) all = f(all + scores[i]!);
  return all;
}

/** The most that a document of its norms can score, added as a conjunction adds scores. */
function mostOf(doc: number, scorers: readonly TermScorer[], parts: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < scorers.length; i++) {
    const { scoring, norms } = scorers[i]!;
    sum = f(sum + scoring.most(parts[i]!, norms === null ? NO_NORM : norms[doc]!));
  }
  return sum;
}

/** The score of a match; -Infinity as soon as it cannot be above `threshold`. */
function scoreAbove(
  threshold: number,
  doc: number,
  scorers: readonly TermScorer[],
  most: Float32Array,
  factor: number,
): number {
  let sum = 0;
  for (let i = 0; i < scorers.length; i++) {
    const scorer = scorers[i]!;
    if (scorer.doc < doc) scorer.advance(doc);
    sum = f(sum + scorer.score());
    if (f(sumFrom(i + 1, sum, most) * factor) <= threshold) return -Infinity;
  }
  return f(sum * factor);
}

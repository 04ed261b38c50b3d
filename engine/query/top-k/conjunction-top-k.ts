// The best documents that have all of several terms. Which those are is settled first, without frequencies:
// frequent terms are sets, rarer ones are walked. Then blocks are passed over in which even the best of each
// term could not enter together, and so are documents too long to enter whatever their frequencies are. The
// float32 steps are those of conjunction.ts.

import { Bitset, NO_MORE_DOCS } from '../../segment/index';
import type { TermScorer } from '../scorers/term-scorer';
import type { BestHits, DocTest, TopK } from '../scoring/weight';
import { openTerm, type RankedTerm } from './terms-top-k';

const f = Math.fround;

/** A term is made a set where it is at most so many times as frequent as the rarest one; else looked up. */
const SET_SHARE = 16;
/** Sets are intersected whole where the rarest term is in more than one of so many documents. */
const DENSE_SHARE = 32;

/** Higher than any norm byte. */
const ABOVE_NORMS = 256;

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
    const norms = commonNorms(scorers);
    const leastNow = (): number => {
      if (f(sumFrom(0, 0, most) * factor) <= best.threshold) return ABOVE_NORMS;
      return norms === null ? 0 : leastNorm(scorers, parts, factor, best.threshold);
    };
    let { threshold } = best;
    let boundedTo = -1;
    // The least norm byte with which a document of the current blocks can enter.
    let least = 0;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      if (doc > boundedTo) {
        boundedTo = bound(scorers, doc, most, parts);
        least = leastNow();
      }
      if (norms === null ? least === ABOVE_NORMS : norms[doc]! < least) continue;
      const score = scoreAbove(threshold, doc, scorers, most, factor);
      if (score <= threshold) continue;
      best.offer(score, segment, doc);
      if (best.threshold === threshold) continue;
      threshold = best.threshold;
      least = leastNow();
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
      const sets = ranked.map(({ terms, ordinal }) => terms.docs(ordinal, docCount));
      if (accept instanceof Bitset) sets.push(accept);
      const docs = commonMembers(sets, least);
      return accept === null || accept instanceof Bitset ? docs : keepAccepted(docs, accept);
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

let room = new Uint32Array(0);

/**
 * The documents of all sets, to be used up before anybody asks for the next ones: they are as many as a
 * frequent term's, and live as long as one search of a segment.
 *
 * @param sets at least one
 * @param most members of the smallest
 */
function commonMembers(sets: readonly Bitset[], most: number): Uint32Array {
  if (room.length < most) room = new Uint32Array(most * 2);
  const docs = room;
  const [{ words }, second, ...others] = sets as readonly [Bitset, ...Bitset[]];
  const seconds = (second ?? sets[0]!).words;
  let n = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i]! & seconds[i]!;
    if (word === 0) continue;
    for (let k = 0; k < others.length; k++) word &= others[k]!.words[i]!;
    for (; word !== 0; word &= word - 1) docs[n++] = (i << 5) + 31 - Math.clz32(word & -word);
  }
  return docs.subarray(0, n);
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

/** The norms of the field that all terms are of; null: they are of several, or it has none. */
function commonNorms(scorers: readonly TermScorer[]): Uint8Array | null {
  const { norms } = scorers[0]!;
  return scorers.every((scorer) => scorer.norms === norms) ? norms : null;
}

/**
 * The least norm byte with which a document can score more than `threshold`, where all terms are of one
 * field; {@link ABOVE_NORMS}: none is enough.
 */
function leastNorm(
  scorers: readonly TermScorer[],
  parts: Float32Array,
  factor: number,
  threshold: number,
): number {
  let low = 0;
  let high = ABOVE_NORMS;
  while (low < high) {
    const norm = (low + high) >>> 1;
    let sum = 0;
    for (let i = 0; i < scorers.length; i++) {
      sum = f(sum + scorers[i]!.scoring.most(parts[i]!, norm));
    }
    if (f(sum * factor) > threshold) high = norm;
    else low = norm + 1;
  }
  return low;
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

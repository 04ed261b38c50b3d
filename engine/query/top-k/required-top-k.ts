// The best documents of one required term that others may raise. All documents of the required term match,
// so they are counted without scoring, and blocks are passed over that even all optional terms together
// could not bring in. As soon as the required term cannot bring a document in by itself, only those of the
// optional terms are looked at. The float32 steps are those of required-optional.ts.

import { NO_MORE_DOCS } from '../../segment/index';
import { type TermScorer, termScore } from '../scorers/term-scorer';
import type { BestHits, DocTest, TopK } from '../scoring/weight';
import { boundOf, countTerm, openTerm, type RankedTerm, reachedScore } from './terms-top-k';

const f = Math.fround;

/** Ranks the documents of a required term. */
export class RequiredTopK implements TopK {
  /** @param factors by number of matching terms, the required one included; they do not descend */
  constructor(
    private readonly required: RankedTerm,
    private readonly optional: readonly RankedTerm[],
    private readonly factors: Float32Array,
    private readonly docCount: number,
  ) {}

  count(accept: DocTest | null): number {
    return countTerm(this.required, accept, this.docCount);
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    const required = openTerm(this.required);
    const { postings } = required;
    const optional = this.optional.map(openTerm);
    let raise = 0;
    for (const scorer of optional) raise += boundOf(scorer);
    const { factors } = this;
    const highest = factors[1 + optional.length]!;
    const alone = f(boundOf(required) * factors[1]!);
    const reached = reachedScore(required, factors[1]!, accept, this.docCount, best);
    for (let target = 0; ;) {
      const threshold = Math.max(best.threshold, reached);
      if (alone <= threshold) {
        if (required.advance(target) === NO_MORE_DOCS) return;
        this.offerRaised(required, optional, accept, best, segment);
        return;
      }
      const end = postings.blockEnd(target);
      if (end === NO_MORE_DOCS) return;
      const most = f(f(required.blockMaxScore() + f(raise)) * highest);
      if (most > threshold) {
        required.advance(target);
        this.offerBlock(required, optional, f(raise), most, reached, accept, best, segment);
      }
      target = end + 1;
    }
  }

  /**
   * @param raise the most that optional terms can add
   * @param most that a document of the block can score
   * @param reached nothing up to this is a hit
   */
  private offerBlock(
    required: TermScorer,
    optional: readonly TermScorer[],
    raise: number,
    most: number,
    reached: number,
    accept: DocTest | null,
    best: BestHits,
    segment: number,
  ): void {
    const { factors } = this;
    const { scoring, norms } = required;
    const factor = factors[1 + optional.length]!;
    let threshold = Math.max(best.threshold, reached);
    const { docs, freqs, from, to } = required.postings.restOfBlock();
    for (let i = from; i < to; i++) {
      const doc = docs[i]!;
      const base = termScore(doc, freqs === null ? 1 : freqs[i]!, scoring, norms);
      if (f(f(base + raise) * factor) <= threshold) continue;
      if (accept !== null && !accept.has(doc)) continue;
      const score = scoreOf(base, doc, optional, factors);
      if (score <= threshold) continue;
      best.offer(score, segment, doc);
      threshold = Math.max(best.threshold, reached);
      if (most <= threshold) return;
    }
  }

  /** Offers the documents from the current one on that an optional term raises. */
  private offerRaised(
    required: TermScorer,
    optional: readonly TermScorer[],
    accept: DocTest | null,
    best: BestHits,
    segment: number,
  ): void {
    const { factors } = this;
    for (let from = required.doc; ;) {
      let doc = NO_MORE_DOCS;
      for (let i = 0; i < optional.length; i++) {
        const scorer = optional[i]!;
        const at = scorer.doc < from ? scorer.advance(from) : scorer.doc;
        if (at < doc) doc = at;
      }
      if (doc !== NO_MORE_DOCS && required.doc < doc) required.advance(doc);
      if (doc === NO_MORE_DOCS || required.doc === NO_MORE_DOCS) return;
      from = required.doc;
      if (from !== doc) continue;
      from++;
      if (accept !== null && !accept.has(doc)) continue;
      const score = scoreOf(required.score(), doc, optional, factors);
      if (score > best.threshold) best.offer(score, segment, doc);
    }
  }
}

function scoreOf(
  base: number,
  doc: number,
  optional: readonly TermScorer[],
  factors: Float32Array,
): number {
  let sum = 0;
  let matched = 0;
  for (let i = 0; i < optional.length; i++) {
    const scorer = optional[i]!;
    const at = scorer.doc < doc ? scorer.advance(doc) : scorer.doc;
    if (at !== doc) continue;
    sum += scorer.score();
    matched++;
  }
  return f((matched === 0 ? base : f(base + f(sum))) * factors[1 + matched]!);
}

// The best documents of one required term that others may raise. All documents of the required term match,
// so they are counted without scoring, and blocks are passed over that even all optional terms together
// could not bring in. The float32 steps are those of required-optional.ts.

import { NO_MORE_DOCS } from '../../segment/bitset';
import { TermScorer } from '../scorers/term-scorer';
import type { BestHits, DocTest, Ranking } from '../weight';
import { boundOf, countTerm, type RankedTerm } from './terms-ranking';

const f = Math.fround;

/** Ranks the documents of a required term. */
export class RequiredRanking implements Ranking {
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
    const { factors } = this;
    const required = open(this.required);
    const { postings } = required;
    const optional = this.optional.map(open);
    const most = 1 + optional.length;
    let raise = 0;
    for (const scorer of optional) raise += boundOf(scorer);
    let boundedTo = -1;
    let { threshold } = best;
    let doc = required.nextDoc();
    while (doc !== NO_MORE_DOCS) {
      if (doc > boundedTo) {
        boundedTo = postings.blockEnd(doc);
        if (f(f(required.blockMaxScore() + f(raise)) * factors[most]!) <= threshold) {
          doc = required.advance(boundedTo + 1);
          continue;
        }
      }
      if (accept === null || accept.has(doc)) {
        const base = required.score();
        if (f(f(base + f(raise)) * factors[most]!) > threshold) {
          const score = scoreOf(base, doc, optional, factors);
          if (score > threshold) {
            best.offer(score, segment, doc);
            if (best.threshold !== threshold) {
              threshold = best.threshold;
              boundedTo = -1;
            }
          }
        }
      }
      doc = required.nextDoc();
    }
  }
}

function open({ terms, ordinal, weight, norms }: RankedTerm): TermScorer {
  return new TermScorer(terms.postings(ordinal, 'freqs'), weight, norms);
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

// Scores the postings of one term. Hot.

import type { PostingsIterator, TermImpacts } from '../../segment/index';
import { NO_NORM, type Scoring } from '../../similarity/index';
import type { Scorer } from '../scoring/weight';
import { ImpactBounds } from './impact-bounds';

/** The score of a document in which a term occurs `freq` times. */
export function termScore(
  doc: number,
  freq: number,
  scoring: Scoring,
  norms: Uint8Array | null,
): number {
  return scoring.score(freq, norms === null ? NO_NORM : norms[doc]!);
}

/**
 * Walks the postings directly. `postings`, `scoring` and `norms` are open to collectors that bound the
 * score of whole blocks (see {@link TermScorer.blockMaxScore}).
 */
export class TermScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  /** Close bounds of the scores; null: those of the postings. */
  readonly impacts: ImpactBounds | null;

  /** @param impacts of the term; only where the scoring is bounded */
  constructor(
    readonly postings: PostingsIterator,
    readonly scoring: Scoring,
    readonly norms: Uint8Array | null,
    impacts: TermImpacts | null = null,
  ) {
    this.cost = postings.cost;
    this.impacts = impacts === null ? null : new ImpactBounds(impacts, scoring, norms !== null);
  }

  nextDoc(): number {
    return (this.doc = this.postings.nextDoc());
  }

  advance(target: number): number {
    return (this.doc = this.postings.advance(target));
  }

  score(): number {
    return termScore(this.doc, this.postings.freq(), this.scoring, this.norms);
  }

  /**
   * For {@link Scoring.most}, of the block that `postings.blockEnd` was last asked about: what bounds its
   * documents together with the norm of each.
   */
  blockMaxPart(): number {
    return this.scoring.ofFreq(this.postings.blockMaxFreq());
  }

  /** The most any document can score in that block; only where the scoring is bounded. */
  blockMaxScore(): number {
    if (this.impacts !== null) return this.impacts.ofBlock(this.postings.boundsBlock);
    const norm = this.norms === null ? NO_NORM : this.postings.blockMaxNorm();
    return this.scoring.most(this.blockMaxPart(), norm);
  }
}

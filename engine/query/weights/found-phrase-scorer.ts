// Iterates the documents of a phrase that were found before.

import { NO_MORE_DOCS } from '../../segment/index';
import { NO_NORM, type Scoring } from '../../similarity/index';
import type { Scorer } from '../scoring/weight';
import type { PhraseMatches } from '../top-k/phrase-top-k';

/** Scores and costs what looking for the phrase again does, so that clauses keep their order and sums. */
export class FoundPhraseScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private index = -1;

  /**
   * @param scoring null when nobody asks for scores
   * @param norms by document; null: the field has none
   */
  constructor(
    private readonly found: PhraseMatches,
    private readonly scoring: Scoring | null,
    private readonly norms: Uint8Array | null,
  ) {
    this.cost = found.cost;
  }

  nextDoc(): number {
    const { docs, count } = this.found;
    this.index++;
    return (this.doc = this.index < count ? docs[this.index]! : NO_MORE_DOCS);
  }

  advance(target: number): number {
    const { docs, count } = this.found;
    let low = this.index + 1;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle]! < target) low = middle + 1;
      else high = middle;
    }
    this.index = low;
    return (this.doc = low < count ? docs[low]! : NO_MORE_DOCS);
  }

  score(): number {
    const { scoring, norms } = this;
    if (scoring === null) return 0;
    return scoring.scorePhrase(
      this.found.freqs[this.index]!,
      norms === null ? NO_NORM : norms[this.doc]!,
    );
  }
}

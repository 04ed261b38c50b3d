// Iterates the documents of a phrase that were found before.

import { NO_NORM, type Scoring } from '../../similarity/index';
import { ListedDocs } from '../scorers/list-scorer';
import type { PhraseMatches } from '../top-k/phrase-top-k';

/** Scores and costs what looking for the phrase again does, so that clauses keep their order and sums. */
export class FoundPhraseScorer extends ListedDocs {
  readonly cost: number;
  private readonly freqs: Float32Array;

  /**
   * @param found trimmed
   * @param scoring null when nobody asks for scores
   * @param norms by document; null: the field has none
   */
  constructor(
    { docs, freqs, cost }: PhraseMatches,
    private readonly scoring: Scoring | null,
    private readonly norms: Uint8Array | null,
  ) {
    super(docs);
    this.freqs = freqs;
    this.cost = cost;
  }

  score(): number {
    const { scoring, norms } = this;
    if (scoring === null) return 0;
    return scoring.scorePhrase(
      this.freqs[this.index]!,
      norms === null ? NO_NORM : norms[this.doc]!,
    );
  }
}

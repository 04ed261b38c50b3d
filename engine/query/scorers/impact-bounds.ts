// Bounds of the scores of one term, made of the pairs of frequencies and norms that its documents have.

import type { TermImpacts } from '../../segment/index';
import { NO_NORM, type Scoring } from '../../similarity/index';

/** For one term of a query in one segment, with the factors of the query settled. */
export class ImpactBounds {
  /** The most that a document of each pair scores. */
  private readonly most: Float32Array;

  /** @param scoring a bounded one */
  constructor(
    private readonly impacts: TermImpacts,
    private readonly scoring: Scoring,
    private readonly hasNorms: boolean,
  ) {
    const { freqs, norms } = impacts;
    const most = new Float32Array(freqs.length);
    for (let i = 0; i < most.length; i++) {
      most[i] = scoring.most(scoring.ofFreq(freqs[i]!), hasNorms ? norms[i]! : NO_NORM);
    }
    this.most = most;
  }

  /** The most that a document of the term scores. */
  ofAll(): number {
    const { most } = this;
    let bound = 0;
    for (let i = 0; i < most.length; i++) if (most[i]! > bound) bound = most[i]!;
    return bound;
  }

  /** The most that a document of a block scores. */
  ofBlock(block: number): number {
    const { most } = this;
    const { starts, pairs } = this.impacts;
    const end = starts[block + 1]!;
    let bound = 0;
    for (let i = starts[block]!; i < end; i++) {
      const own = most[pairs[i]!]!;
      if (own > bound) bound = own;
    }
    return bound;
  }

  /** A score that at least `count` documents reach; -Infinity where that cannot be told. */
  reachedBy(count: number): number {
    const { freqs, norms, counts } = this.impacts;
    const { scoring, hasNorms } = this;
    const scores = new Float64Array(counts.length);
    for (let i = 0; i < scores.length; i++) {
      scores[i] = scoring.score(freqs[i]!, hasNorms ? norms[i]! : NO_NORM);
    }
    const order = Uint16Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
    let reached = 0;
    for (let i = 0; i < order.length; i++) {
      reached += counts[order[i]!]!;
      if (reached >= count) return scores[order[i]!]!;
    }
    return -Infinity;
  }
}

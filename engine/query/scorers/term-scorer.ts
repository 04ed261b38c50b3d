// Scores the postings of one term: tf times the term's weight times the length norm. Hot.

import { NORM_FACTORS, type PostingsIterator } from '../../segment/index';
import { TF_TABLE, tf } from '../scoring/similarity';
import type { Scorer } from '../scoring/weight';

const f = Math.fround;

/**
 * The score of a document in which a term occurs `freq` times. @param weight query weight times idf
 * (float32)
 */
export function termScore(
  doc: number,
  freq: number,
  weight: number,
  norms: Uint8Array | null,
): number {
  const raw = f((freq < 64 ? TF_TABLE[freq]! : tf(freq)) * weight);
  return norms === null ? raw : f(raw * NORM_FACTORS[norms[doc]!]!);
}

/**
 * Walks the postings directly. `postings`, `weight` and `norms` are open to collectors that bound the
 * score of whole blocks (see {@link TermScorer.blockMaxScore}).
 */
export class TermScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    readonly postings: PostingsIterator,
    /** Query weight times idf (float32). */
    readonly weight: number,
    readonly norms: Uint8Array | null,
  ) {
    this.cost = postings.cost;
  }

  nextDoc(): number {
    return (this.doc = this.postings.nextDoc());
  }

  advance(target: number): number {
    return (this.doc = this.postings.advance(target));
  }

  score(): number {
    return termScore(this.doc, this.postings.freq(), this.weight, this.norms);
  }

  /**
   * tf times weight of a document with all that the block has that `postings.blockEnd` was last asked
   * about.
   */
  blockMaxRaw(): number {
    const freq = this.postings.blockMaxFreq();
    return f((freq < 64 ? TF_TABLE[freq]! : tf(freq)) * this.weight);
  }

  /** The most any document can score in the block that `postings.blockEnd` was last asked about. */
  blockMaxScore(): number {
    const raw = this.blockMaxRaw();
    return this.norms === null ? raw : f(raw * this.postings.blockMaxNorm());
  }
}

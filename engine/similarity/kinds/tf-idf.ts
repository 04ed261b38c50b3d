// The default: tf-idf with byte-encoded length norms. The only one that the query norm counts for.

import {
  lengthRule,
  type LengthRule,
  type ScoredTerms,
  type Scoring,
  type SimilarityKind,
} from '../contract/similarity';
import { NORM_FACTORS } from '../contract/norms';

const f = Math.fround;

/** Inverse document frequency. Computed in double, rounded once. */
export function idf(docFreq: number, maxDoc: number): number {
  return f(Math.log(maxDoc / (docFreq + 1)) + 1);
}

/** Term frequency factor; `freq` may be fractional (sloppy phrases). */
export function tf(freq: number): number {
  return f(Math.sqrt(freq));
}

/** {@link tf} of the small whole frequencies that make up nearly all postings. */
const TF_TABLE: Float32Array = Float32Array.from({ length: 64 }, (_, freq) => tf(freq));

/** Settings of the default similarity. */
export interface TfIdf extends LengthRule {
  readonly kind: 'default';
}

/** The similarity `default`. */
export const TF_IDF: SimilarityKind<TfIdf> = {
  read: (settings) => ({ kind: 'default', ...lengthRule(settings) }),
  needsTotals: false,
  scoring: (_settings, terms) => new TfIdfScoring(terms),
};

/** tf times idf squared times the length norm. The idf of a phrase is the sum over its terms. */
class TfIdfScoring implements Scoring {
  private readonly idf: number;
  private queryWeight: number;
  /** Query weight times idf: what tf is multiplied by. */
  private value = 0;

  constructor({ field, terms, boost }: ScoredTerms) {
    let sum = 0;
    for (const { docFreq } of terms) sum = f(sum + idf(docFreq, field.maxDoc));
    this.idf = sum;
    this.queryWeight = f(sum * f(boost));
  }

  squaredWeights(): number {
    return f(this.queryWeight * this.queryWeight);
  }

  normalize(queryNorm: number, topBoost: number): void {
    this.queryWeight = f(this.queryWeight * f(queryNorm * topBoost));
    this.value = f(this.queryWeight * this.idf);
  }

  score(freq: number, norm: number): number {
    return f(f((freq < 64 ? TF_TABLE[freq]! : tf(freq)) * this.value) * NORM_FACTORS[norm]!);
  }

  scorePhrase(freq: number, norm: number): number {
    return f(f(tf(freq) * this.value) * NORM_FACTORS[norm]!);
  }

  /** More and shorter is better only while the weight is positive. */
  isBounded(): boolean {
    return this.value > 0 && this.value < Infinity;
  }

  ofFreq(freq: number): number {
    return f((freq < 64 ? TF_TABLE[freq]! : tf(freq)) * this.value);
  }

  most(freqPart: number, norm: number): number {
    return f(freqPart * NORM_FACTORS[norm]!);
  }
}

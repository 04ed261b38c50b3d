// The default: tf-idf with byte-encoded length norms. The only one that the query norm counts for.

import {
  lengthRule,
  type LengthRule,
  type ScoredTerms,
  type Scoring,
  type SimilarityKind,
} from '../contract/similarity';
import { boostFactor, type Explanation, factor } from '../contract/explanation';
import { explainIdf, idfOf } from '../contract/idf';
import { NORM_FACTORS } from '../contract/norms';
import { formatFloat } from '../../json/index';

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
  /** What the query weight was multiplied by. */
  private queryNorm = 1;
  /** Query weight times idf: what tf is multiplied by. */
  private value = 0;

  constructor(private readonly scored: ScoredTerms) {
    this.idf = idfOf(scored, idf);
    this.queryWeight = f(this.idf * f(scored.boost));
  }

  squaredWeights(): number {
    return f(this.queryWeight * this.queryWeight);
  }

  normalize(queryNorm: number, topBoost: number): void {
    this.queryNorm = f(queryNorm * topBoost);
    this.queryWeight = f(this.queryWeight * this.queryNorm);
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

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const ofIdf = explainIdf(this.scored, idf);
    const freqText = formatFloat(freq.value);
    const ofTf = factor(tf(freq.value), `tf(freq=${freqText}), with freq of:`, [freq]);
    const ofLength = factor(NORM_FACTORS[norm]!, `fieldNorm(doc=${doc})`);
    const ofField = factor(
      f(f(ofTf.value * ofIdf.value) * ofLength.value),
      `fieldWeight in ${doc}, product of:`,
      [ofTf, ofIdf, ofLength],
    );
    const { queryWeight, queryNorm, scored } = this;
    // compat: a query that weighs 1 is not told of.
    if (queryWeight === 1) return ofField;
    const ofQuery = factor(queryWeight, 'queryWeight, product of:', [
      ...boostFactor(f(scored.boost)),
      ofIdf,
      factor(queryNorm, 'queryNorm'),
    ]);
    const text = `score(doc=${doc},freq=${freqText}), product of:`;
    return factor(f(queryWeight * ofField.value), text, [ofQuery, ofField]);
  }
}

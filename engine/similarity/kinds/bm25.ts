// BM25: frequencies count less and less, and lengths relative to the average.

import {
  lengthRule,
  type LengthRule,
  type ScoredTerms,
  type Scoring,
  type SimilarityKind,
} from '../contract/similarity';
import { NO_NORM, NORM_LENGTHS } from '../contract/norms';

const f = Math.fround;

/** Above all that rounding makes of a bound: scores of high frequencies do not strictly ascend. */
const ABOVE_ROUNDING = 1 + 2 ** -20;

/** Settings of BM25 (float32). */
export interface Bm25 extends LengthRule {
  readonly kind: 'BM25';
  readonly k1: number;
  readonly b: number;
}

/** The similarity `BM25`. */
export const BM25: SimilarityKind<Bm25> = {
  read: (settings) => ({
    kind: 'BM25',
    k1: settings.float('k1', 1.2),
    b: settings.float('b', 0.75),
    ...lengthRule(settings),
  }),
  needsTotals: false,
  scoring: (settings, terms) => new Bm25Scoring(settings, terms),
};

function idf(docFreq: number, maxDoc: number): number {
  return f(Math.log(1 + (maxDoc - docFreq + 0.5) / (docFreq + 0.5)));
}

class Bm25Scoring implements Scoring {
  private readonly idf: number;
  private readonly boost: number;
  /** What is added to the frequency in the divisor, by norm. */
  private readonly divisors: Float32Array;
  private value = 0;

  constructor(
    private readonly settings: Bm25,
    { field, terms, boost }: ScoredTerms,
  ) {
    let sum = 0;
    for (const { docFreq } of terms) sum = f(sum + idf(docFreq, field.maxDoc));
    this.idf = sum;
    this.boost = f(boost);
    const { maxDoc, sumTotalTermFreq } = field;
    this.divisors = divisors(settings, sumTotalTermFreq <= 0 ? 1 : f(sumTotalTermFreq / maxDoc));
  }

  squaredWeights(): number {
    const weight = f(this.idf * this.boost);
    return f(weight * weight);
  }

  /** compat: the query norm does not count. */
  normalize(_queryNorm: number, topBoost: number): void {
    this.value = f(f(f(this.idf * this.boost) * topBoost) * f(this.settings.k1 + 1));
  }

  score(freq: number, norm: number): number {
    return f(f(this.value * freq) / f(freq + this.divisors[norm]!));
  }

  scorePhrase(freq: number, norm: number): number {
    return f(f(this.value * freq) / f(freq + this.divisors[norm]!));
  }

  isBounded(): boolean {
    const { k1, b } = this.settings;
    return this.value > 0 && this.value < Infinity && k1 >= 0 && k1 < Infinity && b >= 0 && b <= 1;
  }

  ofFreq(freq: number): number {
    return freq;
  }

  most(freqPart: number, norm: number): number {
    return f(this.score(freqPart, norm) * ABOVE_ROUNDING);
  }
}

/** Made once per term of a query: the average length differs from shard to shard. */
function divisors({ k1, b }: Bm25, averageLength: number): Float32Array {
  const table = new Float32Array(NO_NORM + 1);
  const rest = f(1 - b);
  for (let norm = 0; norm < NO_NORM; norm++) {
    table[norm] = k1 * f(rest + f(f(b * NORM_LENGTHS[norm]!) / averageLength));
  }
  table[NO_NORM] = k1;
  return table;
}

// BM25: frequencies count less and less, and lengths relative to the average.

import {
  type FieldFigures,
  lengthRule,
  type LengthRule,
  type ScoredTerms,
  type Scoring,
  type SimilarityKind,
} from '../contract/similarity';
import { boostFactor, type Explanation, factor } from '../contract/explanation';
import { explainIdf, idfOf } from '../contract/idf';
import { formatFloat } from '../../json/index';
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

/** Tokens of a document on average (float32), of all documents; 1 where they are not counted. */
export function averageLength({ maxDoc, sumTotalTermFreq }: FieldFigures): number {
  return sumTotalTermFreq <= 0 ? 1 : f(sumTotalTermFreq / maxDoc);
}

function idf(docFreq: number, maxDoc: number): number {
  return f(Math.log(1 + (maxDoc - docFreq + 0.5) / (docFreq + 0.5)));
}

class Bm25Scoring implements Scoring {
  private readonly idf: number;
  private readonly boost: number;
  private readonly averageLength: number;
  private totalBoost: number;
  /** What is added to the frequency in the divisor, by norm. */
  private readonly divisors: Float32Array;
  private value = 0;

  constructor(
    private readonly settings: Bm25,
    private readonly scored: ScoredTerms,
  ) {
    const { field, boost } = scored;
    this.idf = idfOf(scored, idf);
    this.boost = f(boost);
    this.totalBoost = this.boost;
    this.averageLength = averageLength(field);
    this.divisors = divisors(settings, this.averageLength);
  }

  squaredWeights(): number {
    const weight = f(this.idf * this.boost);
    return f(weight * weight);
  }

  /** compat: the query norm does not count. */
  normalize(_queryNorm: number, topBoost: number): void {
    this.totalBoost = f(this.boost * topBoost);
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

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const { k1, b } = this.settings;
    const { averageLength, totalBoost } = this;
    const count = freq.value;
    const hasNorm = norm !== NO_NORM;
    const length = NORM_LENGTHS[norm]!;
    const added = hasNorm ? f(k1 * f(f(1 - b) + f(f(b * length) / averageLength))) : k1;
    const ofFreq = factor(f(f(count * f(k1 + 1)) / f(count + added)), 'tfNorm, computed from:', [
      freq,
      factor(k1, 'parameter k1'),
      ...(hasNorm
        ? [
            factor(b, 'parameter b'),
            factor(averageLength, 'avgFieldLength'),
            factor(length, 'fieldLength'),
          ]
        : [factor(0, 'parameter b (norms omitted for field)')]),
    ]);
    const ofIdf = explainIdf(this.scored, idf);
    return factor(
      f(f(totalBoost * ofIdf.value) * ofFreq.value),
      `score(doc=${doc},freq=${formatFloat(count)} = ${freq.description}\n), product of:`,
      [...boostFactor(totalBoost), ofIdf, ofFreq],
    );
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

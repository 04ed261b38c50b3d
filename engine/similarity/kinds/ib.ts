// IB: how much information so many occurrences are (information-based models).

import { factor } from '../contract/explanation';
import { choice, type SimilarityKind } from '../contract/similarity';
import { explainFigure, modelScoring, type Model, type ModelFigures } from './model-scoring';
import {
  explainNormalization,
  isMonotoneNormalization,
  normalizedFreq,
  readNormalization,
  type Normalization,
} from './normalization';

const f = Math.fround;

/** Settings of IB. */
export interface Ib {
  readonly kind: 'IB';
  readonly distribution: keyof typeof DISTRIBUTIONS;
  readonly lambda: keyof typeof LAMBDAS;
  readonly normalization: Normalization;
}

/** The information of a normalized frequency (float32), by the names that settings give them. */
const DISTRIBUTIONS = {
  ll: (freq: number, lambda: number) => f(-Math.log(f(lambda / f(freq + lambda)))),
  spl: (freq: number, lambda: number) => {
    const mean = lambda === 1 ? f(0.99) : lambda;
    const share = Math.pow(mean, f(freq / f(freq + 1))) - mean;
    return f(-Math.log(share / f(1 - mean)));
  },
} as const;

/** How usual a term is (float32), by the names that settings give them. */
const LAMBDAS = {
  df: ({ docFreq, documents }: ModelFigures) => f(f(docFreq + 1) / f(documents + 1)),
  ttf: ({ totalTermFreq, documents }: ModelFigures) => f(f(totalTermFreq + 1) / f(documents + 1)),
} as const;

const DISTRIBUTION_NAMES = Object.keys(DISTRIBUTIONS) as (keyof typeof DISTRIBUTIONS)[];
const LAMBDA_NAMES = Object.keys(LAMBDAS) as (keyof typeof LAMBDAS)[];

/** The similarity `IB`. */
export const IB: SimilarityKind<Ib> = {
  read: (settings) => ({
    kind: 'IB',
    distribution: choice(settings, 'distribution', 'Distribution', DISTRIBUTION_NAMES),
    lambda: choice(settings, 'lambda', 'Lambda', LAMBDA_NAMES),
    normalization: readNormalization(settings),
  }),
  needsTotals: true,
  scoring: (settings, terms) => modelScoring(ibModel(settings), terms),
};

const NAMES = {
  ll: 'DistributionLL',
  spl: 'DistributionSPL',
  df: 'LambdaDF',
  ttf: 'LambdaTTF',
} as const;

function ibModel({ distribution, lambda, normalization }: Ib): Model {
  const information = DISTRIBUTIONS[distribution];
  const usual = LAMBDAS[lambda];
  return {
    name: 'IBSimilarity',
    // Of `spl` very many occurrences are infinite.
    isMonotone: (figures) =>
      distribution === 'll' && isMonotoneNormalization(normalization) && usual(figures) > 0,
    score(figures, freq, length, boost) {
      const normalized = normalizedFreq(normalization, freq, length, figures);
      return f(boost * information(normalized, usual(figures)));
    },
    explain(figures, freq, length) {
      const normalized = explainNormalization(normalization, freq, length, figures);
      const ofTerm = factor(usual(figures), `${NAMES[lambda]}, computed from: `, [
        explainFigure(figures, lambda === 'df' ? 'docFreq' : 'totalTermFreq'),
        explainFigure(figures, 'documents'),
      ]);
      const score = information(normalized.value, ofTerm.value);
      return [normalized, ofTerm, factor(score, NAMES[distribution])];
    },
  };
}

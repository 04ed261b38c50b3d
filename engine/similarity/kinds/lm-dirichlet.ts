// LMDirichlet: the likelihood of the query under the text, smoothed by `mu` words of the collection.

import { factor } from '../contract/explanation';
import type { SimilarityKind } from '../contract/similarity';
import { collectionProbability, explainProbability } from './language-model';
import { type Model, modelScoring, type ModelFigures } from './model-scoring';

const f = Math.fround;

/** Settings of LMDirichlet (float32). */
export interface LmDirichlet {
  readonly kind: 'LMDirichlet';
  readonly mu: number;
}

/** The similarity `LMDirichlet`. */
export const LM_DIRICHLET: SimilarityKind<LmDirichlet> = {
  read: (settings) => ({ kind: 'LMDirichlet', mu: settings.float('mu', 2000) }),
  needsTotals: true,
  scoring: (settings, terms) => modelScoring(dirichletModel(settings), terms),
};

function dirichletModel({ mu }: LmDirichlet): Model {
  const gain = (figures: ModelFigures, freq: number): number =>
    Math.log(f(1 + f(freq / f(mu * collectionProbability(figures)))));
  const lengthNorm = (length: number): number => Math.log(f(mu / f(length + mu)));
  return {
    name: 'LMDirichletSimilarity',
    isMonotone: () => mu > 0 && mu < Infinity,
    score(figures, freq, length, boost) {
      const score = f(boost * f(gain(figures, freq) + lengthNorm(length)));
      return score > 0 ? score : 0;
    },
    explain: (figures, freq, length) => [
      factor(mu, 'mu'),
      factor(gain(figures, freq), 'term weight'),
      factor(lengthNorm(length), 'document norm'),
      explainProbability(figures),
    ],
  };
}

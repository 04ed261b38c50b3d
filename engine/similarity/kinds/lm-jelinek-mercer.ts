// LMJelinekMercer: the likelihood of the query under a mixture of the text and the collection.

import { factor } from '../contract/explanation';
import type { SimilarityKind } from '../contract/similarity';
import { collectionProbability, explainProbability } from './language-model';
import { type Model, modelScoring } from './model-scoring';

const f = Math.fround;

/** Settings of LMJelinekMercer (float32). */
export interface LmJelinekMercer {
  readonly kind: 'LMJelinekMercer';
  /** The part of the collection. */
  readonly lambda: number;
}

/** The similarity `LMJelinekMercer`. */
export const LM_JELINEK_MERCER: SimilarityKind<LmJelinekMercer> = {
  read: (settings) => ({ kind: 'LMJelinekMercer', lambda: settings.float('lambda', 0.1) }),
  needsTotals: true,
  scoring: (settings, terms) => modelScoring(mixtureModel(settings), terms),
};

function mixtureModel({ lambda }: LmJelinekMercer): Model {
  return {
    name: 'LMJelinekMercerSimilarity',
    isMonotone: () => lambda > 0 && lambda <= 1,
    score(figures, freq, length, boost) {
      const own = f(f(f(1 - lambda) * freq) / length);
      const usual = f(lambda * collectionProbability(figures));
      return f(boost * f(Math.log(f(1 + f(own / usual)))));
    },
    explain: (figures) => [factor(lambda, 'lambda'), explainProbability(figures)],
  };
}

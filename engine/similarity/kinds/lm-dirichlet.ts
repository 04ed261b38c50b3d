// LMDirichlet: the likelihood of the query under the text, smoothed by `mu` words of the collection.

import type { SimilarityKind } from '../contract/similarity';
import { collectionProbability } from './language-model';
import { modelScoring } from './model-scoring';

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
  scoring: ({ mu }, terms) =>
    modelScoring(
      {
        score(figures, freq, length, boost) {
          const expected = f(mu * collectionProbability(figures));
          const gain = Math.log(f(1 + f(freq / expected)));
          const score = f(boost * f(gain + Math.log(f(mu / f(length + mu)))));
          return score > 0 ? score : 0;
        },
      },
      terms,
    ),
};

// What the language models share.

import { type Explanation, factor } from '../contract/explanation';
import type { ModelFigures } from './model-scoring';

const f = Math.fround;

/** How likely a word of the field is the term (float32). */
export function collectionProbability({ totalTermFreq, tokens }: ModelFigures): number {
  return f(f(f(totalTermFreq) + 1) / f(f(tokens) + 1));
}

/** What {@link collectionProbability} is. */
export function explainProbability(figures: ModelFigures): Explanation {
  return factor(collectionProbability(figures), 'collection probability');
}

// What the language models share.

import type { ModelFigures } from './model-scoring';

const f = Math.fround;

/** How likely a word of the field is the term (float32). */
export function collectionProbability({ totalTermFreq, tokens }: ModelFigures): number {
  return f(f(f(totalTermFreq) + 1) / f(f(tokens) + 1));
}

// How rare terms are, for the similarities that know a phrase by the sum over its terms.

import { type Explanation, factor } from './explanation';
import type { ScoredTerms } from './similarity';

/** How rare a term is (float32). */
export type Idf = (docFreq: number, maxDoc: number) => number;

/** The idf of a term, or the sum over those of a phrase (float32). */
export function idfOf({ field, terms }: ScoredTerms, idf: Idf): number {
  let sum = 0;
  for (const { docFreq } of terms) sum = Math.fround(sum + idf(docFreq, field.maxDoc));
  return sum;
}

/** What {@link idfOf} is made of. */
export function explainIdf(scored: ScoredTerms, idf: Idf): Explanation {
  const { maxDoc } = scored.field;
  const parts = scored.terms.map(({ docFreq }) =>
    factor(idf(docFreq, maxDoc), `idf(docFreq=${docFreq}, maxDocs=${maxDoc})`),
  );
  return parts.length === 1 ? parts[0]! : factor(idfOf(scored, idf), 'idf(), sum of:', parts);
}

// The terms of texts with their places, as one document has them (reference server).

import { compareUtf8 } from '../segment/index';
import type { Analyzer, TokenBudget } from '../analysis/index';

/** Where a term stands. */
interface Place {
  readonly position: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** The terms of a field of one document, in the order of their bytes. */
export interface FieldTerms {
  readonly terms: readonly (readonly [term: string, places: readonly Place[]])[];
  /** Of all terms together. */
  readonly tokens: number;
}

/**
 * The terms of the values of a field; null: there are none.
 *
 * @param analyzer null: every value is one term
 * @param gap positions between two values
 * @throws EngineError of `budget`
 */
export function termsOf(
  texts: readonly string[],
  analyzer: Analyzer | null,
  gap: number,
  budget: TokenBudget,
): FieldTerms | null {
  const places = new Map<string, Place[]>();
  let position = -1;
  let offset = 0;
  let tokens = 0;
  let isFirst = true;
  const add = (term: string, startOffset: number, endOffset: number): void => {
    const place = { position, startOffset: offset + startOffset, endOffset: offset + endOffset };
    const known = places.get(term);
    if (known === undefined) places.set(term, [place]);
    else known.push(place);
    tokens++;
  };
  for (const text of texts) {
    if (!isFirst) position += gap;
    const before = tokens;
    if (analyzer === null) {
      position++;
      add(text, 0, text.length);
    } else {
      for (const token of analyzer.analyze(text, budget)) {
        position += token.positionIncrement;
        add(token.term, token.startOffset, token.endOffset);
      }
    }
    // compat: a value without terms takes no place.
    if (tokens === before) {
      if (!isFirst) position -= gap;
      continue;
    }
    offset += text.length + 1;
    isFirst = false;
  }
  if (tokens === 0) return null;
  return { terms: [...places].sort(([a], [b]) => compareUtf8(a, b)), tokens };
}

// What the explanations of queries are made of, besides those of similarities.

import { formatFloat } from '../../json/index';
import type { FieldId } from '../../metadata/index';
import type { SegmentReader } from '../../segment/index';
import { type Explanation, factor } from '../../similarity/index';
import type { Query } from '../ast/query';

export { type Explanation, factor };

/** What weights need to explain themselves that only the whole search knows. */
export interface ExplainContext {
  /** The name under which a field is indexed. */
  readonly nameOf: (field: FieldId) => string;
  /** A query of an expanded tree, as the reference prints it where it explains. */
  textOf(query: Query): string;
  /** The same of a query that only its documents are asked of. */
  filterTextOf(filter: Query): string;
  /** The number of documents in the segments before one. */
  baseOf(segment: SegmentReader): number;
}

/** The score of a document that matches, whatever the score is. */
export function match(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), description, details, isMatch: true };
}

/** How often something is in a document. */
export function explainFreq(name: 'termFreq' | 'phraseFreq', freq: number): Explanation {
  return factor(freq, `${name}=${formatFloat(freq)}`);
}

/** A document that does not match, and why. */
export function noMatch(description: string, details: readonly Explanation[] = []): Explanation {
  return { value: 0, description, details, isMatch: false };
}

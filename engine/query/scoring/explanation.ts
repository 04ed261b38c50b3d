// Why a document has the score it has: a tree of numbers, each with what it is and what it is made of.
//
// Values are made by the steps that scores are made by; texts are those of the reference server.

import type { FieldId } from '../../metadata/index';
import type { Query } from '../ast/query';

/** A number of a score with what it is and the numbers it is made of. Plain data. */
export interface Explanation {
  /** float32 */
  readonly value: number;
  readonly description: string;
  /** Empty at the leaves. */
  readonly details: readonly Explanation[];
  /** Whether the document matches what is explained. */
  readonly isMatch: boolean;
}

/** What explanations say of queries and fields; the plan of a search has ids only. */
export interface QueryTexts {
  /** The name under which a field is indexed. */
  nameOf(field: FieldId): string;
  /** A query as the reference prints it. */
  textOf(query: Query): string;
}

/** A factor, sum or the like; as the score of a document a match if it is above 0. */
export function factor(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), description, details, isMatch: value > 0 };
}

/** The score of a document that matches, whatever the score is. */
export function match(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), description, details, isMatch: true };
}

/** A document that does not match, and why. */
export function noMatch(description: string, details: readonly Explanation[] = []): Explanation {
  return { value: 0, description, details, isMatch: false };
}

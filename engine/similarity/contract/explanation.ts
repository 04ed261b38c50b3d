// Why a document has the score it has: a tree of numbers, each with what it is and what it is made of.
//
// Values are made by the steps that scores are made by; texts are those of the reference server.

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

/** A factor, sum or the like; as the score of a document a match if it is above 0. */
export function factor(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), description, details, isMatch: value > 0 };
}

/** A boost, where it is not 1. */
export function boostFactor(boost: number): readonly Explanation[] {
  return boost === 1 ? [] : [factor(boost, 'boost')];
}

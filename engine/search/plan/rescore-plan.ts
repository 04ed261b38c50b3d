// Rescoring: the best hits of each shard get scores in which a second query takes part (reference server).

import type { Query } from '../../query/index';

/** How the scores of both queries become one. */
export type RescoreMode = 'total' | 'multiply' | 'avg' | 'max' | 'min';

/** One stage of rescoring. Plain data. */
export interface RescorePlan {
  /** How many of a shard's best hits take part. */
  readonly window: number;
  readonly query: Query;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly mode: RescoreMode;
}

/** Two scores, each with its weight, as one. float32 */
export function combinedScore(mode: RescoreMode, first: number, second: number): number {
  switch (mode) {
    case 'total':
      return Math.fround(first + second);
    case 'multiply':
      return Math.fround(first * second);
    case 'avg':
      return Math.fround(Math.fround(first + second) / 2);
    case 'max':
      return Math.max(first, second);
    case 'min':
      return Math.min(first, second);
  }
}

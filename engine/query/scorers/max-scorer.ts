// The best of several scores, plus a share of the others (dis_max).

import type { Scorer } from '../scoring/weight';
import { unionOf, type Union } from './union';

const f = Math.fround;

/** Documents of any scorer; the score is the maximum plus `tieBreaker` times the rest. */
export class MaxScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly union: Union;

  constructor(
    scorers: readonly Scorer[],
    private readonly tieBreaker: number,
  ) {
    this.union = unionOf(scorers);
    this.cost = this.union.cost;
  }

  nextDoc(): number {
    return (this.doc = this.union.nextDoc());
  }

  advance(target: number): number {
    return (this.doc = this.union.advance(target));
  }

  score(): number {
    const { union } = this;
    const count = union.gather();
    let sum = union.current[0]!.score();
    let max = sum;
    for (let i = 1; i < count; i++) {
      const score = union.current[i]!.score();
      sum = f(sum + score);
      if (score > max) max = score;
    }
    return f(max + f(f(sum - max) * this.tieBreaker));
  }
}

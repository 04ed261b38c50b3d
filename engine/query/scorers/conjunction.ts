// Documents that all of several scorers have in common. The cheapest leads, the others skip.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Scorer } from '../scoring/weight';

const f = Math.fround;

/**
 * The intersection. The score is the float32 sum of the parts in order of ascending cost, times a
 * factor: the order in which the reference adds them.
 */
export class ConjunctionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly scorers: readonly Scorer[];
  private readonly lead: Scorer;

  constructor(
    scorers: readonly Scorer[],
    private readonly factor: number,
  ) {
    this.scorers = [...scorers].sort((a, b) => a.cost - b.cost);
    this.lead = this.scorers[0]!;
    this.cost = this.lead.cost;
  }

  nextDoc(): number {
    return (this.doc = this.align(this.lead.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.align(this.lead.advance(target)));
  }

  /** Moves everything to the first common document at or after `doc`, where the lead stands. */
  private align(doc: number): number {
    const { scorers, lead } = this;
    const count = scorers.length;
    next: while (doc !== NO_MORE_DOCS) {
      for (let i = 1; i < count; i++) {
        const other = scorers[i]!;
        let at = other.doc;
        if (at < doc) at = other.advance(doc);
        if (at > doc) {
          if (at === NO_MORE_DOCS) return NO_MORE_DOCS;
          doc = lead.advance(at);
          continue next;
        }
      }
      return doc;
    }
    return NO_MORE_DOCS;
  }

  score(): number {
    const { scorers } = this;
    let sum = 0;
    for (let i = 0; i < scorers.length; i++) sum = f(sum + scorers[i]!.score());
    return f(sum * this.factor);
  }
}

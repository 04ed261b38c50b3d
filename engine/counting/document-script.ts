// A script as counting runs it: on documents one after the other, with their scores.

import {
  bindScript,
  type BoundScript,
  type ScriptPlan,
  type ScriptVariable,
} from '../script/index';
import type { SegmentReader } from '../segment/index';

/** The score of a document by its number; asked for in ascending order. */
export type DocScores = (doc: number) => number;

/** Opens the scores of a segment's documents. */
export type ScoresOf = (segment: SegmentReader) => DocScores;

/** A bound script that knows the scores of documents, if it asks for them. */
export class DocumentScript {
  readonly script: BoundScript;
  private readonly scoresOf: ScoresOf | null;
  private scores: DocScores | null = null;

  /** @param now epoch milliseconds that the script takes for the present */
  constructor(
    plan: ScriptPlan,
    now: number,
    scoresOf: ScoresOf,
    variables: readonly ScriptVariable[] = [],
  ) {
    // Where the word means something else, scores are worked out in vain.
    this.scoresOf = plan.source.includes('_score') ? scoresOf : null;
    this.script = bindScript(plan, { now, variables: [...variables, '_score'] });
  }

  /** Reads from this segment from now on, from its first document. */
  open(segment: SegmentReader): void {
    this.script.open(segment);
    this.scores = this.scoresOf?.(segment) ?? null;
  }

  /** Goes on to a document that is not before the last one. */
  seek(doc: number): void {
    if (this.scores !== null) this.script.score = this.scores(doc);
  }
}

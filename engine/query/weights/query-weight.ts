// What weights offer one another: the two phases that settle their factors before anything is scored,
// and adding their documents to a set that is being built.
//
// Phase one asks the whole tree for the sum of its squared weights; phase two hands the query norm made
// from it down again, multiplied by the boosts on the way. All sums and products are float32.

import { Bitset, type SegmentReader } from '../../segment/index';
import type { Query } from '../ast/query';
import {
  type ExplainContext,
  type Explanation,
  factor,
  match,
  noMatch,
} from '../scoring/explanation';
import { BitsetScorer } from '../scorers/bitset-scorer';
import type { Scorer, Weight } from '../scoring/weight';

const f = Math.fround;

/** A weight as other weights see it. */
export interface QueryWeight extends Weight {
  /** Sum of squared weights of this subtree (float32). */
  squaredWeights(): number;
  /** Settles the factors: the norm of the whole query and the product of the boosts above. */
  normalize(norm: number, topBoost: number): void;
  /** Adds all matching documents to `into`, which has the size of the segment. */
  addMatches(segment: SegmentReader, into: Bitset): void;
}

/** A weight whose documents all score the same: its boost times the query norm. */
export abstract class ConstantWeight<Kind extends Query = Query> implements QueryWeight {
  protected readonly boost: number;
  /** The score of every match. */
  protected value: number;
  /** What the boost was multiplied by. */
  protected norm = 1;

  constructor(protected readonly query: Kind) {
    this.boost = 'boost' in query ? f(query.boost) : 1;
    this.value = this.boost;
  }

  squaredWeights(): number {
    return f(this.boost * this.boost);
  }

  normalize(norm: number, topBoost: number): void {
    this.norm = f(norm * topBoost);
    this.value = f(this.boost * this.norm);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const text = context.textOf(this.query);
    if (!hasDoc(this, segment, doc)) return noMatch(`${text} doesn't match id ${doc}`);
    return explainConstant(text, this.boost, this.norm);
  }

  abstract cost(segment: SegmentReader): number;

  abstract addMatches(segment: SegmentReader, into: Bitset): void;

  matches(segment: SegmentReader): Bitset | null {
    if (this.cost(segment) === 0) return null;
    const set = new Bitset(segment.docCount);
    this.addMatches(segment, set);
    return set;
  }

  scorer(segment: SegmentReader): Scorer | null {
    const cost = this.cost(segment);
    if (cost === 0) return null;
    const set = this.matches(segment);
    return set === null ? null : new BitsetScorer(set, cost, this.value);
  }
}

/** Whether a document of the segment matches, whatever else does. */
export function hasDoc(weight: QueryWeight, segment: SegmentReader, doc: number): boolean {
  const test = weight.test?.(segment) ?? null;
  if (test !== null) return test.has(doc);
  return weight.scorer(segment)?.advance(doc) === doc;
}

/** The score of a match that scores like all others. */
export function explainConstant(text: string, boost: number, norm: number): Explanation {
  const details = [factor(boost, 'boost'), factor(norm, 'queryNorm')];
  return match(f(boost * norm), `${text}, product of:`, details);
}

/** All documents of a scorer as a set. */
export function drain(scorer: Scorer, size: number): Bitset {
  const set = new Bitset(size);
  drainInto(scorer, set);
  return set;
}

/** Adds all documents of a scorer that has not moved yet. */
export function drainInto(scorer: Scorer, into: Bitset): void {
  const { size } = into;
  for (let doc = scorer.nextDoc(); doc < size; doc = scorer.nextDoc()) into.add(doc);
}

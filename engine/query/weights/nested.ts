// From nested objects to the document that holds them.
//
// Nested objects stand directly before their parent, so the parent of a matching object is the next
// parent document after it. Only objects at the path take part, whatever the inner query matches.

import { EngineError } from '../../errors';
import { Bitset, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import type { ScoreMode } from '../ast/query';
import type { QueryWeight } from './query-weight';
import { type ExplainContext, type Explanation, match, noMatch } from '../scoring/explanation';
import type { Scorer } from '../scoring/weight';

const f = Math.fround;

/** Where nested objects are and which documents they join to. */
interface NestedJoin {
  readonly path: string;
  /** Null joins to root documents. */
  readonly parentPath: string | null;
  readonly scoreMode: ScoreMode;
}

/**
 * Parents of matching nested objects, scored by their objects' scores. A path below itself makes objects
 * their own parents: as soon as one matches, the search fails with an IllegalStateException.
 */
export class NestedWeight implements QueryWeight {
  private readonly boost: number;

  constructor(
    private readonly inner: QueryWeight,
    private readonly join: NestedJoin,
    boost: number,
  ) {
    this.boost = f(boost);
  }

  squaredWeights(): number {
    return f(f(this.inner.squaredWeights() * this.boost) * this.boost);
  }

  normalize(norm: number, topBoost: number): void {
    this.inner.normalize(norm, f(topBoost * this.boost));
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const scorer = this.scorer(segment);
    const parents = this.parents(segment);
    if (parents === null || scorer?.advance(doc) !== doc) return noMatch('Not a match');
    const base = context.baseOf(segment);
    const range = `from ${base + previous(parents, doc - 1) + 1} to ${base + doc - 1}`;
    return match(scorer.score(), `Score based on child doc range ${range}`);
  }

  cost(segment: SegmentReader): number {
    return segment.nestedDocs(this.join.path) === null ? 0 : this.inner.cost(segment);
  }

  private parents(segment: SegmentReader): Bitset | null {
    const { parentPath } = this.join;
    return parentPath === null ? segment.roots : segment.nestedDocs(parentPath);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const objects = segment.nestedDocs(this.join.path);
    const parents = this.parents(segment);
    if (objects === null || parents === null) return null;
    const inner = this.inner.scorer(segment);
    return inner === null ? null : new NestedScorer(inner, objects, parents, this.join.scoreMode);
  }

  matches(segment: SegmentReader): Bitset | null {
    const objects = segment.nestedDocs(this.join.path);
    const parents = this.parents(segment);
    if (objects === null || parents === null) return null;
    const inner = this.inner.matches(segment);
    if (inner === null) return null;
    const matching = inner.clone().and(objects);
    const set = new Bitset(segment.docCount);
    let object = matching.next(0);
    while (object !== NO_MORE_DOCS) {
      const parent = parents.next(object);
      if (parent === NO_MORE_DOCS) break;
      if (parent === object) throw ownParent(object);
      set.add(parent);
      object = matching.next(parent + 1);
    }
    return set;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const set = this.matches(segment);
    if (set !== null) into.or(set);
  }
}

class NestedScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private value = 0;

  constructor(
    private readonly inner: Scorer,
    private readonly objects: Bitset,
    private readonly parents: Bitset,
    private readonly mode: ScoreMode,
  ) {
    this.cost = inner.cost;
  }

  nextDoc(): number {
    const { inner } = this;
    return this.join(inner.doc === -1 ? inner.nextDoc() : inner.doc);
  }

  advance(target: number): number {
    const { inner } = this;
    // Objects of the target parent start right after the parent before it.
    const start = previous(this.parents, target - 1) + 1;
    return this.join(inner.doc < start || inner.doc === -1 ? inner.advance(start) : inner.doc);
  }

  score(): number {
    return this.value;
  }

  /** Goes to the parent of the first object at or after `object` and scores it by all its objects. */
  private join(object: number): number {
    const { inner, objects, parents, mode } = this;
    while (object !== NO_MORE_DOCS && !objects.has(object)) object = inner.nextDoc();
    if (object === NO_MORE_DOCS) return (this.doc = NO_MORE_DOCS);
    const parent = parents.next(object);
    if (parent === NO_MORE_DOCS) return (this.doc = NO_MORE_DOCS);
    if (parent === object) throw ownParent(object);
    let count = 0;
    let sum = 0;
    let max = -Infinity;
    while (object < parent) {
      if (objects.has(object)) {
        count++;
        if (mode !== 'none') {
          const score = inner.score();
          sum = f(sum + score);
          if (score > max) max = score;
        }
      }
      object = inner.nextDoc();
    }
    if (mode === 'none') this.value = 0;
    else if (mode === 'max') this.value = max;
    else this.value = mode === 'avg' ? f(sum / count) : sum;
    return (this.doc = parent);
  }
}

function ownParent(doc: number): EngineError {
  return new EngineError(
    'IllegalStateException',
    `child query must only match non-parent docs, but parent docID=${doc} matched`,
  );
}

/** The last member at or before `doc`, or -1. */
function previous(set: Bitset, doc: number): number {
  if (doc < 0) return -1;
  const { words } = set;
  if (doc >= set.size) doc = set.size - 1;
  let i = doc >>> 5;
  let word = words[i]! & (0xffffffff >>> (31 - (doc & 31)));
  while (word === 0) {
    if (--i < 0) return -1;
    word = words[i]!;
  }
  return (i << 5) + 31 - Math.clz32(word);
}

// From children to their parents and back, over all segments of a shard: has_child, has_parent, top_children.
//
// What the inner query matches is gathered by family first, at the first need; then the documents of each
// segment are those whose family was found. The inner query is one of its own: its scores are normed
// without what stands around it, and go into the score of the whole as they are (reference server).

import { Bitset, Families, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import type { ChildScoreMode } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import { type Explanation, factor } from '../scoring/explanation';
import type { Scorer } from '../scoring/weight';
import type { Binder } from './binder';
import { ConstantWeight, type QueryWeight } from './query-weight';
import { BitsetScorer } from '../scorers/bitset-scorer';

const f = Math.fround;

/** The weight of parents of what a query matches. */
export function bindHasChild(query: QueryOf<'hasChild'>, binder: Binder): QueryWeight {
  const { scoreMode, minChildren, maxChildren, alwaysWeighs, boost } = query;
  const join = { ...query, finds: 'ofParents', reads: 'ofChildren' } as const;
  const limits = { minChildren, maxChildren };
  if (scoreMode === 'none' || binder.statistics === null) {
    const found = new FoundFamilies(binder, join, 'none', limits, binder.unscored(query.query));
    return new ConstantRelativesWeight(found, query);
  }
  return new ScoredRelativesWeight(binder, join, scoreMode, limits, alwaysWeighs, boost);
}

/** The weight of children of what a query matches. */
export function bindHasParent(query: QueryOf<'hasParent'>, binder: Binder): QueryWeight {
  const { scored, boost } = query;
  const join = { ...query, finds: 'ofChildren', reads: 'ofParents' } as const;
  if (!scored || binder.statistics === null) {
    const found = new FoundFamilies(binder, join, 'none', ANY, binder.unscored(query.query));
    return new ConstantRelativesWeight(found, query);
  }
  // Each child has one parent, so that any way to put scores together will do.
  return new ScoredRelativesWeight(binder, join, 'max', ANY, false, boost);
}

/** Which side of the families is asked for, and through which it is found. */
interface Join {
  readonly parentType: string;
  readonly finds: 'ofParents' | 'ofChildren';
  readonly reads: 'ofParents' | 'ofChildren';
  readonly query: QueryOf<'hasChild' | 'hasParent'>['query'];
}

/** How many documents of a family must match. */
interface Limits {
  readonly minChildren: number;
  readonly maxChildren: number;
}

const ANY: Limits = { minChildren: 0, maxChildren: Infinity };

/** The families in which an inner query matches, gathered when somebody first asks. */
class FoundFamilies {
  private families: Families | null = null;
  /** By number. Null: not counted; then every family in {@link members} is meant. */
  private counts: Uint32Array | null = null;
  private scores: Float32Array | null = null;
  private members = new Bitset(0);
  private matched = 0;
  /** The documents of the segment that was last asked about. */
  private last: { readonly segmentId: number; readonly docs: Bitset } | null = null;

  /** @param inner bound and, where the mode asks for scores, normed */
  constructor(
    private readonly binder: Binder,
    private readonly join: Join,
    private readonly mode: ChildScoreMode,
    private readonly limits: Limits,
    private readonly inner: QueryWeight,
  ) {}

  /** Families with a match, however many. */
  get size(): number {
    this.gather();
    return this.matched;
  }

  /** The documents of a segment that are found, deleted ones included; null: none. */
  docsIn(segment: SegmentReader): Bitset | null {
    const numbers = this.numbersIn(segment);
    if (numbers === null || this.matched === 0) return null;
    const { segmentId } = segment;
    if (this.last?.segmentId !== segmentId) {
      const { parents } = this.families!.in(segment);
      const listed = this.join.finds === 'ofParents' ? parents : null;
      this.last = { segmentId, docs: this.select(numbers, listed) };
    }
    return this.last.docs;
  }

  /** @param listed the documents that may be found; null: any */
  private select(numbers: Uint32Array, listed: Uint32Array | null): Bitset {
    const { members } = this;
    const docs = new Bitset(numbers.length);
    if (listed !== null) {
      for (let i = 0; i < listed.length; i++) {
        const doc = listed[i]!;
        if (members.has(numbers[doc]! - 1)) docs.add(doc);
      }
      return docs;
    }
    for (let doc = 0; doc < numbers.length; doc++) {
      const number = numbers[doc]!;
      if (number > 0 && members.has(number - 1)) docs.add(doc);
    }
    return docs;
  }

  /** The families of the documents of a segment that may be found, plus 1 each; null: it has none. */
  numbersIn(segment: SegmentReader): Uint32Array | null {
    this.gather();
    return this.families!.in(segment)[this.join.finds];
  }

  /** At most so many documents of a segment are found. */
  costIn(segment: SegmentReader): number {
    if (this.numbersIn(segment) === null) return 0;
    // A family has one parent that is not deleted, and any number of children.
    if (this.join.finds === 'ofChildren' && this.matched > 0) return segment.docCount;
    return Math.min(this.matched, segment.docCount);
  }

  /** The scores by family, of those that are found. */
  scoresByFamily(): Float32Array {
    this.gather();
    return this.scores!;
  }

  private gather(): void {
    if (this.families !== null) return;
    const { segments } = this.binder;
    const families = Families.of(segments, this.join.parentType);
    this.families = families;
    this.members = new Bitset(families.size);
    const { minChildren, maxChildren } = this.limits;
    const isLimited = minChildren > 1 || maxChildren !== Infinity;
    if (isLimited || this.mode === 'avg') this.counts = new Uint32Array(families.size);
    if (this.mode !== 'none') this.scores = new Float32Array(families.size);
    for (let i = 0; i < segments.length; i++) this.gatherIn(segments[i]!);
    this.matched = this.members.count();
    if (this.mode === 'avg') this.average();
    if (isLimited) this.restrict(minChildren, maxChildren);
  }

  private gatherIn(segment: SegmentReader): void {
    const numbers = this.families!.in(segment)[this.join.reads];
    if (numbers === null) return;
    if (this.scores !== null) this.gatherScores(segment, numbers, this.scores);
    else this.gatherDocs(segment, numbers);
  }

  private gatherDocs(segment: SegmentReader, numbers: Uint32Array): void {
    const docs = this.inner.matches(segment);
    if (docs === null) return;
    const { members, counts } = this;
    const { liveDocs } = segment;
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
      const number = numbers[doc]! - 1;
      if (number < 0 || (liveDocs !== null && !liveDocs.has(doc))) continue;
      members.add(number);
      if (counts !== null) counts[number]!++;
    }
  }

  private gatherScores(segment: SegmentReader, numbers: Uint32Array, scores: Float32Array): void {
    const scorer = this.inner.scorer(segment);
    if (scorer === null) return;
    const { members, counts, mode } = this;
    const { liveDocs } = segment;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      const number = numbers[doc]! - 1;
      if (number < 0 || (liveDocs !== null && !liveDocs.has(doc))) continue;
      if (counts !== null) counts[number]!++;
      const score = scorer.score();
      if (!members.has(number)) {
        members.add(number);
        scores[number] = score;
      } else if (mode === 'max') {
        if (score > scores[number]!) scores[number] = score;
      } else if (mode === 'min') {
        if (score < scores[number]!) scores[number] = score;
      } else scores[number]! += score;
    }
  }

  private average(): void {
    const { members, counts, scores } = this;
    for (let number = members.next(0); number !== NO_MORE_DOCS; number = members.next(number + 1)) {
      scores![number]! /= counts![number]!;
    }
  }

  /** Leaves out families with too few or too many matches. */
  private restrict(min: number, max: number): void {
    const { members, counts } = this;
    for (let number = members.next(0); number !== NO_MORE_DOCS; number = members.next(number + 1)) {
      const count = counts![number]!;
      if (count < min || count > max) members.remove(number);
    }
  }
}

/** compat: the reference does not explain these queries, nor look whether a document matches. */
function unexplained(boost: number): Explanation {
  return factor(boost, 'not implemented yet...');
}

/** Relatives of matches that all score alike. It weighs nothing where nothing matches (reference server). */
class ConstantRelativesWeight extends ConstantWeight {
  constructor(
    private readonly found: FoundFamilies,
    query: QueryOf<'hasChild' | 'hasParent'>,
  ) {
    super(query);
  }

  override explain(): Explanation {
    return unexplained(this.boost);
  }

  override squaredWeights(): number {
    return this.found.size === 0 ? 0 : super.squaredWeights();
  }

  cost(segment: SegmentReader): number {
    return this.found.costIn(segment);
  }

  override matches(segment: SegmentReader): Bitset | null {
    return this.found.docsIn(segment);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const docs = this.found.docsIn(segment);
    if (docs !== null) into.or(docs);
  }

  override scorer(segment: SegmentReader): Scorer | null {
    const docs = this.found.docsIn(segment);
    return docs === null ? null : new BitsetScorer(docs, docs.cardinality(), this.value);
  }
}

/** Relatives of matches with the scores of these. Its own score is not normed; its part in the norm is. */
class ScoredRelativesWeight implements QueryWeight {
  private readonly found: FoundFamilies;
  private readonly innerWeights: number;
  private readonly boost: number;

  constructor(
    binder: Binder,
    join: Join,
    mode: Exclude<ChildScoreMode, 'none'>,
    limits: Limits,
    private readonly alwaysWeighs: boolean,
    boost: number,
  ) {
    const inner = binder.scored(join.query);
    this.innerWeights = inner.squaredWeights();
    inner.normalize(binder.queryNorm(this.innerWeights), 1);
    this.found = new FoundFamilies(binder, join, mode, limits, inner);
    this.boost = f(boost);
  }

  squaredWeights(): number {
    if (!this.alwaysWeighs && this.found.size === 0) return 0;
    return f(this.innerWeights * f(this.boost * this.boost));
  }

  normalize(): void {
    // The scores are those of the inner query.
  }

  explain(): Explanation {
    return unexplained(this.boost);
  }

  cost(segment: SegmentReader): number {
    return this.found.costIn(segment);
  }

  matches(segment: SegmentReader): Bitset | null {
    return this.found.docsIn(segment);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const docs = this.found.docsIn(segment);
    if (docs !== null) into.or(docs);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const docs = this.found.docsIn(segment);
    if (docs === null) return null;
    const numbers = this.found.numbersIn(segment)!;
    return new FamilyScorer(docs, docs.cardinality(), numbers, this.found.scoresByFamily());
  }
}

/** The members of a set with the scores of their families. */
class FamilyScorer implements Scorer {
  doc = -1;

  constructor(
    private readonly docs: Bitset,
    readonly cost: number,
    private readonly numbers: Uint32Array,
    private readonly scores: Float32Array,
  ) {}

  nextDoc(): number {
    return (this.doc = this.docs.next(this.doc + 1));
  }

  advance(target: number): number {
    return (this.doc = this.docs.next(target));
  }

  score(): number {
    return this.scores[this.numbers[this.doc]! - 1]!;
  }
}

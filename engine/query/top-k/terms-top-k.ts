// The best documents of one term, or of any of several, without scoring all that match (MaxScore with
// block maxima).
//
// No document scores more than its terms can at most. While the worst of the hits found so far beats all
// that the weakest terms could give together, documents that have no other term are passed over: those
// terms become optional, and only the others, the essential ones, are walked. Where even the bounds of the
// current blocks are not enough, whole blocks are. Scores are computed by the same float32 steps as those
// of term-scorer.ts and sum-scorer.ts, and bounds by the same steps from the bounds of the similarity, so
// what is left out could not have entered.

import {
  Bitset,
  NO_MORE_DOCS,
  popCount,
  type PostingsIterator,
  scratchCopy,
  scratchSet,
  type TermDictionary,
} from '../../segment/index';
import type { Scoring } from '../../similarity/index';
import type { SumRounding } from '../scorers/sum-scorer';
import { TermScorer, termScore } from '../scorers/term-scorer';
import type { BestHits, DocTest, TopK } from '../scoring/weight';
import { Complement } from './restricted-top-k';

const f = Math.fround;

/** A scored term that occurs in the segment, and whose scores are bounded. */
export interface RankedTerm {
  readonly terms: TermDictionary;
  readonly ordinal: number;
  readonly scoring: Scoring;
  readonly norms: Uint8Array | null;
}

/** How the scores of the terms of a document become one. */
export interface SumRule {
  /** Factors by number of matching terms; they do not descend. */
  readonly factors: Float32Array;
  readonly rounding: SumRounding;
}

/** Ranks the documents of any of some terms. */
export class TermsTopK implements TopK {
  /** Of each term its documents where they are kept as a set; asked for once, because asking is counted. */
  private sets: readonly (Bitset | null)[] | null = null;

  constructor(
    private readonly ranked: readonly RankedTerm[],
    private readonly rule: SumRule,
    private readonly docCount: number,
  ) {}

  count(accept: DocTest | null): number {
    const [first, second] = this.ranked;
    if (first === undefined) return 0;
    if (second === undefined) return countTerm(first, accept, this.docCount);
    if (accept === null) return this.countAny();
    const any = scratchSet(this.docCount);
    const kept = this.keptDocs();
    for (let i = 0; i < kept.length; i++) {
      const set = kept[i]!;
      const { terms, ordinal } = this.ranked[i]!;
      if (set === null) terms.postings(ordinal, 'docs').fill(any);
      else any.or(set);
    }
    return countAccepted(any, accept);
  }

  /** Where a term is kept as a set only the documents of the others are looked at. */
  private countAny(): number {
    const { ranked, docCount } = this;
    const kept = this.keptDocs();
    let any: Bitset | null = null;
    let count = 0;
    for (let i = 0; i < kept.length; i++) {
      const set = kept[i]!;
      if (set === null) continue;
      if (any === null) {
        any = scratchCopy(set);
        count = set.cardinality();
      } else {
        any.or(set);
        count = -1;
      }
    }
    if (count < 0) count = any!.count();
    const { words } = any ?? scratchSet(docCount);
    for (let i = 0; i < kept.length; i++) {
      if (kept[i] !== null) continue;
      const { terms, ordinal } = ranked[i]!;
      count += addCounting(terms.postings(ordinal, 'docs'), words);
    }
    return count;
  }

  private keptDocs(): readonly (Bitset | null)[] {
    const { ranked, docCount } = this;
    this.sets ??= ranked.map(({ terms, ordinal }) => terms.keptDocs(ordinal, docCount));
    return this.sets;
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    const { rule, docCount } = this;
    const scorers = this.ranked.map(openTerm);
    let reached = -Infinity;
    for (let i = 0; i < scorers.length; i++) {
      const own = reachedScore(scorers[i]!, rule.factors[1]!, accept, docCount, best);
      if (own > reached) reached = own;
    }
    if (scorers.length === 1) offerTerm(scorers[0]!, rule, reached, accept, best, segment);
    else if (scorers.length > 1)
      new TermsWalk(scorers, this.keptDocs(), rule, reached, accept, best, segment).run();
  }
}

/** The score made from the double sum of `count` terms. */
function total(sum: number, count: number, { factors, rounding }: SumRule): number {
  const factor = factors[count]!;
  return rounding === 'productOnly' ? f(sum * factor) : f(f(sum) * factor);
}

function offerTerm(
  scorer: TermScorer,
  rule: SumRule,
  reached: number,
  accept: DocTest | null,
  best: BestHits,
  segment: number,
): void {
  const { postings } = scorer;
  for (let target = 0; ;) {
    const end = postings.blockEnd(target);
    if (end === NO_MORE_DOCS) return;
    const most = total(scorer.blockMaxScore(), 1, rule);
    if (most > best.threshold && most > reached) {
      scorer.advance(target);
      offerBlock(scorer, rule, most, reached, accept, best, segment);
    }
    target = end + 1;
  }
}

/**
 * Offers the rest of the block that a scorer stands in, by the steps of {@link total}.
 *
 * @param most that one of its documents can score
 * @param reached nothing up to this is a hit
 */
function offerBlock(
  { postings, scoring, norms }: TermScorer,
  rule: SumRule,
  most: number,
  reached: number,
  accept: DocTest | null,
  best: BestHits,
  segment: number,
): void {
  const factor = rule.factors[1]!;
  const { docs, freqs, from, to } = postings.restOfBlock();
  let threshold = Math.max(best.threshold, reached);
  for (let i = from; i < to; i++) {
    const doc = docs[i]!;
    const score = f(termScore(doc, freqs === null ? 1 : freqs[i]!, scoring, norms) * factor);
    if (score <= threshold || (accept !== null && !accept.has(doc))) continue;
    best.offer(score, segment, doc);
    threshold = Math.max(best.threshold, reached);
    if (most <= threshold) return;
  }
}

class TermsWalk {
  /** By ascending bound: the optional ones come first. */
  private readonly scorers: readonly TermScorer[];
  /** Their documents, where they are kept as sets. */
  private readonly kept: readonly (Bitset | null)[];
  /** Where each clause stands among them, in the order of the clauses. */
  private readonly places: readonly number[];
  /** The most that the first i scorers can give together. */
  private readonly bounds: Float64Array;
  /** What each scorer gives to the document that is considered; 0: it does not have it. */
  private readonly own: Float64Array;
  private optional = 0;
  private threshold: number;

  constructor(
    clauses: readonly TermScorer[],
    kept: readonly (Bitset | null)[],
    private readonly rule: SumRule,
    reached: number,
    private readonly accept: DocTest | null,
    private readonly best: BestHits,
    private readonly segment: number,
  ) {
    const bounded = clauses
      .map((scorer, clause) => ({ scorer, clause, bound: boundOf(scorer) }))
      .sort((a, b) => a.bound - b.bound);
    this.scorers = bounded.map(({ scorer }) => scorer);
    this.kept = bounded.map(({ clause }) => kept[clause]!);
    this.places = clauses.map((_, own) => bounded.findIndex(({ clause }) => clause === own));
    this.bounds = new Float64Array(clauses.length + 1);
    bounded.forEach(({ bound }, i) => (this.bounds[i + 1] = this.bounds[i]! + bound));
    this.own = new Float64Array(clauses.length);
    this.threshold = Math.max(best.threshold, reached);
    this.divide();
  }

  run(): void {
    const { scorers, accept } = this;
    const last = scorers.length - 1;
    if (this.optional < last) {
      for (let i = this.optional; i <= last; i++) scorers[i]!.nextDoc();
    }
    let boundedTo = -1;
    while (this.optional < last) {
      let doc = NO_MORE_DOCS;
      for (let i = this.optional; i <= last; i++) {
        const at = scorers[i]!.doc;
        if (at < doc) doc = at;
      }
      if (doc === NO_MORE_DOCS) return;
      if (doc > boundedTo) {
        boundedTo = this.skipBlocks(doc);
        if (boundedTo < 0) continue;
      }
      const { optional } = this;
      // With a higher threshold the rest of the block may be of no use.
      if ((accept === null || accept.has(doc)) && this.consider(doc)) boundedTo = -1;
      for (let i = optional; i <= last; i++) {
        const scorer = scorers[i]!;
        if (scorer.doc === doc) scorer.nextDoc();
      }
    }
    this.walkLast();
  }

  /** Goes on where only the last scorer is essential: a block at a time, whose documents the others raise. */
  private walkLast(): void {
    const { scorers, rule } = this;
    const last = scorers.length - 1;
    const lead = scorers[last]!;
    const rest = this.bounds[last]!;
    for (let target = Math.max(lead.doc, 0); this.optional === last;) {
      const end = lead.postings.blockEnd(target);
      if (end === NO_MORE_DOCS) return;
      const most = total(lead.blockMaxScore() + rest, scorers.length, rule);
      if (most > this.threshold) {
        if (lead.doc < target) lead.advance(target);
        this.walkBlock(lead, most);
      }
      target = end + 1;
    }
  }

  /** @param most that a document of the block can score */
  private walkBlock({ postings, scoring, norms }: TermScorer, most: number): void {
    const { rule, accept, own } = this;
    const { docs, freqs, from, to } = postings.restOfBlock();
    const last = own.length - 1;
    const rest = this.bounds[last]!;
    for (let i = from; i < to; i++) {
      const doc = docs[i]!;
      const base = termScore(doc, freqs === null ? 1 : freqs[i]!, scoring, norms);
      if (total(base + rest, last + 1, rule) <= this.threshold) continue;
      if (accept !== null && !accept.has(doc)) continue;
      own[last] = base;
      if (this.raise(doc, last, base, 1) && (most <= this.threshold || this.optional > last))
        return;
    }
  }

  /**
   * Bounds the scores from `doc` on to where the first of the current blocks ends, and returns that end.
   * Where nothing can enter, essential scorers go on to the next blocks where something can, and -1 is
   * returned. Blocks in between are not read.
   */
  private skipBlocks(doc: number): number {
    const { scorers, optional, rule, threshold } = this;
    for (let from = doc; ;) {
      let end = NO_MORE_DOCS;
      let bound = this.bounds[optional]!;
      for (let i = optional; i < scorers.length; i++) {
        const scorer = scorers[i]!;
        if (scorer.doc === NO_MORE_DOCS) continue;
        const blockEnd = scorer.postings.blockEnd(from);
        if (blockEnd === NO_MORE_DOCS) continue;
        if (blockEnd < end) end = blockEnd;
        bound += scorer.blockMaxScore();
      }
      if (end !== NO_MORE_DOCS && total(bound, scorers.length, rule) <= threshold) {
        from = end + 1;
        continue;
      }
      if (from === doc) return end;
      for (let i = optional; i < scorers.length; i++) {
        const scorer = scorers[i]!;
        if (scorer.doc < from) scorer.advance(from);
      }
      return -1;
    }
  }

  /** Offers the document that some essential scorers stand on, if it can enter; true: the threshold rose. */
  private consider(doc: number): boolean {
    const { scorers, optional, own } = this;
    let sum = 0;
    let count = 0;
    for (let i = optional; i < scorers.length; i++) {
      const scorer = scorers[i]!;
      own[i] = 0;
      if (scorer.doc !== doc) continue;
      own[i] = scorer.score();
      sum += own[i]!;
      count++;
    }
    return this.raise(doc, optional, sum, count);
  }

  /**
   * Offers a document for which the scorers from `optional` on are settled, as {@link consider} does.
   *
   * @param sum of what these give, which `count` of them do
   */
  private raise(doc: number, optional: number, sum: number, count: number): boolean {
    const { scorers, kept, bounds, own, rule, threshold } = this;
    for (let i = optional - 1; i >= 0; i--) {
      if (total(sum + bounds[i + 1]!, count + i + 1, rule) <= threshold) return false;
      own[i] = 0;
      // Sets and bounds take less than reading a block.
      if (kept[i]?.has(doc) === false) continue;
      const scorer = scorers[i]!;
      if (scorer.doc < doc) {
        if (scorer.impacts !== null) {
          scorer.postings.blockEnd(doc);
          const most = sum + bounds[i]! + scorer.blockMaxScore();
          if (total(most, count + i + 1, rule) <= threshold) return false;
        }
        scorer.advance(doc);
      }
      if (scorer.doc !== doc) continue;
      own[i] = scorer.score();
      sum += own[i]!;
      count++;
    }
    if (total(sum, count, rule) <= threshold) return false;
    this.best.offer(total(this.exactSum(), count, rule), this.segment, doc);
    if (this.best.threshold <= threshold) return false;
    this.threshold = this.best.threshold;
    this.divide();
    return true;
  }

  /** The sum in the order of the clauses. */
  private exactSum(): number {
    const { own, places } = this;
    let sum = 0;
    for (let i = 0; i < places.length; i++) sum += own[places[i]!]!;
    return sum;
  }

  /** Makes optional what cannot bring a document in by itself. */
  private divide(): void {
    const { bounds, rule, scorers } = this;
    while (
      this.optional < scorers.length &&
      total(bounds[this.optional + 1]!, this.optional + 1, rule) <= this.threshold
    ) {
      this.optional++;
    }
  }
}

/** A scorer that bounds the scores of blocks, before its first document. */
export function openTerm({ terms, ordinal, scoring, norms }: RankedTerm): TermScorer {
  const postings = terms.postings(ordinal, 'freqs');
  return new TermScorer(postings, scoring, norms, terms.impacts(ordinal));
}

/**
 * A score that is too low to enter, because enough documents of a term reach a higher one with that term
 * alone; -Infinity where that cannot be told.
 *
 * @param factor of the score of a document with one of the terms; with more of them it is not lower
 */
export function reachedScore(
  { impacts }: TermScorer,
  factor: number,
  accept: DocTest | null,
  docCount: number,
  { places }: BestHits,
): number {
  if (impacts === null) return -Infinity;
  const needed = places + excludedBy(accept, docCount);
  if (!(needed <= docCount)) return -Infinity;
  const reached = f(impacts.reachedBy(needed) * factor);
  // Documents with just this score may still enter.
  return reached > 0 ? reached * (1 - 2 ** -30) : -Infinity;
}

/** How many documents of the segment are not in `accept` at most. */
function excludedBy(accept: DocTest | null, docCount: number): number {
  if (accept === null) return 0;
  if (accept instanceof Bitset) return docCount - accept.cardinality();
  if (accept instanceof Complement && accept.excluded instanceof Bitset) {
    return accept.excluded.cardinality();
  }
  return docCount;
}

/** The most that a document can score. Leaves the scorer where it is, before its first document. */
export function boundOf(scorer: TermScorer): number {
  if (scorer.impacts !== null) return scorer.impacts.ofAll();
  let bound = 0;
  for (let doc = 0; ;) {
    const end = scorer.postings.blockEnd(doc);
    if (end === NO_MORE_DOCS) return bound;
    const most = scorer.blockMaxScore();
    if (most > bound) bound = most;
    doc = end + 1;
  }
}

/** The number of documents of a term in `accept`. */
export function countTerm(
  { terms, ordinal }: Pick<RankedTerm, 'terms' | 'ordinal'>,
  accept: DocTest | null,
  docCount: number,
): number {
  if (accept === null) return terms.docFreq(ordinal);
  return countAccepted(terms.docs(ordinal, docCount), accept);
}

/** Adds the documents of a term to a set; returns how many it did not have. */
function addCounting(postings: PostingsIterator, words: Uint32Array): number {
  let added = 0;
  for (let at = postings.nextDoc(); at !== NO_MORE_DOCS;) {
    const { docs, from, to } = postings.restOfBlock();
    for (let i = from; i < to; i++) {
      const doc = docs[i]!;
      const word = words[doc >>> 5]!;
      const bit = 1 << (doc & 31);
      if ((word & bit) !== 0) continue;
      words[doc >>> 5] = word | bit;
      added++;
    }
    at = postings.advance(docs[to - 1]! + 1);
  }
  return added;
}

function countAccepted({ words }: Bitset, accept: DocTest): number {
  let count = 0;
  if (accept instanceof Bitset) {
    const accepted = accept.words;
    for (let i = 0; i < words.length; i++) count += popCount(words[i]! & accepted[i]!);
    return count;
  }
  if (accept instanceof Complement && accept.excluded instanceof Bitset) {
    const excluded = accept.excluded.words;
    for (let i = 0; i < words.length; i++) count += popCount(words[i]! & ~excluded[i]!);
    return count;
  }
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i]!; word !== 0; word &= word - 1) {
      if (accept.has((i << 5) + 31 - Math.clz32(word & -word))) count++;
    }
  }
  return count;
}

// Cuts a text into fragments while its tokens go by, and keeps the best (reference server). Nothing is held
// of fragments without matches, so that a long text takes memory for its answer only.

import type { Analyzer } from '../../analysis/index';
import { EngineError } from '../../errors';
import { forEachToken } from '../texts/analyzers';
import type { WeightedTerms } from './weighted-terms';

const f = Math.fround;

/** Tokens of one group that count. */
const MAX_GROUP = 50;

/** A piece of a text with what is marked in it. */
export interface Fragment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** Pairs of start and end, in the order of the text. */
  readonly marks: readonly number[];
}

/** How a text is cut. */
export interface Cutting {
  /** `whole`: not at all; `span`: not within a phrase that matches. */
  readonly kind: 'whole' | 'simple' | 'span';
  readonly size: number;
  /** Fragments kept. */
  readonly count: number;
}

/** The best fragments of a text that have a match, best first; of equal ones in the order of the text. */
export function bestFragments(
  text: string,
  analyzer: Analyzer,
  terms: WeightedTerms,
  cutting: Cutting,
): readonly Fragment[] {
  if (terms.size === 0) return [];
  const cutter = new Cutter(text, terms, cutting);
  forEachToken(analyzer, text, (term, start, end, increment) => {
    cutter.add(term, start, end, increment);
  });
  return cutter.finish();
}

class Cutter {
  private readonly best: BestFragments;
  /** End of the text that belongs to fragments so far. */
  private lastEnd = 0;
  private fragmentStart = 0;
  private fragmentScore = 0;
  private marks: number[] = [];
  private found = new Set<string>();

  private tokens = 0;
  private groupEnd = 0;
  private groupScore = 0;
  private matchStart = 0;
  private matchEnd = 0;

  /** Position of the token at hand. */
  private position = -1;
  /** That of the fragmenter, which sees the tokens that begin a group, but not the first. */
  private cutPosition = -1;
  private waitsFor = -1;
  private fragments = 1;

  constructor(
    private readonly text: string,
    private readonly terms: WeightedTerms,
    private readonly cutting: Cutting,
  ) {
    this.best = new BestFragments(cutting.count);
  }

  add(term: string, start: number, end: number, increment: number): void {
    if (end > this.text.length || start > this.text.length) {
      throw new EngineError(
        'InvalidTokenOffsetsException',
        `Token ${term} exceeds length of provided text sized ${this.text.length}`,
      );
    }
    if (this.tokens > 0 && start >= this.groupEnd) {
      this.endGroup();
      if (this.isNew(term, end, increment)) this.endFragment(this.lastEnd);
    }
    this.addToGroup(start, end, this.scoreOf(term, increment));
  }

  finish(): readonly Fragment[] {
    if (this.tokens > 0) this.endGroup();
    this.endFragment(this.text.length);
    return this.best.inOrder();
  }

  private scoreOf(term: string, increment: number): number {
    this.position += increment;
    const weighted = this.terms.get(term);
    if (weighted === undefined || !weighted.countsAt(this.position)) return 0;
    if (!this.found.has(term)) {
      this.found.add(term);
      this.fragmentScore = f(this.fragmentScore + weighted.weight);
    }
    return weighted.weight;
  }

  private addToGroup(start: number, end: number, score: number): void {
    if (this.tokens === MAX_GROUP) return;
    if (this.tokens === 0) {
      this.matchStart = start;
      this.matchEnd = end;
      this.groupEnd = end;
      this.groupScore = score;
    } else {
      this.groupEnd = Math.max(this.groupEnd, end);
      if (score > 0) {
        const isFirst = this.groupScore === 0;
        this.matchStart = isFirst ? start : Math.min(this.matchStart, start);
        this.matchEnd = isFirst ? end : Math.max(this.matchEnd, end);
        this.groupScore = f(this.groupScore + score);
      }
    }
    this.tokens++;
  }

  private endGroup(): void {
    if (this.groupScore > 0) this.marks.push(this.matchStart, this.matchEnd);
    this.lastEnd = Math.max(this.lastEnd, this.matchEnd);
    this.tokens = 0;
    this.groupScore = 0;
  }

  private isNew(term: string, end: number, increment: number): boolean {
    const { kind, size } = this.cutting;
    if (kind === 'whole') return false;
    if (kind === 'span') {
      this.cutPosition += increment;
      if (this.waitsFor <= this.cutPosition) this.waitsFor = -1;
      else if (this.waitsFor !== -1) return false;
      const spanEnd = this.terms.get(term)?.endOfSpan(this.cutPosition) ?? -1;
      if (spanEnd >= 0) this.waitsFor = spanEnd + 1;
    }
    // 32-bit arithmetic, as there.
    const isNew =
      end >= Math.imul(size, this.fragments) &&
      (kind === 'simple' || this.text.length - end >= size >>> 1);
    if (isNew) this.fragments++;
    return isNew;
  }

  private endFragment(end: number): void {
    if (this.fragmentScore > 0) {
      this.best.add({
        text: this.text,
        start: this.fragmentStart,
        end: Math.max(end, this.lastEnd),
        score: this.fragmentScore,
        marks: this.marks,
      });
      this.found = new Set();
    }
    this.fragmentStart = end;
    this.fragmentScore = 0;
    this.marks = [];
  }
}

/** The best fragments of those added, in the order of the text. */
class BestFragments {
  private kept: Fragment[] = [];

  constructor(private readonly count: number) {}

  add(fragment: Fragment): void {
    this.kept.push(fragment);
    // Now and then, so that each is sorted a few times only.
    if (this.kept.length >= 2 * this.count + 64) this.cut();
  }

  inOrder(): readonly Fragment[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    this.kept.sort((a, b) => b.score - a.score || a.start - b.start);
    this.kept.length = Math.min(this.kept.length, this.count);
  }
}

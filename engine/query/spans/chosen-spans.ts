// Those spans of a span query that stand where they should: near the beginning, or away from others.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Spans } from './spans';

/** What both have in common: the spans of another that pass a test. */
abstract class ChosenSpans implements Spans {
  doc = -1;
  start = -1;
  end = -1;
  readonly cost: number;

  /** @param from not moved yet */
  constructor(protected readonly from: Spans) {
    this.cost = from.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.from.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.from.advance(target)));
  }

  private settle(doc: number): number {
    while (doc !== NO_MORE_DOCS) {
      this.enter(doc);
      if (this.choose()) return doc;
      doc = this.from.nextDoc();
    }
    return NO_MORE_DOCS;
  }

  nextSpan(): boolean {
    return this.from.nextSpan() && this.choose();
  }

  protected take(): true {
    this.start = this.from.start;
    this.end = this.from.end;
    return true;
  }

  /** Prepares for a document of {@link from}. */
  protected abstract enter(doc: number): void;

  /** Takes the span at hand or the next one that passes; false: there is none in the document. */
  protected abstract choose(): boolean;
}

/** Spans that end at or before a position. */
export class FirstSpans extends ChosenSpans {
  constructor(
    from: Spans,
    private readonly limit: number,
  ) {
    super(from);
  }

  protected enter(): void {
    // Nothing to prepare.
  }

  protected choose(): boolean {
    const { from, limit } = this;
    for (;;) {
      if (from.start >= limit) return false;
      if (from.end <= limit) return this.take();
      if (!from.nextSpan()) return false;
    }
  }
}

/** Spans with none of others in them, nor in `pre` positions before and `post` behind them. */
export class ExcludingSpans extends ChosenSpans {
  /** Whether the others have a span at hand in the document. */
  private hasOther = false;

  /** @param others not moved yet */
  constructor(
    from: Spans,
    private readonly others: Spans,
    private readonly pre: number,
    private readonly post: number,
  ) {
    super(from);
  }

  protected enter(doc: number): void {
    const { others } = this;
    this.hasOther = (others.doc < doc ? others.advance(doc) : others.doc) === doc;
  }

  protected choose(): boolean {
    const { from, others } = this;
    do {
      while (this.hasOther && others.end <= from.start - this.pre) {
        this.hasOther = others.nextSpan();
      }
      if (!this.hasOther || from.end + this.post <= others.start) return this.take();
    } while (from.nextSpan());
    return false;
  }
}

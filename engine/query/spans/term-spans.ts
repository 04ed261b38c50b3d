// The positions of a term, as spans of one position each.

import { NO_MORE_DOCS, type PostingsIterator } from '../../segment/index';
import type { Spans } from './spans';

/** @see Spans */
export class TermSpans implements Spans {
  doc = -1;
  start = -1;
  end = -1;
  readonly cost: number;
  /** Positions of the document that were not read yet. */
  private left = 0;

  /** @param postings with positions, not moved yet */
  constructor(private readonly postings: PostingsIterator) {
    this.cost = postings.cost;
  }

  nextDoc(): number {
    return this.enter(this.postings.nextDoc());
  }

  advance(target: number): number {
    return this.enter(this.postings.advance(target));
  }

  private enter(doc: number): number {
    this.doc = doc;
    if (doc === NO_MORE_DOCS) return doc;
    this.left = this.postings.freq();
    this.nextSpan();
    return doc;
  }

  nextSpan(): boolean {
    if (this.left === 0) return false;
    this.left--;
    this.start = this.postings.nextPosition();
    this.end = this.start + 1;
    return true;
  }
}

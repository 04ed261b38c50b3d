// Where span queries and phrases stand in a text: spans of positions, as they are found in a segment.

import { openSpans, type Spans as SpansOfSegment, type SpanTree } from '../../query/index';
import { NO_MORE_DOCS } from '../../segment/index';

/** Ascending positions of the terms of one text. */
export type TermPositions = ReadonlyMap<string, readonly number[]>;

/** Positions from start to end, both included: pairs in one list, by start. */
export type Spans = readonly number[];

/** The spans of a tree without queries of terms, whatever its fields. */
export function spansOf(tree: SpanTree, positions: TermPositions): Spans {
  const found: number[] = [];
  const spans = openSpans(tree, ({ term }) => {
    const list = positions.get(term);
    return list === undefined ? null : new PositionSpans(list);
  });
  if (spans?.nextDoc() !== 0) return found;
  do found.push(spans.start, spans.end - 1);
  while (spans.nextSpan());
  return found;
}

/** The positions of a term in a text, which is document 0 of a segment of its own. */
class PositionSpans implements SpansOfSegment {
  doc = -1;
  start = -1;
  end = -1;
  readonly cost = 1;
  private next = 0;

  /** @param positions at least one */
  constructor(private readonly positions: readonly number[]) {}

  nextDoc(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    this.doc = target === 0 ? 0 : NO_MORE_DOCS;
    if (this.doc === 0) this.nextSpan();
    return this.doc;
  }

  nextSpan(): boolean {
    if (this.next === this.positions.length) return false;
    this.start = this.positions[this.next++]!;
    this.end = this.start + 1;
    return true;
  }
}

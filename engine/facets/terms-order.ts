// The four orders of a terms facet, with their rules for equal counts (reference server), and choosing the
// first entries by one of them.

import { compareDoubles } from '../segment/sort-order';
import { readUtf8 } from '../segment/utf8-order';
import { compileTermPattern } from './term-pattern';
import type { CountedTerms, CountedText, TermsOrder, TermsSpec } from './terms-spec';
import { wordsOf } from './value-table';

/** Compares two of the things that are ordered; positive where the first one is the greater or better. */
type Compare = (a: number, b: number) => number;

/**
 * Positions of the terms that are shown, first one first: those that neither `exclude` nor `regex` keeps
 * out, by the order asked for. `spec` is one for terms of this type.
 *
 * Of equal counts the greater term comes first under `count`, the smaller one under `reverse_count`.
 */
export function topPositions(counted: CountedTerms, spec: TermsSpec): number[] {
  const { counts } = counted;
  const { order } = spec;
  const heap = new PositionHeap(Math.min(spec.size, counts.length), qualityOf(counted, order));
  const accept = acceptance(counted, spec);
  for (let i = 0; i < counts.length; i++) {
    if (heap.isFull) {
      // Most do not get further.
      const last = counts[heap.last]!;
      if (order === 'count' ? counts[i]! < last : order === 'reverse_count' && counts[i]! > last)
        continue;
      if (!heap.wants(i)) continue;
    }
    if (accept === null || accept(i)) heap.offer(i);
  }
  return heap.drain();
}

/** The test for a text term by `exclude` and `regex`; null: every term passes. */
export function textAcceptance(spec: TermsSpec): ((term: string) => boolean) | null {
  const exclude = new Set(spec.exclude);
  const matches = spec.pattern === null ? null : compileTermPattern(spec.pattern);
  if (matches === null) return exclude.size === 0 ? null : (term) => !exclude.has(term);
  return (term) => !exclude.has(term) && matches(term);
}

/** The text of a term at a position. */
export function termText(counted: CountedText, at: number): string {
  return readUtf8(counted.text, counted.starts[at]!, counted.starts[at + 1]!);
}

function acceptance(
  counted: CountedTerms,
  spec: TermsSpec,
): ((position: number) => boolean) | null {
  if (counted.type === 'string') {
    const accept = textAcceptance(spec);
    return accept === null ? null : (position) => accept(termText(counted, position));
  }
  if (spec.exclude.length === 0) return null;
  const exclude = new Set<unknown>(spec.exclude);
  return (position) => !exclude.has(counted.terms[position]);
}

function qualityOf(counted: CountedTerms, order: TermsOrder): Compare {
  const { counts } = counted;
  const terms = compareTerms(counted);
  switch (order) {
    case 'count':
      return (a, b) => counts[a]! - counts[b]! || terms(a, b);
    case 'reverse_count':
      return (a, b) => counts[b]! - counts[a]! || terms(b, a);
    case 'term':
      return (a, b) => terms(b, a);
    case 'reverse_term':
      return terms;
  }
}

function compareTerms(counted: CountedTerms): Compare {
  switch (counted.type) {
    case 'string':
      // They stand in order.
      return (a, b) => a - b;
    case 'long': {
      const words = wordsOf(counted.terms);
      return (a, b) =>
        words[2 * a + 1]! - words[2 * b + 1]! || (words[2 * a]! >>> 0) - (words[2 * b]! >>> 0);
    }
    case 'double': {
      const { terms } = counted;
      return (a, b) => compareDoubles(terms[a]!, terms[b]!);
    }
  }
}

/** Keeps the best positions; `quality` is positive where the first of two is better. */
export class PositionHeap {
  private readonly heap: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly quality: Compare,
  ) {}

  get isFull(): boolean {
    return this.heap.length >= this.limit;
  }

  /** The worst position kept; the heap must not be empty. */
  get last(): number {
    return this.heap[0]!;
  }

  /** Whether an offer would be taken. */
  wants(position: number): boolean {
    const { heap } = this;
    if (heap.length < this.limit) return true;
    return heap.length > 0 && this.quality(position, heap[0]!) > 0;
  }

  offer(position: number): void {
    if (!this.wants(position)) return;
    const { heap } = this;
    if (heap.length < this.limit) {
      heap.push(position);
      this.siftUp(heap.length - 1);
    } else {
      heap[0] = position;
      this.siftDown();
    }
  }

  /** All positions kept, best first. */
  drain(): number[] {
    return this.heap.sort((a, b) => this.quality(b, a));
  }

  private siftUp(from: number): void {
    const { heap } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.quality(heap[at]!, heap[parent]!) >= 0) return;
      const other = heap[parent]!;
      heap[parent] = heap[at]!;
      heap[at] = other;
      at = parent;
    }
  }

  private siftDown(): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let worst = at;
      const left = 2 * at + 1;
      if (left < heap.length && this.quality(heap[left]!, heap[worst]!) < 0) worst = left;
      if (left + 1 < heap.length && this.quality(heap[left + 1]!, heap[worst]!) < 0)
        worst = left + 1;
      if (worst === at) return;
      const other = heap[worst]!;
      heap[worst] = heap[at]!;
      heap[at] = other;
      at = worst;
    }
  }
}

// Where phrases stand in a text: spans of positions, as the reference's span queries find them. In order, one
// stands behind the other; in any order they may share positions.

import type { SpanTree } from '../../query/index';

/** Ascending positions of the terms of one text. */
export type TermPositions = ReadonlyMap<string, readonly number[]>;

/** Positions from start to end, both included: pairs in one list. */
export type Spans = readonly number[];

const NONE: Spans = [];

/** The spans of a tree of span queries, ascending. Depth is bounded by the parsers. */
export function spansOf(tree: SpanTree, positions: TermPositions): Spans {
  switch (tree.type) {
    case 'term':
      return spansOfTerms([tree.term], positions);
    case 'or':
      return sorted(tree.clauses.flatMap((clause) => spansOf(clause, positions)));
    case 'near': {
      const lists = tree.clauses.map((clause) => spansOf(clause, positions));
      return sorted(near(lists, tree.slop, tree.isOrdered));
    }
    case 'first':
      return filtered(spansOf(tree.match, positions), (_start, end) => end < tree.end);
    case 'not': {
      const excluded = spansOf(tree.exclude, positions);
      let at = 0;
      return filtered(spansOf(tree.include, positions), (start, end) => {
        while (at < excluded.length && excluded[at + 1]! < start) at += 2;
        return at >= excluded.length || excluded[at]! > end;
      });
    }
  }
}

/** The spans of one position each of any of the terms; one of several counts as often as they have it. */
export function spansOfTerms(terms: readonly string[], positions: TermPositions): Spans {
  const spans: number[] = [];
  for (const term of terms) {
    for (const position of positions.get(term) ?? NONE) spans.push(position, position);
  }
  return terms.length === 1 ? spans : sorted(spans);
}

/**
 * The spans in which one span of each list stands near the others.
 *
 * @param slop positions that may lie between them, all together
 * @param isOrdered they stand in the order of the lists
 */
export function near(lists: readonly Spans[], slop: number, isOrdered: boolean): Spans {
  if (lists.some(({ length }) => length === 0)) return NONE;
  return isOrdered ? ordered(lists, slop) : unordered(lists, slop);
}

function sorted(spans: readonly number[]): Spans {
  const pairs = Array.from({ length: spans.length / 2 }, (_, i) => i);
  pairs.sort((a, b) => spans[2 * a]! - spans[2 * b]! || spans[2 * a + 1]! - spans[2 * b + 1]!);
  return pairs.flatMap((i) => [spans[2 * i]!, spans[2 * i + 1]!]);
}

function filtered(spans: Spans, test: (start: number, end: number) => boolean): Spans {
  const passed: number[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    if (test(spans[i]!, spans[i + 1]!)) passed.push(spans[i]!, spans[i + 1]!);
  }
  return passed;
}

/** Whether the span at `i` of one list begins before another, or with it and ends earlier. */
function isBefore(spans: Spans, i: number, start: number, end: number): boolean {
  return spans[i]! < start || (spans[i] === start && spans[i + 1]! < end);
}

/** One behind the other: from each place where they are in order, the shortest span that ends there. */
function ordered(lists: readonly Spans[], slop: number): number[] {
  const found: number[] = [];
  const at = new Int32Array(lists.length);
  const last = lists.length - 1;
  for (;;) {
    for (let i = 1; i <= last; i++) {
      const list = lists[i]!;
      const before = lists[i - 1]!;
      while (!isBefore(before, at[i - 1]!, list[at[i]!]!, list[at[i]! + 1]!)) {
        if ((at[i]! += 2) === list.length) return found;
      }
    }
    let start = lists[last]![at[last]!]!;
    const end = lists[last]![at[last]! + 1]!;
    let nextEnd = end;
    let between = 0;
    let isOver = last === 0 && (at[0]! += 2) === lists[0]!.length;
    for (let i = last - 1; i >= 0; i--) {
      const list = lists[i]!;
      let chosen = at[i]!;
      for (;;) {
        const next = (at[i]! += 2);
        if (next >= list.length) isOver = true;
        if (next >= list.length || !isBefore(list, next, start, nextEnd)) break;
        chosen = next;
      }
      nextEnd = list[chosen + 1]!;
      between += Math.max(0, start - nextEnd - 1);
      start = list[chosen]!;
    }
    if (between <= slop) found.push(start, end);
    if (isOver) return found;
  }
}

/**
 * In any order: of the spans at hand the first is moved on, and whenever no more than `slop` positions lie
 * between them that is a span. A heap of the lists by the span that they are at.
 */
function unordered(lists: readonly Spans[], slop: number): number[] {
  const found: number[] = [];
  const count = lists.length;
  const at = new Int32Array(count);
  const heap = Int32Array.from(lists.keys());
  const isLess = (a: number, b: number): boolean => {
    const other = lists[heap[b]!]!;
    const i = at[heap[b]!]!;
    return isBefore(lists[heap[a]!]!, at[heap[a]!]!, other[i]!, other[i + 1]!);
  };
  const sink = (from: number): void => {
    let i = from;
    for (;;) {
      let least = i;
      const left = 2 * i + 1;
      if (left < count && isLess(left, least)) least = left;
      if (left + 1 < count && isLess(left + 1, least)) least = left + 1;
      if (least === i) return;
      const moved = heap[i]!;
      heap[i] = heap[least]!;
      heap[least] = moved;
      i = least;
    }
  };
  for (let i = count >> 1; i >= 0; i--) if (i < count) sink(i);
  let furthest = -1;
  let covered = 0;
  for (const [start, end] of lists as readonly (readonly [number, number])[]) {
    furthest = Math.max(furthest, end);
    covered += end - start + 1;
  }
  for (;;) {
    const first = heap[0]!;
    const list = lists[first]!;
    const i = at[first]!;
    if (furthest + 1 - list[i]! - covered <= slop) found.push(list[i]!, furthest);
    const next = (at[first] = i + 2);
    if (next === list.length) return found;
    covered += list[next + 1]! - list[next]! - (list[i + 1]! - list[i]!);
    furthest = Math.max(furthest, list[next + 1]!);
    sink(0);
  }
}

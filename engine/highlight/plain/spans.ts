// Where phrases stand in a text: spans of positions, as the reference's span queries find them. Phrases
// without slop match in order, one after the other; with slop their terms may stand in any order, and may
// share positions.

/** Ascending positions of the terms of one text. */
export type TermPositions = ReadonlyMap<string, readonly number[]>;

/** Positions from start to end, both included: pairs in one list. */
export type Spans = readonly number[];

const NONE: readonly number[] = [];

/**
 * The spans in which one term of each slot stands near the others.
 *
 * @param slots alternatives, in the order of the phrase
 * @param slop positions that may lie between them, all together
 * @param isOrdered they stand in the order of the slots
 */
export function nearSpans(
  slots: readonly (readonly string[])[],
  slop: number,
  isOrdered: boolean,
  positions: TermPositions,
): Spans {
  const lists = slots.map((terms) => positionsOf(terms, positions));
  if (lists.some(({ length }) => length === 0)) return NONE;
  return isOrdered ? ordered(lists, slop) : unordered(lists, slop);
}

/** Positions of any of the terms; one of several terms counts as often as it has them. */
function positionsOf(terms: readonly string[], positions: TermPositions): readonly number[] {
  if (terms.length === 1) return positions.get(terms[0]!) ?? NONE;
  const all: number[] = [];
  for (const term of terms) {
    for (const position of positions.get(term) ?? NONE) all.push(position);
  }
  return all.sort((a, b) => a - b);
}

/** One behind the other: from each place where they are in order, the shortest span that ends there. */
function ordered(lists: readonly (readonly number[])[], slop: number): number[] {
  const spans: number[] = [];
  const at = new Int32Array(lists.length);
  const last = lists.length - 1;
  for (;;) {
    for (let i = 1; i <= last; i++) {
      const list = lists[i]!;
      const before = lists[i - 1]![at[i - 1]!]!;
      while (list[at[i]!]! <= before) if (++at[i]! === list.length) return spans;
    }
    const end = lists[last]![at[last]!]!;
    let start = end;
    let between = 0;
    let isEnd = last === 0 && ++at[0]! === lists[0]!.length;
    for (let i = last - 1; i >= 0; i--) {
      const list = lists[i]!;
      let position = list[at[i]!]!;
      for (;;) {
        if (++at[i]! === list.length) isEnd = true;
        if (at[i]! >= list.length || list[at[i]!]! >= start) break;
        position = list[at[i]!]!;
      }
      between += start - position - 1;
      start = position;
    }
    if (between <= slop) spans.push(start, end);
    if (isEnd) return spans;
  }
}

/**
 * Terms in any order: of the terms at hand the first is moved on, and whenever no more than `slop` positions
 * lie between them that is a span. A heap of the lists by the position that they are at.
 */
function unordered(lists: readonly (readonly number[])[], slop: number): number[] {
  const spans: number[] = [];
  const count = lists.length;
  const at = new Int32Array(count);
  const heap = Int32Array.from(lists.keys());
  const positionAt = (i: number): number => lists[heap[i]!]![at[heap[i]!]!]!;
  const sink = (from: number): void => {
    let i = from;
    for (;;) {
      let least = i;
      const left = 2 * i + 1;
      if (left < count && positionAt(left) < positionAt(least)) least = left;
      if (left + 1 < count && positionAt(left + 1) < positionAt(least)) least = left + 1;
      if (least === i) return;
      const moved = heap[i]!;
      heap[i] = heap[least]!;
      heap[least] = moved;
      i = least;
    }
  };
  for (let i = count >> 1; i >= 0; i--) sink(i);
  let furthest = -1;
  for (const list of lists) furthest = Math.max(furthest, list[0]!);
  for (;;) {
    const start = positionAt(0);
    if (furthest + 1 - start - count <= slop) spans.push(start, furthest);
    const first = heap[0]!;
    const next = ++at[first]!;
    if (next === lists[first]!.length) return spans;
    furthest = Math.max(furthest, lists[first]![next]!);
    sink(0);
  }
}

// Which terms a multi-term query selects, and how often a phrase occurs, on the query model.

import type { Query } from '../../engine/query/ast/query';
import { occurrences, type ModelDoc } from './query-model-documents';

const f = Math.fround;

/** 0 when the term is not selected, else what its boost is multiplied by. */
export function similarity(
  query: Extract<Query, { kind: 'prefix' | 'wildcard' | 'fuzzy' }>,
  term: string,
): number {
  if (query.kind === 'prefix') return term.startsWith(query.prefix) ? 1 : 0;
  if (query.kind === 'wildcard') {
    const source = query.pattern.replace(/\*/g, '.*').replace(/\?/g, '.');
    return new RegExp(`^${source}$`, 'su').test(term) ? 1 : 0;
  }
  const { term: target, prefixLength } = query;
  if (term === target) return 1;
  if (prefixLength >= target.length || !term.startsWith(target.slice(0, prefixLength))) return 0;
  const edits = distance(target, term);
  if (edits > query.maxEdits) return 0;
  return f(1 - f(edits / Math.min(target.length, term.length)));
}

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  return Math.min(
    distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    distance(a.slice(1), b) + 1,
    distance(a, b.slice(1)) + 1,
  );
}

/** Frequency of a phrase: matching starts, or the windows of a sloppy phrase of two distinct terms. */
export function phraseFreq(doc: ModelDoc, query: Extract<Query, { kind: 'phrase' }>): number {
  const starts = query.slots.map((slot) =>
    slot.terms
      .flatMap((term) => occurrences(doc, query.field, term))
      .map((each) => each.position - slot.position)
      .sort((a, b) => a - b),
  );
  if (starts.some((list) => list.length === 0)) return 0;
  if (query.slop > 0)
    return sloppyFreq(
      starts,
      query.slots.map((slot) => slot.position),
      query.slop,
    );
  const shared = starts[0]!.filter((start) => starts.every((list) => list.includes(start)));
  // Nothing stands before a text.
  return new Set(shared.filter((start) => start >= 0)).size;
}

/** The kernel as it is documented, for phrases without repeated terms. */
function sloppyFreq(
  lists: readonly (readonly number[])[],
  offsets: readonly number[],
  slop: number,
): number {
  const states = lists.map((list, order) => ({ list, at: 0, offset: offsets[order]!, order }));
  type State = (typeof states)[number];
  const start = (state: State): number => state.list[state.at]!;
  const order = (a: State, b: State): number =>
    start(a) - start(b) || a.offset - b.offset || a.order - b.order;
  let end = Math.max(...states.map(start));
  const queue = [...states].sort(order);
  let freq = 0;
  let least = queue.shift()!;
  let width = end - start(least);
  let next = start(queue[0]!);
  while (++least.at < least.list.length) {
    end = Math.max(end, start(least));
    if (start(least) > next) {
      if (width <= slop) freq = f(freq + f(1 / (width + 1)));
      queue.push(least);
      queue.sort(order);
      least = queue.shift()!;
      next = start(queue[0]!);
      width = end - start(least);
    } else width = Math.min(width, end - start(least));
  }
  return width <= slop ? f(freq + f(1 / (width + 1))) : freq;
}

// Span queries on the query model: all spans of a document as a list, found in the plainest way.

import { mapSpanTerms } from '../../engine/query/ast/spans';
import type { SpanTree } from '../../engine/query/ast/query';
import { occurrences, type ModelDoc } from './query-model-documents';
import { similarity } from './query-model-matching';
import type { ModelTerm } from './similarity-model';

const f = Math.fround;

type Span = readonly [start: number, end: number];

/** A tree with terms in place of its queries of terms. */
export function expandedSpans(
  tree: SpanTree,
  termsOf: (field: number) => readonly string[],
): SpanTree {
  return mapSpanTerms(tree, ({ field, query }): SpanTree => {
    if (query.kind !== 'prefix' && query.kind !== 'wildcard' && query.kind !== 'fuzzy') {
      throw new Error(`the model does not know ${query.kind}`);
    }
    let terms = termsOf(query.field).filter((term) => similarity(query, term) > 0);
    const size = query.kind === 'fuzzy' ? query.maxExpansions : Infinity;
    const limit = query.rewrite?.method === 'topTerms' ? query.rewrite.size : size;
    if (query.rewrite === null || query.rewrite.method === 'topTerms') {
      terms = [...terms]
        .sort((a, b) => similarity(query, b) - similarity(query, a))
        .slice(0, limit);
    }
    const clauses = terms.map((term) => ({ type: 'term', field, term }) as const);
    return { type: 'or', field: terms.length === 0 ? null : field, clauses };
  });
}

/** Sum of 1 / (length + 1) over the spans of a document. */
export function spanFreq(doc: ModelDoc, tree: SpanTree): number {
  return spansOf(doc, tree).reduce((sum, [start, end]) => f(sum + f(1 / (end - start + 1))), 0);
}

/** The distinct terms that are looked for. */
export function spanTerms(tree: SpanTree): readonly ModelTerm[] {
  const keys = new Set(lookedFor(tree).map(({ field, term }) => `${field} ${term}`));
  return [...keys].sort().map((key) => {
    const [field, term] = key.split(' ') as [string, string];
    return { field: Number(field), term };
  });
}

function lookedFor(tree: SpanTree): { field: number; term: string }[] {
  switch (tree.type) {
    case 'term':
      return [{ field: tree.field.id, term: tree.term }];
    case 'or':
    case 'near':
      return tree.clauses.flatMap(lookedFor);
    case 'not':
      return lookedFor(tree.include);
    case 'first':
    case 'masked':
      return lookedFor(tree.match);
    case 'multi':
      throw new Error('not expanded');
  }
}

/** All spans of a document, ascending. */
export function spansOf(doc: ModelDoc, tree: SpanTree): readonly Span[] {
  switch (tree.type) {
    case 'term':
      return occurrences(doc, tree.field.id, tree.term).map(({ position }) => [
        position,
        position + 1,
      ]);
    case 'or':
      return sorted(tree.clauses.flatMap((clause) => spansOf(doc, clause)));
    case 'near': {
      const lists = tree.clauses.map((clause) => spansOf(doc, clause));
      if (lists.some((list) => list.length === 0)) return [];
      if (lists.length === 1) return lists[0]!;
      return tree.isOrdered ? ordered(lists, tree.slop) : unordered(lists, tree.slop);
    }
    case 'first':
      return spansOf(doc, tree.match).filter(([, end]) => end <= tree.end);
    case 'not': {
      const excluded = spansOf(doc, tree.exclude);
      return spansOf(doc, tree.include).filter(([start, end]) =>
        excluded.every(([from, to]) => to <= start - tree.pre || from >= end + tree.post),
      );
    }
    case 'masked':
      return spansOf(doc, tree.match);
    case 'multi':
      throw new Error('not expanded');
  }
}

function sorted(spans: readonly Span[]): Span[] {
  return [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/**
 * The first way to stand in order, drawn together towards its last span; then on from behind it. Each span
 * but the last is used once.
 */
function ordered(lists: readonly (readonly Span[])[], slop: number): Span[] {
  const found: Span[] = [];
  const rest = lists.map((list) => [...list]);
  for (;;) {
    for (let i = 1; i < rest.length; i++) {
      const before = rest[i - 1]![0]!;
      while (rest[i]!.length > 0 && rest[i]![0]![0] < before[1]) rest[i]!.shift();
      if (rest[i]!.length === 0) return found;
    }
    const last = rest[rest.length - 1]![0]!;
    let start = last[0];
    let between = 0;
    for (let i = rest.length - 2; i >= 0; i--) {
      let chosen = rest[i]!.shift()!;
      while (rest[i]!.length > 0 && rest[i]![0]![1] <= start) chosen = rest[i]!.shift()!;
      between += start - chosen[1];
      start = chosen[0];
    }
    if (between <= slop) found.push([start, last[1]]);
    if (rest.some((list) => list.length === 0)) return found;
  }
}

/** From the first spans on the one that stands first is left behind. No two lists share positions. */
function unordered(lists: readonly (readonly Span[])[], slop: number): Span[] {
  const found: Span[] = [];
  const rest = lists.map((list) => [...list]);
  let furthest = 0;
  rest.forEach((list, i) => {
    if (list[0]![1] > rest[furthest]![0]![1]) furthest = i;
  });
  for (;;) {
    const heads = rest.map((list) => list[0]!);
    const first = heads.indexOf(sorted(heads)[0]!);
    const start = heads[first]![0];
    const end = heads[furthest]![1];
    const covered = heads.reduce((sum, head) => sum + head[1] - head[0], 0);
    if (end - start - covered <= slop) found.push([start, end]);
    rest[first]!.shift();
    const next = rest[first]![0];
    if (next === undefined) return found;
    if (next[1] > rest[furthest]![0]![1]) furthest = first;
  }
}

// From a tree of span queries to its spans.

import type { SpanTree } from '../ast/query';
import type { SpanTerm } from '../ast/spans';
import { ExcludingSpans, FirstSpans } from './chosen-spans';
import { OrderedNearSpans, UnorderedNearSpans } from './near-spans';
import type { Spans } from './spans';
import { UnionSpans } from './union-spans';

/**
 * The spans of a tree without queries of terms (see `prepareQuery`); null: there are none. Depth is bounded
 * by the parsers.
 *
 * @param open the spans of a term, not moved yet; null: there are none
 */
export function openSpans(tree: SpanTree, open: (term: SpanTerm) => Spans | null): Spans | null {
  switch (tree.type) {
    case 'term':
      return open({ field: tree.field.id, term: tree.term });
    case 'multi':
      throw new Error('queries of terms must be expanded before their spans are read');
    case 'or': {
      const parts = openAll(tree.clauses, open).filter((part) => part !== null);
      return parts.length < 2 ? (parts[0] ?? null) : new UnionSpans(parts);
    }
    case 'near': {
      const parts = openAll(tree.clauses, open);
      if (!isWhole(parts)) return null;
      if (parts.length < 2) return parts[0] ?? null;
      return tree.isOrdered
        ? new OrderedNearSpans(parts, tree.slop)
        : new UnorderedNearSpans(parts, tree.slop);
    }
    case 'first': {
      const spans = openSpans(tree.match, open);
      return spans === null ? null : new FirstSpans(spans, tree.end);
    }
    case 'not': {
      const spans = openSpans(tree.include, open);
      const others = openSpans(tree.exclude, open);
      if (spans === null || others === null) return spans;
      return new ExcludingSpans(spans, others, tree.pre, tree.post);
    }
    case 'masked':
      return openSpans(tree.match, open);
  }
}

function openAll(
  trees: readonly SpanTree[],
  open: (term: SpanTerm) => Spans | null,
): readonly (Spans | null)[] {
  return trees.map((tree) => openSpans(tree, open));
}

function isWhole(parts: readonly (Spans | null)[]): parts is readonly Spans[] {
  return !parts.includes(null);
}

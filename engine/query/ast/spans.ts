// Span queries: which stretches of positions of a field match. A tree of its own inside a query, because its
// nodes stand for spans and not for documents: only the outermost one scores, and has a boost.

import type { FieldId } from '../../metadata/index';

/** The field that spans are taken to be in: all clauses of a span query have the same. */
export interface SpanField {
  readonly id: FieldId;
  /** The name of a field that is not mapped, whose id says nothing. */
  readonly unmapped?: string;
}

/** A span query over queries of terms `Terms`. */
export type SpanNode<Terms> = {
  /** `_name` of the node: hits that match it alone report it. */
  readonly name?: string;
} & (
  | { readonly type: 'term'; readonly field: SpanField; readonly term: string }
  /** Any of the terms that a query of terms stands for; settled per shard by prepareQuery. */
  | { readonly type: 'multi'; readonly field: SpanField; readonly query: Terms }
  | {
      readonly type: 'or';
      /** Null: there are no clauses. */
      readonly field: SpanField | null;
      readonly clauses: readonly SpanNode<Terms>[];
    }
  /** One span of each clause, with at most `slop` positions between them all together. */
  | {
      readonly type: 'near';
      readonly field: SpanField | null;
      readonly clauses: readonly SpanNode<Terms>[];
      readonly slop: number;
      readonly isOrdered: boolean;
    }
  /** Spans that end at or before position `end`. */
  | { readonly type: 'first'; readonly match: SpanNode<Terms>; readonly end: number }
  /** Spans with none of the others in them, nor in `pre` positions before and `post` behind them. */
  | {
      readonly type: 'not';
      readonly include: SpanNode<Terms>;
      readonly exclude: SpanNode<Terms>;
      readonly pre: number;
      readonly post: number;
    }
  /** Spans of one field that pass for spans of another. Standing alone it scores as what is in it. */
  | {
      readonly type: 'masked';
      readonly match: SpanNode<Terms>;
      readonly field: SpanField;
      /** Of the spans in it. */
      readonly boost: number;
    }
);

/** A term of a field. */
export interface SpanTerm {
  readonly field: FieldId;
  readonly term: string;
}

/** The nodes directly inside a node, excluded ones too. */
export function spanParts<Terms>(tree: SpanNode<Terms>): readonly SpanNode<Terms>[] {
  switch (tree.type) {
    case 'term':
    case 'multi':
      return [];
    case 'or':
    case 'near':
      return tree.clauses;
    case 'first':
    case 'masked':
      return [tree.match];
    case 'not':
      return [tree.include, tree.exclude];
  }
}

/** The tree with each of its queries of terms replaced. Depth is bounded by the parsers. */
export function mapSpanTerms<Terms>(
  tree: SpanNode<Terms>,
  replace: (node: Extract<SpanNode<Terms>, { type: 'multi' }>) => SpanNode<Terms>,
): SpanNode<Terms> {
  switch (tree.type) {
    case 'term':
      return tree;
    case 'multi':
      return replace(tree);
    case 'or':
    case 'near':
      return { ...tree, clauses: tree.clauses.map((clause) => mapSpanTerms(clause, replace)) };
    case 'first':
    case 'masked':
      return { ...tree, match: mapSpanTerms(tree.match, replace) };
    case 'not': {
      const { include, exclude } = tree;
      return {
        ...tree,
        include: mapSpanTerms(include, replace),
        exclude: mapSpanTerms(exclude, replace),
      };
    }
  }
}

/** Whether a tree has queries of terms, so that what it matches depends on the terms of a shard. */
export function hasSpanTerms<Terms>(tree: SpanNode<Terms>): boolean {
  return tree.type === 'multi' || spanParts(tree).some(hasSpanTerms);
}

/** What stands for a span query where it scores: compat: what is in a masked one, boost included. */
export function unmasked<Terms>(query: {
  readonly tree: SpanNode<Terms>;
  readonly boost: number;
}): { readonly tree: SpanNode<Terms>; readonly boost: number } {
  const { tree } = query;
  return tree.type === 'masked' ? unmasked({ tree: tree.match, boost: tree.boost }) : query;
}

/** The field that a tree's spans are in; null: it has none because it matches nothing. */
export function fieldOfSpans<Terms>(tree: SpanNode<Terms>): SpanField | null {
  switch (tree.type) {
    case 'term':
    case 'multi':
    case 'or':
    case 'near':
    case 'masked':
      return tree.field;
    case 'first':
      return fieldOfSpans(tree.match);
    case 'not':
      return fieldOfSpans(tree.include);
  }
}

/** The terms of a tree that are looked for, excluded ones left out; those that occur twice twice. */
export function spanTerms<Terms>(tree: SpanNode<Terms>): readonly SpanTerm[] {
  const found: SpanTerm[] = [];
  collectTerms(tree, false, found);
  return found;
}

/** All terms of a tree, excluded ones too. */
export function allSpanTerms<Terms>(tree: SpanNode<Terms>): readonly SpanTerm[] {
  const found: SpanTerm[] = [];
  collectTerms(tree, true, found);
  return found;
}

function collectTerms<Terms>(tree: SpanNode<Terms>, entersAll: boolean, into: SpanTerm[]): void {
  if (tree.type === 'term') into.push({ field: tree.field.id, term: tree.term });
  else if (tree.type === 'not' && !entersAll) collectTerms(tree.include, false, into);
  else for (const part of spanParts(tree)) collectTerms(part, entersAll, into);
}

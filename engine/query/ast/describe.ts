// A query as Lucene prints it, for people who ask what became of their request. Only what reads the same
// there and here has a text: terms and what is put together from them. Queries that were simplified are
// shown so.

import { formatFloat } from '../../json/index';
import type { Query, QueryKind, SpanTree } from './query';
import { spanParts, type SpanField } from './spans';
import type { QueryOf } from './traits';
import type { FieldId } from '../../metadata/index';

/** The name under which a field is indexed; undefined for a field that is not mapped. */
type NameOf = (field: FieldId) => string | undefined;

/** How the kinds read that have a text. A part without one leaves the whole without. */
const TEXTS: {
  readonly [Kind in QueryKind]?: (query: QueryOf<Kind>, nameOf: NameOf) => string | null;
} = {
  matchAll: ({ boost }) => (boost === 1 ? 'ConstantScore(*:*)' : `*:*${boosted(boost)}`),
  matchNone: () => 'MatchNoDocsQuery',
  term: (query, nameOf) => ofField(query, query.term, nameOf),
  prefix: (query, nameOf) => ofField(query, `${query.prefix}*`, nameOf),
  wildcard: (query, nameOf) => ofField(query, query.pattern, nameOf),
  regexp: (query, nameOf) => ofField(query, `/${query.pattern}/`, nameOf),
  fuzzy: (query, nameOf) => ofField(query, `${query.term}~${query.maxEdits}`, nameOf),
  phrase: (query, nameOf) => {
    const text = phraseText(query);
    return text === null ? null : ofField(query, text, nameOf);
  },
  bool: describeBool,
  spans: ({ tree, boost }, nameOf) => {
    const text = spansText(tree, nameOf);
    return text === null ? null : `${text}${boosted(boost)}`;
  },
  disMax: ({ queries, tieBreaker, boost }, nameOf) => {
    const parts = queries.map((part) => enclosed(part, nameOf));
    if (parts.includes(null)) return null;
    const tie = tieBreaker === 0 ? '' : `~${formatFloat(tieBreaker)}`;
    return `(${parts.join(' | ')})${tie}${boosted(boost)}`;
  },
  constantScore: ({ query, boost }, nameOf) => {
    const filter = describeFilter(query, nameOf);
    return filter === null ? null : `ConstantScore(${filter})${boosted(boost)}`;
  },
  filtered: (query, nameOf) => {
    const filter = describeFilter(query.filter, nameOf);
    if (filter === null) return null;
    if (query.query.kind === 'matchAll' && query.query.boost === 1) {
      return `ConstantScore(${filter})${boosted(query.boost)}`;
    }
    const inner = describeQuery(query.query, nameOf);
    return inner === null ? null : `filtered(${inner})->${filter}${boosted(query.boost)}`;
  },
};

/** The text of a query; null when it, or a part of it, has none. */
export function describeQuery(query: Query, nameOf: NameOf): string | null {
  const text = TEXTS[query.kind] as ((query: Query, nameOf: NameOf) => string | null) | undefined;
  return text?.(query, nameOf) ?? null;
}

function ofField(
  { field, boost }: { readonly field: FieldId; readonly boost: number },
  text: string,
  nameOf: NameOf,
): string | null {
  const name = nameOf(field);
  return name === undefined ? null : `${name}:${text}${boosted(boost)}`;
}

/** Filters that are kept say so. */
function describeFilter(filter: Query, nameOf: NameOf): string | null {
  if (filter.kind === 'term' || filter.kind === 'termSet') {
    const name = nameOf(filter.field);
    const terms = filter.kind === 'term' ? [filter.term] : filter.terms;
    return name === undefined ? null : `cache(${terms.map((it) => `${name}:${it}`).join(' ')})`;
  }
  if (filter.kind === 'types') {
    return `cache(${filter.types.map((type) => `_type:${type}`).join(' ')})`;
  }
  // Types of the URL and filters of aliases, of which all have to hold.
  if (filter.kind !== 'bool' || filter.must[0]?.kind !== 'types') return null;
  const parts = filter.must.map((part) => describeFilter(part, nameOf));
  return parts.includes(null) ? null : parts.map((part) => `+${part}`).join(' ');
}

function describeBool(query: QueryOf<'bool'>, nameOf: NameOf): string | null {
  const { must, should, mustNot, minimumShouldMatch, boost } = query;
  const clauses: string[] = [];
  for (const [sign, parts] of [
    ['+', must],
    ['', should],
    ['-', mustNot],
  ] as const) {
    for (const part of parts) {
      const text = enclosed(part, nameOf);
      if (text === null) return null;
      clauses.push(sign + text);
    }
  }
  const text = clauses.join(' ');
  if (minimumShouldMatch === 0 && boost === 1) return text;
  return `(${text})${minimumShouldMatch === 0 ? '' : `~${minimumShouldMatch}`}${boosted(boost)}`;
}

/** A part of another query: bool queries stand in brackets there. */
function enclosed(query: Query, nameOf: NameOf): string | null {
  const text = describeQuery(query, nameOf);
  const isBare = query.kind !== 'bool' || query.minimumShouldMatch !== 0 || query.boost !== 1;
  return text === null || isBare ? text : `(${text})`;
}

/** Boosts inside of spans are left out: they count for nothing. */
function spansText(tree: SpanTree, nameOf: NameOf): string | null {
  const parts = spanParts(tree).map((part) => spansText(part, nameOf));
  if (parts.includes(null)) return null;
  switch (tree.type) {
    case 'term':
      return spanFieldText(tree.field, `:${tree.term}`, nameOf);
    case 'multi': {
      const terms = describeQuery({ ...tree.query, boost: 1 }, nameOf);
      return terms === null ? null : `SpanMultiTermQueryWrapper(${terms})`;
    }
    case 'or':
      return `spanOr([${parts.join(', ')}])`;
    case 'near':
      return `spanNear([${parts.join(', ')}], ${tree.slop}, ${tree.isOrdered})`;
    case 'first':
      return `spanFirst(${parts[0]}, ${tree.end})`;
    case 'not':
      return `spanNot(${parts.join(', ')}, ${tree.pre}, ${tree.post})`;
    case 'masked': {
      const field = spanFieldText(tree.field, '', nameOf);
      return field === null ? null : `mask(${parts[0]}) as ${field}`;
    }
  }
}

function spanFieldText({ id, unmapped }: SpanField, text: string, nameOf: NameOf): string | null {
  const name = unmapped ?? nameOf(id);
  return name === undefined ? null : name + text;
}

/** Null for phrases with alternatives or gaps. */
function phraseText({ slots, slop }: QueryOf<'phrase'>): string | null {
  const isPlain = slots.every(({ terms, position }, i) => terms.length === 1 && position === i);
  if (!isPlain) return null;
  const words = slots.map(({ terms }) => terms[0]).join(' ');
  return `"${words}"${slop === 0 ? '' : `~${slop}`}`;
}

function boosted(boost: number): string {
  return boost === 1 ? '' : `^${formatFloat(boost)}`;
}

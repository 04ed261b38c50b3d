// A query as Lucene prints it, for people who ask what became of their request. Only what reads the same there
// and here has a text: terms and what is put together from them. Queries that were simplified are shown so.

import { formatFloat } from '../../json/index';
import type { Query } from './query';
import type { FieldId } from '../../metadata/index';

/** The name under which a field is indexed; undefined for a field that is not mapped. */
export type NameOf = (field: FieldId) => string | undefined;

/** The text of a query; null when it, or a part of it, has none. */
export function describeQuery(query: Query, nameOf: NameOf): string | null {
  const ofField = (field: FieldId, text: string, boost: number) => {
    const name = nameOf(field);
    return name === undefined ? null : `${name}:${text}${boosted(boost)}`;
  };
  switch (query.kind) {
    case 'matchAll':
      return query.boost === 1 ? 'ConstantScore(*:*)' : `*:*${boosted(query.boost)}`;
    case 'matchNone':
      return 'MatchNoDocsQuery';
    case 'term':
      return ofField(query.field, query.term, query.boost);
    case 'prefix':
      return ofField(query.field, `${query.prefix}*`, query.boost);
    case 'wildcard':
      return ofField(query.field, query.pattern, query.boost);
    case 'regexp':
      return ofField(query.field, `/${query.pattern}/`, query.boost);
    case 'fuzzy':
      return ofField(query.field, `${query.term}~${query.maxEdits}`, query.boost);
    case 'phrase': {
      const text = phraseText(query);
      return text === null ? null : ofField(query.field, text, query.boost);
    }
    case 'bool':
      return describeBool(query, nameOf);
    case 'disMax': {
      const parts = query.queries.map((part) => enclosed(part, nameOf));
      if (parts.includes(null)) return null;
      const tie = query.tieBreaker === 0 ? '' : `~${formatFloat(query.tieBreaker)}`;
      return `(${parts.join(' | ')})${tie}${boosted(query.boost)}`;
    }
    case 'constantScore': {
      const filter = describeFilter(query.query, nameOf);
      return filter === null ? null : `ConstantScore(${filter})${boosted(query.boost)}`;
    }
    case 'filtered': {
      const filter = describeFilter(query.filter, nameOf);
      if (filter === null) return null;
      if (query.query.kind === 'matchAll' && query.query.boost === 1) {
        return `ConstantScore(${filter})${boosted(query.boost)}`;
      }
      const inner = describeQuery(query.query, nameOf);
      return inner === null ? null : `filtered(${inner})->${filter}${boosted(query.boost)}`;
    }
    default:
      return null;
  }
}

/** Filters that are kept say so. */
function describeFilter(filter: Query, nameOf: NameOf): string | null {
  switch (filter.kind) {
    case 'term':
    case 'termSet': {
      const name = nameOf(filter.field);
      const terms = filter.kind === 'term' ? [filter.term] : filter.terms;
      return name === undefined ? null : `cache(${terms.map((it) => `${name}:${it}`).join(' ')})`;
    }
    case 'types':
      return `cache(${filter.types.map((type) => `_type:${type}`).join(' ')})`;
    case 'bool': {
      // Types of the URL and filters of aliases, of which all have to hold.
      if (filter.must[0]?.kind !== 'types') return null;
      const parts = filter.must.map((part) => describeFilter(part, nameOf));
      return parts.includes(null) ? null : parts.map((part) => `+${part}`).join(' ');
    }
    default:
      return null;
  }
}

function describeBool(query: Query & { readonly kind: 'bool' }, nameOf: NameOf): string | null {
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

/** Null for phrases with alternatives or gaps. */
function phraseText({ slots, slop }: Query & { readonly kind: 'phrase' }): string | null {
  const isPlain = slots.every(({ terms, position }, i) => terms.length === 1 && position === i);
  if (!isPlain) return null;
  const words = slots.map(({ terms }) => terms[0]).join(' ');
  return `"${words}"${slop === 0 ? '' : `~${slop}`}`;
}

function boosted(boost: number): string {
  return boost === 1 ? '' : `^${formatFloat(boost)}`;
}

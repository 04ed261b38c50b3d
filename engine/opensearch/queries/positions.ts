// Phrases and spans. Texts are searched by their tokens, which stand at their places.

import type { FieldId } from '../../metadata/index';
import type { PhraseSlot, Query, SpanTree, QueryOf } from '../../query/index';
import { valueField } from '../layout/names';
import { escapedToken, TokenText } from '../layout/token-text';
import { at, type Clause, type ClauseContext, NOTHING, type Translator } from './clause-context';
import { unsupported } from '../layout/unsupported';
import { anyTerm } from './terms';

export const POSITION_CLAUSES = {
  phrase: ({ field, slots, slop }: QueryOf<'phrase'>, context) =>
    phrase(context, field, slots, slop),
  phrasePrefix: ({ field, slots, prefixes, ...query }: QueryOf<'phrasePrefix'>, context) => {
    const name = at(context, valueField(field));
    const { slop, maxExpansions: max_expansions, prefixPosition: position } = query;
    const should = prefixes.map((prefix) => {
      const text = textOf([...slots, { terms: [prefix], position }]);
      return { match_phrase_prefix: { [name]: { query: text, slop, max_expansions } } };
    });
    return should.length === 0 ? NOTHING : { bool: { should, minimum_should_match: 1 } };
  },
  spans: ({ tree }: QueryOf<'spans'>, context) => spansOf(tree, context),
} satisfies { readonly [Kind in Query['kind']]?: Translator<QueryOf<Kind>> };

function phrase(
  context: ClauseContext,
  field: FieldId,
  slots: readonly PhraseSlot[],
  slop: number,
): Clause {
  if (slots.length === 0) return NOTHING;
  if (slots.length === 1) return anyTerm(context, field, slots[0]!.terms);
  return { match_phrase: { [at(context, valueField(field))]: { query: textOf(slots), slop } } };
}

/** The tokens of a phrase at their places. */
export function textOf(slots: readonly PhraseSlot[]): string {
  const text = new TokenText();
  const sorted = [...slots].sort((a, b) => a.position - b.position);
  let position = sorted[0]!.position - 1;
  for (const slot of sorted) {
    for (const term of slot.terms) {
      text.add(term, slot.position - position);
      ({ position } = slot);
    }
  }
  return text.toString();
}

/** The spans of a tree. Tokens are those of {@link TokenText}. */
export function spansOf(tree: SpanTree, context: ClauseContext): Clause {
  switch (tree.type) {
    case 'term':
      return { span_term: { [at(context, valueField(tree.field.id))]: escapedToken(tree.term) } };
    case 'multi':
      throw unsupported(`a [${tree.query.kind}] query within spans`, 'its terms are not looked up');
    case 'or':
      if (tree.clauses.length === 0) return NOTHING;
      return { span_or: { clauses: tree.clauses.map((each) => spansOf(each, context)) } };
    case 'near':
      if (tree.clauses.length === 0) return NOTHING;
      return {
        span_near: {
          clauses: tree.clauses.map((each) => spansOf(each, context)),
          slop: tree.slop,
          in_order: tree.isOrdered,
        },
      };
    case 'first':
      return { span_first: { match: spansOf(tree.match, context), end: tree.end } };
    case 'not':
      return {
        span_not: {
          include: spansOf(tree.include, context),
          exclude: spansOf(tree.exclude, context),
          pre: tree.pre,
          post: tree.post,
        },
      };
    case 'masked':
      return {
        field_masking_span: {
          query: spansOf(tree.match, context),
          field: at(context, valueField(tree.field.id)),
        },
      };
  }
}

// Terms of strings, one or as many as a pattern or range has. Terms stand in a field of keywords as they are.

import { META_FIELD } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import type { Query, QueryOf } from '../../query/index';
import { termField } from '../layout/names';
import { at, type Clause, type ClauseContext, NOTHING, type Translator } from './clause-context';
import { regexpText } from './regexp-text';

/** Documents with any of some terms. */
export function anyTerm(context: ClauseContext, field: FieldId, terms: readonly string[]): Clause {
  return terms.length === 0 ? NOTHING : { terms: { [at(context, termField(field))]: terms } };
}

export const TERM_CLAUSES = {
  term: ({ field, term }: QueryOf<'term'>, context) => ({
    term: { [at(context, termField(field))]: { value: term } },
  }),
  termSet: ({ field, terms }: QueryOf<'termSet'>, context) => anyTerm(context, field, terms),
  uids: ({ uids }: QueryOf<'uids'>, context) => anyTerm(context, META_FIELD._uid, uids),
  types: ({ types }: QueryOf<'types'>, context) => anyTerm(context, META_FIELD._type, types),
  prefix: ({ field, prefix }: QueryOf<'prefix'>, context) => ({
    prefix: { [at(context, termField(field))]: { value: prefix } },
  }),
  wildcard: ({ field, pattern }: QueryOf<'wildcard'>, context) => ({
    wildcard: { [at(context, termField(field))]: { value: pattern } },
  }),
  regexp: ({ field, pattern, flags }: QueryOf<'regexp'>, context) => ({
    regexp: {
      [at(context, termField(field))]: {
        value: regexpText(pattern, flags),
        flags: 'COMPLEMENT|INTERSECTION|EMPTY|INTERVAL',
        max_determinized_states: 100_000,
      },
    },
  }),
  fuzzy: ({ field, ...query }: QueryOf<'fuzzy'>, context) => ({
    fuzzy: {
      [at(context, termField(field))]: {
        value: query.term,
        fuzziness: query.maxEdits,
        prefix_length: query.prefixLength,
        max_expansions: query.maxExpansions,
        transpositions: query.transpositions,
      },
    },
  }),
  stringRange: ({ field, from, to, ...query }: QueryOf<'stringRange'>, context) => ({
    range: {
      [at(context, termField(field))]: {
        ...(from === null ? {} : { [query.includeFrom ? 'gte' : 'gt']: from }),
        ...(to === null ? {} : { [query.includeTo ? 'lte' : 'lt']: to }),
      },
    },
  }),
} satisfies { readonly [Kind in Query['kind']]?: Translator<QueryOf<Kind>> };

// Queries made of others, as filters.

import type { Query, QueryOf } from '../../query/index';
import { nestedPath, PRESENT } from '../layout/names';
import { at, type Clause, EVERYTHING, NOTHING, type Translator } from './clause-context';
import { unsupported } from '../layout/unsupported';

export const COMPOUND_CLAUSES = {
  matchAll: () => EVERYTHING,
  matchNone: () => NOTHING,
  exists: ({ fields }: QueryOf<'exists'>, context) => ({
    terms: { [at(context, PRESENT)]: fields.map(String) },
  }),
  bool: (query: QueryOf<'bool'>, context, of) => {
    const { must, should, mustNot } = query;
    if (must.length + should.length === 0) return NOTHING;
    const minimum = Math.max(query.minimumShouldMatch, must.length === 0 ? 1 : 0);
    if (minimum > should.length) return NOTHING;
    const all = (parts: readonly Query[]): Clause[] => parts.map((part) => of(part, context));
    return {
      bool: {
        ...(must.length === 0 ? {} : { filter: all(must) }),
        ...(minimum === 0 ? {} : { should: all(should), minimum_should_match: minimum }),
        ...(mustNot.length === 0 ? {} : { must_not: all(mustNot) }),
      },
    };
  },
  disMax: ({ queries }: QueryOf<'disMax'>, context, of) =>
    queries.length === 0
      ? NOTHING
      : {
          bool: { should: queries.map((part) => of(part, context)), minimum_should_match: 1 },
        },
  constantScore: ({ query }: QueryOf<'constantScore'>, context, of) => of(query, context),
  filtered: ({ query, filter }: QueryOf<'filtered'>, context, of) => ({
    bool: { filter: [of(query, context), of(filter, context)] },
  }),
  boosting: ({ positive }: QueryOf<'boosting'>, context, of) => of(positive, context),
  named: ({ query }: QueryOf<'named'>, context, of) => of(query, context),
  functionScore: (whole: QueryOf<'functionScore'>, context, of) => {
    const { query, minScore } = whole;
    if (minScore !== null) {
      if (context.decided !== undefined) return context.decided(whole, context);
      throw unsupported('[function_score] with [min_score] in a filter', 'filters have no scores');
    }
    return of(query, context);
  },
  nested: ({ path, query }: QueryOf<'nested'>, context, of) => {
    const inside = nestedPath(context.mapping, path);
    return {
      nested: {
        path: inside,
        query: of(query, { ...context, path: inside }),
        score_mode: 'none',
        ignore_unmapped: true,
      },
    };
  },
} satisfies { readonly [Kind in Query['kind']]?: Translator<QueryOf<Kind>> };

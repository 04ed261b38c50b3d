// Queries made of others, as filters.

import type { Query } from '../../query/index';
import { nestedPath, PRESENT } from '../layout/names';
import { at, type Clause, EVERYTHING, NOTHING, type Translator } from './clause-context';
import { unsupported } from '../layout/unsupported';

type Of<Kind extends Query['kind']> = Extract<Query, { readonly kind: Kind }>;

export const COMPOUND_CLAUSES = {
  matchAll: () => EVERYTHING,
  matchNone: () => NOTHING,
  exists: ({ fields }: Of<'exists'>, context) => ({
    terms: { [at(context, PRESENT)]: fields.map(String) },
  }),
  bool: (query: Of<'bool'>, context, of) => {
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
  disMax: ({ queries }: Of<'disMax'>, context, of) =>
    queries.length === 0
      ? NOTHING
      : {
          bool: { should: queries.map((part) => of(part, context)), minimum_should_match: 1 },
        },
  constantScore: ({ query }: Of<'constantScore'>, context, of) => of(query, context),
  filtered: ({ query, filter }: Of<'filtered'>, context, of) => ({
    bool: { filter: [of(query, context), of(filter, context)] },
  }),
  boosting: ({ positive }: Of<'boosting'>, context, of) => of(positive, context),
  named: ({ query }: Of<'named'>, context, of) => of(query, context),
  functionScore: (whole: Of<'functionScore'>, context, of) => {
    const { query, minScore } = whole;
    if (minScore !== null) {
      if (context.decided !== undefined) return context.decided(whole, context);
      throw unsupported('[function_score] with [min_score] in a filter', 'filters have no scores');
    }
    return of(query, context);
  },
  nested: ({ path, query }: Of<'nested'>, context, of) => {
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
} satisfies { readonly [Kind in Query['kind']]?: Translator<Of<Kind>> };

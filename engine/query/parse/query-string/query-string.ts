// `query_string` queries, from options to a query.

import { boolQuery } from '../../ast/bool-query';
import { EngineError } from '../../../errors';
import { applyMinimumShouldMatch, completeNegative } from '../../ast/minimum-should-match';
import type { ParseScope } from '../scope/parse-scope';
import { MATCH_NONE, type Query } from '../../ast/query';
import { multiplyBoost } from '../../ast/boost';
import { buildQuery, parseFailure } from './build';
import { QuerySyntaxError } from './lexer';
import type { QueryStringOptions } from './options';
import { MAX_GROUP_DEPTH, NestingError } from './parser';

const RESERVED = /[\\+\-!():^[\]"{}~*?|&/]/g;

/**
 * Parses the text of `options.query`. A text of blanks matches nothing, and so does one of which analysis
 * leaves nothing.
 *
 * @throws EngineError QueryParsingException around the syntax error, or what value conversion throws
 */
export function parseQueryString(options: QueryStringOptions, scope: ParseScope): Query {
  if (options.query === null) throw scope.error('query_string must be provided with a [query]');
  const text = options.escape ? options.query.replace(RESERVED, '\\$&') : options.query;
  const query = text.trim() === '' ? MATCH_NONE : parseText(text, options, scope);
  if (query === null) return EMPTY;
  const complete = completeNegative(multiplyBoost(query, options.common.boost));
  return applyMinimumShouldMatch(complete, options.minimumShouldMatch);
}

/** What is left when every word was removed: a bool without clauses. */
const EMPTY: Query = boolQuery({});

function parseText(text: string, options: QueryStringOptions, scope: ParseScope): Query | null {
  try {
    return buildQuery(text, options, scope);
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw parseFailure(text, error, scope);
    if (error instanceof EngineError && error.wireName === 'TooManyClauses') {
      throw parseFailure(text, error, scope, 'too many boolean clauses');
    }
    if (error instanceof NestingError) {
      throw scope.error(`query nesting deeper than [${MAX_GROUP_DEPTH}]`);
    }
    throw error;
  }
}

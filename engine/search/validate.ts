// Whether a query can be read, index by index (reference server). Nothing is searched.

import { EngineError, type ErrorName } from '../errors';
import type { JsonObject } from '../json/index';
import { MATCH_ALL, type SearchContext } from '../query/index';
import { asQueryError, parseQueryBody } from './count';
import { queryFromParams } from './parse/extra-source';
import { indexScope } from './parse/index-plan';
import type { CountRequest, QueryValidation } from '../api/index';

/** Packages of the exceptions that a query is refused with. */
const PACKAGES = new Map<ErrorName, string>([
  ['QueryParsingException', 'org.elasticsearch.index.query'],
  ['ElasticsearchException', 'org.elasticsearch'],
  ['ElasticsearchIllegalArgumentException', 'org.elasticsearch'],
  ['ElasticsearchIllegalStateException', 'org.elasticsearch'],
  ['ElasticsearchParseException', 'org.elasticsearch'],
  ['MapperParsingException', 'org.elasticsearch.index.mapper'],
  ['ScriptException', 'org.elasticsearch.script'],
  ['JsonParseException', 'org.elasticsearch.common.jackson.core'],
  ['ParseException', 'org.apache.lucene.queryparser.classic'],
  ['TokenMgrError', 'org.apache.lucene.queryparser.classic'],
  ['TooComplexToDeterminizeException', 'org.apache.lucene.util.automaton'],
  ['PatternSyntaxException', 'java.util.regex'],
  ['TooManyClauses', 'org.apache.lucene.search.BooleanQuery$'],
]);

/**
 * What one index makes of a query.
 *
 * @throws EngineError for parameters that fail the request as a whole
 */
export function validateQuery(
  request: CountRequest,
  context: SearchContext,
  aliasFilters: readonly JsonObject[] | null,
): QueryValidation {
  const index = context.index.name;
  const fromParams = queryFromParams(request.params);
  try {
    if (request.bodyError !== undefined) throw request.bodyError;
    const query = parseQueryBody(request, fromParams, context);
    const scope = indexScope(context, aliasFilters);
    const explanation = context.describe(query ?? MATCH_ALL, scope);
    return { index, error: null, explanation };
  } catch (error) {
    return { index, error: classedText(asQueryError(error, context)), explanation: null };
  }
}

/**
 * An error with its causes as the reference's exceptions print themselves: the class in full, then the text.
 * compat: up to the first one that is none of its own.
 */
function classedText(error: EngineError): string {
  const home = PACKAGES.get(error.wireName) ?? 'java.lang';
  const name = `${home}${home.endsWith('$') ? '' : '.'}${error.wireName}`;
  const own = error.message === '' ? name : `${name}: ${error.message}`;
  const isOwn = home.startsWith('org.elasticsearch') && !home.includes('jackson');
  return isOwn && error.cause instanceof EngineError ? `${own}; ${classedText(error.cause)}` : own;
}

// From request bodies to query trees: the entry to parsing queries and filters.
//
// Bodies name their kind (`{"term": {...}}`); the kinds are listed in kinds/registry.ts, one file per family.
// Names are resolved, text is analyzed and values are converted here, so that a tree can be run
// without mapping or request (engine/query/ast/query.ts).

import { EngineError } from '../../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index';
import { FILTERS, KEPT_FILTERS, QUERIES } from './kinds/registry';
import { misplaced, refuseSecondMember } from './scope/members';
import type { QueryParseContext } from './scope/parse-context';
import { ParseScope, type KindTables } from './scope/parse-scope';
import { MATCH_NONE, type Query } from '../ast/query';
import { simplify } from '../ast/simplify';
export { misplaced, refuseSecondMember, tokenName } from './scope/members';
export type { QueryParseContext } from './scope/parse-context';

const KINDS: KindTables = { queries: QUERIES, filters: FILTERS, kept: KEPT_FILTERS };

/**
 * Parses a query body such as `{"match": {"title": "fox"}}`. A query that says nothing (a `filtered` query
 * around nothing, for example) matches nothing.
 *
 * @throws EngineError QueryParsingException and what value conversion throws (NumberFormatException,
 *         ElasticsearchParseException, TooManyClauses ...), worded as the reference words them
 */
export function parseQuery(body: JsonObject, context: QueryParseContext): Query {
  const query = parseFirstQuery(body, context);
  refuseSecondMember(body);
  refuseList(body);
  return query;
}

/** Like {@link parseQuery}, of a body of which only the first member counts. */
export function parseFirstQuery(body: JsonObject, context: QueryParseContext): Query {
  const query = parseFirst(body, new ParseScope(context, KINDS));
  if (query === null) return MATCH_NONE;
  return context.asWritten ? query : simplify(query);
}

/**
 * Parses a filter body. Only the first member counts, as in stored alias filters; an array stands for its
 * last object. Null: no filter (`{}`, null, a bool of empty lists), which restricts nothing.
 *
 * @throws EngineError as {@link parseQuery}
 */
export function parseFilter(body: JsonValue, context: QueryParseContext): Query | null {
  const scope = new ParseScope(context, KINDS);
  let result: Query | null = null;
  for (const value of Array.isArray(body) ? body : [body]) {
    if (value === null) continue;
    if (!isJsonObject(value)) {
      throw scope.error('[_na] filter malformed, must start with start_object');
    }
    result = scope.firstFilter(value);
  }
  return result === null ? null : simplify(result);
}

function parseFirst(body: JsonObject, scope: ParseScope): Query | null {
  try {
    return scope.firstQuery(body);
  } catch (error) {
    const isUnreadable = error instanceof EngineError && error.wireName === 'JsonParseException';
    throw isUnreadable ? scope.error('Failed to parse', error) : error;
  }
}

/** Queries that read whatever stands for their value as text, and go on behind it. */
const READS_ANY_TOKEN: ReadonlySet<string> = new Set([
  'term',
  'prefix',
  'wildcard',
  'regexp',
  'fuzzy',
]);

/** compat: a list for a value goes unnoticed inside other queries, where it matches nothing. */
function refuseList(body: JsonObject): void {
  for (const [kind, content] of body) {
    if (!READS_ANY_TOKEN.has(kind) || !isJsonObject(content)) return;
    for (const [field, value] of content) {
      if (Array.isArray(value) && value.length > 0) throw misplaced(field, value[1]);
    }
  }
}

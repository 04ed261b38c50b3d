// The search parameters of the URL as a second search source: it is parsed after the body, by the same
// rules, and so overrides it (reference server).

import { illegalArgument } from '../../errors';
import { JsonNumber, sourceParameters, type JsonObject, type JsonValue } from '../../json/index';
import { integerParameter, ordinaryBoolean, parseTimeValue, splitCommas } from '../../common/index';

/** Parameters by name, decoded. */
type UrlParams = ReadonlyMap<string, string>;

/**
 * The source that the parameters amount to, or null when they say nothing. Members stand in the order in
 * which the reference writes them: error texts show it.
 *
 * @throws EngineError for parameters that fail the request as a whole
 */
export function extraSource(params: UrlParams): JsonObject | null {
  const source: JsonObject = new Map<string, JsonValue>();
  setInteger(source, params, 'from');
  setInteger(source, params, 'size');
  const timeout = params.get('timeout');
  if (timeout !== undefined) source.set('timeout', new JsonNumber(String(parseTimeValue(timeout))));
  const terminateAfter = integerParam(params, 'terminate_after') ?? 0;
  if (terminateAfter < 0) throw illegalArgument('terminateAfter must be > 0');
  if (terminateAfter > 0) source.set('terminate_after', new JsonNumber(String(terminateAfter)));
  const query = queryFromParams(params);
  if (query !== null) source.set('query', query);
  setFlag(source, params, 'version');
  setFlag(source, params, 'explain');
  const fetched = sourceElement(params);
  if (fetched !== null) source.set('_source', fetched);
  const fields = params.get('fields');
  if (fields !== undefined) source.set('fields', splitCommas(fields));
  const fielddata = params.get('fielddata_fields');
  if (fielddata !== undefined) source.set('fielddata_fields', splitCommas(fielddata));
  const sort = params.get('sort');
  if (sort !== undefined) source.set('sort', sortFromParam(sort));
  setFlag(source, params, 'track_scores');
  const suggest = suggestFromParams(params);
  if (suggest !== null) source.set('suggest', suggest);
  return source.size === 0 ? null : source;
}

/**
 * The `q` family as a query body; null without `q`.
 *
 * @throws EngineError for a `default_operator` that is neither `OR` nor `AND`
 */
export function queryFromParams(params: UrlParams): JsonObject | null {
  const text = params.get('q');
  if (text === undefined) return null;
  const options: JsonObject = new Map<string, JsonValue>([['query', text]]);
  const field = params.get('df');
  if (field !== undefined) options.set('default_field', field);
  const operator = params.get('default_operator');
  if (operator !== undefined) {
    if (operator !== 'OR' && operator !== 'AND') {
      throw illegalArgument(
        `Unsupported defaultOperator [${operator}], can either be [OR] or [AND]`,
      );
    }
    options.set('default_operator', operator.toLowerCase());
  }
  const analyzer = params.get('analyzer');
  if (analyzer !== undefined) options.set('analyzer', analyzer);
  options.set('lowercase_expanded_terms', booleanParam(params, 'lowercase_expanded_terms') ?? true);
  options.set('analyze_wildcard', booleanParam(params, 'analyze_wildcard') ?? false);
  const lenient = booleanParam(params, 'lenient');
  if (lenient !== undefined) options.set('lenient', lenient);
  return new Map<string, JsonValue>([['query_string', options]]);
}

/** `suggest_field`, with `suggest_text` (else `q`), `suggest_size` and `suggest_mode`; null without it. */
function suggestFromParams(params: UrlParams): JsonObject | null {
  const field = params.get('suggest_field');
  if (field === undefined) return null;
  const text = params.get('suggest_text') ?? params.get('q');
  const size = integerParam(params, 'suggest_size') ?? SUGGEST_SIZE;
  const options: JsonObject = new Map<string, JsonValue>([
    ['field', field],
    ['size', new JsonNumber(String(size))],
  ]);
  const mode = params.get('suggest_mode');
  if (mode !== undefined) options.set('suggest_mode', mode);
  const suggestion: JsonObject = new Map<string, JsonValue>([['term', options]]);
  if (text !== undefined) suggestion.set('text', text);
  return new Map<string, JsonValue>([[field, suggestion]]);
}

const SUGGEST_SIZE = 5;

/** A 32-bit integer; undefined where there is no text. @throws EngineError 400 for anything else */
export function integerParam(params: UrlParams, name: string): number | undefined {
  const text = params.get(name);
  return text === undefined || text === '' ? undefined : integerParameter(name, text);
}

function booleanParam(params: UrlParams, name: string): boolean | undefined {
  const text = params.get(name);
  return text === undefined ? undefined : ordinaryBoolean(text);
}

function setInteger(source: JsonObject, params: UrlParams, name: string): void {
  const value = integerParam(params, name);
  if (value !== undefined && value !== -1) source.set(name, new JsonNumber(String(value)));
}

function setFlag(source: JsonObject, params: UrlParams, name: string): void {
  const value = booleanParam(params, name);
  if (value !== undefined) source.set(name, value);
}

function sourceElement(params: UrlParams): JsonValue {
  const filter = sourceParameters(params);
  if (filter === undefined) return null;
  if (filter === false) return false;
  return new Map<string, JsonValue>([
    ['includes', [...filter.includes]],
    ['excludes', [...filter.excludes]],
  ]);
}

/** `f:asc,g:desc,h`, split at the last colon; a key with any other direction is dropped. */
function sortFromParam(text: string): JsonValue {
  const keys: JsonValue[] = [];
  for (const part of splitCommas(text)) {
    const colon = part.lastIndexOf(':');
    const direction = colon < 0 ? null : part.slice(colon + 1);
    if (direction !== null && direction !== 'asc' && direction !== 'desc') continue;
    const name = colon < 0 ? part : part.slice(0, colon);
    const options: JsonObject = new Map<string, JsonValue>();
    if (direction !== null) options.set('order', direction);
    keys.push(new Map<string, JsonValue>([[name, options]]));
  }
  return keys;
}

// `_search` and `_count`: URL and body become one request to the engine, which does everything else
// (reference server).

import {
  decodeUtf8,
  EngineError,
  illegalArgument,
  parseJsonObject,
  SEARCH_BODY,
  type CountRequest,
  type SearchRequest,
  type SearchType,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  bodyOrSource,
  indicesOptions,
  SEARCH_OPTIONS,
} from '../request/index';
import { searchAnswer, shardsHeader, shardsStatus } from '../render/index';

const SEARCH_TYPES = new Map<string, SearchType>([
  ['query_then_fetch', 'query_then_fetch'],
  ['queryThenFetch', 'query_then_fetch'],
  ['query_and_fetch', 'query_and_fetch'],
  ['queryAndFetch', 'query_and_fetch'],
  ['dfs_query_then_fetch', 'dfs_query_then_fetch'],
  ['dfsQueryThenFetch', 'dfs_query_then_fetch'],
  ['dfs_query_and_fetch', 'dfs_query_and_fetch'],
  ['dfsQueryAndFetch', 'dfs_query_and_fetch'],
  ['count', 'count'],
  ['scan', 'scan'],
]);

/** `GET|POST [/{index}[/{type}]]/_search`. */
export async function search(request: ApiRequest, { engine }: RouteContext): Promise<ApiResponse> {
  const searchType = parseSearchType(request.params.get('search_type'));
  const result = await engine.search(readSearch(request, SEARCH_OPTIONS, searchType));
  return searchAnswer(result);
}

/** `GET|POST [/{index}[/{type}]]/_search/template`: a search whose body names a template. */
export async function searchTemplate(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const searchType = parseSearchType(request.params.get('search_type'));
  const wanted = readSearch(request, SEARCH_OPTIONS, searchType);
  const result = await engine.search({ ...wanted, isTemplate: true });
  return searchAnswer(result);
}

/** `GET|POST [/{index}[/{type}]]/_count`. */
export async function count(request: ApiRequest, { engine }: RouteContext): Promise<ApiResponse> {
  const { count: documents, shards, terminatedEarly } = await engine.count(readSearch(request));
  const body = {
    terminated_early: terminatedEarly,
    count: documents,
    _shards: shardsHeader(shards),
  };
  return json(body, shardsStatus(shards));
}

/** @throws EngineError 400 for an unknown one */
export function parseSearchType(name: string | undefined): SearchType | undefined {
  if (name === undefined) return undefined;
  const type = SEARCH_TYPES.get(name);
  if (type === undefined) throw illegalArgument(`No search type for [${name}]`);
  return type;
}

/** What URL and body of a search ask for; `bodyError` is set when the body is not JSON. */
export function readSearch(
  { params, body, signal, memory }: ApiRequest,
  defaults = SEARCH_OPTIONS,
  searchType: SearchType | undefined = undefined,
): CountRequest & SearchRequest {
  // Members one by one: a spread costs several microseconds, because the object grows after it was copied.
  const read = readSearchBody(bodyOrSource({ params, body }));
  return {
    bodyText: read.bodyText,
    body: read.body,
    bodyError: read.bodyError,
    indices: params.list('index'),
    types: params.list('type'),
    options: indicesOptions(params, defaults),
    searchType,
    scroll: params.timeMs('scroll'),
    params: params.values,
    routing: params.get('routing'),
    preference: params.get('preference'),
    signal: signal?.(),
    memory,
  };
}

/** A search body as text and parsed; empty, with `bodyError` set, when it is not JSON. */
export function readSearchBody(
  source: Buffer,
): Pick<SearchRequest, 'body' | 'bodyText' | 'bodyError'> {
  if (source.length === 0) return { bodyText: null, body: new Map(), bodyError: undefined };
  let bodyText: string | null = null;
  try {
    bodyText = decodeUtf8(source);
    const parsed = parseJsonObject(bodyText, SEARCH_BODY.depth, SEARCH_BODY.values);
    return { bodyText, body: parsed, bodyError: undefined };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    bodyText ??= source.toString('latin1');
    return { bodyText, body: new Map(), bodyError: error };
  }
}

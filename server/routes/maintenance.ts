// Refresh, flush, optimize, and `_analyze`.

import {
  decodeUtf8,
  illegalArgument,
  type IndicesOptions,
  type JsonOutput,
  type SearchEngine,
  type ShardsHeader,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../api';
import { indicesOptions, SEARCH_OPTIONS } from '../indices-options';
import { shardsHeader } from '../render/shards';

type Broadcast = (
  engine: SearchEngine,
  names: readonly string[],
  options: IndicesOptions,
) => Promise<ShardsHeader>;

async function broadcast(
  { params }: ApiRequest,
  { engine }: RouteContext,
  operation: Broadcast,
): Promise<ApiResponse> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  return json({ _shards: shardsHeader(await operation(engine, params.list('index'), options)) });
}

/** `GET|POST [/{index}]/_refresh`. */
export function refresh(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return broadcast(request, context, (engine, names, options) => engine.refresh(names, options));
}

/** `GET|POST [/{index}]/_flush`. */
export function flush(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return broadcast(request, context, (engine, names, options) => engine.flush(names, options));
}

/** `GET|POST [/{index}]/_flush/synced`: a flush, told for each index as well. */
export async function flushSynced(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  const names = engine.resolve(params.list('index'), options);
  const result = new Map<string, JsonOutput>();
  let total = 0;
  let successful = 0;
  for (const name of names) {
    const header = await engine.flush([name], options);
    result.set(name, shardsHeader(header));
    total += header.total;
    successful += header.successful;
  }
  return json(new Map([['_shards', { total, successful, failed: 0 }], ...result]));
}

/** `GET|POST [/{index}]/_cache/clear`: everything that is remembered of the indices; what to forget is not chosen. */
export function clearCache(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return broadcast(request, context, (engine, names, options) =>
    engine.clearCaches(names, options),
  );
}

/** `GET|POST [/{index}]/_optimize`; without `max_num_segments` only what is due is merged. */
export async function optimize(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  const wanted = request.params.int('max_num_segments') ?? -1;
  const target = {
    maxSegments: wanted < 1 ? null : wanted,
    onlyExpungeDeletes: request.params.flag('only_expunge_deletes'),
  };
  return broadcast(request, context, (engine, names, options) =>
    engine.optimize(names, options, target),
  );
}

/** `GET|POST [/{index}]/_analyze`: the text is a parameter or the raw body. */
export function analyze({ params, body }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const text = params.get('text') ?? (body.length > 0 ? decodeUtf8(body) : undefined);
  if (text === undefined) throw illegalArgument('text is missing');
  const tokenFilters = params.has('token_filters') ? 'token_filters' : 'filters';
  return json(
    engine.analyze({
      index: params.get('index') ?? null,
      text,
      analyzer: params.get('analyzer'),
      tokenizer: params.get('tokenizer'),
      tokenFilters: params.list(tokenFilters),
      charFilters: params.list('char_filters'),
      field: params.get('field'),
    }),
  );
}

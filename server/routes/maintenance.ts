// Refresh, flush, optimize, upgrade, and `_analyze`.

import {
  decodeUtf8,
  illegalArgument,
  type IndicesOptions,
  type JsonOutput,
  type SearchEngine,
  type ShardsHeader,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  SEARCH_OPTIONS,
  SYNCED_FLUSH_OPTIONS,
} from '../request/index';
import { statistics, shardsHeader } from '../render/index';
import { broadcastHeader } from '../stats/index';
import { LUCENE_VERSION } from '../config/index';

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
  return broadcast(request, context, (engine, names, options) =>
    engine.maintenance.refresh(names, options),
  );
}

/** `GET|POST [/{index}]/_flush`. */
export function flush(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return broadcast(request, context, (engine, names, options) =>
    engine.maintenance.flush(names, options),
  );
}

/**
 * `GET|POST [/{index}]/_flush/synced`: a flush, told for each index as well; the shards of closed ones fail.
 */
export async function flushSynced(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const options = indicesOptions(params, SYNCED_FLUSH_OPTIONS);
  const names = engine.admin.resolve(params.list('index'), options, 'metadata_write');
  const result = new Map<string, JsonOutput>();
  const sums = { total: 0, successful: 0, failed: 0 };
  for (const stats of await engine.maintenance.stats(names)) {
    const { name, open, primaries, replicas } = stats;
    // compat: of a closed index the copies of all shards are counted once for each shard.
    const total = primaries * (1 + replicas) * (open ? 1 : primaries);
    const failures = Array.from({ length: open ? 0 : primaries }, (_, shard) => ({
      shard,
      reason: `[${name}] closed`,
    }));
    const flushed = open
      ? await engine.maintenance.flush([name], options)
      : { successful: 0, failed: total };
    const { successful, failed } = flushed;
    result.set(name, { total, successful, failed, failures: open ? undefined : failures });
    sums.total += total;
    sums.successful += successful;
    sums.failed += failed;
  }
  return json(new Map<string, JsonOutput>([['_shards', sums], ...result]));
}

/**
 * `GET|POST [/{index}]/_cache/clear`: everything that is remembered of the indices; what to forget is not
 * chosen.
 */
export function clearCache(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return broadcast(request, context, (engine, names, options) =>
    engine.maintenance.clearCaches(names, options),
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
    engine.maintenance.optimize(names, options, target),
  );
}

/** `GET [/{index}]/_upgrade`: how much of the indices is in an old format, which nothing ever is. */
export async function getUpgrade(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  const names = engine.admin.resolve(params.list('index'), options, 'metadata_read');
  const sizes = (bytes: number) => ({
    size_in_bytes: bytes,
    size_to_upgrade_in_bytes: 0,
    size_to_upgrade_ancient_in_bytes: 0,
  });
  const indices = new Map<string, JsonOutput>();
  let total = 0;
  for (const { name, storeBytes } of await engine.maintenance.stats(names)) {
    indices.set(name, sizes(storeBytes));
    total += storeBytes;
  }
  return statistics(params, { ...sizes(total), indices });
}

/** `POST [/{index}]/_upgrade`: there is nothing to do. */
export async function upgrade(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  const names = engine.admin.resolve(params.list('index'), options, 'metadata_write');
  return json({
    _shards: broadcastHeader(await engine.maintenance.stats(names)),
    upgraded_indices: new Map(names.map((name) => [name, LUCENE_VERSION])),
  });
}

/** `GET|POST [/{index}]/_analyze`: the text is a parameter or the raw body. */
export function analyze({ params, body }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const text = params.get('text') ?? (body.length > 0 ? decodeUtf8(body) : undefined);
  if (text === undefined) throw illegalArgument('text is missing');
  const tokenFilters = params.has('token_filters') ? 'token_filters' : 'filters';
  return json(
    engine.admin.analyze({
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

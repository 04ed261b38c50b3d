// `_search_shards`: which shards a search would go to (reference server).

import { indexMissing, searchTargets, type JsonOutput } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  SEARCH_SHARDS_OPTIONS,
} from '../request/index';
import { routingOf } from '../stats/index';
import { transportAddress } from './nodes';

/** `GET|POST [/{index}[/{type}]]/_search_shards`: a list of copies for each shard. */
export function searchShards({ params }: ApiRequest, context: RouteContext): ApiResponse {
  const { engine } = context;
  const names = params.list('index');
  const state = engine.state();
  const indices = engine.admin.resolve(names, indicesOptions(params, SEARCH_SHARDS_OPTIONS));
  // compat: a closed index has no shards to name, and counts as missing.
  const closed = indices.find((name) => state.indices.get(name)?.state === 'close');
  if (closed !== undefined) throw indexMissing(closed);
  const targets = searchTargets(state, {
    names,
    indices,
    routing: params.get('routing'),
    preference: params.get('preference'),
  });
  const nodes = new Map<string, JsonOutput>();
  if (targets.length > 0) {
    nodes.set(engine.nodeId, {
      name: engine.nodeName,
      transport_address: transportAddress(context),
    });
  }
  return json({
    nodes,
    shards: targets.map(({ index, shard }) => [routingOf(index.name, shard, engine)]),
  });
}

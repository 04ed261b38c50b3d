// Searches and counts whose body is not JSON. The reference finds out on every shard, after it has looked for
// the indices, and reports one failure per shard; so does this node, without asking the shards.

import type { CountResponse, ShardFailure } from '../api/index';
import type { EngineError } from '../errors';
import type { ClusterState } from '../metadata/index';
import { unreadableSource } from './parse/parse-search';
import { allShardsFailed, broadcastFailure, shardFailure, unreadableQuery } from './plan/errors';

/** The error of a search. @param indices names of the indices that were to be searched */
export function unreadableSearch(
  bodyText: string | null,
  cause: EngineError,
  state: ClusterState,
  indices: readonly string[],
  nodeId: string,
): EngineError {
  const source = unreadableSource(bodyText, cause);
  const failures = shardsOf(state, indices).map(({ index, shard }) => source.onShard(index, shard));
  return allFailed(failures, nodeId);
}

/** The error of a search that all shards refuse in the same words. */
export function failedSearch(
  cause: EngineError,
  state: ClusterState,
  indices: readonly string[],
  nodeId: string,
): EngineError {
  const failures = shardsOf(state, indices).map(({ index, shard }) =>
    shardFailure(index, shard, cause),
  );
  return allFailed(failures, nodeId);
}

function allFailed(failures: readonly ShardFailure[], nodeId: string): EngineError {
  return allShardsFailed(failures.length === 1 ? 'query_fetch' : 'query', failures, nodeId);
}

/** The result of a count, in which all shards failed. */
export function unreadableCount(
  cause: EngineError,
  state: ClusterState,
  indices: readonly string[],
): CountResponse {
  const failures = shardsOf(state, indices).map(({ index, shard }) =>
    broadcastFailure(index, shard, unreadableQuery(index, cause)),
  );
  const { length } = failures;
  return {
    count: 0,
    shards: { total: length, successful: 0, failed: length, failures },
    terminatedEarly: undefined,
  };
}

function shardsOf(
  state: ClusterState,
  indices: readonly string[],
): { readonly index: string; readonly shard: number }[] {
  return indices.flatMap((index) =>
    (state.indices.get(index)?.shardIds ?? []).map((_id, shard) => ({ index, shard })),
  );
}

// Searches and counts whose body is not JSON. The reference finds out on every shard, after it has looked
// for the indices, and reports one failure per shard; so do we, although nobody asks the shards.

import {
  EngineError,
  startsWithObject,
  type CountRequest,
  type SearchEngine,
  type ShardFailure,
  type ShardsHeader,
} from '../../engine/index';

type Target = Pick<CountRequest, 'indices' | 'options'>;

/** The error of a search. @throws EngineError when the indices are missing or closed */
export function searchBodyError(
  bodyText: string,
  cause: EngineError,
  target: Target,
  engine: SearchEngine,
): EngineError {
  const source = startsWithObject(bodyText) ? bodyText : '_na_';
  const failures = targetShards(target, engine).map(({ index, shard }) => {
    const failure = new EngineError(
      'SearchParseException',
      `[${index}][${shard}]: from[-1],size[-1]: Parse Failure [Failed to parse source [${source}]]`,
      { cause },
    );
    return `{[${engine.nodeId}][${index}][${shard}]: ${failure.toWireString()}}`;
  });
  const phase = failures.length === 1 ? 'query_fetch' : 'query';
  return new EngineError(
    'SearchPhaseExecutionException',
    `Failed to execute phase [${phase}], all shards failed; shardFailures ${failures.join('')}`,
  );
}

/** The shards section of a count. @throws EngineError when the indices are missing or closed */
export function countBodyFailure(
  cause: EngineError,
  target: Target,
  engine: SearchEngine,
): ShardsHeader {
  const failures = targetShards(target, engine).map(({ index, shard }): ShardFailure => {
    const parse = new EngineError('QueryParsingException', `[${index}] Failed to parse`, { cause });
    const failure = new EngineError(
      'BroadcastShardOperationFailedException',
      `[${index}][${shard}] `,
      { cause: parse },
    );
    return { index, shard, status: 400, reason: failure.toWireString() };
  });
  return { total: failures.length, successful: 0, failed: failures.length, failures };
}

function targetShards(
  { indices, options }: Target,
  engine: SearchEngine,
): { readonly index: string; readonly shard: number }[] {
  const state = engine.state();
  return engine.admin
    .resolve(indices, options)
    .flatMap((index) =>
      (state.indices.get(index)?.shardIds ?? []).map((_id, shard) => ({ index, shard })),
    );
}

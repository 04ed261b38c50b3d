// How a search says that shards failed (reference server). The texts
// are part of the interface: clients search them for fragments.

import { EngineError, ERROR_STATUS } from '../../errors';
import type { ShardFailure } from '../../api/index';
import type { JobFailure } from './failure';
import type { ElementFailure } from '../../query/index';

/** `from` and `size` as far as they were read; -1: not given. */
export interface Progress {
  from: number;
  size: number;
}

/** A search source that one index rejects. */
export class SourceFailure extends Error {
  private readonly from: number;
  private readonly size: number;

  /** @param source the text of the source, or `_na_` */
  constructor(
    private readonly source: string,
    progress: Progress,
    override readonly cause: EngineError | ElementFailure,
  ) {
    super('Failed to parse source');
    this.from = progress.from;
    this.size = progress.size;
  }

  /** The failure of one shard of the index. */
  onShard(index: string, shard: number): ShardFailure {
    const shardText = `[${index}][${shard}]: from[${this.from}],size[${this.size}]`;
    const cause =
      this.cause instanceof EngineError
        ? this.cause
        : new EngineError(
            'SearchParseException',
            `${shardText}: Parse Failure [${this.cause.message}]`,
          );
    const message = `${shardText}: Parse Failure [Failed to parse source [${shown(this.source)}]]`;
    const error = new EngineError('SearchParseException', message, { cause });
    return { index, shard, status: error.status, reason: error.toWireString() };
  }
}

/** Characters of a source that an error shows: it is shown for every shard, and once more for all of them. */
const MAX_SHOWN = 4096;

function shown(source: string): string {
  return source.length <= MAX_SHOWN ? source : `${source.slice(0, MAX_SHOWN)}…`;
}

/** An error that one shard ends with as it is. */
export function shardFailure(index: string, shard: number, error: EngineError): ShardFailure {
  return { index, shard, status: error.status, reason: error.toWireString() };
}

/** A shard that failed while the query ran. */
export function queryFailure(
  index: string,
  shard: number,
  window: Progress,
  cause: JobFailure,
): ShardFailure {
  const { status, reason } = cause;
  if (cause.isOfShard === true) return { index, shard, status, reason };
  const shardText = `[${index}][${shard}]: from[${window.from}],size[${window.size}]`;
  const nested = reason.endsWith('; ') ? reason : `${reason}; `;
  return {
    index,
    shard,
    status: 500,
    reason: `QueryPhaseExecutionException[${shardText}: Query Failed [Failed to execute main query]]; nested: ${nested}`,
  };
}

/** A shard asked for more hits than can be counted. */
export function windowFailure(
  index: string,
  shard: number,
  from: number,
  size: number,
): ShardFailure {
  const error = new EngineError(
    'QueryPhaseExecutionException',
    `[${index}][${shard}]: from[${from}],size[${size}]: Result window is too large, from + size must be ` +
      `less than or equal to: [2147483647] but was [${from + size}]`,
  );
  return shardFailure(index, shard, error);
}

/** No shard could answer: the error of the whole search, with the status of the worst shard. */
export function allShardsFailed(
  phase: string,
  failures: readonly ShardFailure[],
  nodeId: string,
): EngineError {
  const blocks = failures.map(
    ({ index, shard, reason }) => `{[${nodeId}][${index}][${shard}]: ${reason}}`,
  );
  // compat: the first failure decides, unless a later one is the server's own fault.
  const worst = failures.reduce<number>(
    (status, failure) => (failure.status >= 500 ? failure.status : status),
    failures[0]?.status ?? ERROR_STATUS.SearchPhaseExecutionException,
  );
  const text = `Failed to execute phase [${phase}], all shards failed; shardFailures ${blocks.join('')}`;
  return new EngineError('SearchPhaseExecutionException', text, { status: worst });
}

/** The failure of one shard as `_suggest` reports it. @param reason what went wrong, with its class */
export function suggestFailure(index: string, shard: number, reason: string): ShardFailure {
  const nested = reason.endsWith('; ') ? reason : `${reason}; `;
  return {
    index,
    shard,
    status: 500,
    reason: `BroadcastShardOperationFailedException[[${index}][${shard}] ]; nested: ElasticsearchException[failed to execute suggest]; nested: ${nested}`,
  };
}

/** A query that one index could not even read as JSON. */
export function unreadableQuery(index: string, cause: EngineError): EngineError {
  return new EngineError('QueryParsingException', `[${index}] Failed to parse`, { cause });
}

/** The failure of one shard as `_count` reports it. */
export function broadcastFailure(index: string, shard: number, cause: EngineError): ShardFailure {
  const error = new EngineError('BroadcastShardOperationFailedException', `[${index}][${shard}] `, {
    cause,
  });
  return { index, shard, status: cause.status, reason: error.toWireString() };
}

/** The rejection of a search that was cancelled; no client reads it, because its client is gone. */
export function cancelled(): EngineError {
  return new EngineError('ElasticsearchException', 'the search was cancelled', { status: 503 });
}

// What OpenSearch says when a request or a shard of it fails, as errors of 1.x.

import { EngineError, type ErrorName } from '../../errors';
import { isJsonObject, type JsonObject, JsonNumber } from '../../json/index';
import { partOf, textOf } from './answers';
import type { Answer } from './client';
import { scriptFailure } from './script-failure';

/** By the type of the error. */
const NAMES: Readonly<Record<string, ErrorName>> = {
  circuit_breaking_exception: 'CircuitBreakingException',
  es_rejected_execution_exception: 'EsRejectedExecutionException',
  opensearch_rejected_execution_exception: 'EsRejectedExecutionException',
  rejected_execution_exception: 'EsRejectedExecutionException',
  // The reason names the setting, `search.max_buckets`.
  too_many_buckets_exception: 'ElasticsearchIllegalArgumentException',
  too_many_clauses: 'TooManyClauses',
  too_many_nested_clauses: 'TooManyClauses',
  too_complex_to_determinize_exception: 'TooComplexToDeterminizeException',
  no_shard_available_action_exception: 'NoShardAvailableActionException',
  no_master_block_exception: 'NoShardAvailableActionException',
  cluster_block_exception: 'ClusterBlockException',
  unavailable_shards_exception: 'UnavailableShardsException',
  index_not_found_exception: 'IndexMissingException',
  illegal_state_exception: 'IllegalStateException',
};

/** By status, where the type says nothing. */
const NAMES_BY_STATUS: Readonly<Record<number, ErrorName>> = {
  429: 'EsRejectedExecutionException',
  503: 'NoShardAvailableActionException',
};

/** What OpenSearch tells of causes, the innermost last. */
function causesOf(error: JsonObject): readonly JsonObject[] {
  const shards = error.get('failed_shards');
  const [shard] = Array.isArray(shards) ? shards : [];
  const reason = isJsonObject(shard) ? shard.get('reason') : undefined;
  const causes = [isJsonObject(reason) ? reason : error];
  for (;;) {
    const deeper = causes.at(-1)!.get('caused_by');
    if (!isJsonObject(deeper)) return causes;
    causes.push(deeper);
  }
}

/** Whether a script failed while it ran. */
function failedInScript(error: JsonObject): boolean {
  return causesOf(error).some(
    (cause) => cause.get('type') === 'script_exception' && cause.get('reason') === 'runtime error',
  );
}

/** The type of an answer's error; empty: it has none. */
export function errorType(answer: JsonObject): string {
  const error = answer.get('error');
  return isJsonObject(error) ? textOf(error.get('type') ?? null) : '';
}

/** The type of the innermost cause of an answer's error; empty: it has none. */
export function causeType(answer: JsonObject): string {
  const error = answer.get('error');
  return isJsonObject(error) ? textOf(causesOf(error).at(-1)!.get('type') ?? null) : '';
}

/** Why OpenSearch did not do what it was asked for. */
export function failureIn({ status, body }: Pick<Answer, 'status' | 'body'>): EngineError {
  return remoteFailure(partOf(body, 'error') ?? new Map(), status);
}

/** What OpenSearch says of an error: the innermost cause. */
export function reasonOf(error: JsonObject): string {
  const cause = causesOf(error).at(-1)!;
  const parts = [cause.get('type'), cause.get('reason')].filter((part) => typeof part === 'string');
  return parts.length === 0 ? 'without a reason' : parts.join(': ');
}

/** An error of an answer, or of one of its shards. @param status of the answer */
function remoteFailure(error: JsonObject, status: number): EngineError {
  const cause = causesOf(error).at(-1)!;
  const type = textOf(cause.get('type') ?? null);
  const reason = textOf(cause.get('reason') ?? null);
  const missing = /^Missing value for field \[.*\]$/s.exec(reason);
  if (missing !== null) return new EngineError('ElasticsearchException', reason);
  if (failedInScript(error)) return scriptFailure(type, reason);
  const outer = textOf(error.get('type') ?? null);
  const name = NAMES[type] ?? NAMES[outer] ?? NAMES_BY_STATUS[status] ?? 'ElasticsearchException';
  const own = NAMES[type] === undefined && NAMES[outer] === undefined;
  return new EngineError(name, `OpenSearch answers ${status}: ${reasonOf(error)}`, {
    ...(own && status >= 500 ? { status } : {}),
  });
}

/** Why the shard of an answer failed; null: it did not. */
export function shardFailureOf(answer: JsonObject): EngineError | null {
  const error = answer.get('error');
  if (isJsonObject(error)) return remoteFailure(error, statusOf(answer));
  const shards = answer.get('_shards');
  const failures = isJsonObject(shards) ? shards.get('failures') : undefined;
  const [first] = Array.isArray(failures) ? failures : [];
  if (!isJsonObject(first)) return null;
  const reason = first.get('reason');
  return isJsonObject(reason) ? remoteFailure(reason, statusOf(first)) : null;
}

function statusOf(answer: JsonObject): number {
  const status = answer.get('status');
  return status instanceof JsonNumber ? status.value : 500;
}

import { parseJsonObject } from '../../../../engine/json/parse';
import { failureIn, shardFailureOf } from '../../../../engine/opensearch/transport/failures';

function failure(status: number, type: string, reason: string, cause = {}): string | undefined {
  const error = { type: 'search_phase_execution_exception', reason: 'all shards failed' };
  const failed_shards = [{ shard: 0, reason: { type, reason, ...cause } }];
  const answer = { error: { ...error, failed_shards }, status };
  return shardFailureOf(parseJsonObject(JSON.stringify(answer)))?.toWireString();
}

test.each([
  [429, 'circuit_breaking_exception', 'CircuitBreakingException'],
  [429, 'rejected_execution_exception', 'EsRejectedExecutionException'],
  [503, 'no_shard_available_action_exception', 'NoShardAvailableActionException'],
  [400, 'too_many_nested_clauses', 'TooManyClauses'],
  [500, 'illegal_state_exception', 'IllegalStateException'],
  [500, 'something_else', 'ElasticsearchException'],
])('status %p with %s is a %s', (status, type, name) => {
  const text = `${name}[OpenSearch answers ${status}: ${type}: why]`;
  expect(failure(status, type, 'why')).toBe(text);
});

test('a field without the value that a function needs is told as ever', () => {
  const caused_by = { type: 'illegal_argument_exception', reason: 'Missing value for field [n]' };
  const found = failure(400, 'script_exception', 'runtime error', { caused_by });
  expect(found).toBe('ElasticsearchException[Missing value for field [n]]');
});

test('an answer without errors is no failure', () => {
  expect(shardFailureOf(parseJsonObject('{"_shards":{"total":1,"failed":0}}'))).toBeNull();
});

test.each([
  [404, { error: { type: 'index_not_found_exception', reason: 'gone' } }, 'IndexMissingException'],
  [403, { error: { type: 'cluster_block_exception', reason: 'full' } }, 'ClusterBlockException'],
  [429, { error: { type: 'new_exception', reason: 'busy' } }, 'EsRejectedExecutionException'],
  [503, { error: 'no JSON object' }, 'NoShardAvailableActionException'],
  [502, {}, 'ElasticsearchException'],
])('status %p of a whole request with %j is a %s', (status, answer, name) => {
  const failed = failureIn({ status, body: parseJsonObject(JSON.stringify(answer)) });
  expect(failed.toWireString()).toMatch(new RegExp(`^${name}\\[OpenSearch answers ${status}: `));
});

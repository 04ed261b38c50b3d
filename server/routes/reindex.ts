// Copying an index, and the tasks that do it. Beyond the reference server of these versions; requests and
// answers are those of later ones.

import {
  illegalArgument,
  type JsonOutput,
  type Reindexing,
  type ReindexResult,
  type ReindexStatus,
  type TaskInfo,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type Params,
  type RouteContext,
} from '../request/index';
import { itemError } from '../render/index';
import { requiredObjectBody } from './json-body';
import { reindexRequest } from './reindex-body';
import { unsupported } from './unsupported';

/**
 * `POST /_reindex`: copies an index, and moves an alias to the copy; answers when it is done, or with
 * `wait_for_completion=false` with the task.
 */
export async function reindex(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const reindexing = reindexingOf(engine.reindexing);
  const request = reindexRequest(requiredObjectBody(body), {
    refresh: params.flag('refresh'),
    documentsPerSecond: documentsPerSecond(params),
  });
  const { id } = await reindexing.start(request);
  if (!params.flag('wait_for_completion', true)) {
    return json({ task: taskName(engine.nodeId, id) });
  }
  const { outcome } = await reindexing.settled(id);
  if (outcome === null) return json({ task: taskName(engine.nodeId, id) });
  if ('error' in outcome) throw outcome.error;
  const { failures } = outcome.result;
  const status = failures.reduce((worst, { cause }) => Math.max(worst, cause.status), 200);
  return json(resultMembers(outcome.result), status);
}

/** `GET /_tasks`: what runs. */
export function listTasks(_request: ApiRequest, { engine }: RouteContext): ApiResponse {
  const { nodeId, nodeName } = engine;
  const running = reindexingOf(engine.reindexing).running();
  const tasks = new Map(
    running.map((task) => [taskName(nodeId, task.id), taskMembers(task, nodeId)] as const),
  );
  return json({ nodes: new Map([[nodeId, { name: nodeName, tasks }]]) });
}

/** `GET /_tasks/{task}`: how far it is, or what became of it; `wait_for_completion` waits for its end. */
export async function getTask(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const reindexing = reindexingOf(engine.reindexing);
  const id = taskId(params, engine.nodeId);
  const waits = params.flag('wait_for_completion');
  const task = waits ? await reindexing.settled(id) : reindexing.task(id);
  return json(taskAnswer(task, engine.nodeId));
}

/** `POST /_tasks/{task}/_cancel`: answers when it has ended. */
export async function cancelTask(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const task = await reindexingOf(engine.reindexing).cancel(taskId(params, engine.nodeId));
  return json(taskAnswer(task, engine.nodeId));
}

function reindexingOf(reindexing: Reindexing | undefined): Reindexing {
  if (reindexing === undefined) throw unsupported('copying an index [_reindex]');
  return reindexing;
}

/** Undefined, -1 and `unlimited`: as fast as it goes. */
function documentsPerSecond(params: Params): number | undefined {
  if (params.get('requests_per_second') === 'unlimited') return undefined;
  const rate = params.float('requests_per_second');
  if (rate === undefined || rate === -1) return undefined;
  if (rate > 0) return rate;
  throw illegalArgument('[requests_per_second] must be positive, or -1 for no limit');
}

function taskName(nodeId: string, id: number): string {
  return `${nodeId}:${id}`;
}

function taskId(params: Params, nodeId: string): number {
  const name = params.get('task') ?? '';
  const number = name.startsWith(`${nodeId}:`) ? name.slice(nodeId.length + 1) : name;
  if (/^\d{1,15}$/.test(number)) return Number(number);
  throw illegalArgument(`malformed task id ${name}`);
}

function taskAnswer(task: TaskInfo, nodeId: string): JsonOutput {
  const { outcome } = task;
  return {
    completed: outcome !== null,
    task: taskMembers(task, nodeId),
    response: outcome !== null && 'result' in outcome ? resultMembers(outcome.result) : undefined,
    error: outcome !== null && 'error' in outcome ? itemError(outcome.error) : undefined,
  };
}

function taskMembers(task: TaskInfo, nodeId: string): JsonOutput {
  return {
    node: nodeId,
    id: task.id,
    type: 'transport',
    action: task.action,
    status: statusMembers(task.status),
    description: task.description,
    start_time_in_millis: task.startedAt,
    running_time_in_nanos: Math.round(task.runningMs * 1e6),
    cancellable: true,
    cancelled: task.isCancelled,
  };
}

function statusMembers(status: ReindexStatus): { readonly [name: string]: JsonOutput } {
  return {
    total: status.total,
    updated: status.updated,
    created: status.created,
    deleted: status.deleted,
    batches: status.batches,
    version_conflicts: status.versionConflicts,
    noops: status.noops,
    rounds: status.rounds,
    behind: status.behind,
  };
}

function resultMembers(result: ReindexResult): JsonOutput {
  const { swapped } = result;
  return {
    took: Math.round(result.tookMs),
    timed_out: false,
    ...statusMembers(result),
    canceled: result.isCancelled ? 'by user request' : undefined,
    swapped:
      swapped === null
        ? undefined
        : {
            alias: swapped.alias,
            from: swapped.from,
            to: swapped.to,
            writes_held_in_millis: Math.round(swapped.heldMs),
          },
    failures: result.failures.map(({ index, type, id, cause }) => ({
      index,
      type,
      id,
      cause: itemError(cause),
      status: cause.status,
    })),
  };
}

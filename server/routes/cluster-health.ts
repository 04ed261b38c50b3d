// `_cluster/health` with its waits. A condition that is not met in time is reported, never an error.

import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, type IndexStats, type JsonOutput, numberFormat } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  READ_OPTIONS,
  type Params,
} from '../request/index';
import {
  clusterHealth,
  indexHealth,
  isAtLeast,
  parseHealthStatus,
  shardHealth,
  type HealthStatus,
} from '../stats/index';

/** Pause between two looks at the state. */
const POLL_MS = 25;
const NUMBER_OF_NODES = 1;

interface Snapshot {
  readonly status: HealthStatus;
  readonly stats: readonly IndexStats[];
  readonly isMissing: boolean;
  readonly active: number;
}

type Condition = (snapshot: Snapshot) => boolean;

/** `GET /_cluster/health[/{index}]`. */
export async function getClusterHealth(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  const timeoutMs = params.timeMs('timeout') ?? 30_000;
  params.timeMs('master_timeout');
  const conditions = waits(params);
  const names = params.list('index');
  const deadline = performance.now() + timeoutMs;
  let snapshot = await look(context, names);
  const isReached = () => conditions.every((condition) => condition(snapshot));
  while (!isReached() && performance.now() < deadline) {
    await sleep(Math.min(POLL_MS, Math.max(1, deadline - performance.now())));
    snapshot = await look(context, names);
  }
  return json(render(context, snapshot, !isReached(), params.get('level')));
}

async function look({ engine }: RouteContext, names: readonly string[]): Promise<Snapshot> {
  let isMissing = false;
  let indices: readonly string[];
  try {
    indices = engine.admin.resolve(names, READ_OPTIONS);
  } catch (error) {
    if (!(error instanceof EngineError) || error.wireName !== 'IndexMissingException') throw error;
    isMissing = true;
    indices = engine.admin.resolve(names, { ...READ_OPTIONS, ignoreUnavailable: true });
  }
  const stats = (await engine.maintenance.stats(indices)).filter(({ open }) => open);
  const { status, active } = clusterHealth(stats);
  return { status: isMissing ? 'red' : status, stats, isMissing, active };
}

function waits(params: Params): Condition[] {
  const conditions: Condition[] = [(snapshot) => !snapshot.isMissing];
  const status = params.get('wait_for_status');
  if (status !== undefined) {
    const wanted = parseHealthStatus(status);
    if (wanted === null) {
      throw new EngineError(
        'IllegalArgumentException',
        `No enum constant org.elasticsearch.action.admin.cluster.health.ClusterHealthStatus.${status.toUpperCase()}`,
      );
    }
    conditions.push((snapshot) => isAtLeast(snapshot.status, wanted));
  }
  const active = params.int('wait_for_active_shards');
  if (active !== undefined) conditions.push((snapshot) => snapshot.active >= active);
  // Nothing ever relocates, so this wait is over at once.
  params.int('wait_for_relocating_shards');
  const nodes = params.get('wait_for_nodes');
  if (nodes !== undefined && nodes !== '') {
    const isReached = nodesCondition(nodes);
    conditions.push(() => isReached);
  }
  return conditions;
}

/** `1`, `>=1`, `<3`, `ge(1)`, `lt(3)` … compared with the number of nodes, which is one. */
function nodesCondition(text: string): boolean {
  const match = /^(?:(>=|<=|>|<)(.*)|(ge|le|gt|lt)\((.*)\))$/s.exec(text);
  const operand = match?.[2] ?? match?.[4] ?? text;
  if (!/^\d+$/.test(operand)) throw numberFormat(operand);
  const wanted = Number(operand);
  switch (match?.[1] ?? match?.[3]) {
    case '>=':
    case 'ge':
      return NUMBER_OF_NODES >= wanted;
    case '<=':
    case 'le':
      return NUMBER_OF_NODES <= wanted;
    case '>':
    case 'gt':
      return NUMBER_OF_NODES > wanted;
    case '<':
    case 'lt':
      return NUMBER_OF_NODES < wanted;
    case undefined:
    default:
      return NUMBER_OF_NODES === wanted;
  }
}

function render(
  { engine }: RouteContext,
  { status, stats }: Snapshot,
  timedOut: boolean,
  level: string | undefined,
): JsonOutput {
  const { activePrimaries, active, initializing, unassigned } = clusterHealth(stats);
  const showsIndices = level === 'indices' || level === 'shards';
  return {
    cluster_name: engine.clusterName,
    status,
    timed_out: timedOut,
    number_of_nodes: NUMBER_OF_NODES,
    number_of_data_nodes: NUMBER_OF_NODES,
    active_primary_shards: activePrimaries,
    active_shards: active,
    relocating_shards: 0,
    initializing_shards: initializing,
    unassigned_shards: unassigned,
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    indices: showsIndices
      ? new Map(stats.map((index) => [index.name, renderIndex(index, level === 'shards')]))
      : undefined,
  };
}

function renderIndex(stats: IndexStats, showsShards: boolean): JsonOutput {
  const { status, activePrimaries, active, initializing, unassigned } = indexHealth(stats);
  const { primaries, replicas } = stats;
  const shards = stats.shards.map((each, number): readonly [string, JsonOutput] => {
    const health = shardHealth(each, replicas);
    const shard: JsonOutput = {
      status: health.status,
      primary_active: health.activePrimaries > 0,
      active_shards: health.active,
      relocating_shards: 0,
      initializing_shards: health.initializing,
      unassigned_shards: health.unassigned,
    };
    return [String(number), shard];
  });
  return {
    status,
    number_of_shards: primaries,
    number_of_replicas: replicas,
    active_primary_shards: activePrimaries,
    active_shards: active,
    relocating_shards: 0,
    initializing_shards: initializing,
    unassigned_shards: unassigned,
    shards: showsShards ? new Map<string, JsonOutput>(shards) : undefined,
  };
}

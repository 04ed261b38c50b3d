// Health, computed from index statistics: primaries are active unless their data is damaged or being built
// again; replicas are never assigned on a single machine (reference server).

import type { IndexStats, ShardStats } from '../../engine/index';

/** Health as clients know it, best first. */
export type HealthStatus = 'green' | 'yellow' | 'red';

/** Shard counts of an index, or of several. */
interface ShardCounts {
  readonly status: HealthStatus;
  readonly activePrimaries: number;
  readonly active: number;
  /** Being built again. */
  readonly initializing: number;
  readonly unassigned: number;
}

/** Replicas of a shard that are nowhere. @param replicas that it is wanted to have */
export function missingReplicas(
  { startedReplicas }: Pick<ShardStats, 'startedReplicas'>,
  replicas: number,
): number {
  return Math.max(0, replicas - startedReplicas);
}

/** Health of a shard of an open index. @param replicas that it is wanted to have */
export function shardHealth(shard: ShardStats, replicas: number): ShardCounts {
  const { isDamaged, isRebuilding, startedReplicas } = shard;
  const isActive = !isDamaged && !isRebuilding;
  const missing = missingReplicas(shard, replicas);
  return {
    status: !isActive ? 'red' : missing > 0 ? 'yellow' : 'green',
    activePrimaries: Number(isActive),
    active: Number(isActive) + startedReplicas,
    initializing: Number(isRebuilding),
    unassigned: missing + Number(isDamaged),
  };
}

/** Health of one open index. */
export function indexHealth({ replicas, shards }: IndexStats): ShardCounts {
  return sumOf(shards.map((shard) => shardHealth(shard, replicas)));
}

/** Health of all open indices together; without any it is green. Closed ones do not count. */
export function clusterHealth(stats: readonly IndexStats[]): ShardCounts {
  return sumOf(stats.filter(({ open }) => open).map(indexHealth));
}

function sumOf(all: readonly ShardCounts[]): ShardCounts {
  const sum = (count: (health: ShardCounts) => number) =>
    all.reduce((total, health) => total + count(health), 0);
  const worst = (['red', 'yellow'] as const).find((status) =>
    all.some((health) => health.status === status),
  );
  return {
    status: worst ?? 'green',
    activePrimaries: sum((health) => health.activePrimaries),
    active: sum((health) => health.active),
    initializing: sum((health) => health.initializing),
    unassigned: sum((health) => health.unassigned),
  };
}

const RANK: Record<HealthStatus, number> = { green: 0, yellow: 1, red: 2 };

/** Whether a status is as good as the one waited for. */
export function isAtLeast(status: HealthStatus, wanted: HealthStatus): boolean {
  return RANK[status] <= RANK[wanted];
}

/** A name in any case as a status; null when it is none. */
export function parseHealthStatus(name: string): HealthStatus | null {
  const lower = name.toLowerCase();
  return lower === 'green' || lower === 'yellow' || lower === 'red' ? lower : null;
}

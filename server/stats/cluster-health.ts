// Health of the one-node cluster, computed from index statistics: primaries are active unless their data is
// damaged or being built again, replicas never assigned (reference server).

import type { IndexStats } from '../../engine/index';

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

/** Health of one open index. */
export function indexHealth({ primaries, replicas, shards }: IndexStats): ShardCounts {
  const damaged = shards.filter(({ isDamaged }) => isDamaged).length;
  const initializing = shards.filter(({ isRebuilding }) => isRebuilding).length;
  const unassigned = primaries * replicas + damaged;
  const active = primaries - damaged - initializing;
  return {
    status: active < primaries ? 'red' : unassigned > 0 ? 'yellow' : 'green',
    activePrimaries: active,
    active,
    initializing,
    unassigned,
  };
}

/** Health of all open indices together; without any it is green. Closed ones do not count. */
export function clusterHealth(stats: readonly IndexStats[]): ShardCounts {
  const all = stats.filter(({ open }) => open).map(indexHealth);
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

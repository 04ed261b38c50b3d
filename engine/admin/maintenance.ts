// What is done with the shards of indices as they are, and what they tell of themselves.

import type { Gate } from './gate';
import {
  type ClusterStateService,
  type IndexMetadata,
  type StateChanges,
  replicasOf,
  resolveUnblocked,
  type IndicesOptions,
} from '../metadata/index';
import {
  type IndicesService,
  type IndexService,
  type Shard,
  type WritableShard,
  describeDamage,
} from '../shard/index';
import { shardFailure } from '../search/index';
import type {
  ShardFailure,
  ShardsHeader,
  Maintenance,
  OptimizeTarget,
  IndexStats,
  SegmentStats,
  ShardStats,
} from '../api/index';

/** What {@link MaintenanceService} needs of the node. */
interface MaintenanceHost {
  readonly gate: Gate;
  readonly cluster: ClusterStateService;
  readonly indicesService: IndicesService;
  /** Runs the warmers of an index. */
  readonly warm: (indexService: IndexService) => void;
}

/** The shards of a node. */
interface ShardsHost<S extends WritableShard> {
  readonly cluster: Pick<StateChanges, 'state'>;
  readonly indicesService: {
    indexService(metadata: IndexMetadata): { readonly shards: readonly S[] } | null;
  };
}

/** Refreshes, flushes, merges and forgets what is remembered, shard by shard. */
export class MaintenanceService implements Maintenance {
  constructor(private readonly host: MaintenanceHost) {}

  async refresh(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader> {
    const { gate, cluster, indicesService, warm } = this.host;
    const header = await gate.write(() =>
      this.broadcast(names, options, (shard) => shard.refresh()),
    );
    const state = cluster.state();
    for (const name of resolveUnblocked(state, names, options)) {
      const metadata = state.indices.get(name)!;
      const indexService = indicesService.indexService(metadata);
      if (indexService !== null && metadata.warmers.size > 0) warm(indexService);
    }
    return header;
  }

  flush(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader> {
    return this.host.gate.write(() => this.broadcast(names, options, (shard) => shard.flush()));
  }

  optimize(
    names: readonly string[],
    options: IndicesOptions,
    target: OptimizeTarget,
  ): Promise<ShardsHeader> {
    return this.host.gate.grow(() =>
      this.broadcast(names, options, (shard) => shard.optimize(target)),
    );
  }

  clearCaches(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader> {
    const { gate, cluster, indicesService } = this.host;
    return gate.read(() => {
      const state = cluster.state();
      for (const name of resolveUnblocked(state, names, options))
        indicesService.releaseMemory(state.indices.get(name)!);
      return this.broadcast(names, options, () => Promise.resolve());
    });
  }

  async stats(names: readonly string[]): Promise<readonly IndexStats[]> {
    const state = this.host.cluster.state();
    return names.flatMap((name) => {
      const metadata = state.indices.get(name);
      if (metadata === undefined) return [];
      const indexService = this.host.indicesService.indexService(metadata);
      const shards = (indexService?.shards ?? []).map(shardStats);
      return [indexStats(metadata, shards)];
    });
  }

  private async broadcast(
    names: readonly string[],
    options: IndicesOptions,
    work: (shard: Shard) => Promise<void>,
  ): Promise<ShardsHeader> {
    const state = this.host.cluster.state();
    const concrete = resolveUnblocked(state, names, options, 'metadata_write');
    const outcomes = await eachShard(this.host, concrete, work);
    // Replicas are configured but never assigned, as on a single node of the reference.
    const { indices } = this.host.cluster.state();
    let total = 0;
    for (const name of concrete) {
      const metadata = indices.get(name);
      if (metadata?.state === 'open')
        total += metadata.shardIds.length * (1 + replicasOf(metadata));
    }
    const failures = outcomes.filter((failure) => failure !== null);
    const failed = failures.length;
    return { total, successful: outcomes.length - failed, failed, failures };
  }
}

/**
 * Runs `work` on every shard of open indices. @returns what happened per shard: null, or how it failed.
 * @throws what is no failure of one shard.
 */
export function eachShard<S extends WritableShard>(
  { cluster, indicesService }: ShardsHost<S>,
  names: readonly string[],
  work: (shard: S) => Promise<void>,
): Promise<readonly (ShardFailure | null)[]> {
  const state = cluster.state();
  const shards = names.flatMap((name) => {
    const metadata = state.indices.get(name);
    return metadata === undefined ? [] : (indicesService.indexService(metadata)?.shards ?? []);
  });
  return Promise.all(
    shards.map(async (shard) => {
      try {
        await work(shard);
        return null;
      } catch (error) {
        const failure = shard.failure ?? shard.rebuilding ?? describeDamage(error);
        if (failure === null) throw error;
        return shardFailure(shard.identity.index, shard.identity.number, failure);
      }
    }),
  );
}

/** What an index tells of itself. @param shards that are open */
export function indexStats(metadata: IndexMetadata, shards: readonly ShardStats[]): IndexStats {
  const total = (figure: 'docCount' | 'deletedCount' | 'storeBytes'): number =>
    shards.reduce((sum, shard) => sum + shard[figure], 0);
  return {
    name: metadata.name,
    open: metadata.state === 'open',
    primaries: metadata.shardIds.length,
    replicas: replicasOf(metadata),
    docCount: total('docCount'),
    deletedCount: total('deletedCount'),
    storeBytes: total('storeBytes'),
    shards,
  };
}

function shardStats(shard: Shard): ShardStats {
  const segments = shard.segments();
  const sum = (figure: (segment: SegmentStats) => number): number =>
    segments.reduce((total, segment) => total + figure(segment), 0);
  return {
    docCount: sum(({ docCount, deletedCount }) => docCount - deletedCount),
    deletedCount: sum(({ deletedCount }) => deletedCount),
    storeBytes: sum(({ bytes }) => bytes),
    isDamaged: shard.failure !== null,
    isRebuilding: shard.failure === null && shard.rebuilding !== null,
    startedReplicas: 0,
    local: {
      operations: shard.counters.snapshot(),
      reads: shard.reads.snapshot(),
      segments,
      commitGeneration: shard.commitGeneration,
      unindexedOperations: shard.backlog,
      unindexedBytes: shard.backlogBytes,
      opening: shard.opening,
      queries: { ...shard.queries },
    },
  };
}

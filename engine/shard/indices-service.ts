// The indices of the node in their running form, kept in step with the cluster state, and what starting and
// deleting them takes: replaying the tails of document logs, removing what a crash left behind.
//
// An index has one runtime from its creation, or from the load of the node's state, to its deletion. Closing
// and opening it does not touch the runtime: a closed index is one that the cluster state says nobody may
// use.

import { EngineError, indexMissing, indexUnavailable } from '../errors';
import type { IndexMapping } from '../mapping/index';
import type { ClusterState, IndexMetadata, ClusterStateService } from '../metadata/index';
import { IndexService } from './index-service';
import { ShardReadCounters } from './read-stats';
import { SEGMENT_COUNTER } from './segment-ids';
import type { ShardServices } from './shard-services';
import { ShardOperationCounters } from './shard-stats';
import { failedName } from './shard-builds';
import { rebuildTarget } from './shard-rebuild';
import { readLeftovers, removeOrphans, removeShard } from './shard-removal';
import type { LogBatch, SegmentId, ShardId } from '../../storage/index';
import type { RestoredShard } from '../api/index';
import type { EngineLogger } from '../common/index';

/** Reading the ends of logs waits for the disk; a few at a time keep its threads busy. */
const SHARDS_OPENED_TOGETHER = 16;

/** The indices of the node in their running form. */
export class IndicesService {
  private readonly runtimes = new Map<number, IndexService>();
  /** Indices whose records are being restored, not part of the cluster state yet. */
  private readonly arriving = new Map<
    number,
    { indexService: IndexService; metadata: IndexMetadata }
  >();
  /** Deletions of shard data under way. */
  private readonly removals = new Set<Promise<void>>();
  /** What shards have done that are gone: of deleted indices, and all those before storage was reopened. */
  readonly former = { operations: new ShardOperationCounters(), reads: new ShardReadCounters() };
  /** Segments that a crash left without a commit point, until they are removed. */
  private orphans: readonly SegmentId[] = [];

  constructor(
    private readonly cluster: ClusterStateService,
    private readonly services: ShardServices,
    private readonly logger: EngineLogger,
  ) {
    cluster.onChange((state) => this.follow(state));
  }

  /** The running form of an open index, or null when it is closed or gone. */
  indexService(metadata: IndexMetadata): IndexService | null {
    return metadata.state === 'open' ? (this.runtimes.get(metadata.id) ?? null) : null;
  }

  /** @throws EngineError 404 when the index is closed or gone, 503 while storage is being reopened */
  requireIndex(metadata: IndexMetadata): IndexService {
    const indexService = this.indexService(metadata);
    if (indexService !== null) return indexService;
    const known = this.cluster.state().indices.get(metadata.name);
    const isThere = known?.id === metadata.id && known.state === 'open';
    // While storage is reopened the state has the index already, or still.
    if (isThere && metadata.state === 'open') throw indexUnavailable(metadata.name);
    throw indexMissing(metadata.name);
  }

  /** All indices, closed ones included. */
  all(): Iterable<IndexService> {
    return this.runtimes.values();
  }

  /** The newest visible metadata of an index, or null when it is gone. */
  metadataOf(indexId: number): IndexMetadata | null {
    const arriving = this.arriving.get(indexId);
    if (arriving !== undefined) return arriving.metadata;
    const indexService = this.runtimes.get(indexId);
    if (indexService === undefined) return null;
    const metadata = this.cluster.state().indices.get(indexService.name);
    return metadata?.id === indexId ? metadata : null;
  }

  /** The compiled mapping of an index, open or closed. @throws EngineError (404) when it is gone. */
  compiled(metadata: IndexMetadata): IndexMapping {
    const indexService =
      this.runtimes.get(metadata.id) ?? this.arriving.get(metadata.id)?.indexService;
    if (indexService === undefined) throw indexMissing(metadata.name);
    return indexService.mapping(metadata);
  }

  /**
   * Reads everything from disk: at start, and after storage was reopened. Writes nothing, so that a node
   * with a full disk still answers; {@link recover} does what is left to do.
   */
  async load(): Promise<void> {
    const log = this.services.log();
    const metadata = await log.readMetadata();
    const leftovers = readLeftovers(metadata);
    const state = await this.cluster.load();
    for (const index of state.indices.values()) {
      this.runtimes.set(index.id, new IndexService(index, this.services));
    }
    const shards = [...this.runtimes.values()].flatMap((indexService) => indexService.shards);
    for (let from = 0; from < shards.length; from += SHARDS_OPENED_TOGETHER) {
      await Promise.all(
        shards.slice(from, from + SHARDS_OPENED_TOGETHER).map((shard) => {
          const { shardId } = shard.identity;
          const failed = Number(metadata.get(failedName(shardId))?.toString() ?? 0);
          const upTo = rebuildTarget(metadata, shardId);
          return shard.open(leftovers.get(shardId) ?? [], failed, upTo);
        }),
      );
    }
    const named = new Set(shards.flatMap((shard) => shard.ownedSegments()));
    const intents = await log.readBuildIntents();
    this.orphans = intents.filter((id) => !named.has(id));
    let highest = 0;
    for (const id of [...named, ...intents]) highest = Math.max(highest, id);
    this.services.segmentIds.reset(metadata.get(SEGMENT_COUNTER), highest);
  }

  /**
   * Finishes what the last run of the node left unfinished, and indexes the tails of the document logs.
   * @throws StorageFailure; everything can be read all the same.
   */
  async recover(): Promise<void> {
    await removeOrphans(this.services, this.orphans);
    this.orphans = [];
    for (const { shard, segments } of await this.services.log().readDeleteIntents()) {
      this.track(`shard ${shard}`, removeShard(this.services, shard, segments));
    }
    const { indices } = this.cluster.state();
    for (const indexService of this.runtimes.values()) {
      this.rebuildLost(indexService);
      for (const shard of indexService.shards) {
        if (shard.failure === null) await shard.removeStrayDeletions();
        // Beside everything else: it may take as long as indexing all of its documents did.
        shard.resumeRebuild();
      }
      if (indices.get(indexService.name)?.state === 'open') await this.indexTails(indexService);
    }
  }

  /** Indexes what a closed index has in its document log; to be called before the state says it is open. */
  async open(metadata: IndexMetadata): Promise<void> {
    const indexService = this.runtimes.get(metadata.id);
    if (metadata.state === 'close' && indexService !== undefined)
      await this.indexTails(indexService);
  }

  /**
   * Builds the segments of an index whose records are in the log and which the cluster state does not have
   * yet; when it gets it, the index is ready to be searched. Else {@link dismiss} it.
   * @param restored how the records of each shard were restored
   * @throws EngineError when a shard is damaged; StorageError.
   */
  async admit(
    metadata: IndexMetadata,
    restored: readonly Omit<RestoredShard, 'startMs'>[],
  ): Promise<void> {
    const indexService = new IndexService(metadata, this.services);
    this.arriving.set(metadata.id, { indexService, metadata });
    for (const [number, shard] of indexService.shards.entries()) {
      const started = performance.now();
      await shard.open([]);
      await shard.admit();
      const startMs = performance.now() - started;
      shard.opening = { ms: 0, operations: 0, restored: { ...restored[number]!, startMs } };
    }
  }

  /** Removes what there is of an index that was not, or not quite, restored. Idempotent. */
  async dismiss(indexId: number, shardIds: readonly ShardId[]): Promise<void> {
    const indexService = this.arriving.get(indexId)?.indexService;
    this.arriving.delete(indexId);
    if (indexService !== undefined) await this.removeData(indexService);
    else for (const shardId of shardIds) await removeShard(this.services, shardId, []);
  }

  /** Frees the memory that searching an index took; whoever still reads it loads again what it needs. */
  releaseMemory(metadata: IndexMetadata): void {
    for (const shard of this.runtimes.get(metadata.id)?.shards ?? []) {
      this.services.forget(shard.ownedSegments());
    }
  }

  /** Puts the intents to delete an index's shards into the batch that removes the index. */
  stageRemoval(batch: LogBatch, metadata: IndexMetadata): void {
    const shards = this.runtimes.get(metadata.id)?.shards;
    for (const [number, shardId] of metadata.shardIds.entries()) {
      batch.putDeleteIntent(shardId, shards?.[number]!.ownedSegments() ?? []);
    }
  }

  /** Stops all shards, before storage is opened again or closed. */
  async close(): Promise<void> {
    const arriving = [...this.arriving.values()].map(({ indexService }) => indexService);
    const runtimes = [...this.runtimes.values(), ...arriving];
    for (const indexService of this.runtimes.values()) this.retire(indexService);
    this.runtimes.clear();
    this.arriving.clear();
    await Promise.all(runtimes.map((indexService) => indexService.close()));
  }

  /** Indexes everything acknowledged, as far as possible; what is left is replayed at the next start. */
  async flush(): Promise<void> {
    for (const { shards } of this.runtimes.values()) {
      for (const shard of shards) await shard.flush().catch(() => undefined);
    }
  }

  /** Waits until no deleted index has data left. */
  async settled(): Promise<void> {
    await Promise.all(this.removals);
  }

  /** Has shards built again whose segments are gone as a whole. */
  private rebuildLost({ shards }: IndexService): void {
    const lost = this.services.segmentsLost();
    if (lost === null) return;
    for (const shard of shards) {
      if (shard.segments().length === 0) continue;
      shard.rebuildSegments({ segment: null, reason: lost.message });
    }
  }

  private async indexTails(indexService: IndexService): Promise<void> {
    for (const shard of indexService.shards) {
      if (shard.rebuilding !== null) continue;
      const { backlog } = shard;
      if (backlog > 0) {
        this.logger.info(
          { index: indexService.name, shard: shard.identity.number, records: backlog },
          'indexing the tail of the document log',
        );
      }
      try {
        await shard.refresh();
      } catch (error) {
        // A damaged shard has said so, or is being built again, and leaves the others alone. Without disk
        // space, or when the thread that builds died over it, the tail waits for a refresh.
        if (shard.failure !== null || shard.rebuilding !== null) continue;
        if (this.services.disk.isCritical) continue;
        if (!(error instanceof EngineError) || error.status !== 503) throw error;
        this.logger.error(
          { index: indexService.name, shard: shard.identity.number, err: error },
          'the tail of the document log is not indexed yet',
        );
      }
    }
  }

  /** New indices get a running form at once; deleted ones lose theirs, and then their data. */
  private follow(state: ClusterState): void {
    const known = new Set<number>();
    for (const metadata of state.indices.values()) {
      known.add(metadata.id);
      if (!this.runtimes.has(metadata.id)) {
        const arrived = this.arriving.get(metadata.id)?.indexService;
        this.arriving.delete(metadata.id);
        this.runtimes.set(metadata.id, arrived ?? new IndexService(metadata, this.services));
      }
    }
    for (const [id, indexService] of this.runtimes) {
      if (known.has(id)) continue;
      this.runtimes.delete(id);
      this.retire(indexService);
      this.track(indexService.name, this.removeData(indexService));
    }
  }

  /** Keeps the counters of an index that is about to go, so that those of the node never fall. */
  private retire({ shards }: IndexService): void {
    for (const { counters, reads } of shards) {
      this.former.operations.absorb(counters);
      this.former.reads.absorb(reads);
    }
    // They are gone with their index, or counted by the shard that is loaded in the place of this one.
    this.former.operations.failedDocuments = 0;
  }

  /** Remembers a deletion of data until it is done. */
  private track(what: string, removal: Promise<void>): void {
    const tracked = removal
      // What is left over is found through the delete intents at the next load.
      .catch((error: unknown) => {
        this.logger.warn({ deleted: what, err: error }, 'deleting data was put off');
      })
      .finally(() => this.removals.delete(tracked));
    this.removals.add(tracked);
  }

  /** Deletes the data of an index whose removal is durable, once no search reads it any more. */
  private async removeData(indexService: IndexService): Promise<void> {
    await indexService.close();
    for (const shard of indexService.shards) {
      await shard.drained();
      await removeShard(this.services, shard.identity.shardId, shard.ownedSegments());
    }
  }
}

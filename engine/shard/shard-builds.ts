// Building segments from the records of one shard's document log that no segment has yet.
//
// Much of it is done in the background, as soon as enough records wait: a refresh or a recovery never has
// much more than one slice left to do.

import { BuildRange } from './build-range';
import type { HeldCommits } from './held-commits';
import type { ShardCommits } from './shard-commits';
import type { FailedDocument } from './segment-jobs';
import type { ShardServices } from './shard-services';
import type { ShardIdentity } from './readable';
import type { ShardOperationCounters } from './shard-stats';
import type { ShardJobQueue } from './shard-job-queue';
import type { EngineError } from '../errors';
import type { IndexMetadata } from '../metadata/index';
import { ThreadDiedError } from '../threads/index';
import type { SequenceNumber, ShardId } from '../../storage/index';

/** Unindexed records, or bytes of their sources, from which a slice is built in the background. */
const BACKGROUND_SLICE_RECORDS = 8192;
const BACKGROUND_SLICE_BYTES = 8 * 1024 * 1024;

/** Failed documents of one build that are logged one by one. */
const LOGGED_FAILURES = 100;

/** Names of the counts of documents that are set aside: `failed/{shard}`; the value is decimal. */
export function failedName(shard: ShardId): string {
  return `failed/${shard}`;
}

/** Builds the segments of one shard. */
export class ShardBuilds {
  /** The last sequence number that is synced. */
  durable: SequenceNumber = 0;
  /** Bytes of sources that are in the log only. */
  pendingBytes = 0;
  /** The shard is being restored: unlike what is acknowledged, its records are not built on a low disk. */
  isArriving = false;
  private isBuildingSlice = false;
  private readonly range = new BuildRange();

  /** @param sliceBuilt is called after every slice that was built in the background */
  constructor(
    private readonly identity: ShardIdentity,
    private readonly services: ShardServices,
    private readonly jobs: ShardJobQueue,
    private readonly held: HeldCommits,
    private readonly commits: ShardCommits,
    private readonly counters: ShardOperationCounters,
    private readonly sliceBuilt: () => void,
    /** Is shown what a build failed with; has segments built again that are damaged, and says so. */
    private readonly refuseDamage: (error: unknown) => EngineError | null,
  ) {}

  /** Records behind the last commit, roughly: what recovery has to index. */
  get backlog(): number {
    return this.durable - this.held.newest.sequence;
  }

  /** Notes that records up to `sequence` are on disk. */
  acknowledged(sequence: SequenceNumber, bytes: number): void {
    if (sequence > this.durable) this.durable = sequence;
    this.pendingBytes += bytes;
    this.buildSlice();
  }

  /** Builds everything that is durable by now; to be called in the shard's turn. */
  async build(): Promise<void> {
    const { services, identity, held } = this;
    const target = this.durable;
    while (held.newest.sequence < target) {
      const index = services.index(identity.indexId);
      if (index === null) return;
      if (this.isArriving) services.disk.assertSpace();
      services.disk.assertNotCritical();
      this.pendingBytes = 0;
      const started = performance.now();
      const from = held.newest.sequence;
      const to = this.range.end(from, target);
      try {
        await this.buildOne(index, from, to);
        this.range.widen();
      } catch (error) {
        if (!(error instanceof ThreadDiedError) || !this.range.narrow(from, to)) throw error;
        this.jobs.report(error, 'the indexer thread died over a slice, which is built in parts');
      }
      this.counters.builds.add(performance.now() - started);
    }
  }

  /** Builds a segment of the records (from, to], and commits it. @throws ThreadDiedError */
  private async buildOne(
    index: IndexMetadata,
    from: SequenceNumber,
    to: SequenceNumber,
  ): Promise<void> {
    const { services, identity, held } = this;
    const { fatal } = this.range;
    const { generation: before, segments } = held.newest;
    const generation = before + 1;
    await this.commits.withSegmentId(async (segmentId) => {
      const { index: name, shardId } = identity;
      const result = await services.indexer
        .build({ index: name, shardId, segmentId, from, to, segments, generation, fatal }, index)
        // What stops a build stops all later ones, and searches would never see what came since.
        .catch((error: unknown) => {
          throw this.refuseDamage(error) ?? this.jobs.failBuild(error);
        });
      await this.commits.put(
        { generation, sequence: result.upTo, segments: result.segments },
        {
          generation,
          segments: [],
          chunks: result.replacedChunks,
          superseded: result.superseded,
          tombstones: result.tombstones,
        },
        (batch) => {
          batch.removeBuildIntent(segmentId);
          if (result.failed.length === 0) return;
          const count = this.counters.failedDocuments + result.failed.length;
          batch.putMetadata(failedName(shardId), Buffer.from(String(count)));
        },
      );
      this.setAside(result.failed);
    });
  }

  /** Tells of documents that searches will not find. */
  private setAside(failed: readonly FailedDocument[]): void {
    this.counters.failedDocuments += failed.length;
    const { index, number: shard } = this.identity;
    const { logger } = this.services;
    for (const { sequence, type, id, reason } of failed.slice(0, LOGGED_FAILURES)) {
      logger.error(
        { index, shard, type, id, sequence, reason },
        'a document cannot be indexed and is set aside: it can be read by its id only',
      );
    }
    const more = failed.length - LOGGED_FAILURES;
    if (more > 0) logger.error({ index, shard, more }, 'more documents are set aside');
  }

  /** Builds in the background when enough is waiting for it. */
  private buildSlice(): void {
    if (this.isBuildingSlice || this.jobs.isOver || !this.hasSlice()) return;
    this.isBuildingSlice = true;
    this.jobs
      .exclusive(() => this.build())
      .then(
        () => {
          this.isBuildingSlice = false;
          this.sliceBuilt();
          this.buildSlice();
        },
        (error: unknown) => {
          this.isBuildingSlice = false;
          this.jobs.report(error, 'building a segment in the background failed');
        },
      );
  }

  /** Enough records wait to be worth a segment. */
  private hasSlice(): boolean {
    return this.pendingBytes >= BACKGROUND_SLICE_BYTES || this.backlog >= BACKGROUND_SLICE_RECORDS;
  }
}

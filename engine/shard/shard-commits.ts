// Committing what a shard built or merged: a segment gets an id, is written, and becomes part of a new commit
// point in one batch with the list of what that makes unnecessary.

import type { HeldCommits } from './held-commits';
import { purgeList, type Garbage, type GarbageCollector } from './shard-garbage';
import type { ShardServices } from './shard-services';
import type { ShardIdentity } from './readable';
import type { ShardJobQueue } from './shard-job-queue';
import { StorageError, type CommitPoint, type LogBatch, type SegmentId } from '../../storage/index';

/** Writes the commit points of one shard. */
export class ShardCommits {
  constructor(
    private readonly identity: ShardIdentity,
    private readonly services: ShardServices,
    private readonly jobs: ShardJobQueue,
    private readonly held: HeldCommits,
    private readonly garbage: GarbageCollector,
  ) {}

  /** Runs a build or merge up to its commit under a fresh segment id. */
  async withSegmentId(work: (id: SegmentId) => Promise<void>): Promise<void> {
    const id = await this.services.segmentIds.take();
    try {
      await work(id);
    } catch (error) {
      // After a failed batch the commit may be on disk all the same: the next load knows.
      if (!(error instanceof StorageError)) await this.discard(id);
      throw error;
    }
  }

  /** Writes a commit point, which is the newest one then. @param also what else the batch has to do */
  async put(commit: CommitPoint, garbage: Garbage, also: (batch: LogBatch) => void): Promise<void> {
    const list = purgeList(this.identity.shardId, garbage);
    await this.services.log().submit({
      estimatedBytes: 256 + 64 * commit.segments.length + (list?.[1].length ?? 0),
      prepare: (batch) => {
        batch.putCommit(this.identity.shardId, commit);
        if (list !== null) batch.putMetadata(list[0], list[1]);
        also(batch);
      },
    });
    this.held.newest = commit;
    this.garbage.add(garbage);
  }

  /** Takes back what was written of a segment that no commit point names. */
  private async discard(id: SegmentId): Promise<void> {
    this.services.forget([id]);
    try {
      await this.services.removals.removeSegments([id]);
      await this.services.log().submit({
        estimatedBytes: 16,
        prepare: (batch) => batch.removeBuildIntent(id),
      });
    } catch (error) {
      // The build intent is still there, so the next load does it.
      this.jobs.report(error, 'an unfinished segment was not removed');
    }
  }
}

// One merge of a shard, from its inputs to the commit point that has its result. Which segments are merged
// and when is decided in shard-merges.ts.

import type { HeldCommits } from './held-commits';
import type { ShardCommits } from './shard-commits';
import type { ShardServices } from './shard-services';
import type { ShardIdentity } from './readable';
import type { ShardJobQueue } from './shard-job-queue';
import { EngineError } from '../errors';
import type { CommittedSegment, SegmentId } from '../../storage/index';

/** Merges segments of one shard beside everything else; only the commit at the end waits for its turn. */
export class MergeCommit {
  constructor(
    private readonly identity: ShardIdentity,
    private readonly services: ShardServices,
    private readonly jobs: ShardJobQueue,
    private readonly held: HeldCommits,
    private readonly commits: ShardCommits,
  ) {}

  /** Merges adjacent segments of the newest commit point and commits the result. */
  async merge(inputs: readonly CommittedSegment[]): Promise<void> {
    const { index, shardId } = this.identity;
    // Holding the starting point keeps the inputs' blocks and deletion chunks in place.
    const release = this.held.holdNewest();
    try {
      await this.commits.withSegmentId(async (segmentId) => {
        const merged = await this.services.indexer.merge(
          { index, shardId, segmentId, segments: inputs },
          this.jobs.closed,
        );
        await this.jobs.exclusive(() => this.commit(inputs, segmentId, merged));
      });
    } finally {
      release();
    }
  }

  /** Puts the merged segment in the place of its inputs, with the deletions that arrived meanwhile. */
  private async commit(
    inputs: readonly CommittedSegment[],
    segmentId: SegmentId,
    merged: CommittedSegment | null,
  ): Promise<void> {
    const before = this.held.newest;
    const at = before.segments.findIndex((segment) => segment.id === inputs[0]!.id);
    if (at < 0) {
      const { index, number } = this.identity;
      const reason = `[${index}][${number}] the segments of a merge were given up meanwhile`;
      throw new EngineError('ElasticsearchIllegalStateException', reason);
    }
    const generation = before.generation + 1;
    let replacement: readonly CommittedSegment[] = [];
    if (merged !== null) {
      const changes = inputs.map((then, i) => ({ then, now: before.segments[at + i]! }));
      const isUnchanged = changes.every(({ then, now }) => now.deletedCount === then.deletedCount);
      replacement = [
        isUnchanged
          ? merged
          : await this.services.indexer.carry({ inputs: changes, merged, generation }),
      ];
    }
    const segments = [
      ...before.segments.slice(0, at),
      ...replacement,
      ...before.segments.slice(at + inputs.length),
    ];
    const dropped = inputs.map((segment) => segment.id);
    await this.commits.put(
      { generation, sequence: before.sequence, segments },
      { generation, segments: dropped, chunks: [], superseded: [], tombstones: [] },
      (batch) => {
        batch.removeBuildIntent(segmentId);
        for (const id of dropped) batch.putBuildIntent(id);
      },
    );
    // A merge changes no answer, so it may show at once, unless slices not yet refreshed lie before it.
    if (this.held.visible === before) this.held.show();
  }
}

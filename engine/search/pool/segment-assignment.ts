// Which search worker reads which segment. Each segment has one worker, so that its blocks are cached once.

import type { CommittedSegment } from '../../../storage/index';
import type { SearchJob } from '../plan/executor';

/**
 * Segments with fewer documents belong to one worker together with the other small ones of their shard:
 * spreading them would cost more than it saves, and a small shard is searched in one go.
 */
export const SMALL_SEGMENT_DOCS = 16_384;

/** Knows which worker has which segment in its caches. */
export class SegmentAssignment {
  constructor(
    private readonly workers: number,
    private readonly smallSegmentDocs: number,
  ) {}

  /** Where whatever concerns a shard as a whole is done. */
  ofShard(shardId: number): number {
    return shardId % this.workers;
  }

  ofSegment(segment: CommittedSegment, shardId: number): number {
    const isSmall = segment.docCount < this.smallSegmentDocs;
    return (isSmall ? shardId : segment.id) % this.workers;
  }

  /**
   * The one worker that can run all of a search; -1 where several share it. At least one shard has a
   * segment.
   */
  ofSearch(job: SearchJob): number {
    if (this.workers === 1) return 0;
    let worker = -1;
    for (const { snapshot } of job.shards) {
      for (const segment of snapshot.segments) {
        const own = this.ofSegment(segment, snapshot.shardId);
        if (worker === -1) worker = own;
        else if (worker !== own) return -1;
      }
    }
    return worker;
  }
}

// A shard as readers see it: ids only.

import type { CommittedSegment } from '../../../storage/index';

/** A shard as a job names it: ids only, so that any thread can open it. */
export interface ShardSnapshot {
  readonly index: string;
  readonly indexId: number;
  readonly shardId: number;
  readonly shardNumber: number;
  readonly segments: readonly CommittedSegment[];
  /**
   * Set where only documents that match a filter are seen: a query as plain data, and what names it among
   * all others.
   */
  readonly view?: { readonly key: string; readonly filter: object };
}

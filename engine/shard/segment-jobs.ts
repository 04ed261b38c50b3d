// The jobs that write and remove segments, as plain data: what a shard asks for and what it gets back. They
// are run by indexer.ts, on a thread of its own or inline.

import type { IndexMetadata } from '../metadata/index';
import type {
  CommittedSegment,
  SegmentId,
  SegmentStore,
  SequenceNumber,
  ShardId,
} from '../../storage/index';

/** A build: the records (from, to] of a shard's document log become one segment and some deletions. */
export interface BuildJob {
  readonly index: string;
  readonly shardId: ShardId;
  readonly segmentId: SegmentId;
  /** Everything up to here is in `segments`. */
  readonly from: SequenceNumber;
  readonly to: SequenceNumber;
  readonly segments: readonly CommittedSegment[];
  /** Generation under which deletion chunks are written: that of the commit to come. */
  readonly generation: number;
  /** Records that are set aside without a try: threads died over them. */
  readonly fatal: readonly SequenceNumber[];
}

/** A chunk of a segment's deletions. */
export interface DeletionChunk {
  readonly segment: SegmentId;
  readonly chunk: number;
  readonly generation: number;
}

/** A delete record in the log: its uid entry is forgotten once the tombstone expires. */
export interface Tombstone {
  readonly sequence: SequenceNumber;
  readonly at: number;
}

/** A document that a build could not index, wholly or in part. */
export interface FailedDocument {
  readonly sequence: SequenceNumber;
  readonly type: string;
  readonly id: string;
  readonly reason: string;
}

/** What a build comes to; it is part of the shard once it is committed. */
export interface BuildResult {
  /** The last sequence that was taken in; less than `to` when the slice was cut. */
  readonly upTo: SequenceNumber;
  /** Segments after the build: earlier ones with their deletions, then the new one if it has documents. */
  readonly segments: readonly CommittedSegment[];
  readonly replacedChunks: readonly DeletionChunk[];
  /** Records that no segment refers to any more. */
  readonly superseded: readonly SequenceNumber[];
  readonly tombstones: readonly Tombstone[];
  /** Documents that are in no segment, because they cannot be indexed. */
  readonly failed: readonly FailedDocument[];
}

/** Merges adjacent segments into one. */
export interface MergeJob {
  readonly index: string;
  readonly shardId: ShardId;
  readonly segmentId: SegmentId;
  readonly segments: readonly CommittedSegment[];
}

/** Brings deletions that arrived while a merge ran over to the merged segment. */
export interface CarryJob {
  /** Each input of the merge as it was then and as it is now. */
  readonly inputs: readonly {
    readonly then: CommittedSegment;
    readonly now: CommittedSegment;
  }[];
  readonly merged: CommittedSegment;
  /** Generation under which deletion chunks are written: that of the commit to come. */
  readonly generation: number;
}

/**
 * Who runs the jobs that write segments. All of them may be repeated after a crash: they write the same
 * again.
 */
export interface SegmentIndexer {
  /**
   * Runs a build with the mapping of `index`, which must be at least as new as the records of the slice.
   * @throws CorruptionError when a record is damaged; StorageFailure when the blocks cannot be written.
   */
  build(job: BuildJob, index: IndexMetadata): Promise<BuildResult>;
  /**
   * Runs a merge; null when nothing is left alive in the segments.
   * @param signal once aborted nothing is written any more and the result is null.
   */
  merge(job: MergeJob, signal: AbortSignal): Promise<CommittedSegment | null>;
  /** The merged segment with the deletions that arrived meanwhile, whose chunks are written. */
  carry(job: CarryJob): Promise<CommittedSegment>;
}

/** Whether a job is still wanted: an AbortSignal, or what another thread knows of it. */
export interface Cancellation {
  readonly aborted: boolean;
}

/** What the shards of a node remove from the `segments` database. */
export type SegmentRemovals = Pick<
  SegmentStore,
  'removeSegments' | 'removeDeletions' | 'removeOtherDeletions'
>;

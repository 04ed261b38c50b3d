// Shards and indices as reading needs them: those of main, and what other threads know of these.

import type { IndexMapping } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import type { ShardSnapshot } from '../segment/index';
import type { SequenceNumber, ShardId } from '../../storage/index';
import type { ShardReadCounters } from './read-stats';
import type { SegmentDamage } from './storage-errors';

/** Which shard of which index it is. */
export interface ShardIdentity {
  readonly index: string;
  readonly indexId: number;
  readonly shardId: ShardId;
  readonly number: number;
}

/** A held snapshot; release it exactly once. */
export interface PinnedShard {
  readonly snapshot: ShardSnapshot;
  readonly reads: ShardReadCounters;
  /** To be told of segments of the snapshot that turned out to be damaged. */
  damaged(damage: SegmentDamage): void;
  release(): void;
}

/** A shard that is read. */
export interface ReadableShard {
  readonly identity: ShardIdentity;
  readonly reads: ShardReadCounters;
  /** The last sequence that searches see. */
  readonly visibleSequence: SequenceNumber;
  /** Holds the visible snapshot. @throws EngineError when the shard is damaged, or being built again. */
  acquire(): PinnedShard;
  /** Makes everything acknowledged so far visible to searches that start afterwards. */
  refresh(): Promise<void>;
}

/** An open index that is read. */
export interface ReadableIndex {
  readonly name: string;
  readonly shards: readonly ReadableShard[];
  mapping(metadata: IndexMetadata): IndexMapping;
}

/** The indices of a node that are read. */
export interface ReadableIndices {
  /** An open index, or null when it is closed or gone. */
  indexService(metadata: IndexMetadata): ReadableIndex | null;
  /** @throws EngineError 404 when the index is closed or gone, 503 while it cannot be read */
  requireIndex(metadata: IndexMetadata): ReadableIndex;
}

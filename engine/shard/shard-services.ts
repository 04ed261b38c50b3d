// What a shard is given: its identity, and what it needs from its node.

import type { DiskRoom } from './disk-room';
import type { SegmentIndexer, SegmentRemovals } from './segment-jobs';
import type { ReadableShard } from './readable';
import type { SegmentIds } from './segment-ids';
import type { EngineLogger } from '../common/index';
import type { IndexMetadata, MappingLimits } from '../metadata/index';
import type { LogStore, SegmentId } from '../../storage/index';

/** What a shard needs from its node. Accessors, because storage may be reopened. */
export interface ShardServices {
  readonly log: () => LogStore;
  readonly removals: SegmentRemovals;
  readonly indexer: SegmentIndexer;
  readonly segmentIds: SegmentIds;
  /** Drops everything cached of segments that are about to be removed. */
  readonly forget: (segments: readonly SegmentId[]) => void;
  readonly logger: EngineLogger;
  readonly now: () => number;
  /** The index's newest visible metadata, or null when the index is gone. */
  readonly index: (indexId: number) => IndexMetadata | null;
  readonly disk: DiskRoom;
  /** What documents may add to the mappings of their index. */
  readonly mappingLimits: MappingLimits;
  /** Keeps what can be read of a damaged segment for the operator; never fails. */
  readonly keepDamagedSegment: (segment: SegmentId) => Promise<void>;
  /** Is told when what new searches see of a shard, or whether they may see it, has changed. */
  readonly shown?: (shard: ReadableShard) => void;
  /** Why there are no segments at all in the storage that is open now; null: they are there. */
  readonly segmentsLost: () => Error | null;
}

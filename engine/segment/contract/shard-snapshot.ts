// A shard as readers see it: ids only.

import type { CommittedSegment } from '../../../storage/index';
import type { SourceFilter } from '../../json/index';
import type { FieldId, FieldLists } from '../../metadata/index';

/** A shard as a job names it: ids only, so that any thread can open it. */
export interface ShardSnapshot {
  readonly index: string;
  readonly indexId: number;
  readonly shardId: number;
  readonly shardNumber: number;
  readonly segments: readonly CommittedSegment[];
  /** Set where not all of it is seen. */
  readonly view?: SnapshotView;
}

/** What is seen of a shard, as plain data. */
export interface SnapshotView {
  /** Names it among all others. */
  readonly key: string;
  /** A query that documents have to match; null: all are seen. */
  readonly filter: object | null;
  /** Null: all of each document is seen. */
  readonly fields: SeenFields | null;
}

/** What is seen of each document. */
export interface SeenFields {
  /** Physical fields. */
  readonly ids: ReadonlySet<FieldId>;
  /** What is seen of the source. */
  readonly lists: FieldLists;
  /** Metadata fields with values of their own. */
  readonly metadata: readonly string[];
  /** What mappings leave of the source, by type; of the others all. */
  readonly mapped: ReadonlyMap<string, SourceFilter>;
}

// Opens the segments of a shard snapshot for one thread and keeps them open.
//
// Readers are keyed by segment id, which is never reused, and by the generations of their deletions: the
// same key always means the same bytes, so nothing here can become stale. `forget` only frees memory.

import type { CommittedSegment, LogReader, SegmentId, SegmentStore } from '../../../storage/index';
import type { ByteCache } from '../../common/index';
import { openSegment, type RecordSource } from './open-segment';
import type { SegmentReader } from '../contract/reader';
import type { ShardSnapshot } from '../contract/shard-snapshot';

/** Generations of deletions kept open per segment: the current one, and one that older snapshots pin. */
const GENERATIONS_KEPT = 2;

/** The shard that a segment belongs to. */
type ShardPlace = Pick<ShardSnapshot, 'shardId'>;

interface OpenGeneration {
  readonly deletions: string;
  readonly reader: SegmentReader;
}

export class ReaderCache {
  private readonly open = new Map<SegmentId, OpenGeneration[]>();

  constructor(
    private readonly store: Pick<SegmentStore, 'readBlock' | 'readDeletions'>,
    private readonly cache: ByteCache,
    /** Where documents are; null: nobody asks readers for them. */
    private readonly log: LogReader | null = null,
  ) {}

  /**
   * The readers of a snapshot's segments, in order.
   *
   * @throws CorruptionError when a block that opening needs is damaged
   */
  readers(snapshot: ShardSnapshot): readonly SegmentReader[] {
    return snapshot.segments.map((segment) => this.reader(segment, snapshot));
  }

  /** Closes the readers of these segments, all generations. */
  forget(segmentIds: readonly SegmentId[]): void {
    for (const id of segmentIds) this.open.delete(id);
  }

  clear(): void {
    this.open.clear();
  }

  /** The reader of one segment with its deletions. @throws CorruptionError */
  reader(segment: CommittedSegment, snapshot: ShardPlace | null = null): SegmentReader {
    const deletions = segment.deletionChunks.join();
    let generations = this.open.get(segment.id);
    const known = generations?.find((generation) => generation.deletions === deletions);
    if (known !== undefined) return known.reader;
    const reader = openSegment(segment, this.store, this.cache, this.recordsOf(snapshot));
    if (generations === undefined) this.open.set(segment.id, (generations = []));
    generations.unshift({ deletions, reader });
    generations.length = Math.min(generations.length, GENERATIONS_KEPT);
    return reader;
  }

  private recordsOf(place: ShardPlace | null): RecordSource | null {
    const { log } = this;
    if (log === null || place === null) return null;
    const { shardId } = place;
    return (sequence) => log.readRecord(shardId, sequence);
  }
}

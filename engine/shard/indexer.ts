// Builds and merges segments: the only writer of the `segments` database.
//
// Jobs are plain data in and plain data out, so that they can run on a thread of their own
// (engine/shard/indexer-thread.ts) or inline, in short slices. A job never touches commit points: it writes
// and syncs its blocks, reports, and whoever owns the shard commits (docs/architecture.md, "The way of one
// write").

import type { IndexMapping } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import {
  applyDeletions,
  newlyDeletedRoots,
  type ReaderCache,
  MemoryPool,
  mergeSegments,
  committedSegment,
  type BuiltSegment,
} from '../segment/index';
import { MergeScheduler } from './merge-scheduler';
import type {
  BuildJob,
  BuildResult,
  Cancellation,
  CarryJob,
  DeletionChunk,
  MergeJob,
  SegmentIndexer,
} from './segment-jobs';
import {
  RecordSlab,
  type CommittedSegment,
  type LogStore,
  type SegmentId,
  type SegmentStore,
  type SequenceNumber,
  type ShardId,
} from '../../storage/index';
import type { EngineLogger } from '../common/index';
import { SliceBuilder } from './slice-builder';

/** Documents of one slice of the document log at most. */
const SLICE_DOCS = 20_000;
/** Bytes of records of one slice at most. */
const SLICE_BYTES = 32 * 1024 * 1024;

/** Records are read from the log in portions of this size. */
const PORTION_BYTES = 1024 * 1024;

/** Memory that is kept between builds, in bytes: for the arrays of a build, and the records of a slice. */
const KEPT_ARRAYS = 32 * 1024 * 1024;
const KEPT_RECORDS = 16 * 1024 * 1024;
/** Without builds for so long it is given up. */
const KEPT_MS = 5000;

/** The log as building reads it. */
type IndexerLog = Pick<LogStore, 'readRecord' | 'copyRecords'>;

/** The segments as building writes them. */
type IndexerStore = Pick<SegmentStore, 'writeSegment' | 'writeDeletions'>;

/** What an indexer needs of the thread it runs in. Accessors, because storage may be reopened. */
interface IndexerHost {
  readonly log: () => IndexerLog;
  readonly store: () => IndexerStore;
  readonly readers: ReaderCache;
  /** The compiled mapping of an index. */
  readonly mapping: (index: IndexMetadata) => IndexMapping;
  readonly logger: Pick<EngineLogger, 'warn'>;
}

/** Runs the jobs on the calling thread, in slices of a few milliseconds. */
export class Indexer implements SegmentIndexer {
  private readonly scheduler = new MergeScheduler();
  private readonly pool = new MemoryPool(KEPT_ARRAYS);
  /** Of builds that are done. */
  private spareSlab: RecordSlab | null = null;
  /** Gives memory up when nothing was built for a while. */
  private readonly givingUp = setTimeout(() => {
    this.pool.clear();
    this.spareSlab = null;
  }, KEPT_MS).unref();

  constructor(private readonly host: IndexerHost) {}

  build(job: BuildJob, index: IndexMetadata): Promise<BuildResult> {
    return this.scheduler.build(async () => {
      const slab = this.spareSlab ?? new RecordSlab();
      this.spareSlab = null;
      slab.clear();
      const result = await this.buildNow(job, this.host.mapping(index), slab);
      if (slab.capacity <= KEPT_RECORDS) this.spareSlab = slab;
      this.givingUp.refresh();
      return result;
    });
  }

  private async buildNow(
    job: BuildJob,
    mapping: IndexMapping,
    slab: RecordSlab,
  ): Promise<BuildResult> {
    const upTo = await this.readSlice(job, slab);
    const replaced = new Set<SequenceNumber>();
    for (let i = 0; i < slab.length; i++) {
      if (slab.supersedes(i) !== 0) replaced.add(slab.supersedes(i));
    }

    const slice = new SliceBuilder(job, mapping, slab, replaced, this.pool);
    const { segment, tombstones, failed, misfits } = await slice.build();
    for (const { type, id, reason } of misfits) {
      this.host.logger.warn(
        { index: job.index, type, id, reason },
        'a stored document no longer fits its mapping and is only partly searchable',
      );
    }
    const older = [...replaced].filter((sequence) => sequence <= job.from);
    const deletions = await this.applyDeletions(job.segments, older, job.generation);
    const segments = [...deletions.segments];
    if (segment !== null) {
      await this.host.store().writeSegment(job.segmentId, segment.blocks);
      segments.push(committedSegment(job.segmentId, segment));
    }
    return {
      upTo,
      segments,
      replacedChunks: deletions.replacedChunks,
      superseded: [...replaced],
      tombstones,
      failed,
    };
  }

  async merge(job: MergeJob, signal: Cancellation): Promise<CommittedSegment | null> {
    const { readers, store } = this.host;
    const steps = mergeSegments(job.segments.map((segment) => readers.reader(segment)));
    let step: IteratorResult<void, BuiltSegment>;
    do {
      step = await this.scheduler.step(() => steps.next());
      if (signal.aborted) return null;
    } while (step.done !== true);
    const built = step.value;
    if (built.docCount === 0) return null;
    await store().writeSegment(job.segmentId, built.blocks);
    return committedSegment(job.segmentId, built);
  }

  async carry({ inputs, merged, generation }: CarryJob): Promise<CommittedSegment> {
    const { readers } = this.host;
    const deleted: SequenceNumber[] = [];
    for (const { then, now } of inputs) {
      if (now.deletedCount === then.deletedCount) continue;
      const newer = readers.reader(now);
      for (const doc of newlyDeletedRoots(readers.reader(then), newer)) {
        deleted.push(newer.sequenceOf(doc));
      }
    }
    const { segments } = await this.applyDeletions([merged], deleted, generation);
    return segments[0]!;
  }

  /**
   * Marks the documents with these sequence numbers as deleted wherever a segment holds them, and writes
   * the changed deletion chunks.
   */
  private async applyDeletions(
    segments: readonly CommittedSegment[],
    sequences: readonly SequenceNumber[],
    generation: number,
  ): Promise<{ segments: readonly CommittedSegment[]; replacedChunks: readonly DeletionChunk[] }> {
    if (sequences.length === 0) return { segments, replacedChunks: [] };
    const replacedChunks: DeletionChunk[] = [];
    const changed: CommittedSegment[] = [];
    const chunks: { segment: SegmentId; chunk: number; generation: number; bits: Buffer }[] = [];
    for (const segment of segments) {
      const inside = sequences.filter((s) => s >= segment.minSequence && s <= segment.maxSequence);
      if (inside.length === 0) {
        changed.push(segment);
        continue;
      }
      const reader = this.host.readers.reader(segment);
      const docs: number[] = [];
      for (const sequence of inside) {
        const doc = reader.docOfSequence(sequence);
        if (doc !== -1) docs.push(doc);
      }
      const applied = applyDeletions(segment, reader, docs, generation);
      changed.push(applied.segment);
      for (const { chunk, bits } of applied.chunks) {
        chunks.push({ segment: segment.id, chunk, generation, bits });
        const old = segment.deletionChunks[chunk] ?? 0;
        if (old !== 0) replacedChunks.push({ segment: segment.id, chunk, generation: old });
      }
    }
    if (chunks.length > 0) await this.host.store().writeDeletions(chunks);
    return { segments: changed, replacedChunks };
  }

  /** Reads the records of a slice, and returns the last sequence number that it takes in. */
  private async readSlice({ shardId, from, to }: BuildJob, slab: RecordSlab): Promise<number> {
    let before = from;
    const portions = this.host.log().copyRecords(shardId, from, to, PORTION_BYTES, slab);
    for await (const count of portions) {
      for (let i = slab.length - count; i < slab.length; i++) {
        const sequence = slab.sequence(i);
        this.checkHole(shardId, before, sequence);
        before = sequence;
      }
      if (slab.length >= SLICE_DOCS || slab.used >= SLICE_BYTES) return before;
    }
    return to;
  }

  /**
   * Between two neighbours of a scan there is nothing, or a damaged part that was stepped over: a scan tells
   * of damage at its end only, and a slice may be cut before.
   * @throws CorruptionError
   */
  private checkHole(shard: ShardId, before: SequenceNumber, after: SequenceNumber): void {
    for (let sequence = before + 1; sequence < after; sequence++) {
      this.host.log().readRecord(shard, sequence);
    }
  }
}

// Makes one segment of the records of a slice.
//
// A document that cannot be indexed must not keep the others out of searches, nor the node from starting: it
// is set aside. Nothing is checked for that while all goes well. After a failure each document is built
// alone, to see which fail, and the segment is built once more without those. What fails depends on the
// document and its mapping only, so that a repeated build comes to the same. Documents over which the thread
// itself dies are found by the shard (build-range.ts).

import type { BuildJob, FailedDocument, Tombstone } from './segment-jobs';
import type { IndexMapping } from '../mapping/index';
import { type MemoryPool, SegmentBuilder, type BuiltSegment } from '../segment/index';
import {
  StorageError,
  type LogRecord,
  type RecordSlab,
  type SequenceNumber,
} from '../../storage/index';
import { yieldToEventLoop } from '../common/index';

/** How long building may hold the thread before it lets others run, in milliseconds. */
const TURN_MS = 4;

/** What the records of a slice come to. */
interface BuiltSlice {
  /** Null: no document is left. */
  readonly segment: BuiltSegment | null;
  readonly tombstones: readonly Tombstone[];
  readonly failed: readonly FailedDocument[];
  /** Documents that are only partly searchable, because they do not fit the mapping any more. */
  readonly misfits: readonly FailedDocument[];
}

/** Builds the segment of one slice. */
export class SliceBuilder {
  private turn = performance.now();

  /** @param replaced records that later ones of the slice replace, which are left out */
  constructor(
    private readonly job: BuildJob,
    private readonly mapping: IndexMapping,
    private readonly slab: RecordSlab,
    private readonly replaced: ReadonlySet<SequenceNumber>,
    private readonly pool: MemoryPool,
  ) {}

  /**
   * Builds the segment without the documents that cannot be indexed.
   * @throws CorruptionError when a record is damaged; what building throws that is no single document's fault
   */
  async build(): Promise<BuiltSlice> {
    const fatal = this.fatal();
    try {
      return await this.attempt(fatal);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const failed = await this.failing(fatal);
      if (failed.length === fatal.length) throw error;
      return this.attempt(failed);
    }
  }

  private async attempt(failed: readonly FailedDocument[]): Promise<BuiltSlice> {
    const { slab, replaced, job } = this;
    const leftOut = new Set(failed.map(({ sequence }) => sequence));
    const builder = new SegmentBuilder(this.pool);
    const tombstones: Tombstone[] = [];
    const misfits: FailedDocument[] = [];
    for (let i = 0; i < slab.length; i++) {
      const sequence = slab.sequence(i);
      const record = slab.record(job.shardId, i);
      if (record.op === 'delete') {
        tombstones.push({ sequence, at: record.timestamp ?? 0 });
      } else if (!replaced.has(sequence) && !leftOut.has(sequence)) {
        const reason = this.add(builder, sequence, record);
        if (reason !== null) misfits.push(describe(record, sequence, reason));
      }
      if (performance.now() - this.turn > TURN_MS) await this.rest();
    }
    const segment = builder.docCount > 0 ? builder.finish() : null;
    return { segment, tombstones, failed, misfits };
  }

  /** The documents that nobody is to try again. */
  private fatal(): FailedDocument[] {
    const { slab, job } = this;
    const fatal: FailedDocument[] = [];
    for (let i = 0; i < slab.length && job.fatal.length > 0; i++) {
      const sequence = slab.sequence(i);
      if (!job.fatal.includes(sequence)) continue;
      const record = slab.record(job.shardId, i);
      if (record.op !== 'delete') {
        fatal.push(describe(record, sequence, 'the thread that was to index it died'));
      }
    }
    return fatal;
  }

  /** The documents that cannot be made a segment of: `fatal`, and those that fail when built alone. */
  private async failing(fatal: readonly FailedDocument[]): Promise<FailedDocument[]> {
    const { slab, replaced, job } = this;
    const failed = [...fatal];
    for (let i = 0; i < slab.length; i++) {
      const sequence = slab.sequence(i);
      const record = slab.record(job.shardId, i);
      if (record.op === 'delete' || replaced.has(sequence)) continue;
      if (job.fatal.includes(sequence)) continue;
      try {
        const builder = new SegmentBuilder();
        this.add(builder, sequence, record);
        if (builder.docCount > 0) builder.finish();
      } catch (error) {
        failed.push(describe(record, sequence, String(error)));
      }
      if (performance.now() - this.turn > TURN_MS) await this.rest();
    }
    return failed;
  }

  private async rest(): Promise<void> {
    await yieldToEventLoop();
    this.turn = performance.now();
  }

  /**
   * Adds one record. One that does not fit its mapping any more is kept findable by what was read of it.
   * @returns why it does not fit, or null
   */
  private add(builder: SegmentBuilder, sequence: SequenceNumber, record: LogRecord): string | null {
    const mapper = this.mapping.documentMapper(record.type);
    // The type was deleted after the write: its documents are on their way out.
    if (mapper === null) return null;
    builder.beginDocument(sequence);
    const { error } = mapper.parse(record.source, record, builder);
    builder.endDocument();
    return error === null ? null : error.toWireString();
  }
}

function describe(
  { type, id }: LogRecord,
  sequence: SequenceNumber,
  reason: string,
): FailedDocument {
  return { sequence, type, id, reason };
}

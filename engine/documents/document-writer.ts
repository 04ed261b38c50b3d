// The write path behind the routes: parse against the mapping, then commit through the document log.
//
// Writes to one index are taken in chunks. A chunk is parsed on the spot; in the committer's turn it checks
// that nothing it relied on has changed (index, shards, mapping), compares versions one by one, and adds its
// records, its mapping additions included, to one batch. If the mapping has changed meanwhile the chunk is
// parsed again: two writers that introduce one field with different types meet here.

import { EngineError, indexMissing } from '../errors';
import { type DocumentEnvelope, mergeDynamic, VALIDATE_ONLY } from '../mapping/index';
import {
  replaceIndex,
  type ClusterState,
  type IndexMetadata,
  type ClusterService,
} from '../metadata/index';
import {
  logSlowWrite,
  timesIndexing,
  type SlowLogger,
  type IndexRuntime,
  type Shard,
  TOMBSTONE_MS,
} from '../shard/index';
import { itemError } from './item-error';
import { alreadyExists, nextVersion } from './versions';
import type { LogBatch, LogStore, SequenceNumber, UidEntry } from '../../storage/index';
import type { VersionType } from '../api/index';
import { breathe } from '../common/index';

/** Writes of one unit of work at most; keeps the committer's turns short. */
const CHUNK_WRITES = 128;
const CHUNK_BYTES = 512 * 1024;
/** Bytes a record takes beyond its source: keys, ids, uid entry, checksums. */
const RECORD_OVERHEAD = 160;

/** One document write, resolved to its index and shard. */
export interface DocumentWrite {
  readonly kind: 'index' | 'delete';
  readonly shard: number;
  readonly type: string;
  readonly id: string;
  readonly envelope: DocumentEnvelope;
  /** Fail when the document exists. */
  readonly create: boolean;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  readonly source: Buffer;
}

/** A write and the index that it goes to. */
export interface PlannedWrite {
  readonly runtime: IndexRuntime;
  readonly write: DocumentWrite;
}

/** What became of a write that was not refused. */
export interface WriteResult {
  readonly version: number;
  /** For index: no live document existed before. For delete: one did. */
  readonly fresh: boolean;
}

/** The mapping that a chunk was parsed against is no longer the index's mapping. */
class MappingChanged extends Error {}

interface ParsedChunk {
  readonly writes: readonly DocumentWrite[];
  /** Source as stored; or why the document is refused. */
  readonly sources: readonly (Buffer | EngineError)[];
  /** Metadata parsed against. */
  readonly base: IndexMetadata;
  /** `base` with what the documents add to the mapping. */
  readonly next: IndexMetadata;
  readonly bytes: number;
  /** Milliseconds that parsing took. */
  readonly ms: number;
  /** The same of each document; null when nothing can be slow. */
  readonly msEach: Float64Array | null;
}

interface Committed {
  readonly outcomes: (WriteResult | EngineError)[];
  readonly state: ClusterState | null;
  readonly last: Map<Shard, Written>;
  /** Milliseconds that preparing took. */
  readonly ms: number;
}

/** What a chunk wrote to one shard. */
interface Written {
  sequence: SequenceNumber;
  bytes: number;
  indexed: number;
  deleted: number;
}

const EMPTY = Buffer.alloc(0);

/** Parses documents and commits them to the log; the only way in which documents change. */
export class DocumentWriter {
  constructor(
    private readonly cluster: ClusterService,
    private readonly log: () => LogStore,
    private readonly now: () => number,
    private readonly slowLogger: SlowLogger,
  ) {}

  /**
   * Writes documents of one index in order; a write sees the ones before it.
   *
   * @returns one result or error per write, durable when the promise settles.
   * @throws EngineError when none of them could be tried (index gone); StorageFailure when the outcome of
   *         some of them is unknown.
   */
  async write(
    runtime: IndexRuntime,
    writes: readonly DocumentWrite[],
  ): Promise<(WriteResult | EngineError)[]> {
    const waiting: Promise<(WriteResult | EngineError)[]>[] = [];
    let base: IndexMetadata | null = null;
    for (let from = 0; from < writes.length;) {
      const to = chunkEnd(writes, from);
      const chunk = this.parse(runtime, writes.slice(from, to), base ?? this.metadata(runtime));
      base = chunk.next;
      const committing = this.commit(runtime, chunk);
      // It may fail before all chunks are on their way; whoever awaits it below is told.
      committing.catch(() => undefined);
      waiting.push(committing);
      from = to;
      if (from < writes.length) await breathe();
    }
    return (await Promise.all(waiting)).flat();
  }

  /** Like {@link write} for a single document. @throws EngineError when it is refused */
  async writeOne(runtime: IndexRuntime, write: DocumentWrite): Promise<WriteResult> {
    const [result] = await this.write(runtime, [write]);
    if (result instanceof EngineError) throw result;
    return result!;
  }

  /** The newest prepared metadata of an index. @throws EngineError when it cannot be written to. */
  private metadata(runtime: IndexRuntime): IndexMetadata {
    const metadata = this.cluster.latest().indices.get(runtime.name);
    if (metadata?.id !== runtime.id) throw indexMissing(runtime.name);
    // Storage was reopened since the write began: its shards number their records anew.
    if (runtime.isClosed) throw unavailable(runtime.name);
    if (metadata.state === 'close') {
      throw new EngineError('IndexClosedException', `[${runtime.name}] closed`);
    }
    return metadata;
  }

  private parse(
    runtime: IndexRuntime,
    writes: readonly DocumentWrite[],
    base: IndexMetadata,
  ): ParsedChunk {
    const started = performance.now();
    let next = base;
    let bytes = 0;
    const msEach = timesIndexing(base.settings) ? new Float64Array(writes.length) : null;
    const sources = writes.map((write, i) => {
      bytes += RECORD_OVERHEAD + write.source.length;
      if (write.kind === 'delete') return EMPTY;
      const begun = msEach === null ? 0 : performance.now();
      try {
        const parsed = this.parseOne(runtime, write, next);
        next = parsed.next;
        if (msEach !== null) msEach[i] = performance.now() - begun;
        return parsed.source;
      } catch (error) {
        if (error instanceof EngineError) return error;
        throw error;
      }
    });
    return { writes, sources, base, next, bytes, ms: performance.now() - started, msEach };
  }

  private parseOne(
    runtime: IndexRuntime,
    write: DocumentWrite,
    metadata: IndexMetadata,
  ): { next: IndexMetadata; source: Buffer | EngineError } {
    let next = metadata;
    if (runtime.mapping(next).documentMapper(write.type) === null) {
      next = mergeDynamic(next, write.type, new Map(), runtime.analysis(next));
    }
    const mapper = runtime.mapping(next).documentMapper(write.type)!;
    const parsed = mapper.parse(write.source, write.envelope, VALIDATE_ONLY);
    const { mappingUpdate, error, source } = parsed;
    if (mappingUpdate !== null) {
      next = mergeDynamic(next, write.type, mappingUpdate, runtime.analysis(next));
    }
    return { next, source: error ?? source };
  }

  private async commit(
    runtime: IndexRuntime,
    first: ParsedChunk,
  ): Promise<(WriteResult | EngineError)[]> {
    let chunk: ParsedChunk | null = first;
    for (;;) {
      try {
        chunk ??= this.parse(runtime, first.writes, this.metadata(runtime));
        const current = chunk;
        const submitted = performance.now();
        const committed = await this.log().submit({
          estimatedBytes: current.bytes,
          prepare: (batch) => this.prepare(batch, runtime, current),
        });
        if (committed.state !== null) this.cluster.publish(committed.state);
        const msEach = (current.ms + committed.ms) / current.writes.length;
        for (const [shard, { sequence, bytes, indexed, deleted }] of committed.last) {
          shard.counters.indexing.add(indexed * msEach, indexed);
          shard.counters.deleting.add(deleted * msEach, deleted);
          shard.acknowledged(sequence, bytes);
        }
        if (current.msEach !== null) {
          this.logSlow(runtime, current, committed.outcomes, performance.now() - submitted);
        }
        return committed.outcomes;
      } catch (error) {
        // The index is gone or closed: nothing of this chunk was written, earlier ones may have been.
        if (error instanceof EngineError) return first.writes.map(() => error);
        if (!(error instanceof MappingChanged)) throw error;
        chunk = null;
      }
    }
  }

  /** Every write of a chunk took its own time to parse, and the time until the chunk was durable. */
  private logSlow(
    runtime: IndexRuntime,
    { writes, base, msEach }: ParsedChunk,
    outcomes: Committed['outcomes'],
    commitMs: number,
  ): void {
    const { name: index } = runtime;
    const { settings } = base;
    writes.forEach((write, i) => {
      if (write.kind === 'delete' || outcomes[i] instanceof EngineError) return;
      const { shard, type, id, source, envelope } = write;
      const ms = msEach![i]! + commitMs;
      const { routing } = envelope;
      logSlowWrite(this.slowLogger, { index, shard, settings, type, id, routing, source, ms });
    });
  }

  /** Runs in the committer's turn: checks, versions, records. */
  private prepare(batch: LogBatch, runtime: IndexRuntime, chunk: ParsedChunk): Committed {
    const started = performance.now();
    const metadata = this.metadata(runtime);
    if (metadata.mappings !== chunk.base.mappings) throw new MappingChanged();
    const last: Committed['last'] = new Map();
    const outcomes = chunk.writes.map((write, i) => {
      const source = chunk.sources[i]!;
      if (source instanceof EngineError) return source;
      try {
        return this.prepareOne(batch, runtime, write, source, last);
      } catch (error) {
        return itemError(error);
      }
    });
    let state: ClusterState | null = null;
    if (chunk.next !== chunk.base) {
      const { mappings, fields } = chunk.next;
      state = this.cluster.stage(
        batch,
        replaceIndex(this.cluster.latest(), { ...metadata, mappings, fields }),
      );
    }
    return { outcomes, state, last, ms: performance.now() - started };
  }

  private prepareOne(
    batch: LogBatch,
    runtime: IndexRuntime,
    write: DocumentWrite,
    source: Buffer,
    last: Committed['last'],
  ): WriteResult {
    const shard = runtime.shards[write.shard]!;
    const { shardId } = shard.identity;
    const entry = this.known(batch.getUid(shardId, write.type, write.id));
    const subject = { index: runtime.name, shard: write.shard, type: write.type, id: write.id };
    const exists = entry !== undefined && !entry.deleted;
    if (write.create && exists) throw alreadyExists(subject);
    const version = nextVersion(entry, write.version, write.versionType, subject);
    const sequence = shard.allocate();
    const isDelete = write.kind === 'delete';
    const deletedAt = isDelete ? this.now() : 0;
    batch.putRecord(shardId, sequence, {
      op: write.kind,
      type: write.type,
      id: write.id,
      version,
      routing: write.envelope.routing,
      parent: write.envelope.parent,
      timestamp: isDelete ? deletedAt : write.envelope.timestamp,
      expiry: isDelete ? null : write.envelope.expiry,
      supersedes: exists ? entry.sequence : 0,
      source,
    });
    batch.putUid(shardId, write.type, write.id, {
      sequence,
      version,
      deleted: isDelete,
      deletedAt,
    });
    let written = last.get(shard);
    if (written === undefined) {
      last.set(shard, (written = { sequence, bytes: 0, indexed: 0, deleted: 0 }));
    }
    written.sequence = sequence;
    written.bytes += source.length;
    if (isDelete) written.deleted++;
    else written.indexed++;
    return { version, fresh: isDelete ? exists : !exists };
  }

  /** A tombstone counts for its time only, whenever it is cleared away. */
  private known(entry: UidEntry | undefined): UidEntry | undefined {
    const isExpired = entry?.deleted === true && entry.deletedAt + TOMBSTONE_MS <= this.now();
    return isExpired ? undefined : entry;
  }
}

/** 503: whoever asks again finds out how things stand. */
function unavailable(index: string): EngineError {
  return new EngineError('StorageFailureException', `[${index}] is not available at the moment`);
}

/** The end of the chunk that starts at `from`. */
function chunkEnd(writes: readonly DocumentWrite[], from: number): number {
  let bytes = 0;
  let to = from;
  while (to < writes.length && to - from < CHUNK_WRITES && (to === from || bytes < CHUNK_BYTES)) {
    bytes += writes[to]!.source.length;
    to++;
  }
  return to;
}

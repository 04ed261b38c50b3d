// The write path behind the routes: parse against the mapping, then commit through the document log.
//
// Writes to one index are taken in chunks. A chunk is parsed on the spot; in the committer's turn it checks
// that nothing it relied on has changed (index, shards, mapping), compares versions one by one, and adds its
// records, its mapping additions included, to one batch. If the mapping has changed meanwhile the chunk is
// parsed again (parsed-chunk.ts): two writers that introduce one field with different types meet here.

import { EngineError, indexMissing, indexUnavailable } from '../errors';
import { AliasMoved, assertAliasStays } from './alias-moved';
import {
  gcDeletesMs,
  replaceIndex,
  type ClusterState,
  type IndexMetadata,
  type ClusterStateService,
} from '../metadata/index';
import { PERCOLATOR_TYPE } from '../mapping/index';
import type { QueryChange, QueryRegistry } from '../percolator/index';
import { logSlowWrite, type SlowLogger, type IndexService, type Shard } from '../shard/index';
import type { DocumentWrite, WriteResult } from './document-write';
import { itemError } from './item-error';
import { unitEnd } from './log-units';
import { parseChunk, type ParsedChunk } from './parsed-chunk';
import { alreadyExists, nextVersion } from './versions';
import {
  FORGOTTEN,
  type LogBatch,
  type LogStore,
  type SequenceNumber,
  type UidEntry,
} from '../../storage/index';
import { appendAll, atOnce, yieldToEventLoop } from '../common/index';

/** One chunk at most. */
const CHUNK = { records: 128, bytes: 512 * 1024 };

/**
 * Chunks of one request that wait for the disk at most: those of two or three batches, so that the next batch
 * is ready while one is synced, and what others write stands behind no more than these.
 */
const CHUNKS_UNDER_WAY = 8;

/** After so many milliseconds a chunk that changes the mapping ends, and others get a turn before. */
const MAPPING_CHANGES_MS = 10;

/** After so many milliseconds of parsing others get a turn before what was parsed is written. */
const LONG_PARSE_MS = 10;

/** The mapping that a chunk was parsed against is no longer the index's mapping. */
class MappingChanged extends Error {}

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

/** Parses documents and commits them to the log; the only way in which documents change. */
export class DocumentWriter {
  /** Indices (by id) whose writes wait, and for what. */
  private readonly holds = new Map<number, Promise<void>>();

  constructor(
    private readonly cluster: ClusterStateService,
    private readonly log: () => LogStore,
    private readonly now: () => number,
    private readonly slowLogger: SlowLogger,
    private readonly queries: QueryRegistry,
  ) {}

  /**
   * Writes documents of one index in order; a write sees the ones before it.
   *
   * @returns one result or error per write, durable when the promise settles.
   * @throws EngineError when none of them could be tried (index gone); StorageFailure when the outcome of
   *         some of them is unknown.
   */
  async write(
    indexService: IndexService,
    writes: readonly DocumentWrite[],
  ): Promise<(WriteResult | EngineError)[]> {
    const waiting: Promise<(WriteResult | EngineError)[]>[] = [];
    let base: IndexMetadata | null = null;
    for (let from = 0; from < writes.length;) {
      const to = unitEnd(writes, from, CHUNK);
      const parsing = parseChunk(
        indexService,
        writes.slice(from, to),
        base ?? this.metadata(indexService),
        this.queries,
        MAPPING_CHANGES_MS,
      );
      let step = parsing.next();
      for (; step.done !== true; step = parsing.next()) await yieldToEventLoop();
      const chunk = step.value;
      base = chunk.next;
      // One document may be tens of megabytes: writing it takes as long again.
      if (chunk.ms > LONG_PARSE_MS) await yieldToEventLoop();
      const committing = this.commit(indexService, chunk, writes.length > chunk.writes.length);
      // It may fail before all chunks are on their way; whoever awaits it below is told.
      committing.catch(() => undefined);
      waiting.push(committing);
      from += chunk.writes.length;
      if (from >= writes.length) break;
      await yieldToEventLoop();
      // Rejected or not, it is settled; the result is taken below.
      const before = waiting[waiting.length - CHUNKS_UNDER_WAY];
      if (before !== undefined) await Promise.allSettled([before]);
    }
    const results: (WriteResult | EngineError)[] = [];
    for (const part of await Promise.all(waiting)) appendAll(results, part);
    return results;
  }

  /** Like {@link write} for a single document. @throws EngineError when it is refused */
  async writeOne(indexService: IndexService, write: DocumentWrite): Promise<WriteResult> {
    const [result] = await this.write(indexService, [write]);
    if (result instanceof EngineError) throw result;
    return result!;
  }

  /**
   * Runs `work` while writes to these indices wait: it begins when all that were under way are durable.
   * Writes of `work` itself to them would wait for ever.
   * @throws what `work` throws, StorageFailure
   */
  async holding<T>(indices: readonly IndexService[], work: () => Promise<T>): Promise<T> {
    const ids = indices.map(({ id }) => id);
    await this.unheld(ids);
    let release!: () => void;
    const hold = new Promise<void>((resolve) => (release = resolve));
    for (const id of ids) this.holds.set(id, hold);
    try {
      // Units of either kind are taken in order: those before these are durable when they are settled.
      await Promise.all(
        [false, true].map((makesRoom) =>
          this.log().submit({ estimatedBytes: 0, makesRoom, prepare: () => undefined }),
        ),
      );
      return await work();
    } finally {
      for (const id of ids) this.holds.delete(id);
      release();
    }
  }

  /** Resolves when nobody holds any of these indices. */
  private async unheld(ids: readonly number[]): Promise<void> {
    for (;;) {
      const held = ids.find((id) => this.holds.has(id));
      if (held === undefined) return;
      await this.holds.get(held);
    }
  }

  /** The newest prepared metadata of an index. @throws EngineError when it cannot be written to. */
  private metadata(indexService: IndexService): IndexMetadata {
    const metadata = this.cluster.latest().indices.get(indexService.name);
    if (metadata?.id !== indexService.id) throw indexMissing(indexService.name);
    // Storage was reopened since the write began: its shards number their records anew.
    if (indexService.isClosed) throw indexUnavailable(indexService.name);
    if (metadata.state === 'close') {
      throw new EngineError('IndexClosedException', `[${indexService.name}] closed`);
    }
    return metadata;
  }

  private async commit(
    indexService: IndexService,
    first: ParsedChunk,
    makesRoom: boolean,
  ): Promise<(WriteResult | EngineError)[]> {
    let chunk: ParsedChunk | null = first;
    for (;;) {
      try {
        if (this.holds.has(indexService.id)) await this.unheld([indexService.id]);
        chunk ??= this.parseAgain(indexService, first.writes);
        const current = chunk;
        const submitted = performance.now();
        const committed = await this.log().submit({
          estimatedBytes: current.bytes,
          makesRoom,
          prepare: (batch) => this.prepare(batch, indexService, current),
        });
        if (committed.state !== null) this.cluster.publish(committed.state);
        const msEach = (current.ms + committed.ms) / current.writes.length;
        for (const [shard, { sequence, bytes, indexed, deleted }] of committed.last) {
          shard.counters.indexing.add(indexed * msEach, indexed);
          shard.counters.deleting.add(deleted * msEach, deleted);
          shard.acknowledged(sequence, bytes);
        }
        this.noteQueries(indexService, current, committed.outcomes);
        if (current.msEach !== null) {
          this.logSlow(indexService, current, committed.outcomes, performance.now() - submitted);
        }
        return committed.outcomes;
      } catch (error) {
        // The index is gone or closed: nothing of this chunk was written, earlier ones may have been.
        if (error instanceof EngineError) {
          return first.writes.map(({ alias }) =>
            // An alias that was moved may have left its old index to be deleted.
            alias !== null && error.wireName === 'IndexMissingException'
              ? new AliasMoved(alias.name)
              : error,
          );
        }
        if (!(error instanceof MappingChanged)) throw error;
        chunk = null;
      }
    }
  }

  private parseAgain(indexService: IndexService, writes: readonly DocumentWrite[]): ParsedChunk {
    const base = this.metadata(indexService);
    return atOnce(parseChunk(indexService, writes, base, this.queries, Infinity));
  }

  /** Tells of stored queries that were written or deleted. */
  private noteQueries(
    indexService: IndexService,
    { writes, next, sources }: ParsedChunk,
    outcomes: Committed['outcomes'],
  ): void {
    let changes: Map<number, QueryChange[]> | null = null;
    for (let i = 0; i < writes.length; i++) {
      const { type, id, kind, shard } = writes[i]!;
      const outcome = outcomes[i]!;
      if (type !== PERCOLATOR_TYPE || outcome instanceof EngineError) continue;
      const source = kind === 'delete' ? null : (sources[i] as Buffer);
      const change = { id, sequence: outcome.sequence, source };
      changes ??= new Map<number, QueryChange[]>();
      const known = changes.get(shard);
      if (known === undefined) changes.set(shard, [change]);
      else known.push(change);
    }
    if (changes === null) return;
    for (const [shard, list] of changes) {
      this.queries.changed(indexService.shards[shard]!, list, next);
    }
  }

  /** Every write of a chunk took its own time to parse, and the time until the chunk was durable. */
  private logSlow(
    indexService: IndexService,
    { writes, base, msEach }: ParsedChunk,
    outcomes: Committed['outcomes'],
    commitMs: number,
  ): void {
    const { name: index } = indexService;
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
  private prepare(batch: LogBatch, indexService: IndexService, chunk: ParsedChunk): Committed {
    const started = performance.now();
    const metadata = this.metadata(indexService);
    if (metadata.mappings !== chunk.base.mappings) throw new MappingChanged();
    const last: Committed['last'] = new Map();
    const outcomes = chunk.writes.map((write, i) => {
      const source = chunk.sources[i]!;
      if (source instanceof EngineError) return source;
      try {
        return this.prepareOne(batch, indexService, metadata, write, source, last);
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
    indexService: IndexService,
    metadata: IndexMetadata,
    write: DocumentWrite,
    source: Buffer,
    last: Committed['last'],
  ): WriteResult {
    assertAliasStays(metadata, write.alias);
    const shard = indexService.shards[write.shard]!;
    const { shardId } = shard.identity;
    const entry = this.known(batch.getUid(shardId, write.type, write.id), metadata.settings);
    const subject = {
      index: indexService.name,
      shard: write.shard,
      type: write.type,
      id: write.id,
    };
    const exists = entry !== undefined && !entry.deleted;
    const version = nextVersion(entry, write.version, write.versionType, subject);
    if (write.create && exists) throw alreadyExists(subject);
    const sequence = shard.allocate();
    const isDelete = write.kind === 'delete';
    const deletedAt = isDelete && write.forgetsVersion !== true ? this.now() : FORGOTTEN;
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
    return { version, fresh: isDelete ? exists : !exists, sequence };
  }

  /** A tombstone counts for its time only, whenever it is cleared away. */
  private known(
    entry: UidEntry | undefined,
    settings: IndexMetadata['settings'],
  ): UidEntry | undefined {
    if (entry?.deleted !== true) return entry;
    if (entry.deletedAt === FORGOTTEN) return undefined;
    return entry.deletedAt + gcDeletesMs(settings) <= this.now() ? undefined : entry;
  }
}

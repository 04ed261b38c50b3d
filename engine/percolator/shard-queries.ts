// The stored queries of one shard in memory, as the document log has them: those that are not searchable yet,
// too. Read when they are first needed; from then on the document writer tells of each change.

import { EngineError } from '../errors';
import { Slices } from '../common/index';
import { PERCOLATOR_TYPE, type IndexMapping } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import type { ParseServices, Query, StoredQuery } from '../query/index';
import type { SegmentReader } from '../segment/index';
import type { IndexService, Shard } from '../shard/index';
import type { LogStore, SequenceNumber } from '../../storage/index';
import { queryBodyOf, readQuery, type QueryBody } from './query-document';
import { QueryIndex } from './query-index';
import type { QueryMemory } from './query-memory';
import { isExact, requirementOf, type Requirement } from './requirement';

/** Bytes of a query apart from its text and its marks, and for each byte of its document, about. */
const QUERY_BYTES = 600;
const BYTES_OF_SOURCE_BYTE = 6;

/** How the queries of a shard are read. */
export interface QueryReading {
  readonly index: IndexMetadata;
  readonly mapping: IndexMapping;
  readonly services: ParseServices;
}

/** A query as it is kept. */
export interface StoredEntry {
  readonly id: string;
  readonly sequence: SequenceNumber;
  readonly sourceBytes: number;
  /** Bytes that it takes. */
  readonly bytes: number;
  /** Kept where the query has to be read again; else null. */
  readonly body: QueryBody | null;
  /** Null: it cannot be read by the mapping as it is now. */
  readonly query: Query | null;
  /** It is read again for every document. */
  readonly isVolatile: boolean;
  /** It is read again when the mapping changes. */
  readonly isLoose: boolean;
  readonly requirement: Requirement | null;
  /** Whoever meets the requirement matches, without nested documents. */
  readonly isExact: boolean;
}

/** The order in which queries were stored. */
export function bySequence(a: StoredEntry, b: StoredEntry): number {
  return a.sequence - b.sequence;
}

/** A query that was written or deleted. */
export interface QueryChange {
  readonly id: string;
  readonly sequence: SequenceNumber;
  /** Null: it was deleted. */
  readonly source: Buffer | null;
}

/** The stored queries of a shard. */
export class ShardQueries {
  private readonly entries = new Map<string, StoredEntry>();
  private readonly index = new QueryIndex<StoredEntry>(bySequence);
  /** Those to be read again when the mapping changes. */
  private readonly loose = new Set<StoredEntry>();
  /** What was changed while they are loaded; null: they are not being loaded. */
  private changed: Set<string> | null = null;
  private preparing: Promise<void> | null = null;
  private isLoaded = false;
  private mapping: IndexMapping | null = null;

  constructor(
    readonly indexService: IndexService,
    readonly shard: Shard,
    private readonly log: () => LogStore,
    private readonly memory: QueryMemory,
  ) {}

  /**
   * Loads them if that was not done, and reads those again that another mapping gives another meaning. One
   * call at a time: the others wait for it.
   *
   * @throws EngineError CircuitBreakingException where there is no memory for them; what reading the log
   *         throws
   */
  async prepare(reading: QueryReading): Promise<void> {
    while (this.preparing !== null) await this.preparing.catch(() => undefined);
    if (this.isLoaded && this.mapping === reading.mapping) return;
    this.preparing = this.isLoaded ? this.follow(reading) : this.readAll(reading);
    try {
      await this.preparing;
    } finally {
      this.preparing = null;
    }
  }

  /** Notes what was written, in order. Nothing is kept of a shard whose queries nobody has loaded. */
  note(changes: readonly QueryChange[], reading: QueryReading): void {
    if (!this.isLoaded && this.changed === null) return;
    for (const { id, sequence, source } of changes) {
      this.changed?.add(id);
      this.remove(id);
      if (source !== null) this.add(id, sequence, source, reading);
    }
    this.count();
  }

  /** The queries that may match a document in a segment, as they are now: changes are not seen. */
  candidates(segment: SegmentReader): Iterable<StoredEntry> {
    return this.index.candidates(segment);
  }

  /** Forgets all of them, for their memory. */
  clear(): void {
    for (const id of [...this.entries.keys()]) this.remove(id);
    this.isLoaded = false;
    this.count();
  }

  private async readAll(reading: QueryReading): Promise<void> {
    this.clear();
    this.changed = new Set();
    try {
      const slices = new Slices(1);
      const { shardId } = this.shard.identity;
      for await (const { id, entry } of this.log().scanUids(shardId, PERCOLATOR_TYPE)) {
        if (entry.deleted || this.changed.has(id)) continue;
        this.memory.assertRoom();
        this.addStored(id, entry.sequence, reading);
        if (slices.isOver()) await slices.next();
      }
      this.mapping = reading.mapping;
      this.isLoaded = true;
      this.count();
    } catch (error) {
      this.clear();
      throw error;
    } finally {
      this.changed = null;
    }
  }

  private async follow(reading: QueryReading): Promise<void> {
    const slices = new Slices(1);
    for (const entry of [...this.loose]) {
      const { id, sequence, sourceBytes, body } = entry;
      if (this.entries.get(id) === entry) {
        this.remove(id);
        this.put(this.entryOf(id, sequence, sourceBytes, () => body!, reading));
      }
      if (slices.isOver()) await slices.next();
    }
    this.mapping = reading.mapping;
  }

  private addStored(id: string, sequence: SequenceNumber, reading: QueryReading): void {
    const { shardId } = this.shard.identity;
    const log = this.log();
    let record = log.readRecord(shardId, sequence);
    if (record === undefined) {
      // It was replaced, and cleared away, since its entry was read.
      const now = log.readUid(shardId, PERCOLATOR_TYPE, id);
      if (now === undefined || now.deleted) return;
      record = log.readRecord(shardId, now.sequence);
      sequence = now.sequence;
    }
    if (record !== undefined) this.add(id, sequence, record.source, reading);
  }

  private add(id: string, sequence: SequenceNumber, source: Buffer, reading: QueryReading): void {
    const entry = this.entryOf(id, sequence, source.length, () => queryBodyOf(source), reading);
    this.put(entry);
  }

  private entryOf(
    id: string,
    sequence: SequenceNumber,
    sourceBytes: number,
    bodyOf: () => QueryBody,
    { index, mapping, services }: QueryReading,
  ): StoredEntry {
    let body: QueryBody | null = null;
    let stored: StoredQuery | null = null;
    try {
      body = bodyOf();
      stored = readQuery(body, index, mapping, services);
    } catch (error) {
      // It was accepted: a field or type that it names was taken away since.
      if (!(error instanceof EngineError)) throw error;
    }
    const isVolatile = stored !== null && (stored.isTimed || stored.readsDocuments);
    const isLoose = stored === null || stored.isLoose;
    const requirement = this.requirementOf(stored);
    return {
      id,
      sequence,
      sourceBytes,
      bytes: QUERY_BYTES + BYTES_OF_SOURCE_BYTE * sourceBytes + QueryIndex.bytesOf(requirement),
      body: isLoose || isVolatile ? body : null,
      query: stored === null ? null : stored.query,
      isVolatile,
      isLoose,
      requirement,
      isExact: stored !== null && !isVolatile && requirement !== null && isExact(stored.query),
    };
  }

  private requirementOf(stored: StoredQuery | null): Requirement | null {
    if (stored === null) return [];
    if (stored.readsDocuments) return null;
    return requirementOf(stored.query, (mark) => this.index.costOf(mark), stored.isTimed);
  }

  private put(entry: StoredEntry): void {
    this.entries.set(entry.id, entry);
    this.index.add(entry, entry.requirement);
    if (entry.isLoose && entry.body !== null) this.loose.add(entry);
    this.shard.queries.bytes += entry.bytes;
    this.memory.grow(entry.bytes);
  }

  private remove(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    this.entries.delete(id);
    this.index.remove(entry, entry.requirement);
    this.loose.delete(entry);
    this.shard.queries.bytes -= entry.bytes;
    this.memory.grow(-entry.bytes);
  }

  private count(): void {
    this.shard.queries.count = this.entries.size;
  }
}

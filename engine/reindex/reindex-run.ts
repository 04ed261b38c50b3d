// One copying of indices: rounds over the document logs of the source, from the record after the last one
// that was carried over to the newest.
//
// The first round copies what is there; each later one what was written during the one before. A record
// counts if its document has no newer one, so every document is carried over in its newest state, and a
// deletion as a deletion. With an alias to swap, the last rounds run while writes to the source wait: then
// nothing is left behind, the destination is refreshed, and the alias moves in one batch of the document log.
// Writes that waited, and had named the alias, resolve it again and go to the destination (alias-moved.ts).

import { setTimeout as sleep } from 'node:timers/promises';
import { carryDeletion, carryDocument, type Carrier } from './carried-write';
import type {
  CountRequest,
  ReindexFailure,
  ReindexRequest,
  ReindexResult,
  ReindexStatus,
} from '../api/index';
import { Slices } from '../common/index';
import {
  isVersionConflict,
  MatchingDocuments,
  scriptOf,
  type DocumentWrite,
  type DocumentWriter,
  type MatchingHost,
} from '../documents/index';
import { EngineError, indexMissing } from '../errors';
import { effectiveAliasFilters, type ClusterState, type IndexMetadata } from '../metadata/index';
import type { Query } from '../query/index';
import type { ScriptLibrary, ScriptRequest } from '../script/index';
import { searchTargets, type Target } from '../search/index';
import type { IndexService, Shard } from '../shard/index';
import type { LogRecord, LogStore, SequenceNumber } from '../../storage/index';

/** Bytes of records that are carried over at a time. */
const SLICE_BYTES = 512 * 1024;
/** Records that may be left when writes to the source are made to wait: what takes some 100 ms. */
const CLOSE_BEHIND = 500;
/** Rounds after which writes have to wait however much is left: the source is written to faster. */
const MAX_ROUNDS = 20;
/** Failures that are told; copying ends with the slice of the first. */
const MAX_FAILURES = 100;

/** How a request names its sources: each has to be there. */
export const NAMED = {
  ignoreUnavailable: false,
  allowNoIndices: false,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: true,
} as const;

/** What copying needs of the node. */
export interface ReindexHost extends MatchingHost {
  state(): ClusterState;
  log(): LogStore;
  indexService(index: IndexMetadata): IndexService;
  readonly writer: DocumentWriter;
  scripts(): ScriptLibrary;
  /** Passes the gate for writes that need space. */
  grow<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Moves an alias from the indices of `from` to `to`, as it is on the first of them, in one step.
   * @param check runs in the step and may throw
   */
  moveAlias(alias: string, from: readonly string[], to: string, check: () => void): Promise<void>;
}

/** A shard of the source, and how far its log is carried over. */
interface Followed {
  readonly target: Target;
  done: SequenceNumber;
  /** The record up to which the current round goes. */
  upTo: SequenceNumber;
}

/** Copies what one request names. */
export class ReindexRun {
  private readonly matching: MatchingDocuments;
  private readonly sources: readonly IndexMetadata[];
  private readonly script: ScriptRequest | null;
  private readonly followed: readonly Followed[];
  private readonly counts = {
    created: 0,
    updated: 0,
    deleted: 0,
    batches: 0,
    versionConflicts: 0,
    noops: 0,
    rounds: 0,
  };
  private readonly failures: ReindexFailure[] = [];
  private readonly startedAt = performance.now();
  private readonly total: number;

  /**
   * @param sources concrete indices
   * @param isNew the request made the destination
   * @throws EngineError for a script that cannot be read
   */
  constructor(
    private readonly host: ReindexHost,
    private readonly request: ReindexRequest,
    sources: readonly IndexMetadata[],
    private readonly isNew: boolean,
  ) {
    this.matching = new MatchingDocuments(host);
    this.sources = sources;
    this.script = request.script === undefined ? null : scriptOf(request.script);
    const { indices } = request.source;
    this.followed = searchTargets(host.state(), {
      names: indices,
      indices: sources.map(({ name }) => name),
      routing: undefined,
      preference: undefined,
    }).map((target) => ({ target, done: 0, upTo: 0 }));
    this.total = this.followed.reduce(
      (sum, { target }) => sum + liveDocuments(this.shard(target)),
      0,
    );
  }

  /** How far it is. */
  status(): ReindexStatus {
    return { total: this.total, ...this.counts, behind: this.behind() };
  }

  /** Whether it can begin. @throws EngineError for a query that cannot be read */
  async check(): Promise<void> {
    for (const index of this.sources) await this.query(index);
  }

  /** @throws EngineError for what ends it early; documents that fail are part of the result */
  async run(signal: AbortSignal): Promise<ReindexResult> {
    await this.round(signal);
    let swapped: ReindexResult['swapped'] = null;
    if (this.request.size === undefined) {
      for (let left = Infinity; this.behind() > CLOSE_BEHIND && !this.isOver(signal);) {
        // It does not get closer any more, or would never end.
        if (this.behind() >= left || this.counts.rounds >= MAX_ROUNDS) break;
        left = this.behind();
        await this.round(signal);
      }
      if (this.request.swapAlias !== undefined) swapped = await this.swap(signal);
      else if (this.behind() > 0) await this.round(signal);
    }
    if (this.request.refresh) await this.refreshDestination();
    return {
      ...this.status(),
      tookMs: performance.now() - this.startedAt,
      failures: this.failures,
      isCancelled: signal.aborted && swapped === null,
      swapped,
    };
  }

  /** Carries the rest over while writes to the source wait, and moves the alias. Null: it must not move. */
  private async swap(signal: AbortSignal): Promise<ReindexResult['swapped']> {
    if (this.isOver(signal)) return null;
    const alias = this.request.swapAlias!;
    const to = this.request.destination.index;
    const services = this.sources.map((index) => this.host.indexService(this.current(index)));
    return this.host.writer.holding(services, async () => {
      const started = performance.now();
      while (this.behind() > 0 && !this.isOver(signal)) await this.round(signal);
      if (this.isOver(signal)) return null;
      // Whoever searches through the alias afterwards finds everything.
      await this.refreshDestination();
      const from = this.sources.map(({ name }) => name);
      await this.host.moveAlias(alias, from, to, () => {
        for (const index of this.sources) this.current(index);
        if (this.behind() === 0) return;
        throw new EngineError('ElasticsearchIllegalStateException', `[${alias}] was written to`);
      });
      return { alias, from, to, heldMs: performance.now() - started };
    });
  }

  /** Carries over what is in the logs by now. */
  private async round(signal: AbortSignal): Promise<void> {
    const isFirst = this.counts.rounds++ === 0;
    for (const followed of this.followed)
      followed.upTo = this.shard(followed.target).acknowledgedSequence;
    const queries = new Map<string, Query | null>();
    for (const followed of this.followed) {
      if (followed.upTo === followed.done) continue;
      const { index } = followed.target;
      let query = queries.get(index.name);
      if (query === undefined) queries.set(index.name, (query = await this.query(index)));
      if (query !== null) await this.shard(followed.target).refresh();
      await this.carry(followed, query, isFirst, signal);
      if (this.isOver(signal)) return;
    }
  }

  private async carry(
    followed: Followed,
    query: Query | null,
    isFirst: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { target, upTo } = followed;
    const shardId = target.index.shardIds[target.shard]!;
    const log = this.host.log();
    for await (const slice of log.scanRecords(shardId, followed.done, upTo, SLICE_BYTES)) {
      const last = slice.at(-1)![0];
      const started = performance.now();
      await this.host.grow(async () => {
        const matched =
          query === null ? null : await this.matched(followed, query, last, slice.length);
        const carrier = this.carrier(target);
        const writes = await this.writesOf(carrier, shardId, slice, matched, isFirst);
        await this.write(carrier, writes);
      });
      if (this.failures.length === 0) followed.done = last;
      this.counts.batches++;
      if (this.isOver(signal)) return;
      await this.throttle(slice.length, performance.now() - started, signal);
    }
    // Behind the last record there may be numbers that no record has any more.
    followed.done = upTo;
  }

  /** The documents of a part of the log that the query matches, as keys of {@link uidOf}. */
  private async matched(
    { target, done }: Followed,
    query: Query,
    upTo: SequenceNumber,
    records: number,
  ): Promise<ReadonlySet<string>> {
    const part: Query = {
      kind: 'filtered',
      query,
      filter: { kind: 'sequences', after: done, upTo },
      boost: 1,
    };
    const { hits } = await this.matching.page(target, part, records);
    return new Set(hits.map((hit) => uidOf(hit.get('_type') as string, hit.get('_id') as string)));
  }

  private async writesOf(
    carrier: Carrier,
    shardId: number,
    slice: readonly (readonly [SequenceNumber, LogRecord])[],
    matched: ReadonlySet<string> | null,
    isFirst: boolean,
  ): Promise<readonly DocumentWrite[]> {
    const log = this.host.log();
    const writes: DocumentWrite[] = [];
    // One document may keep a script busy for tens of milliseconds.
    const slices = new Slices(carrier.script === null ? 16 : 1);
    // In a new index, nothing that is not copied has to be taken back yet.
    const takesBack = !isFirst;
    for (const [sequence, record] of slice) {
      if (slices.isOver()) await slices.next();
      if (this.left() <= writes.length) break;
      // A newer record of the document is still to come.
      if (log.readUid(shardId, record.type, record.id)?.sequence !== sequence) continue;
      let write: DocumentWrite | null = null;
      if (record.op === 'index' && matched?.has(uidOf(record.type, record.id)) !== false) {
        try {
          write = carryDocument(carrier, record);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          this.fail(carrier.index, record, error);
          continue;
        }
        if (write === null) this.counts.noops++;
      }
      if (write !== null) writes.push(write);
      else if (takesBack) writes.push(carryDeletion(carrier, record));
    }
    return writes;
  }

  private async write(carrier: Carrier, writes: readonly DocumentWrite[]): Promise<void> {
    if (writes.length === 0) return;
    const outcomes = await this.host.writer.write(this.destination().service, writes);
    outcomes.forEach((outcome, i) => {
      const write = writes[i]!;
      if (!(outcome instanceof EngineError)) {
        if (write.kind === 'delete') this.counts.deleted += outcome.fresh ? 1 : 0;
        else if (outcome.fresh) this.counts.created++;
        else this.counts.updated++;
      } else if (isVersionConflict(outcome)) {
        this.counts.versionConflicts++;
        if (!this.request.proceedsOnConflict) this.fail(carrier.destination, write, outcome);
      } else this.fail(carrier.destination, write, outcome);
    });
  }

  private fail(
    index: string,
    { type, id }: { readonly type: string; readonly id: string },
    cause: EngineError,
  ): void {
    if (this.failures.length < MAX_FAILURES) this.failures.push({ index, type, id, cause });
  }

  private isOver(signal: AbortSignal): boolean {
    return signal.aborted || this.failures.length > 0 || this.left() <= 0;
  }

  /** How many documents may still be copied. */
  private left(): number {
    const { created, updated, noops } = this.counts;
    return (this.request.size ?? Infinity) - created - updated - noops;
  }

  /** Records that are not carried over yet, about. */
  private behind(): number {
    return this.followed.reduce(
      (sum, { target, done }) => sum + this.shard(target).acknowledgedSequence - done,
      0,
    );
  }

  private async throttle(documents: number, ms: number, signal: AbortSignal): Promise<void> {
    const { documentsPerSecond } = this.request;
    if (documentsPerSecond === undefined) return;
    const pause = (documents / documentsPerSecond) * 1000 - ms;
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => undefined);
  }

  private async refreshDestination(): Promise<void> {
    await Promise.all(this.destination().service.shards.map((shard) => shard.refresh()));
  }

  /** What the documents of a source have to match; null: nothing. */
  private async query({ name }: IndexMetadata): Promise<Query | null> {
    const { indices, types, query } = this.request.source;
    const state = this.host.state();
    const isFiltered = effectiveAliasFilters(state, name, indices) !== null;
    if (query === undefined && types.length === 0 && !isFiltered) return null;
    const wanted: CountRequest = {
      indices,
      types,
      options: NAMED,
      body: new Map(query === undefined ? [] : [['query', query]]),
      bodyText: query === undefined ? null : '{}',
      params: new Map(),
      routing: undefined,
      preference: undefined,
    };
    return this.matching.query(wanted, state, name);
  }

  private carrier({ index }: Target): Carrier {
    const { request, script, isNew, host } = this;
    const { metadata, service } = this.destination();
    return {
      request,
      script,
      index: index.name,
      mapping: service.mapping(metadata),
      destination: metadata.name,
      shards: service.shards.length,
      isNew,
      scripts: host.scripts(),
      now: host.now(),
    };
  }

  /** Where copies go, as it is now. @throws EngineError when it is gone */
  private destination(): { readonly metadata: IndexMetadata; readonly service: IndexService } {
    const name = this.request.destination.index;
    const metadata = this.host.state().indices.get(name);
    if (metadata === undefined) throw indexMissing(name);
    return { metadata, service: this.host.indexService(metadata) };
  }

  private shard({ index, shard }: Target): Shard {
    return this.host.indexService(this.current(index)).shards[shard]!;
  }

  /** A source as it is now. @throws EngineError when it is gone or closed */
  private current({ id, name }: IndexMetadata): IndexMetadata {
    const metadata = this.host.state().indices.get(name);
    if (metadata?.id !== id) throw indexMissing(name);
    if (metadata.state === 'close')
      throw new EngineError('IndexClosedException', `[${name}] closed`);
    return metadata;
  }
}

function uidOf(type: string, id: string): string {
  return `${type}#${id}`;
}

function liveDocuments(shard: Shard): number {
  return shard
    .segments()
    .reduce((sum, { rootCount, deletedRootCount }) => sum + rootCount - deletedRootCount, 0);
}

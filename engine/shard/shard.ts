// One shard: its place in the document log, its segments, and what searches see of them.
//
// `durable` is the last sequence that is synced, `commit` the segments on disk, `visible` the snapshot that
// new searches take. A refresh turns (commit.sequence, durable] into segments, commits them and makes the
// result visible. Builds and the committing of merges are serialised by `exclusive`; merging itself runs
// beside them and is carried over at the end.
//
// A shard whose commit point, log tail or deletions turn out to be damaged fails as a whole: it refuses
// searches and writes with what was found, and stays so until the node starts again.

import { EngineError } from '../errors';
import type { IndexMetadata } from '../metadata/index';
import { describeDamage } from './storage-errors';
import { GarbageCollector, purgeList, type Garbage } from './shard-garbage';
import type { SegmentIndexer, SegmentRemovals } from './indexer';
import type { SegmentIds } from './segment-ids';
import { ReadCounters } from './read-stats';
import { ShardCounters } from './shard-stats';
import { ShardMerges } from './shard-merges';
import {
  StorageError,
  type CommitPoint,
  type CommittedSegment,
  type LogBatch,
  type LogStore,
  type SegmentId,
  type SequenceNumber,
  type ShardId,
} from '../../storage/index';
import type { OptimizeTarget, ShardOpening } from '../api/index';
import type { DiskRoom } from './disk-room';
import type { EngineLogger } from '../common/index';
import type { ShardView } from '../segment/index';

/**
 * Unindexed records, or bytes of their sources, from which a slice is built in the background before any
 * refresh asks for it: a refresh or a recovery never has much more than this left to do.
 */
const BACKGROUND_SLICE_RECORDS = 8192;
const BACKGROUND_SLICE_BYTES = 8 * 1024 * 1024;
/** Without writes for so long a shard rests. */
const REST_MS = 5000;

const EMPTY_COMMIT: CommitPoint = { generation: 0, sequence: 0, segments: [] };

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
}

export interface ShardIdentity {
  readonly index: string;
  readonly indexId: number;
  readonly shardId: ShardId;
  readonly number: number;
}

interface Snapshot {
  readonly commit: CommitPoint;
  pins: number;
}

/** The live documents of a shard at one moment, held in the document log; release it exactly once. */
export interface PinnedLog {
  readonly shardId: ShardId;
  /** The last record that belongs to it. */
  readonly upTo: SequenceNumber;
  release(): void;
}

/** A held snapshot; release it exactly once. */
export interface PinnedShard {
  readonly view: ShardView;
  readonly reads: ReadCounters;
  release(): void;
}

export class Shard {
  private commit: CommitPoint = EMPTY_COMMIT;
  private visible: Snapshot = { commit: EMPTY_COMMIT, pins: 0 };
  private readonly live = new Set<Snapshot>([this.visible]);
  private nextSequence: SequenceNumber = 1;
  private durable: SequenceNumber = 0;
  private pendingBytes = 0;
  private tail: Promise<unknown> = Promise.resolve();
  private queuedRefresh: Promise<void> | null = null;
  private isBuildingSlice = false;
  private readonly merges: ShardMerges;
  private readonly garbage: GarbageCollector;
  private readonly stopping = new AbortController();
  private damage: EngineError | null = null;
  /** When it was written to last, on the clock of `performance.now`; Infinity: not since its last rest. */
  private lastWrite = Infinity;
  /** Documents that could not be indexed with the mapping of their time of indexing. */
  unindexable = 0;
  /** What it has done since it was loaded. */
  readonly counters = new ShardCounters();
  /** How it is read, likewise. */
  readonly reads = new ReadCounters();
  opening: ShardOpening = { ms: 0, operations: 0, restored: null };

  constructor(
    readonly identity: ShardIdentity,
    private readonly services: ShardServices,
  ) {
    this.garbage = new GarbageCollector(
      identity.shardId,
      services.log,
      services.removals,
      services.forget,
      services.now,
    );
    this.merges = new ShardMerges(
      {
        committed: () => this.commit.segments,
        mergeSegments: (inputs) => this.mergeSegments(inputs),
        isStopped: () => this.closed || this.damage !== null || this.services.disk.isLow,
        room: () => this.services.disk.room,
        report: (error, message) => this.report(error, message),
      },
      this.counters,
    );
  }

  /**
   * Loads the commit point and the end of the log; records beyond the commit wait for {@link refresh}.
   * Damage fails the shard instead of the caller.
   */
  async open(leftovers: readonly Garbage[]): Promise<void> {
    const { shardId } = this.identity;
    const started = performance.now();
    try {
      this.commit = this.services.log().readCommit(shardId) ?? EMPTY_COMMIT;
      const last = await this.services.log().lastSequence(shardId);
      this.durable = Math.max(last, this.commit.sequence);
      this.nextSequence = this.durable + 1;
      this.show(this.commit);
      const ms = performance.now() - started;
      this.opening = { ms, operations: this.backlog, restored: null };
    } catch (error) {
      this.fail(error);
      return;
    }
    for (const garbage of leftovers) this.garbage.add(garbage);
  }

  /** Removes deletion chunks that were written, or no longer needed, when the node crashed. */
  removeStrayDeletions(): Promise<void> {
    return this.exclusive(async () => {
      const held = this.heldCommits().flatMap(({ segments }) => segments);
      for (const { id, deletionChunks } of this.commit.segments) {
        if (deletionChunks.length === 0) continue;
        const kept = held.filter((segment) => segment.id === id);
        await this.services.removals.removeOtherDeletions(
          id,
          kept.map((segment) => segment.deletionChunks),
        );
      }
    });
  }

  /** Records behind the last commit, roughly: what recovery has to index. */
  get backlog(): number {
    return this.durable - this.commit.sequence;
  }

  private get closed(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Bytes of sources that are in the log only. */
  get backlogBytes(): number {
    return this.pendingBytes;
  }

  /** Generation of the newest commit point. */
  get commitGeneration(): number {
    return this.commit.generation;
  }

  /** What is damaged, or null. */
  get failure(): EngineError | null {
    return this.damage;
  }

  /**
   * The next sequence number; called while a batch is prepared.
   * @throws EngineError when the shard is damaged.
   */
  allocate(): SequenceNumber {
    if (this.damage !== null) throw this.damage;
    return this.nextSequence++;
  }

  /** Notes that records up to `sequence` are on disk. */
  acknowledged(sequence: SequenceNumber, bytes: number): void {
    if (sequence > this.durable) this.durable = sequence;
    this.pendingBytes += bytes;
    this.lastWrite = performance.now();
    this.buildSlice();
  }

  /** Builds in the background when enough is waiting for it. */
  private buildSlice(): void {
    if (this.isBuildingSlice || this.closed || this.damage !== null || !this.hasSlice()) return;
    this.isBuildingSlice = true;
    this.buildAhead().then(
      () => {
        this.isBuildingSlice = false;
        void this.merge();
        this.buildSlice();
      },
      (error: unknown) => {
        this.isBuildingSlice = false;
        this.report(error, 'building a segment in the background failed');
      },
    );
  }

  /** Enough records wait to be worth a segment. */
  private hasSlice(): boolean {
    return this.pendingBytes >= BACKGROUND_SLICE_BYTES || this.backlog >= BACKGROUND_SLICE_RECORDS;
  }

  /** True when acknowledged writes are not visible yet. */
  get isDirty(): boolean {
    return this.damage === null && this.visible.commit.sequence < this.durable;
  }

  /** The last sequence that searches see. */
  get visibleSequence(): SequenceNumber {
    return this.visible.commit.sequence;
  }

  /** Makes everything acknowledged so far visible to searches that start afterwards. */
  refresh(): Promise<void> {
    this.queuedRefresh ??= this.exclusive(async () => {
      this.queuedRefresh = null;
      const started = performance.now();
      await this.buildUpTo(this.durable);
      if (this.visible.commit === this.commit) return;
      this.show(this.commit);
      this.counters.refreshes.add(performance.now() - started);
    }).then(() => {
      void this.merge();
    });
    return this.queuedRefresh;
  }

  /** Builds segments from everything acknowledged so far without making them visible. */
  buildAhead(): Promise<void> {
    return this.exclusive(() => this.buildUpTo(this.durable));
  }

  /** Like {@link refresh}, as `_flush` on the reference server: what is written is durable anyway. */
  async flush(): Promise<void> {
    const started = performance.now();
    await this.refresh();
    this.counters.flushes.add(performance.now() - started);
  }

  /** Holds the visible snapshot. @throws EngineError when the shard is damaged. */
  acquire(): PinnedShard {
    if (this.damage !== null) throw this.damage;
    const snapshot = this.visible;
    snapshot.pins++;
    const { index, indexId, shardId, number } = this.identity;
    let held = true;
    return {
      view: { index, indexId, shardId, shardNumber: number, segments: snapshot.commit.segments },
      reads: this.reads,
      release: () => {
        if (!held) return;
        held = false;
        snapshot.pins--;
        if (snapshot.pins === 0 && snapshot !== this.visible) {
          this.live.delete(snapshot);
          void this.collectGarbage();
        }
      },
    };
  }

  /**
   * Holds everything acknowledged so far in the document log: no record that is live now is removed.
   * @throws EngineError when the shard is damaged.
   */
  acquireLog(): PinnedLog {
    // What newer commits make unnecessary stays as long as the visible snapshot is held.
    const pinned = this.acquire();
    return {
      shardId: this.identity.shardId,
      upTo: this.durable,
      release: () => pinned.release(),
    };
  }

  /** Segments as committed, for figures and statistics. */
  segments(): readonly CommittedSegment[] {
    return this.visible.commit.segments;
  }

  /** Starts the merges that are due; resolves when no merge runs any more. */
  merge(): Promise<void> {
    return this.merges.run();
  }

  /** Merges what the tiers left, if nobody has written for a while; called now and then. */
  mergeAtRest(): void {
    if (performance.now() - this.lastWrite < REST_MS) return;
    if (this.merges.runAtRest()) this.lastWrite = Infinity;
  }

  /** Refreshes, then merges towards `target`. @throws what a merge throws */
  async optimize(target: OptimizeTarget): Promise<void> {
    await this.refresh();
    await this.merges.optimize(target);
  }

  /** Removes what no snapshot needs and forgets expired tombstones. */
  collectGarbage(): Promise<void> {
    if (this.closed) return Promise.resolve();
    let oldest = Infinity;
    for (const snapshot of this.live) oldest = Math.min(oldest, snapshot.commit.generation);
    return this.garbage.collect(oldest);
  }

  /** Finishes what is under way and refuses new work. Searches that hold a snapshot may still read. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.garbage.stop();
    await this.merges.idle();
    await this.tail.catch(() => undefined);
  }

  /** All segments that may have blocks, for deleting the shard. */
  ownedSegments(): readonly SegmentId[] {
    const ids = new Set<SegmentId>(this.garbage.segments());
    for (const { segments } of this.heldCommits()) {
      for (const segment of segments) ids.add(segment.id);
    }
    return [...ids];
  }

  /** Resolves when no search holds a snapshot of this shard. */
  async drained(): Promise<void> {
    while ([...this.live].some((snapshot) => snapshot.pins > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The newest commit point and those of all snapshots that may still be read. */
  private heldCommits(): readonly CommitPoint[] {
    return [this.commit, ...[...this.live].map(({ commit }) => commit)];
  }

  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.tail.then(() => {
      if (this.closed) throw this.unavailable();
      if (this.damage !== null) throw this.damage;
      return work();
    });
    this.tail = run.catch(() => undefined);
    return run;
  }

  /** 503: the index is being deleted or closed, or storage reopened; whoever asks again learns which. */
  private unavailable(): EngineError {
    const { index, number } = this.identity;
    return new EngineError('StorageFailureException', `[${index}][${number}] is not available`);
  }

  private show(commit: CommitPoint): void {
    const previous = this.visible;
    this.visible = { commit, pins: 0 };
    this.live.add(this.visible);
    if (previous.pins === 0) this.live.delete(previous);
    void this.collectGarbage();
  }

  private async buildUpTo(target: SequenceNumber): Promise<void> {
    const { services, identity } = this;
    while (this.commit.sequence < target) {
      const index = services.index(identity.indexId);
      if (index === null) return;
      services.disk.assertNotCritical();
      this.pendingBytes = 0;
      const started = performance.now();
      const generation = this.commit.generation + 1;
      await this.withSegmentId(async (segmentId) => {
        const result = await services.indexer
          .build(
            {
              index: identity.index,
              shardId: identity.shardId,
              segmentId,
              from: this.commit.sequence,
              to: target,
              segments: this.commit.segments,
              generation,
            },
            index,
          )
          // Damage that stops a build stops all later ones, and searches would never see what came since.
          .catch((error: unknown) => {
            throw this.fail(error);
          });
        this.unindexable += result.unindexable;
        const garbage: Garbage = {
          generation,
          segments: [],
          chunks: result.replacedChunks,
          superseded: result.superseded,
          tombstones: result.tombstones,
        };
        await this.putCommit(
          { generation, sequence: result.upTo, segments: result.segments },
          garbage,
          (batch) => batch.removeBuildIntent(segmentId),
        );
      });
      this.counters.builds.add(performance.now() - started);
    }
  }

  /** Runs a build or merge up to its commit under a fresh segment id. */
  private async withSegmentId(work: (id: SegmentId) => Promise<void>): Promise<void> {
    const id = await this.services.segmentIds.take();
    try {
      await work(id);
    } catch (error) {
      // After a failed batch the commit may be on disk all the same: the next load knows.
      if (!(error instanceof StorageError)) await this.discard(id);
      throw error;
    }
  }

  /** Takes back what was written of a segment that no commit point names. */
  private async discard(id: SegmentId): Promise<void> {
    this.services.forget([id]);
    try {
      await this.services.removals.removeSegments([id]);
      await this.services.log().submit({
        estimatedBytes: 16,
        prepare: (batch) => batch.removeBuildIntent(id),
      });
    } catch (error) {
      // The build intent is still there, so the next load does it.
      this.report(error, 'an unfinished segment was not removed');
    }
  }

  /** Notes that the shard is damaged and returns what to tell about it. @throws `error` when it is not damage. */
  private fail(error: unknown): EngineError {
    const damage = describeDamage(error);
    if (damage === null) throw error;
    this.damage = damage;
    this.report(damage, 'the shard is damaged and not available any more');
    return damage;
  }

  private async putCommit(
    commit: CommitPoint,
    garbage: Garbage,
    also: (batch: LogBatch) => void,
  ): Promise<void> {
    const list = purgeList(this.identity.shardId, garbage);
    await this.services.log().submit({
      estimatedBytes: 256 + 64 * commit.segments.length + (list?.[1].length ?? 0),
      prepare: (batch) => {
        batch.putCommit(this.identity.shardId, commit);
        if (list !== null) batch.putMetadata(list[0], list[1]);
        also(batch);
      },
    });
    this.commit = commit;
    this.garbage.add(garbage);
  }

  private async mergeSegments(inputs: readonly CommittedSegment[]): Promise<void> {
    const { services, identity } = this;
    // Holding a snapshot of the starting point keeps the inputs' blocks and deletion chunks in place.
    const start: Snapshot = { commit: this.commit, pins: 1 };
    this.live.add(start);
    try {
      await this.withSegmentId(async (segmentId) => {
        const merged = await services.indexer.merge(
          { index: identity.index, shardId: identity.shardId, segmentId, segments: inputs },
          this.stopping.signal,
        );
        await this.exclusive(() => this.commitMerge(inputs, segmentId, merged));
      });
    } finally {
      this.live.delete(start);
      void this.collectGarbage();
    }
  }

  /** Puts the merged segment in the place of its inputs, with the deletions that arrived meanwhile. */
  private async commitMerge(
    inputs: readonly CommittedSegment[],
    segmentId: SegmentId,
    merged: CommittedSegment | null,
  ): Promise<void> {
    const before = this.commit;
    const at = before.segments.findIndex((segment) => segment.id === inputs[0]!.id);
    const generation = before.generation + 1;
    let replacement: readonly CommittedSegment[] = [];
    if (merged !== null) {
      const changes = inputs.map((then, i) => ({ then, now: before.segments[at + i]! }));
      const isUnchanged = changes.every(({ then, now }) => now.deletedCount === then.deletedCount);
      replacement = [
        isUnchanged
          ? merged
          : await this.services.indexer.carry({ inputs: changes, merged, generation }),
      ];
    }
    const segments = [
      ...before.segments.slice(0, at),
      ...replacement,
      ...before.segments.slice(at + inputs.length),
    ];
    const commit = { generation, sequence: before.sequence, segments };
    const dropped = inputs.map((segment) => segment.id);
    await this.putCommit(
      commit,
      { generation, segments: dropped, chunks: [], superseded: [], tombstones: [] },
      (batch) => {
        batch.removeBuildIntent(segmentId);
        for (const id of dropped) batch.putBuildIntent(id);
      },
    );
    // A merge changes no answer, so it may show at once, unless slices not yet refreshed lie before it.
    if (this.visible.commit === before) this.show(commit);
  }

  private report(error: unknown, message: string): void {
    if (this.closed) return;
    this.services.logger.error(
      { index: this.identity.index, shard: this.identity.number, err: error },
      message,
    );
  }
}

// One shard: its place in the document log, its segments, and what searches see of them.
//
// A refresh turns the records of the document log that no segment has yet into segments (shard-builds.ts),
// commits them (shard-commits.ts) and makes the result visible to new searches (held-commits.ts). Builds and
// the committing of merges are jobs of one queue (shard-job-queue.ts); merging itself runs beside them and
// is carried over at the end (merge-commit.ts).

import { HeldCommits } from './held-commits';
import { MergeCommit } from './merge-commit';
import { ShardReadCounters } from './read-stats';
import type { PinnedShard, ReadableShard, ShardIdentity } from './readable';
import { ShardBuilds } from './shard-builds';
import { ShardCommits } from './shard-commits';
import { GarbageCollector, type Garbage } from './shard-garbage';
import { ShardMerges } from './shard-merges';
import type { ShardServices } from './shard-services';
import { ShardOperationCounters } from './shard-stats';
import { ShardJobQueue } from './shard-job-queue';
import { ShardRebuild } from './shard-rebuild';
import { segmentDamageOf, type SegmentDamage } from './storage-errors';
import type { OptimizeTarget, ShardOpening } from '../api/index';
import type { EngineError } from '../errors';
import { gcDeletesMs } from '../metadata/index';
import type { CommittedSegment, SegmentId, SequenceNumber, ShardId } from '../../storage/index';

/** Without writes for so long a shard rests. */
const REST_MS = 5000;

/** The live documents of a shard at one moment, held in the document log; release it exactly once. */
export interface PinnedLog {
  readonly shardId: ShardId;
  /** The last record that belongs to it. */
  readonly upTo: SequenceNumber;
  /** Records that are not live and wait to be removed; the records that replaced them may be gone. */
  readonly superseded: readonly SequenceNumber[];
  release(): void;
}

/** A shard as the rest of the engine sees it: written to, refreshed, merged, searched and closed. */
export class Shard implements ReadableShard {
  private nextSequence: SequenceNumber = 1;
  /** When it was written to last, on the clock of `performance.now`; Infinity: not since its last rest. */
  private lastWrite = Infinity;
  private queuedRefresh: Promise<void> | null = null;
  private readonly jobs: ShardJobQueue;
  private readonly held: HeldCommits;
  private readonly garbage: GarbageCollector;
  private readonly builds: ShardBuilds;
  private readonly merges: ShardMerges;
  private readonly rebuild: ShardRebuild;
  /** What it has done since it was loaded. */
  readonly counters = new ShardOperationCounters();
  /** How it is read, likewise. */
  readonly reads = new ShardReadCounters();
  /** The stored queries in memory, and how often one was run; 0 until they are needed. */
  readonly queries = { count: 0, bytes: 0, evaluated: 0 };
  /** How it was loaded. */
  opening: ShardOpening = { ms: 0, operations: 0, restored: null };

  constructor(
    readonly identity: ShardIdentity,
    private readonly services: ShardServices,
  ) {
    const { counters } = this;
    const shown = (): void => services.shown?.(this);
    const jobs = new ShardJobQueue(identity, services.logger, shown);
    const held = new HeldCommits(() => void this.collectGarbage(), shown);
    this.garbage = new GarbageCollector(
      identity.shardId,
      services.log,
      services.removals,
      services.forget,
      services.now,
      () => gcDeletesMs(services.index(identity.indexId)?.settings ?? new Map()),
    );
    const commits = new ShardCommits(identity, services, jobs, held, this.garbage);
    const sliceBuilt = () => void this.merge();
    const merging = new MergeCommit(identity, services, jobs, held, commits);
    this.jobs = jobs;
    this.held = held;
    this.rebuild = new ShardRebuild(identity, services, jobs, held, this.garbage, counters, shown);
    const refuseDamage = (error: unknown): EngineError | null => this.refuseDamage(error);
    this.builds = new ShardBuilds(
      identity,
      services,
      jobs,
      held,
      commits,
      counters,
      sliceBuilt,
      refuseDamage,
    );
    this.merges = new ShardMerges(
      {
        committed: () => held.newest.segments,
        mergeSegments: async (inputs) => {
          const { count } = this.rebuild;
          try {
            await merging.merge(inputs);
          } catch (error) {
            if (count === this.rebuild.count) this.refuseDamage(error);
            throw error;
          }
        },
        isStopped: () => jobs.isOver || services.disk.isLow,
        room: () => services.disk.room,
        report: (error, message) => jobs.report(error, message),
      },
      counters,
    );
  }

  // --- loading and closing --------------------------------------------------------------------------

  /**
   * Loads the commit point and the end of the log; records beyond the commit wait for {@link refresh}.
   * Damage fails the shard instead of the caller.
   * @param failed documents that were set aside when segments were built, as was noted
   * @param rebuildUpTo up to where the shard was being built again when it was left; undefined: it was not
   */
  async open(
    leftovers: readonly Garbage[],
    failed = 0,
    rebuildUpTo?: SequenceNumber,
  ): Promise<void> {
    this.counters.failedDocuments = failed;
    const { held, builds } = this;
    const { shardId } = this.identity;
    const log = this.services.log();
    const started = performance.now();
    try {
      held.newest = log.readCommit(shardId) ?? held.newest;
      const last = await log.lastSequence(shardId);
      builds.durable = Math.max(last, held.newest.sequence);
      this.nextSequence = builds.durable + 1;
      held.show();
      if (rebuildUpTo !== undefined) this.rebuild.resume(rebuildUpTo);
      const ms = performance.now() - started;
      this.opening = { ms, operations: this.backlog, restored: null };
    } catch (error) {
      this.jobs.fail(error);
      return;
    }
    for (const garbage of leftovers) this.garbage.add(garbage);
  }

  /**
   * Removes deletion chunks that were written, or no longer needed, when the node crashed. Where they cannot
   * be looked through the shard is built again.
   */
  removeStrayDeletions(): Promise<void> {
    return this.jobs.exclusive(async () => {
      const held = this.held.all().flatMap(({ segments }) => segments);
      for (const { id, deletionChunks } of this.held.newest.segments) {
        if (deletionChunks.length === 0) continue;
        const kept = held.filter((segment) => segment.id === id);
        try {
          await this.services.removals.removeOtherDeletions(
            id,
            kept.map((segment) => segment.deletionChunks),
          );
        } catch (error) {
          if (this.refuseDamage(error) === null) throw error;
          return;
        }
      }
    });
  }

  /** Finishes what is under way and refuses new work. Searches that hold a snapshot may still read. */
  async close(): Promise<void> {
    this.jobs.close();
    await this.garbage.stop();
    await this.merges.idle();
    await this.jobs.settled();
  }

  /** Resolves when no search holds a snapshot of this shard. */
  drained(): Promise<void> {
    return this.held.drained();
  }

  /** All segments that may have blocks, for deleting the shard. */
  ownedSegments(): readonly SegmentId[] {
    const ids = new Set<SegmentId>(this.garbage.segments());
    for (const { segments } of this.held.all()) {
      for (const segment of segments) ids.add(segment.id);
    }
    return [...ids];
  }

  // --- what it is like now --------------------------------------------------------------------------

  /** What is damaged, or null. */
  get failure(): EngineError | null {
    return this.jobs.failure;
  }

  /** Why it cannot be searched while its segments are being built again, or null. */
  get rebuilding(): EngineError | null {
    return this.rebuild.refusal;
  }

  /** Records behind the last commit, roughly: what recovery has to index. */
  get backlog(): number {
    return this.builds.backlog;
  }

  /** Bytes of sources that are in the log only. */
  get backlogBytes(): number {
    return this.builds.pendingBytes;
  }

  /** Generation of the newest commit point. */
  get commitGeneration(): number {
    return this.held.newest.generation;
  }

  /** The last sequence number whose record is known to be on disk. */
  get acknowledgedSequence(): SequenceNumber {
    return this.builds.durable;
  }

  /** True when acknowledged writes are not visible yet. */
  get isDirty(): boolean {
    return this.failure === null && this.visibleSequence < this.builds.durable;
  }

  /** The last sequence that searches see. */
  get visibleSequence(): SequenceNumber {
    return this.held.visible.sequence;
  }

  /** Segments as committed, for statistics and statistics. */
  segments(): readonly CommittedSegment[] {
    return this.held.visible.segments;
  }

  // --- writing --------------------------------------------------------------------------------------

  /**
   * The next sequence number; called while a batch is prepared.
   * @throws EngineError when the shard is damaged.
   */
  allocate(): SequenceNumber {
    this.assertSound();
    return this.nextSequence++;
  }

  /** Notes that records up to `sequence` are on disk. */
  acknowledged(sequence: SequenceNumber, bytes: number): void {
    this.lastWrite = performance.now();
    this.builds.acknowledged(sequence, bytes);
  }

  // --- refreshing and merging -----------------------------------------------------------------------

  /** Makes everything acknowledged so far visible to searches that start afterwards. */
  refresh(): Promise<void> {
    this.queuedRefresh ??= this.jobs
      .exclusive(async () => {
        this.queuedRefresh = null;
        const started = performance.now();
        await this.builds.build();
        await this.rebuild.end();
        if (this.held.visible === this.held.newest) return;
        this.held.show();
        this.counters.refreshes.add(performance.now() - started);
      })
      .then(() => {
        void this.merge();
      });
    return this.queuedRefresh;
  }

  /** Like {@link refresh}, of a shard that is being restored: refused while disk space is low. */
  async admit(): Promise<void> {
    this.builds.isArriving = true;
    try {
      await this.refresh();
    } finally {
      this.builds.isArriving = false;
    }
  }

  /** Builds segments from everything acknowledged so far without making them visible. */
  buildAhead(): Promise<void> {
    return this.jobs.exclusive(() => this.builds.build());
  }

  /** Like {@link refresh}, as `_flush` on the reference server: what is written is durable anyway. */
  async flush(): Promise<void> {
    const started = performance.now();
    await this.refresh();
    this.counters.flushes.add(performance.now() - started);
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

  /** Builds the shard again from the document log, because its segments are damaged. */
  rebuildSegments(damage: SegmentDamage): void {
    if (!this.rebuild.begin(damage)) return;
    this.jobs
      .exclusive(() => this.rebuild.reset(damage.segment, this.builds.durable))
      .then(() => this.refresh())
      .catch((error: unknown) => this.jobs.report(error, 'building a shard again was put off'));
  }

  /** Goes on with building again what was put off, or was not ended by an earlier run of the node. */
  resumeRebuild(): void {
    if (this.rebuild.refusal === null || this.jobs.isOver || this.queuedRefresh !== null) return;
    this.refresh().catch((error: unknown) => {
      this.jobs.report(error, 'building a shard again was put off');
    });
  }

  /** Removes what no snapshot needs and forgets expired tombstones. */
  collectGarbage(): Promise<void> {
    if (this.jobs.isClosed) return Promise.resolve();
    return this.garbage.collect(this.held.oldestGeneration(), this.held.needs());
  }

  // --- reading --------------------------------------------------------------------------------------

  /** Holds the visible snapshot. @throws EngineError when the shard is damaged, or being built again. */
  acquire(): PinnedShard {
    this.assertSound();
    if (this.rebuild.refusal !== null) throw this.rebuild.refusal;
    const { index, indexId, shardId, number } = this.identity;
    const { segments } = this.held.visible;
    const { count } = this.rebuild;
    return {
      snapshot: { index, indexId, shardId, shardNumber: number, segments },
      reads: this.reads,
      damaged: (damage) => {
        // Else it is about segments that were given up since.
        if (count === this.rebuild.count) this.rebuildSegments(damage);
      },
      release: this.held.holdVisible(),
    };
  }

  /**
   * Holds everything acknowledged so far in the document log: no record that is live now is removed.
   * @throws EngineError when the shard is damaged.
   */
  acquireLog(): PinnedLog {
    this.assertSound();
    return {
      shardId: this.identity.shardId,
      upTo: this.builds.durable,
      superseded: this.garbage.superseded(),
      release: this.held.holdRecords(this.builds.durable),
    };
  }

  /** Begins to build the shard again if an error is about damaged segments. @returns what to tell, or null */
  private refuseDamage(error: unknown): EngineError | null {
    const damage = segmentDamageOf(error);
    if (damage === null) return null;
    this.rebuildSegments(damage);
    return this.failure ?? this.rebuild.refusal;
  }

  private assertSound(): void {
    const { failure } = this.jobs;
    if (failure !== null) throw failure;
  }
}

// The merges of one shard. Several run at once, so that small segments do not pile up behind a large merge,
// but each one much smaller than those before: together they hold little more than the largest.
//
// Optimizing is about the segments that were there when it began. Those that are written meanwhile are merged
// as ever, or it would not end while documents are written.

import { describeDamage } from './storage-errors';
import {
  chooseMerge,
  chooseOptimize,
  chooseRestMerge,
  liveBytes,
  type MergeRange,
} from './merge-policy';
import type { ShardOperationCounters } from './shard-stats';
import type { CommittedSegment, SegmentId } from '../../storage/index';
import type { OptimizeTarget } from '../api/index';

/** A merge starts beside others when it is smaller than the smallest of them by this factor. */
const SMALLER_BY = 4;

/** What merging needs of its shard. */
interface MergingShard {
  /** The segments of the newest commit. */
  committed(): readonly CommittedSegment[];
  /** Merges adjacent segments and commits the result. */
  mergeSegments(inputs: readonly CommittedSegment[]): Promise<void>;
  /** No further merge may begin. */
  isStopped(): boolean;
  /** Bytes that may be written before disk space is low. */
  room(): number;
  report(error: unknown, message: string): void;
}

interface RunningMerge {
  readonly bytes: number;
  readonly end: Promise<void>;
}

/** Decides which merges of a shard run, and when. */
export class ShardMerges {
  /** Inputs of merges that run, or that failed over damage and would fail again. */
  private readonly busy = new Set<SegmentId>();
  private readonly running = new Set<RunningMerge>();
  /** Optimizing, one at a time. */
  private optimizing: Promise<void> = Promise.resolve();
  /** Segments up to this sequence number are left to the optimizing under way. */
  private reserved = 0;

  constructor(
    private readonly shard: MergingShard,
    private readonly counters: ShardOperationCounters,
  ) {}

  /** Starts what is due; resolves when no merge runs any more. Failures are reported, not thrown. */
  run(): Promise<void> {
    this.start();
    return this.idle();
  }

  /**
   * Starts what is worth merging while nobody writes, one merge after the other. Failures are reported.
   * @returns false when other merges have to end before
   */
  runAtRest(): boolean {
    if (this.running.size > 0 || this.reserved > 0 || this.shard.isStopped()) return false;
    const segments = this.shard.committed();
    const range = chooseRestMerge(segments, this.busy);
    if (range === null || !this.hasRoom(segments, range)) return true;
    this.begin(segments, range).end.then(
      () => this.runAtRest(),
      (error: unknown) => this.shard.report(error, 'a merge failed'),
    );
    return true;
  }

  /** Merges the present segments towards `target`. @throws what a merge throws */
  optimize(target: OptimizeTarget): Promise<void> {
    const run = this.optimizing.then(async () => {
      this.reserved = this.shard.committed().at(-1)?.maxSequence ?? 0;
      try {
        // What runs now may be about the same segments.
        await Promise.allSettled([...this.running].map(({ end }) => end));
        await this.optimizeReserved(target);
      } finally {
        this.reserved = 0;
        this.start();
      }
    });
    this.optimizing = run.catch(() => undefined);
    return run;
  }

  private async optimizeReserved(target: OptimizeTarget): Promise<void> {
    while (!this.shard.isStopped()) {
      const segments = this.shard.committed().slice(0, this.reservedCount());
      const range = chooseOptimize(segments, this.busy, target);
      if (range === null) return;
      await this.begin(segments, range).end;
    }
  }

  /** How many segments, from the first, are left to optimizing. */
  private reservedCount(): number {
    const { reserved } = this;
    return this.shard.committed().filter(({ minSequence }) => minSequence <= reserved).length;
  }

  /** Resolves when no merge runs and none is about to. */
  async idle(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.allSettled([...this.running].map(({ end }) => end));
    }
  }

  private start(): void {
    while (!this.shard.isStopped()) {
      let smallest = Infinity;
      for (const { bytes } of this.running) smallest = Math.min(smallest, bytes);
      const segments = this.shard.committed().slice(this.reservedCount());
      const range = chooseMerge(segments, this.busy, smallest / SMALLER_BY);
      if (range === null || !this.hasRoom(segments, range)) return;
      this.begin(segments, range).end.then(
        () => this.start(),
        (error: unknown) => this.shard.report(error, 'a merge failed'),
      );
    }
  }

  /**
   * Whether a merge that nobody asked for would leave enough space on the disk; its inputs are removed at its
   * end only.
   */
  private hasRoom(segments: readonly CommittedSegment[], [from, to]: MergeRange): boolean {
    let needed = 0;
    for (const { bytes } of this.running) needed += bytes;
    for (const segment of segments.slice(from, to)) needed += liveBytes(segment);
    return needed <= this.shard.room();
  }

  private begin(segments: readonly CommittedSegment[], [from, to]: MergeRange): RunningMerge {
    const inputs = segments.slice(from, to);
    let bytes = 0;
    for (const segment of inputs) bytes += liveBytes(segment);
    const merge: RunningMerge = {
      bytes,
      end: this.merge(inputs).finally(() => {
        this.running.delete(merge);
      }),
    };
    this.running.add(merge);
    return merge;
  }

  private async merge(inputs: readonly CommittedSegment[]): Promise<void> {
    let docs = 0;
    let bytes = 0;
    for (const segment of inputs) {
      this.busy.add(segment.id);
      docs += segment.docCount;
      bytes += segment.bytes;
    }
    const ended = this.counters.merges.begin(docs, bytes);
    let isDone = false;
    let isDamaged = false;
    try {
      await this.shard.mergeSegments(inputs);
      isDone = true;
    } catch (error) {
      isDamaged = describeDamage(error) !== null;
      throw error;
    } finally {
      ended(isDone);
      // Damaged inputs stay marked, or every refresh would try again.
      if (!isDamaged) for (const segment of inputs) this.busy.delete(segment.id);
    }
  }
}

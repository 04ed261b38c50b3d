// What a shard has done since the node started: counters and measured times, for `_stats`.

/** Operations of one kind: how many ended, and how long they took altogether. */
export interface OperationCount {
  readonly total: number;
  /** Milliseconds. */
  readonly ms: number;
}

/** Counters of one shard since the node started. */
export interface ShardActivity {
  /** Index operations, updates included; the time is that of parsing, checking and encoding. */
  readonly indexing: OperationCount;
  readonly deleting: OperationCount;
  /** Refreshes that had something to make visible, with the building they waited for. */
  readonly refreshes: OperationCount;
  /** Flushes by request. */
  readonly flushes: OperationCount;
  /** Segments built, in refreshes and in the background. */
  readonly builds: OperationCount;
  readonly merges: OperationCount & {
    /** Documents that went in, deleted ones included, and the bytes of their segments. */
    readonly docs: number;
    readonly bytes: number;
    /** Under way now. */
    readonly current: number;
    readonly currentDocs: number;
    readonly currentBytes: number;
  };
}

class Counter implements OperationCount {
  total = 0;
  ms = 0;

  add(ms: number, n = 1): void {
    this.total += n;
    this.ms += ms;
  }
}

class MergeCounter extends Counter {
  docs = 0;
  bytes = 0;
  current = 0;
  currentDocs = 0;
  currentBytes = 0;

  /** Notes that a merge begins; the returned function notes its end, which counts when it was done. */
  begin(docs: number, bytes: number): (isDone: boolean) => void {
    const started = performance.now();
    this.current++;
    this.currentDocs += docs;
    this.currentBytes += bytes;
    return (isDone) => {
      this.current--;
      this.currentDocs -= docs;
      this.currentBytes -= bytes;
      if (!isDone) return;
      this.docs += docs;
      this.bytes += bytes;
      this.add(performance.now() - started);
    };
  }
}

/** Counts for one shard, or for several together. */
export class ShardCounters implements ShardActivity {
  readonly indexing = new Counter();
  readonly deleting = new Counter();
  readonly refreshes = new Counter();
  readonly flushes = new Counter();
  readonly builds = new Counter();
  readonly merges = new MergeCounter();

  /** Adds what another shard has done; what it is about is not taken over. */
  absorb({ indexing, deleting, refreshes, flushes, builds, merges }: ShardActivity): void {
    this.indexing.add(indexing.ms, indexing.total);
    this.deleting.add(deleting.ms, deleting.total);
    this.refreshes.add(refreshes.ms, refreshes.total);
    this.flushes.add(flushes.ms, flushes.total);
    this.builds.add(builds.ms, builds.total);
    this.merges.add(merges.ms, merges.total);
    this.merges.docs += merges.docs;
    this.merges.bytes += merges.bytes;
  }

  /** The counters as they are now, as plain data. */
  snapshot(): ShardActivity {
    return {
      indexing: { ...this.indexing },
      deleting: { ...this.deleting },
      refreshes: { ...this.refreshes },
      flushes: { ...this.flushes },
      builds: { ...this.builds },
      merges: { ...this.merges },
    };
  }
}

/** How a shard came to be there. */
export interface ShardOpening {
  /** Milliseconds that loading it took. */
  readonly ms: number;
  /** Operations of the document log that were still to be indexed then. */
  readonly operations: number;
  /** The snapshot that it was restored from since the node started. */
  readonly restored: RestoredShard | null;
}

/** The restoring of one shard. */
export interface RestoredShard {
  readonly repository: string;
  readonly snapshot: string;
  /** The index's name in the snapshot. */
  readonly index: string;
  readonly files: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds of writing its documents, and of making them searchable. */
  readonly writeMs: number;
  readonly startMs: number;
}

// What a shard has done since the node started: counters and measured times, for `_stats`.

import type { OperationCount, ShardOperationStats } from '../api/index';

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
export class ShardOperationCounters implements ShardOperationStats {
  readonly indexing = new Counter();
  readonly deleting = new Counter();
  readonly refreshes = new Counter();
  readonly flushes = new Counter();
  readonly builds = new Counter();
  /** Shards built again because their segments were damaged. */
  readonly rebuilds = new Counter();
  readonly merges = new MergeCounter();
  failedDocuments = 0;

  /** Adds what another shard has done; what it is about is not taken over. */
  absorb(other: ShardOperationStats): void {
    const { indexing, deleting, refreshes, flushes, builds, rebuilds, merges } = other;
    this.failedDocuments += other.failedDocuments;
    this.indexing.add(indexing.ms, indexing.total);
    this.deleting.add(deleting.ms, deleting.total);
    this.refreshes.add(refreshes.ms, refreshes.total);
    this.flushes.add(flushes.ms, flushes.total);
    this.builds.add(builds.ms, builds.total);
    this.rebuilds.add(rebuilds.ms, rebuilds.total);
    this.merges.add(merges.ms, merges.total);
    this.merges.docs += merges.docs;
    this.merges.bytes += merges.bytes;
  }

  /** The counters as they are now, as plain data. */
  snapshot(): ShardOperationStats {
    return {
      indexing: { ...this.indexing },
      deleting: { ...this.deleting },
      refreshes: { ...this.refreshes },
      flushes: { ...this.flushes },
      builds: { ...this.builds },
      rebuilds: { ...this.rebuilds },
      merges: { ...this.merges },
      failedDocuments: this.failedDocuments,
    };
  }
}

// Shard snapshots on their way to a thread. A snapshot names every segment with all its statistics, which
// takes longer to copy than a small search takes to run; so a thread keeps the last snapshot of each shard
// that it got, and is sent the shard's id where it stands for the same.

import type { CommittedSegment } from '../../../storage/index';
import type { ShardSnapshot } from '../../segment/index';

/** A snapshot, or the id of the shard whose last snapshot is meant. */
export type ViewReference = ShardSnapshot | number;

/** Main's knowledge of what one thread has. Messages keep their order, so both sides always agree. */
export class SentSnapshots {
  private readonly sent = new Map<number, readonly CommittedSegment[]>();

  encode(snapshot: ShardSnapshot): ViewReference {
    // What somebody sees of it is never what another search means.
    if (snapshot.view !== undefined) return snapshot;
    if (this.sent.get(snapshot.shardId) === snapshot.segments) return snapshot.shardId;
    this.sent.set(snapshot.shardId, snapshot.segments);
    return snapshot;
  }

  /** Another thread takes over, which has nothing. */
  reset(): void {
    this.sent.clear();
  }

  /** Drops the snapshots that name one of these segments, and says which shards the thread must forget. */
  forget(segmentIds: ReadonlySet<number>): readonly number[] {
    const shards: number[] = [];
    for (const [shard, segments] of this.sent) {
      if (!segments.some(({ id }) => segmentIds.has(id))) continue;
      this.sent.delete(shard);
      shards.push(shard);
    }
    return shards;
  }
}

/** The thread's side. */
export class KnownSnapshots {
  private readonly snapshots = new Map<number, ShardSnapshot>();

  /** To be called in the order in which messages arrive. */
  decode(reference: ViewReference): ShardSnapshot {
    if (typeof reference !== 'number') {
      if (reference.view !== undefined) return reference;
      this.snapshots.set(reference.shardId, reference);
      return reference;
    }
    const snapshot = this.snapshots.get(reference);
    if (snapshot === undefined) throw new TypeError(`no snapshot of shard ${reference} was sent`);
    return snapshot;
  }

  forget(shards: readonly number[]): void {
    for (const shard of shards) this.snapshots.delete(shard);
  }
}

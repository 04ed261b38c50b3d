// Shard views on their way to a thread. A view names every segment with all its figures, which takes longer to
// copy than a small search takes to run; so a thread keeps the last view of each shard that it got, and is
// sent the shard's id where it stands for the same.

import type { CommittedSegment } from '../../../storage/index';
import type { ShardView } from '../../segment/index';

/** A view, or the id of the shard whose last view is meant. */
export type ViewReference = ShardView | number;

/** Main's knowledge of what one thread has. Messages keep their order, so both sides always agree. */
export class SentViews {
  private readonly sent = new Map<number, readonly CommittedSegment[]>();

  encode(view: ShardView): ViewReference {
    if (this.sent.get(view.shardId) === view.segments) return view.shardId;
    this.sent.set(view.shardId, view.segments);
    return view;
  }

  /** Another thread takes over, which has nothing. */
  reset(): void {
    this.sent.clear();
  }

  /** Drops the views that name one of these segments, and says which shards the thread must forget. */
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
export class KnownViews {
  private readonly views = new Map<number, ShardView>();

  /** To be called in the order in which messages arrive. */
  decode(reference: ViewReference): ShardView {
    if (typeof reference !== 'number') {
      this.views.set(reference.shardId, reference);
      return reference;
    }
    const view = this.views.get(reference);
    if (view === undefined) throw new TypeError(`no view of shard ${reference} was sent`);
    return view;
  }

  forget(shards: readonly number[]): void {
    for (const shard of shards) this.views.delete(shard);
  }
}

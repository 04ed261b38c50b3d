// Segment ids, handed out with their build intent already on disk.
//
// A segment's blocks are written before a commit point names them. After a crash in between they are
// orphans; the intents say where to look. Intents are registered ahead of need, a handful at a time, so
// that a refresh does not pay an extra synced write for them.

import { appendAll } from '../common/index';
import type { LogBatch, LogStore, SegmentId } from '../../storage/index';

/** Metadata name of the id counter. */
export const SEGMENT_COUNTER = 'counter/segment';

const RESERVE = 32;
const LOW_MARK = 8;

/** Hands out the segment ids of a node. */
export class SegmentIds {
  private pool: SegmentId[] = [];
  private next: SegmentId = 1;
  private refill: Promise<void> | null = null;

  constructor(private readonly log: () => LogStore) {}

  /**
   * Takes over the counter after the cluster state was loaded, and forgets ids handed out before.
   * @param highest the highest segment id that any commit point or intent names.
   */
  reset(counter: Buffer | undefined, highest: SegmentId): void {
    this.pool = [];
    const stored = counter === undefined ? 1 : Number(counter.toString('utf8'));
    this.next = Math.max(stored, highest + 1);
  }

  /** A fresh id whose build intent is durable. The commit that names the segment removes the intent. */
  async take(): Promise<SegmentId> {
    while (this.pool.length === 0) await this.fill();
    const id = this.pool.shift()!;
    // Topping up early keeps take() from waiting; a failure here shows up at the next take().
    if (this.pool.length < LOW_MARK) this.fill().catch(() => undefined);
    return id;
  }

  private fill(): Promise<void> {
    this.refill ??= this.reserve().finally(() => {
      this.refill = null;
    });
    return this.refill;
  }

  private async reserve(): Promise<void> {
    const ids = await this.log().submit({
      estimatedBytes: RESERVE * 32,
      prepare: (batch: LogBatch) => {
        const reserved = Array.from({ length: RESERVE }, (_, i) => this.next + i);
        for (const id of reserved) batch.putBuildIntent(id);
        batch.putMetadata(SEGMENT_COUNTER, Buffer.from(String(this.next + RESERVE)));
        this.next += RESERVE;
        return reserved;
      },
    });
    appendAll(this.pool, ids);
  }
}

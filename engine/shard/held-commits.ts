// The commit points of one shard that something may still read: the newest one, the one that new searches
// take, and those that searches, merges and snapshots hold. What only older commits name is garbage.

import type { CommitPoint, SequenceNumber } from '../../storage/index';

const EMPTY_COMMIT: CommitPoint = { generation: 0, sequence: 0, segments: [] };

/** What a held commit point keeps from being removed: its segments, and records that were live in it. */
export interface HeldNeed {
  readonly commit: CommitPoint;
  /** The last record that may be read. */
  readonly records: SequenceNumber;
}

interface HeldCommit extends HeldNeed {
  pins: number;
}

/** Knows which commit points are still needed. */
export class HeldCommits {
  /** The newest commit point on disk. */
  newest: CommitPoint = EMPTY_COMMIT;
  private current: HeldCommit = { commit: EMPTY_COMMIT, records: 0, pins: 0 };
  private readonly live = new Set<HeldCommit>([this.current]);

  /**
   * @param released is called when a commit may have become unnecessary
   * @param shown is called when another one is visible
   */
  constructor(
    private readonly released: () => void,
    private readonly shown: () => void = () => undefined,
  ) {}

  /** The commit point that new searches take. */
  get visible(): CommitPoint {
    return this.current.commit;
  }

  /** Makes the newest commit point visible. */
  show(): void {
    const previous = this.current;
    this.current = { commit: this.newest, records: this.newest.sequence, pins: 0 };
    this.live.add(this.current);
    if (previous.pins === 0) this.live.delete(previous);
    // First whoever holds what is visible: then the one before may be given up at once.
    this.shown();
    this.released();
  }

  /** Holds the visible commit point; the returned function releases it and may be called again. */
  holdVisible(): () => void {
    const held = this.current;
    held.pins++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held.pins--;
      if (held.pins === 0 && held !== this.current) this.drop(held);
    };
  }

  /**
   * Holds the segments of the newest commit point, visible or not, and no records; the returned function
   * releases it.
   */
  holdNewest(): () => void {
    return this.hold({ commit: this.newest, records: 0, pins: 1 });
  }

  /** Holds the visible commit point and all live records up to `records`, also those in no segment. */
  holdRecords(records: SequenceNumber): () => void {
    return this.hold({ commit: this.current.commit, records, pins: 1 });
  }

  /** What may be read now, the newest commit point aside. */
  needs(): Iterable<HeldNeed> {
    return this.live;
  }

  /** Generation of the oldest commit point that may be read, the newest one aside. */
  oldestGeneration(): number {
    let oldest = Infinity;
    for (const { commit } of this.live) oldest = Math.min(oldest, commit.generation);
    return oldest;
  }

  /** The newest commit point and all others that may be read. */
  all(): readonly CommitPoint[] {
    return [this.newest, ...[...this.live].map(({ commit }) => commit)];
  }

  /** Resolves when nobody holds one any more. */
  async drained(): Promise<void> {
    while ([...this.live].some(({ pins }) => pins > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  private hold(held: HeldCommit): () => void {
    this.live.add(held);
    return () => {
      if (this.live.has(held)) this.drop(held);
    };
  }

  private drop(held: HeldCommit): void {
    this.live.delete(held);
    this.released();
  }
}

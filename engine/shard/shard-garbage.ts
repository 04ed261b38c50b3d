// What a shard no longer needs, removed once nobody can still look at it.
//
// Every commit may leave things behind: merged-away segments, replaced deletion chunks, superseded
// records, expired tombstones. An entry is kept until every snapshot older than its commit is released.
// Records and tombstones are also listed durably in the batch of that commit, so that a crash does not
// leak them; segments are found again through their build intents.

import { pack, unpack } from 'msgpackr';
import type { DeletionChunk, SegmentRemovals, Tombstone } from './segment-jobs';
import type { LogBatch, LogStore, SegmentId, SequenceNumber, ShardId } from '../../storage/index';

/** Names of durable lists: `purge/{shard}/{generation}`. */
export const PURGE_PREFIX = 'purge/';

/** Records removed by one unit of work. */
const RECORDS_PER_UNIT = 500;

/** What a commit made unnecessary. */
export interface Garbage {
  /** Generation of the commit that dropped it. */
  readonly generation: number;
  readonly segments: readonly SegmentId[];
  readonly chunks: readonly DeletionChunk[];
  readonly superseded: readonly SequenceNumber[];
  readonly tombstones: readonly Tombstone[];
}

/** What the names of a shard's durable lists begin with. */
export function purgePrefix(shard: ShardId): string {
  return `${PURGE_PREFIX}${shard}/`;
}

/** Name and value of the durable list for an entry; null when it holds neither records nor tombstones. */
export function purgeList(shard: ShardId, garbage: Garbage): readonly [string, Buffer] | null {
  if (garbage.superseded.length === 0 && garbage.tombstones.length === 0) return null;
  const tombstones = garbage.tombstones.map(({ sequence, at }) => [sequence, at]);
  return [`${purgePrefix(shard)}${garbage.generation}`, pack([garbage.superseded, tombstones])];
}

/** Reads a durable list back; segments and chunks are found by other means after a restart. */
export function parsePurgeList(name: string, value: Buffer): { shard: ShardId; garbage: Garbage } {
  const [, shard, generation] = name.split('/');
  const [superseded, tombstones] = unpack(value) as [number[], [number, number][]];
  return {
    shard: Number(shard),
    garbage: {
      generation: Number(generation),
      segments: [],
      chunks: [],
      superseded,
      tombstones: tombstones.map(([sequence, at]) => ({ sequence, at })),
    },
  };
}

/** Removes what a shard no longer needs. */
export class GarbageCollector {
  private waiting: Garbage[] = [];
  /** Tombstones whose records may go, and when the last of them was made. */
  private expiring: { readonly garbage: Garbage; readonly last: number }[] = [];
  /** Entries whose removal has begun, or failed. */
  private readonly unfinished = new Set<Garbage>();
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  /** Records are not removed for now. */
  private keepsRecords = false;

  constructor(
    private readonly shard: ShardId,
    private readonly log: () => LogStore,
    private readonly removals: SegmentRemovals,
    private readonly forget: (segments: readonly SegmentId[]) => void,
    private readonly now: () => number,
    /** How long the version of a deleted document is remembered, in milliseconds. */
    private readonly gcDeletes: () => number,
  ) {}

  add(garbage: Garbage): void {
    const empty =
      garbage.segments.length === 0 &&
      garbage.chunks.length === 0 &&
      garbage.superseded.length === 0 &&
      garbage.tombstones.length === 0;
    if (!empty) this.waiting.push(garbage);
  }

  /** Segments that no commit names any more and that may still be there. */
  segments(): readonly SegmentId[] {
    return [...this.waiting, ...this.unfinished].flatMap(({ segments }) => segments);
  }

  /** Collects everything that no snapshot older than `oldestGeneration` can reach. Never rejects. */
  collect(oldestGeneration: number): Promise<void> {
    // In order, so that of the records of one document the older ones always go first: whoever reads the
    // log (engine/snapshots/export.ts) may rely on what a record replaces.
    const due = this.waiting
      .filter((garbage) => garbage.generation <= oldestGeneration)
      .sort((a, b) => a.generation - b.generation);
    this.waiting = this.waiting.filter((garbage) => garbage.generation > oldestGeneration);
    const before = this.now() - this.gcDeletes();
    if (due.length === 0 && !this.expiring.some(({ last }) => last <= before)) {
      return this.running;
    }
    for (const garbage of due) this.unfinished.add(garbage);
    this.running = this.running.then(() => this.run(due));
    return this.running;
  }

  /**
   * Leaves all records and tombstones that it was to remove; segments and deletion chunks are removed as
   * ever.
   */
  async forgetRecords(): Promise<void> {
    this.keepsRecords = true;
    let running: Promise<void>;
    do {
      ({ running } = this);
      await running;
    } while (running !== this.running);
    this.keepsRecords = false;
    const withoutRecords = (garbage: Garbage): Garbage => {
      return { ...garbage, superseded: [], tombstones: [] };
    };
    const { waiting } = this;
    this.waiting = [];
    for (const garbage of waiting) this.add(withoutRecords(garbage));
    this.expiring = [];
  }

  /** Stops collecting; waits for what is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(due: readonly Garbage[]): Promise<void> {
    for (const garbage of due) {
      await this.attempt(async () => {
        await this.removeUnreachable(garbage);
        this.unfinished.delete(garbage);
      });
    }
    const before = this.now() - this.gcDeletes();
    const expired = this.expiring.filter(({ last }) => last <= before);
    this.expiring = this.expiring.filter(({ last }) => last > before);
    for (const { garbage } of expired) {
      await this.attempt(async () => {
        await this.expireTombstones(garbage.tombstones);
        await this.removeList(garbage);
      });
    }
  }

  /** What fails (storage is being reopened, a record is damaged) is done again at the next load. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    if (!this.stopped) await work().catch(() => undefined);
  }

  private async removeUnreachable(garbage: Garbage): Promise<void> {
    if (garbage.segments.length > 0) await this.removeSegments(garbage.segments);
    if (garbage.chunks.length > 0) await this.removals.removeDeletions(garbage.chunks);
    await this.removeRecords([...garbage.superseded].sort((a, b) => a - b));
    if (garbage.tombstones.length === 0) {
      await this.removeList(garbage);
    } else {
      const last = garbage.tombstones.reduce((latest, { at }) => Math.max(latest, at), 0);
      this.expiring.push({ garbage, last });
    }
  }

  private async removeSegments(segments: readonly SegmentId[]): Promise<void> {
    this.forget(segments);
    await this.removals.removeSegments(segments);
    await this.unit((batch) => {
      for (const id of segments) batch.removeBuildIntent(id);
    });
  }

  private async removeRecords(sequences: readonly SequenceNumber[]): Promise<void> {
    for (let i = 0; i < sequences.length; i += RECORDS_PER_UNIT) {
      this.checkRunning();
      const some = sequences.slice(i, i + RECORDS_PER_UNIT);
      await this.unit((batch) => {
        for (const sequence of some) batch.removeRecord(this.shard, sequence);
      });
    }
  }

  /** Forgets versions of deleted documents, unless the document was written again meanwhile. */
  private async expireTombstones(tombstones: readonly Tombstone[]): Promise<void> {
    for (let i = 0; i < tombstones.length; i += RECORDS_PER_UNIT) {
      this.checkRunning();
      const some = tombstones.slice(i, i + RECORDS_PER_UNIT);
      await this.unit((batch) => {
        for (const { sequence } of some) {
          const record = this.log().readRecord(this.shard, sequence);
          if (record === undefined) continue;
          const entry = batch.getUid(this.shard, record.type, record.id);
          if (entry?.sequence === sequence) batch.removeUid(this.shard, record.type, record.id);
          batch.removeRecord(this.shard, sequence);
        }
      });
    }
  }

  private async removeList(garbage: Garbage): Promise<void> {
    const list = purgeList(this.shard, garbage);
    if (list === null) return;
    await this.unit((batch) => batch.removeMetadata(list[0]));
  }

  /** @throws Error to leave an entry unfinished, its durable list included. */
  private checkRunning(): void {
    if (this.stopped || this.keepsRecords) throw new Error('stopped');
  }

  private unit(prepare: (batch: LogBatch) => void): Promise<void> {
    return this.log().submit({ estimatedBytes: RECORDS_PER_UNIT * 16, prepare });
  }
}

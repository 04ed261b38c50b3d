// What a shard no longer needs, removed once nobody can still look at it.
//
// Every commit may leave things behind: merged-away segments, replaced deletion chunks, superseded
// records, expired tombstones. An entry is kept until every snapshot older than its commit is released; what
// came and went while an older snapshot was held is in none of them, and does not wait for it.
// Records and tombstones are also listed durably in the batch of that commit, so that a crash does not
// leak them; segments are found again through their build intents.

import { pack, unpack } from 'msgpackr';
import { appendAll } from '../common/index';
import type { HeldNeed } from './held-commits';
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

/** An entry that is still needed, or part of one. */
interface WaitingGarbage extends Garbage {
  /** The last record that a snapshot older than the commit may read, when it was last looked at. */
  readonly bound: SequenceNumber;
  /** It has a durable list, which names more than what is left of it. */
  readonly isListed: boolean;
}

/** Removes what a shard no longer needs. */
export class GarbageCollector {
  private waiting: WaitingGarbage[] = [];
  /** Records have been removed while older ones of the same documents may still be there. */
  private isOutOfOrder = false;
  /** Tombstones whose records may go, and when the last of them was made. */
  private expiring: { readonly garbage: WaitingGarbage; readonly last: number }[] = [];
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
    if (!empty) this.waiting.push({ ...garbage, bound: Infinity, isListed: isListed(garbage) });
  }

  /** Segments that no commit names any more and that may still be there. */
  segments(): readonly SegmentId[] {
    return [...this.waiting, ...this.unfinished].flatMap(({ segments }) => segments);
  }

  /** Records that are not live and may not be removed yet. */
  superseded(): readonly SequenceNumber[] {
    return [...this.waiting, ...this.unfinished].flatMap(({ superseded }) => superseded);
  }

  /**
   * Collects everything that no snapshot older than `oldestGeneration` can reach, and of the rest what none
   * of `needs` can. Never rejects.
   */
  collect(oldestGeneration: number, needs: Iterable<HeldNeed> = []): Promise<void> {
    // In order, so that of the records of one document the older ones go first wherever nothing holds them:
    // whoever reads the log may rely on what a record replaces, and on what {@link superseded} names.
    const due = this.waiting
      .filter((garbage) => garbage.generation <= oldestGeneration)
      .sort((a, b) => a.generation - b.generation);
    this.waiting = this.waiting.filter((garbage) => garbage.generation > oldestGeneration);
    const before = this.now() - this.gcDeletes();
    appendAll(due, this.thin(needs));
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
    // What replaced these may be gone, so that nobody would find again that they are not live.
    if (this.isOutOfOrder) await this.removeRecords(this.superseded());
    this.isOutOfOrder = false;
    const { waiting } = this;
    this.waiting = [];
    for (const { generation, segments, chunks } of waiting) {
      this.add({ generation, segments, chunks, superseded: [], tombstones: [] });
    }
    this.expiring = [];
  }

  /** Stops collecting; waits for what is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /**
   * Takes what no snapshot needs out of the entries that wait.
   */
  private thin(needs: Iterable<HeldNeed>): WaitingGarbage[] {
    if (this.waiting.length === 0) return [];
    const commits = [...needs].sort((a, b) => a.commit.generation - b.commit.generation);
    if (commits.length === 0) return [];
    const chunksOf = new Map<SegmentId, (readonly number[])[]>();
    for (const { commit } of commits) {
      for (const { id, deletionChunks } of commit.segments) {
        const known = chunksOf.get(id);
        if (known === undefined) chunksOf.set(id, [deletionChunks]);
        else known.push(deletionChunks);
      }
    }
    const segment = (id: SegmentId): boolean => chunksOf.has(id);
    const chunk = ({ segment: id, chunk: number, generation }: DeletionChunk): boolean =>
      chunksOf.get(id)?.some((generations) => generations[number] === generation) === true;
    const free: WaitingGarbage[] = [];
    const kept: WaitingGarbage[] = [];
    for (const entry of this.waiting) {
      const records = boundOf(commits, entry.generation);
      const part = divide(entry, { segment, chunk, records });
      if (part.free.superseded.length > 0 && kept.length > 0) this.isOutOfOrder = true;
      // A tombstone outlives all records of its document: without it they would be taken for live ones.
      const isNeeded = sizeOf(part.kept) > 0 || (entry.tombstones.length > 0 && kept.length > 0);
      if (!isNeeded) free.push(entry);
      else {
        kept.push(part.kept);
        if (sizeOf(part.free) > 0) free.push(part.free);
      }
    }
    this.waiting = kept;
    return free;
  }

  private async run(due: readonly WaitingGarbage[]): Promise<void> {
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

  private async removeUnreachable(garbage: WaitingGarbage): Promise<void> {
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

  private async removeList({ generation, isListed: hasList }: WaitingGarbage): Promise<void> {
    if (!hasList) return;
    const name = `${purgePrefix(this.shard)}${generation}`;
    await this.unit((batch) => batch.removeMetadata(name));
  }

  /** @throws Error to leave an entry unfinished, its durable list included. */
  private checkRunning(): void {
    if (this.stopped || this.keepsRecords) throw new Error('stopped');
  }

  private unit(prepare: (batch: LogBatch) => void): Promise<void> {
    return this.log().submit({ estimatedBytes: RECORDS_PER_UNIT * 16, prepare });
  }
}

/** Tells what the snapshots that are held read. */
interface Readers {
  readonly segment: (segment: SegmentId) => boolean;
  readonly chunk: (chunk: DeletionChunk) => boolean;
  /** The last record that is read. */
  readonly records: SequenceNumber;
}

/** Divides an entry into what some snapshot still reads, and what none does. */
function divide(
  entry: WaitingGarbage,
  { segment, chunk, records }: Readers,
): { readonly kept: WaitingGarbage; readonly free: WaitingGarbage } {
  const { segments, chunks, superseded } = entry;
  // What was needed the last time is, unless a snapshot was released since.
  const isAsBefore = records === entry.bound;
  const kept: WaitingGarbage = {
    ...entry,
    segments: segments.filter(segment),
    chunks: chunks.filter(chunk),
    superseded: isAsBefore ? superseded : superseded.filter((sequence) => sequence <= records),
    bound: records,
  };
  const free: WaitingGarbage = {
    generation: entry.generation,
    segments: segments.filter((one) => !segment(one)),
    chunks: chunks.filter((one) => !chunk(one)),
    superseded: isAsBefore ? [] : superseded.filter((sequence) => sequence > records),
    tombstones: [],
    bound: records,
    // The list stays until the last part goes.
    isListed: false,
  };
  return { kept, free };
}

/** How many things an entry has to be removed at once. */
function sizeOf({ segments, chunks, superseded }: Garbage): number {
  return segments.length + chunks.length + superseded.length;
}

/** The last record that a snapshot older than a commit may read; `needs` are in the order of generations. */
function boundOf(needs: readonly HeldNeed[], generation: number): SequenceNumber {
  let bound = -1;
  for (const { commit, records } of needs) {
    if (commit.generation >= generation) break;
    if (records > bound) bound = records;
  }
  return bound;
}

/** Whether an entry has a durable list. */
function isListed({ superseded, tombstones }: Garbage): boolean {
  return superseded.length + tombstones.length > 0;
}

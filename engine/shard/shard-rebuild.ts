// Building a shard again whose segments are damaged. All of its documents are in the log, so nothing is lost:
// its commit point is replaced by one without segments, and the next refresh makes segments of the whole log.
//
// Until they have, searches of the shard are refused with the reason, because they would not find everything.
// Writes, gets and snapshots, which need no segments, go on. What is under way is noted on disk, so that a
// restart does not show the half that was built before it.

import type { HeldCommits } from './held-commits';
import { failedName } from './shard-builds';
import { purgePrefix, type GarbageCollector } from './shard-garbage';
import type { ShardServices } from './shard-services';
import type { ShardIdentity } from './readable';
import type { ShardOperationCounters } from './shard-stats';
import type { ShardJobQueue } from './shard-job-queue';
import type { SegmentDamage } from './storage-errors';
import { EngineError } from '../errors';
import type { CommitPoint, SegmentId, SequenceNumber, ShardId } from '../../storage/index';

/** Names of the notes: `rebuild/{shard}`; the value is the sequence number up to which is to be built. */
const REBUILD_PREFIX = 'rebuild/';

/** A shard that is damaged again and again, since the node started, is given up: something else is wrong. */
const MAX_REBUILDS = 3;

/** The name of a shard's note. */
export function rebuildName(shard: ShardId): string {
  return `${REBUILD_PREFIX}${shard}`;
}

/** The sequence number in a shard's note; undefined: it is not being built again. */
export function rebuildTarget(
  metadata: ReadonlyMap<string, Buffer>,
  shard: ShardId,
): SequenceNumber | undefined {
  const value = metadata.get(rebuildName(shard));
  return value === undefined ? undefined : Number(value.toString());
}

interface Rebuild {
  /** What searches are told. */
  readonly refusal: EngineError;
  readonly started: number;
  /** All up to here has to be built; null: the commit point is not replaced yet. */
  upTo: SequenceNumber | null;
}

/** Builds the segments of one shard again. */
export class ShardRebuild {
  private current: Rebuild | null = null;
  private begun = 0;

  constructor(
    private readonly identity: ShardIdentity,
    private readonly services: ShardServices,
    private readonly jobs: ShardJobQueue,
    private readonly held: HeldCommits,
    private readonly garbage: GarbageCollector,
    private readonly counters: ShardOperationCounters,
    /** Is called when searches begin to be refused, and when they are let in again. */
    private readonly changed: () => void,
  ) {}

  /** Why the shard cannot be searched now, or null. */
  get refusal(): EngineError | null {
    return this.current?.refusal ?? null;
  }

  /** Counts the rebuilds begun: damage found in what was there before the last one is over. */
  get count(): number {
    return this.begun;
  }

  /** Takes up what an earlier run of the node did not end. */
  resume(upTo: SequenceNumber): void {
    const refusal = this.refusalFor('found before the node was started');
    this.current = { refusal, started: performance.now(), upTo };
    this.changed();
  }

  /**
   * Notes that segments are damaged.
   * @returns true when a rebuild begins with it: {@link reset} is to be called in the shard's turn
   */
  begin({ segment, reason }: SegmentDamage): boolean {
    if (this.current !== null || this.jobs.isOver) return false;
    const { index, number } = this.identity;
    if (this.begun >= MAX_REBUILDS) {
      this.jobs.fail(
        new EngineError(
          'CorruptIndexException',
          `[${index}][${number}] its segments are damaged again and again: ${reason}, run verify`,
        ),
      );
      return false;
    }
    this.begun++;
    const refusal = this.refusalFor(reason);
    this.current = { refusal, started: performance.now(), upTo: null };
    this.changed();
    this.services.logger.error(
      { index, shard: number, segment, reason },
      'segments are damaged; the shard is built again from the document log, and not searched until then',
    );
    return true;
  }

  /**
   * Replaces the commit point by one without segments; in the shard's turn.
   * @param segment the one that is damaged, which is kept for the operator; null: not known
   */
  async reset(segment: SegmentId | null, durable: SequenceNumber): Promise<void> {
    const { current, held, garbage, services } = this;
    if (current === null || current.upTo !== null) return;
    const { shardId } = this.identity;
    if (segment !== null) await services.keepDamagedSegment(segment);
    // Building lists all that is unnecessary once more, and relies on it being there until then.
    await garbage.forgetRecords();
    const lists = await services.log().readMetadata(purgePrefix(shardId));
    const dropped = held.newest.segments.map(({ id }) => id);
    const generation = held.newest.generation + 1;
    const commit: CommitPoint = { generation, sequence: 0, segments: [] };
    await services.log().submit({
      estimatedBytes: 256 + 64 * lists.size + 16 * dropped.length,
      prepare: (batch) => {
        batch.putCommit(shardId, commit);
        batch.putMetadata(rebuildName(shardId), Buffer.from(String(durable)));
        for (const name of lists.keys()) batch.removeMetadata(name);
        // Building finds them again.
        batch.removeMetadata(failedName(shardId));
        for (const id of dropped) batch.putBuildIntent(id);
      },
    });
    current.upTo = durable;
    this.counters.failedDocuments = 0;
    held.newest = commit;
    garbage.add({ generation, segments: dropped, chunks: [], superseded: [], tombstones: [] });
    held.show();
  }

  /** Ends the rebuild when all is built; in the shard's turn, before the result is shown. */
  async end(): Promise<void> {
    const { current, held, services, identity } = this;
    if (current === null || current.upTo === null || held.newest.sequence < current.upTo) return;
    await services.log().submit({
      estimatedBytes: 32,
      prepare: (batch) => batch.removeMetadata(rebuildName(identity.shardId)),
    });
    this.current = null;
    this.changed();
    this.counters.rebuilds.add(performance.now() - current.started);
    services.logger.info(
      { index: identity.index, shard: identity.number },
      'the shard is built again and can be searched',
    );
  }

  private refusalFor(reason: string): EngineError {
    const { index, number } = this.identity;
    return new EngineError(
      'CorruptIndexException',
      `[${index}][${number}] segments were damaged and are being built again: ${reason}`,
    );
  }
}

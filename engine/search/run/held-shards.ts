// Shards that a search holds while it runs.

import type { CancelSignal } from '../../common/index';
import type { SegmentDamage, ShardReadCounters } from '../../shard/index';
import type { ShardSnapshot } from '../../segment/index';
import type { Executor, SearchJob, SearchOutcome } from '../plan/executor';
import type { Target } from '../plan/targets';

/** A snapshot of a shard, held until released. */
export interface AcquiredShard {
  readonly snapshot: ShardSnapshot;
  /** Where searches of the shard are counted. */
  readonly reads: ShardReadCounters;
  /** To be told of segments of the snapshot that turned out to be damaged. */
  damaged(damage: SegmentDamage): void;
  /** May be called again. */
  release(): void;
}

/** A shard with its place in the search that holds it. */
export interface HeldShard {
  readonly target: Target;
  /** Position among all shards of the search, in the order in which equal hits stand. */
  readonly position: number;
  readonly acquired: AcquiredShard;
}

/** Runs a job on shards that are held, counting it there. @throws as {@link Executor.search} */
export async function searchHeld(
  executor: Executor,
  held: readonly HeldShard[],
  job: SearchJob,
  signal: CancelSignal | undefined,
): Promise<SearchOutcome> {
  const started = performance.now();
  const suggests = job.onlySuggests;
  for (const { acquired } of held) {
    if (suggests) acquired.reads.beginSuggest();
    else acquired.reads.beginSearch();
  }
  try {
    const outcome = await executor.search(job, signal);
    for (const { position, damage } of outcome.damaged) {
      held.find((shard) => shard.position === position)?.acquired.damaged(damage);
    }
    return outcome;
  } finally {
    const share = (performance.now() - started) / held.length;
    for (const { acquired } of held) {
      if (suggests) acquired.reads.endSuggest(share);
      else acquired.reads.endSearch(share);
    }
  }
}

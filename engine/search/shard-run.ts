// The shards of one search: held from the start, sent off as one job, released at the end.

import { appendAll } from '../common/index';
import type { EngineError } from '../errors';
import type { Executor, PlannedSearch, SearchJob, SearchOutcome } from './plan/executor';
import { describeFailure } from './plan/failure';
import type { SegmentDamage, ShardReadCounters } from '../shard/index';
import type { IndexMetadata } from '../metadata/index';
import { fieldNamesOf } from './run/dfs';
import { allShardsFailed } from './plan/errors';
import type { Target } from './plan/targets';
import type { CancelSignal } from '../common/index';
import type { ShardFailure, ShardsHeader } from '../api/index';
import type { ShardSnapshot } from '../segment/index';
import type { PlannedIndex } from './plan/planned-index';

/** A snapshot of a shard, held until released. */
interface AcquiredShard {
  readonly snapshot: ShardSnapshot;
  /** Where searches of the shard are counted. */
  readonly reads: ShardReadCounters;
  /** To be told of segments of the snapshot that turned out to be damaged. */
  damaged(damage: SegmentDamage): void;
  release(): void;
}

/** What running on shards needs of the node. */
export interface ShardHost {
  /** @throws EngineError when the shard cannot be searched */
  acquire(index: IndexMetadata, shardNumber: number): AcquiredShard;
  readonly executor: Executor;
  /** Shown in the errors of failed shards. */
  readonly nodeId: string;
  /** Epoch milliseconds. */
  now(): number;
}

/** How a search runs, apart from what its plans say. */
interface RunOptions extends Pick<
  SearchJob,
  'globalStatistics' | 'withoutHits' | 'pagePerShard' | 'timesShards'
> {
  /** How errors name the phase that shards failed in. */
  readonly phase: string;
  readonly onlySuggests?: boolean;
  readonly signal: CancelSignal | undefined;
}

/** The shards of one search: which are held, which failed. */
export class ShardRun {
  private readonly held: {
    readonly target: Target;
    readonly position: number;
    readonly acquired: AcquiredShard;
  }[] = [];
  private readonly failures: ShardFailure[] = [];
  private readonly planned = new Map<string, PlannedSearch>();
  private readonly now: number;

  constructor(
    private readonly host: ShardHost,
    private readonly targets: readonly Target[],
    plans: ReadonlyMap<string, PlannedIndex>,
    private readonly options: RunOptions,
  ) {
    this.now = host.now();
    for (const [index, planned] of plans) {
      if ('fail' in planned) continue;
      const { plan, fetch, page, timeout } = planned;
      const deadline = timeout > 0 ? this.now + timeout : null;
      this.planned.set(index, { plan, fetch, page, deadline });
    }
    targets.forEach((target, position) => {
      const planned = plans.get(target.index.name)!;
      if ('fail' in planned) this.failures.push(planned.fail(target.shard));
      else this.acquire(target, position);
    });
  }

  /** Searches; call once. @throws as {@link Executor.search} */
  async run(): Promise<SearchOutcome> {
    const started = performance.now();
    const suggests = this.options.onlySuggests === true;
    for (const { acquired } of this.held) {
      if (suggests) acquired.reads.beginSuggest();
      else acquired.reads.beginSearch();
    }
    try {
      const outcome = await this.host.executor.search(this.job(), this.options.signal);
      appendAll(this.failures, outcome.failures);
      for (const { position, damage } of outcome.damaged) {
        this.held.find((shard) => shard.position === position)?.acquired.damaged(damage);
      }
      return outcome;
    } finally {
      const share = (performance.now() - started) / this.held.length;
      for (const { acquired } of this.held) {
        if (suggests) acquired.reads.endSuggest(share);
        else acquired.reads.endSearch(share);
      }
    }
  }

  /** @throws EngineError when there were shards and all of them failed */
  requireSomeShard(outcome: Pick<SearchOutcome, 'allFailedIn'>): void {
    if (outcome.allFailedIn === null) return;
    const phase = outcome.allFailedIn === 'fetch' ? 'fetch' : this.options.phase;
    throw this.failed(phase);
  }

  header(): ShardsHeader {
    const failed = new Set(this.failures.map(({ index, shard }) => `${shard}/${index}`)).size;
    return {
      total: this.targets.length,
      successful: this.targets.length - failed,
      failed,
      failures: this.sortedFailures(),
    };
  }

  release(): void {
    for (const { acquired } of this.held) acquired.release();
  }

  private job(): SearchJob {
    const { globalStatistics, withoutHits, pagePerShard, timesShards, onlySuggests } = this.options;
    return {
      shards: this.held.map(({ target, position, acquired }) => ({
        snapshot: acquired.snapshot,
        position,
        planned: this.planned.get(target.index.name)!,
      })),
      shardCount: this.targets.length,
      globalStatistics,
      fieldNames: globalStatistics && this.planned.size > 1 ? this.fieldNames() : null,
      withoutHits,
      pagePerShard,
      now: this.now,
      timesShards,
      onlySuggests: onlySuggests === true,
    };
  }

  private fieldNames(): SearchJob['fieldNames'] {
    return new Map(this.targets.map(({ index }) => [index.name, fieldNamesOf(index)]));
  }

  private failed(phase: string): EngineError {
    return allShardsFailed(phase, this.sortedFailures(), this.host.nodeId);
  }

  private sortedFailures(): readonly ShardFailure[] {
    return [...this.failures].sort(
      (a, b) => (a.index < b.index ? -1 : a.index > b.index ? 1 : 0) || a.shard - b.shard,
    );
  }

  private acquire(target: Target, position: number): void {
    const { index, shard } = target;
    try {
      this.held.push({ target, position, acquired: this.host.acquire(index, shard) });
    } catch (error) {
      const failure = describeFailure(error);
      if (failure === null) {
        this.release();
        throw error;
      }
      const { status, reason } = failure;
      this.failures.push({ index: index.name, shard, status, reason });
    }
  }
}

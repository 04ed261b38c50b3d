// The shards of one search: held from the start, sent off as one job, released at the end.

import { appendAll } from '../common/index';
import { type AcquiredShard, type HeldShard, searchHeld } from './run/held-shards';
import { countPlan } from './count';
import type { EngineError } from '../errors';
import type { Executor, PlannedSearch, SearchJob, SearchOutcome } from './plan/executor';
import { describeFailure } from './plan/failure';
import type { IndexMetadata } from '../metadata/index';
import { fieldNamesOf } from '../mapping/index';
import type { SearchQueue } from './run/search-queue';
import { allShardsFailed } from './plan/errors';
import type { Query } from '../query/index';
import type { Target } from './plan/targets';
import type { CancelSignal } from '../common/index';
import type { ShardFailure, ShardsHeader } from '../api/index';
import type { PlannedIndex } from './plan/planned-index';

/** What running on shards needs of the node. */
export interface ShardHost {
  /** @throws EngineError when the shard cannot be searched */
  acquire(index: IndexMetadata, shardNumber: number): AcquiredShard;
  readonly executor: Executor;
  /** Refuses searches when too many are under way. */
  readonly queue: SearchQueue;
  /** Shown in the errors of failed shards. */
  readonly nodeId: string;
  /** Epoch milliseconds. */
  now(): number;
}

/** A query that is asked about one shard of a search. */
export interface ShardQuery {
  /** Position of the shard among all shards of the search. */
  readonly position: number;
  readonly query: Query;
}

/** How a search runs, apart from what its plans say. */
interface RunOptions extends Pick<
  SearchJob,
  'globalStatistics' | 'rescoresGlobally' | 'withoutHits' | 'pagePerShard' | 'timesShards'
> {
  /** For how many milliseconds it is kept open for more pages; absent: it is not. */
  readonly keepAliveMs?: number | undefined;
  /** How errors name the phase that shards failed in. */
  readonly phase: string;
  readonly onlySuggests?: boolean;
  readonly signal: CancelSignal | undefined;
  /** What a shard is asked, where that is less than what its index is. */
  readonly narrow?: (target: Target, query: Query) => Query;
  /**
   * How a shard says that it was not searched because too many searches are under way; null: it is no search
   * of a client, and has no place in the queue.
   */
  readonly refusal: ((index: string, shard: number, error: EngineError) => ShardFailure) | null;
}

const NOTHING_FOUND: SearchOutcome = {
  total: 0,
  maxScore: null,
  timedOut: false,
  terminatedEarly: undefined,
  hits: [],
  facets: null,
  aggregations: null,
  failures: [],
  damaged: [],
  allFailedIn: null,
  progress: [],
  times: [],
};

/** The shards of one search: which are held, which failed. */
export class ShardRun {
  private held: HeldShard[] = [];
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
      const { plan, name, fetch, page, timeout } = planned;
      const deadline = timeout > 0 ? this.now + timeout : null;
      this.planned.set(index, { plan, name, fetch, page, deadline });
    }
    targets.forEach((target, position) => {
      const planned = plans.get(target.index.name)!;
      if ('fail' in planned) this.failures.push(planned.fail(target.shard));
      else this.acquire(target, position);
    });
  }

  /** Searches; call once. @throws as {@link Executor.search} */
  async run(): Promise<SearchOutcome> {
    const { refusal } = this.options;
    if (refusal === null) return this.search();
    const { queue } = this.host;
    const refused = queue.enter();
    if (refused !== null) {
      for (const { target } of this.held) {
        this.failures.push(refusal(target.index.name, target.shard, refused));
      }
      return { ...NOTHING_FOUND, allFailedIn: this.targets.length > 0 ? 'query' : null };
    }
    try {
      return await this.search();
    } finally {
      queue.leave();
    }
  }

  private async search(): Promise<SearchOutcome> {
    const { executor } = this.host;
    const outcome = await searchHeld(executor, this.held, this.job(), this.options.signal);
    appendAll(this.failures, outcome.failures);
    return outcome;
  }

  /** Whether there are shards and all of them failed. */
  get hasFailed(): boolean {
    return this.targets.length > 0 && this.header().successful === 0;
  }

  /** @throws EngineError when there were shards and all of them failed */
  requireSomeShard(outcome: Pick<SearchOutcome, 'allFailedIn'>): void {
    if (outcome.allFailedIn === null) return;
    throw allShardsFailed(this.options.phase, this.sortedFailures(), this.host.nodeId);
  }

  /**
   * Whether a document matches, for each query on a shard that is held; null: the shard failed over it. To be
   * called after {@link run}.
   *
   * @throws as {@link Executor.search}
   */
  async matches(asked: readonly ShardQuery[]): Promise<readonly (boolean | null)[]> {
    if (asked.length === 0) return [];
    const held = new Map(this.held.map((shard) => [shard.position, shard]));
    const shards = asked.map(({ position, query }, i) => {
      const { target, acquired } = held.get(position)!;
      const { name } = target.index;
      const { plan, deadline } = this.planned.get(name)!;
      const options = { terminateAfter: 1, similarities: plan.similarities };
      const planned = { ...countPlan(name, query, null, options), deadline };
      return { snapshot: acquired.snapshot, position: i, planned };
    });
    const job = {
      ...this.job(),
      shards,
      shardCount: shards.length,
      globalStatistics: false,
      withoutHits: true,
      isScroll: true,
      keepAliveMs: undefined,
      timesShards: false,
      onlySuggests: false,
    };
    const outcome = await this.host.executor.search(job, this.options.signal);
    appendAll(this.failures, outcome.failures);
    for (const { position, damage } of outcome.damaged) {
      held.get(asked[position]!.position)?.acquired.damaged(damage);
    }
    const totals = new Map(outcome.progress.map(({ position, total }) => [position, total]));
    return asked.map((_, i) => {
      const total = totals.get(i);
      return total === undefined ? null : total > 0;
    });
  }

  /** Notes that a shard failed after it was searched. */
  fail(failure: ShardFailure): void {
    this.failures.push(failure);
  }

  /** Shards that are asked. */
  get size(): number {
    return this.targets.length;
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

  /** Hands over the shards that did not fail; whoever gets them releases them. */
  detach(): readonly HeldShard[] {
    const failed = new Set(this.failures.map(({ index, shard }) => `${shard}/${index}`));
    const isKept = ({ target }: HeldShard): boolean =>
      !failed.has(`${target.shard}/${target.index.name}`);
    const kept = this.held.filter(isKept);
    this.held = this.held.filter((shard) => !isKept(shard));
    return kept;
  }

  release(): void {
    for (const { acquired } of this.held) acquired.release();
  }

  private job(): SearchJob {
    const {
      globalStatistics,
      rescoresGlobally,
      withoutHits,
      pagePerShard,
      keepAliveMs,
      timesShards,
      onlySuggests,
    } = this.options;
    return {
      shards: this.held.map(({ target, position, acquired }) => ({
        snapshot: acquired.snapshot,
        position,
        planned: this.plannedFor(target),
      })),
      shardCount: this.targets.length,
      globalStatistics,
      rescoresGlobally,
      fieldNames: globalStatistics && this.planned.size > 1 ? this.fieldNames() : null,
      withoutHits,
      pagePerShard,
      isScroll: keepAliveMs !== undefined,
      keepAliveMs,
      now: this.now,
      timesShards,
      onlySuggests: onlySuggests === true,
    };
  }

  private plannedFor(target: Target): PlannedSearch {
    const planned = this.planned.get(target.index.name)!;
    const { narrow } = this.options;
    if (narrow === undefined) return planned;
    const { plan } = planned;
    return { ...planned, name: undefined, plan: { ...plan, query: narrow(target, plan.query) } };
  }

  private fieldNames(): SearchJob['fieldNames'] {
    return new Map(this.targets.map(({ index }) => [index.name, fieldNamesOf(index)]));
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

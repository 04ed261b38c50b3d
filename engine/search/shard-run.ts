// The shards of one search on their way: held from the start, sorted out as they fail, released at the end.

import type { EngineError } from '../errors';
import type { CollectJob, Executor, Outcome, PreparedQuery } from '../exec/executor';
import { describeFailure } from '../exec/failure';
import type { IndexMetadata } from '../metadata/state';
import { hasNames } from '../query/named';
import { sumStatistics } from './dfs';
import { allShardsFailed, queryFailure, type Progress } from './errors';
import type { PlannedResult } from './reduce';
import type {
  FetchPlan,
  IndexPlan,
  ShardFailure,
  ShardHit,
  ShardResult,
  ShardsHeader,
  ShardView,
} from './request';
import type { Target } from './targets';

/** A snapshot of a shard, held until released. */
export interface AcquiredShard {
  readonly view: ShardView;
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

/** What one index contributes to a search, or why it cannot. */
export type PlannedIndex =
  | {
      readonly plan: IndexPlan;
      readonly fetch: FetchPlan;
      readonly page: Progress;
      readonly timeout: number;
    }
  | { readonly fail: (shard: number) => ShardFailure };

/** A shard on its way through a search. */
export interface Slot {
  readonly target: Target;
  readonly position: number;
  readonly plan: IndexPlan;
  readonly fetch: FetchPlan;
  readonly page: Progress;
  readonly timeout: number;
  readonly acquired: AcquiredShard;
}

/** A shard's result with what it ran under. */
export interface SlotResult extends PlannedResult {
  readonly slot: Slot;
}

export interface RunOptions {
  readonly phase: string;
  /** Sum term statistics over all shards before scoring. */
  readonly globalStatistics: boolean;
}

/** The shards of one search: which are held, which failed. */
export class ShardRun {
  private readonly slots: Slot[] = [];
  private readonly failures: ShardFailure[] = [];

  constructor(
    private readonly host: ShardHost,
    private readonly targets: readonly Target[],
    plans: ReadonlyMap<string, PlannedIndex>,
    private readonly options: RunOptions,
  ) {
    targets.forEach((target, position) => {
      const planned = plans.get(target.index.name)!;
      if ('fail' in planned) this.failures.push(planned.fail(target.shard));
      else this.acquire(target, position, planned);
    });
  }

  async collect(): Promise<readonly SlotResult[]> {
    const prepared = this.options.globalStatistics ? await this.prepare() : null;
    const now = this.host.now();
    const soleShard = this.targets.length === 1;
    const jobs = this.slots.map((slot): CollectJob => ({
      view: slot.acquired.view,
      plan: slot.plan,
      position: slot.position,
      prepared: prepared?.get(slot) ?? null,
      deadline: slot.timeout > 0 ? now + slot.timeout : null,
      soleShard,
      skip: soleShard && slot.plan.window > 0 ? slot.page.from : 0,
    }));
    const outcomes = await this.host.executor.collect(jobs);
    return this.successes(outcomes).map(([slot, result]: [Slot, ShardResult]) => ({
      slot,
      plan: slot.plan,
      result,
    }));
  }

  /** Renders hits, keeping their order; those of a shard that fails now are left out. */
  async fetch(hits: readonly ShardHit[]): Promise<readonly Buffer[]> {
    if (hits.length === 0) return [];
    const byShard = new Map<number, number[]>();
    hits.forEach((hit, i) => {
      const places = byShard.get(hit.shard);
      if (places === undefined) byShard.set(hit.shard, [i]);
      else places.push(i);
    });
    const now = this.host.now();
    const slots = this.slots.filter((slot) => byShard.has(slot.position));
    const jobs = slots.map((slot) => ({
      view: slot.acquired.view,
      hits: byShard.get(slot.position)!.map((i) => hits[i]!),
      fetch: slot.fetch,
      sort: slot.plan.sort,
      named: namedQueries(slot.plan),
      now,
    }));
    const outcomes = await this.host.executor.fetch(jobs);
    const rendered = new Array<Buffer | undefined>(hits.length);
    outcomes.forEach((outcome, s) => {
      const slot = slots[s]!;
      const { index, shard } = slot.target;
      if (!outcome.ok) {
        this.failures.push({ index: index.name, shard, ...outcome.failure });
        return;
      }
      byShard.get(slot.position)!.forEach((place, i) => {
        rendered[place] = asBuffer(outcome.value[i]!);
      });
    });
    if (outcomes.every((outcome) => !outcome.ok)) throw this.failed('fetch');
    return rendered.filter((hit) => hit !== undefined);
  }

  /** @throws EngineError when there were shards and all of them failed */
  requireSomeShard(): void {
    if (this.targets.length > 0 && this.failures.length >= this.targets.length)
      throw this.failed(this.options.phase);
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
    for (const { acquired } of this.slots) acquired.release();
  }

  private failed(phase: string): EngineError {
    return allShardsFailed(phase, this.sortedFailures(), this.host.nodeId);
  }

  private sortedFailures(): readonly ShardFailure[] {
    return [...this.failures].sort(
      (a, b) => (a.index < b.index ? -1 : a.index > b.index ? 1 : 0) || a.shard - b.shard,
    );
  }

  private acquire(
    target: Target,
    position: number,
    planned: Exclude<PlannedIndex, { fail: unknown }>,
  ): void {
    const { index, shard } = target;
    try {
      const acquired = this.host.acquire(index, shard);
      this.slots.push({ target, position, acquired, ...planned });
    } catch (error) {
      const failure = describeFailure(error);
      if (failure === null) {
        this.release();
        throw error;
      }
      this.failures.push({ index: index.name, shard, ...failure });
    }
  }

  /** Expanded queries with the statistics of all shards. */
  private async prepare(): Promise<ReadonlyMap<Slot, PreparedQuery>> {
    const jobs = this.slots.map((slot) => ({ view: slot.acquired.view, query: slot.plan.query }));
    const outcomes = await this.host.executor.prepare(jobs);
    const shards = this.successes(outcomes);
    const sums = sumStatistics(
      shards.map(([slot, { statistics }]) => ({ index: slot.target.index, statistics })),
    );
    return new Map(
      shards.map(
        ([slot, { query }]) =>
          [slot, { query, statistics: sums.get(slot.target.index.name)! }] as const,
      ),
    );
  }

  /** Sorts failed shards out of `slots`; their outcomes become failures of the search. */
  private successes<T>(outcomes: readonly Outcome<T>[]): [Slot, T][] {
    const good: [Slot, T][] = [];
    const slots = this.slots.splice(0);
    outcomes.forEach((outcome, i) => {
      const slot = slots[i]!;
      if (outcome.ok) {
        good.push([slot, outcome.value]);
        this.slots.push(slot);
        return;
      }
      const { index, shard } = slot.target;
      this.failures.push(queryFailure(index.name, shard, slot.page, outcome.failure));
      slot.acquired.release();
    });
    return good;
  }
}

/** The queries that have named parts, which a hit reports. */
function namedQueries(plan: IndexPlan): readonly IndexPlan['query'][] {
  const queries = plan.postFilter === null ? [plan.query] : [plan.query, plan.postFilter];
  return queries.filter(hasNames);
}

/** The bytes without copying them. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

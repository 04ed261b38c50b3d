// The job protocol: what a search asks of whoever runs it (docs/architecture.md, "Threads").
//
// prepare -> collect -> (reduce, on main) -> fetch. Everything that crosses this interface is plain data
// that the structured clone algorithm copies without loss: ids, plans, numbers, strings, typed arrays. So
// an implementation may run jobs in place (inline-executor.ts) or send them to other threads; the jobs
// themselves are the pure functions of jobs.ts.

import type {
  FetchPlan,
  IndexPlan,
  ShardHit,
  ShardResult,
  ShardView,
  SortKey,
} from '../search/request';
import type { Query } from '../query/query';
import type { SearchStatistics } from '../query/weight';

/** Asks one shard for the statistics that scores depend on. */
export interface PrepareJob {
  readonly view: ShardView;
  readonly query: Query;
}

/** A query with everything expanded that depends on the shard's terms, and the statistics of its terms. */
export interface PreparedQuery {
  readonly query: Query;
  readonly statistics: SearchStatistics;
}

/** Matches, scores, sorts and counts on one shard. */
export interface CollectJob {
  readonly view: ShardView;
  readonly plan: IndexPlan;
  /** Position of the shard among all shards of the search, in the order in which equal hits stand. */
  readonly position: number;
  /** The main query with statistics summed over all shards; null: the shard uses its own. */
  readonly prepared: PreparedQuery | null;
  /** Epoch milliseconds after which the job returns what it has; null: none. */
  readonly deadline: number | null;
  /** No other shard takes part in the search. */
  readonly soleShard: boolean;
  /** Best hits that nobody will look at, because the page begins behind them: above 0 for a sole shard only. */
  readonly skip: number;
}

/** Renders hits of one shard. */
export interface FetchJob {
  readonly view: ShardView;
  readonly hits: readonly ShardHit[];
  readonly fetch: FetchPlan;
  /** Sort keys whose values are printed, or null when hits are in score order. */
  readonly sort: readonly SortKey[] | null;
  /** Queries whose named parts are reported in `matched_queries`. */
  readonly named: readonly Query[];
  /** What remaining times to live are counted from. Epoch milliseconds. */
  readonly now: number;
}

/** Why a job failed, as plain data: status and text are what a client is told. */
export interface JobFailure {
  readonly status: number;
  /** `Name[message]`, or a chain ending in `; `. */
  readonly reason: string;
}

export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: JobFailure };

/**
 * Runs jobs. Outcomes stand in the order of the jobs; one failing job leaves the others alone. The views
 * must stay acquired until the promise settles. A rejected promise is a defect or a closed executor.
 */
export interface Executor {
  prepare(jobs: readonly PrepareJob[]): Promise<readonly Outcome<PreparedQuery>[]>;
  collect(jobs: readonly CollectJob[]): Promise<readonly Outcome<ShardResult>[]>;
  /** For each job the rendered hits, one JSON text each, in the order asked for. */
  fetch(jobs: readonly FetchJob[]): Promise<readonly Outcome<readonly Uint8Array[]>[]>;
  /** Drops what is cached of segments that no commit point names any more. */
  forget(segmentIds: readonly number[]): void;
  close(): Promise<void>;
}

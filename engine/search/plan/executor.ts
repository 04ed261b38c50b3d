// The job protocol: what a search asks of the threads that run it (docs/architecture.md, "Threads").
//
// A search is one job: prepare -> collect -> reduce -> fetch, as engine/search/run/run-search.ts puts them
// together. Everything that crosses these interfaces is plain data that the structured clone algorithm
// copies without loss: ids, plans, numbers, strings, typed arrays. So a search may run in place
// (inline-executor.ts), as a whole on another thread, or its phases on several (worker-pool.ts); the phases
// themselves are the pure functions of jobs.ts.

import type { CacheStats, CacheStatsByKind, CancelSignal } from '../../common/index';
import type { Progress } from './errors';
import type { FetchPlan, IndexPlan, ShardHit, ShardResult, SortKey } from './search-plan';
import type { Query, PreparedQuery, SearchStatistics } from '../../query/index';
import type { RescorePlan } from './rescore-plan';
import type { ShardFailure } from '../../api/index';
import type { ShardSnapshot } from '../../segment/index';
import type { JobFailure } from './failure';
import type { SegmentDamage } from '../../shard/index';
import type { FieldId } from '../../metadata/index';
import type { Similarities } from '../../similarity/index';
import type { SuggestPartial, SuggestSpec } from '../../suggest/index';

/** Asks one shard for the statistics that scores depend on. */
export interface PrepareJob {
  readonly snapshot: ShardSnapshot;
  readonly query: Query;
  /** Those that score hits again. */
  readonly rescores: readonly Query[];
  readonly similarities: Similarities;
}

/** Matches, scores, sorts and counts on one shard. */
export interface CollectJob {
  readonly snapshot: ShardSnapshot;
  readonly plan: IndexPlan;
  /** Position of the shard among all shards of the search, in the order in which equal hits stand. */
  readonly position: number;
  /** The main query with statistics summed over all shards; null: the shard uses its own. */
  readonly prepared: PreparedQuery | null;
  /** Epoch milliseconds after which the job returns what it has; null: none. */
  readonly deadline: number | null;
  /** Nothing else takes part in the search. */
  readonly soleShard: boolean;
  /**
   * Best hits that are not collected, because the page begins behind them: above 0 for a sole shard only.
   */
  readonly skip: number;
  /** The hits wanted stand behind this one in the order of hits; null: from the first one on. */
  readonly after: ShardHit | null;
  /** Positions of the segments to look at; the others only count for statistics. Null: all of them. */
  readonly segments: readonly number[] | null;
}

/** Scores hits of one shard by a query of their own. */
export interface RescoreJob {
  readonly snapshot: ShardSnapshot;
  readonly hits: readonly ShardHit[];
  readonly query: Query;
  readonly similarities: Similarities;
  /** Summed over all shards; null: the shard uses its own. */
  readonly statistics: SearchStatistics | null;
  /** Epoch milliseconds; null: there is no end. */
  readonly deadline: number | null;
}

/** Makes the suggestions of one shard. */
export interface SuggestJob {
  readonly snapshot: ShardSnapshot;
  readonly specs: readonly SuggestSpec[];
}

/** Renders hits of one shard. */
export interface FetchJob {
  readonly snapshot: ShardSnapshot;
  readonly hits: readonly ShardHit[];
  readonly fetch: FetchPlan;
  /** Sort keys whose values are printed, or null when hits are in score order. */
  readonly sort: readonly SortKey[] | null;
  /** Queries whose named parts are reported in `matched_queries`. */
  readonly named: readonly Query[];
  /** What remaining times to live are counted from. Epoch milliseconds. */
  readonly now: number;
  /** What scores are explained by, if the plan asks for it. */
  readonly explained: ExplainedSearch | null;
  /** Epoch milliseconds after which hits are shown without what takes long; null: none. */
  readonly deadline: number | null;
}

/** What became of the hits of a {@link FetchJob}. */
export interface FetchedHits {
  /** The rendered hits, one JSON text each, in the order asked for. */
  readonly texts: readonly Uint8Array[];
  /** Some are shown without what was asked for, or with a part of it: time was up. */
  readonly timedOut: boolean;
}

/** How the scores of a shard came about. */
export interface ExplainedSearch {
  readonly query: Query;
  /** With statistics summed over all shards; null: the shard uses its own. */
  readonly prepared: PreparedQuery | null;
  readonly similarities: Similarities;
  readonly indexBoost: number;
  /** The query stands within the types of the URL, or filters of aliases. */
  readonly isScoped: boolean;
  /** Stages of rescoring. */
  readonly rescores: readonly RescorePlan[];
  /** Statistics of the queries of those, as {@link RescoreJob} has them. */
  readonly rescoreStatistics: SearchStatistics | null;
}

/** The result of a job, or why it failed. */
export type Outcome<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** How long the job took, other work of the thread meanwhile included. Milliseconds. */
      readonly ms: number;
    }
  | { readonly ok: false; readonly failure: JobFailure };

/**
 * Runs the phases of one search. Outcomes stand in the order of the jobs; one failing job leaves the others
 * alone.
 */
export interface Phases {
  prepare(jobs: readonly PrepareJob[]): Promise<readonly Outcome<PreparedQuery>[]>;
  collect(jobs: readonly CollectJob[]): Promise<readonly Outcome<ShardResult>[]>;
  /**
   * For each job the scores of its hits, in their order; NaN: the query does not match. Null: there was not
   * enough time.
   */
  rescore(jobs: readonly RescoreJob[]): Promise<readonly Outcome<Float64Array | null>[]>;
  suggest(jobs: readonly SuggestJob[]): Promise<readonly Outcome<SuggestPartial>[]>;
  fetch(jobs: readonly FetchJob[]): Promise<readonly Outcome<FetchedHits>[]>;
}

/** What a search does on the shards of one index. */
export interface PlannedSearch {
  readonly plan: IndexPlan;
  /** What tells the plan from all others ({@link planName}), where it is known already. */
  readonly name?: string | undefined;
  readonly fetch: FetchPlan;
  readonly page: Progress;
  /** Epoch milliseconds after which shards return what they have; null: none. */
  readonly deadline: number | null;
}

/** One shard of a search. */
export interface SearchShard {
  readonly snapshot: ShardSnapshot;
  /** Position among all shards of the search, in the order in which equal hits stand. */
  readonly position: number;
  readonly planned: PlannedSearch;
  /** Its page begins behind this hit; absent or null: with the first one. */
  readonly after?: ShardHit | null;
  /** What earlier pages of a rescored scroll found and did not show, in the order in which it comes. */
  readonly pending?: readonly ShardHit[];
  /** What an earlier page prepared; else it is done anew where the search asks for it. */
  readonly prepared?: PreparedQuery | null;
}

/** A whole search. */
export interface SearchJob {
  /** The shards that can be searched, by position. */
  readonly shards: readonly SearchShard[];
  /** All shards of the search, those included that have failed before. */
  readonly shardCount: number;
  /** Sum term statistics over all shards before scoring. */
  readonly globalStatistics: boolean;
  /** Rescoring takes part in that. compat: it does not where the search type was asked for. */
  readonly rescoresGlobally: boolean;
  /** Names of fields by index and id, for summing over several indices; null where that is not needed. */
  readonly fieldNames: ReadonlyMap<string, ReadonlyMap<FieldId, string>> | null;
  /** No hits are shown, whatever the page says (`search_type=count`). */
  readonly withoutHits: boolean;
  /** Nothing is searched: suggestions are all that is asked for. */
  readonly onlySuggests?: boolean;
  /** Every shard brings a page of its own (`query_and_fetch`). */
  readonly pagePerShard: boolean;
  /** Epoch milliseconds at which the search began. */
  readonly now: number;
  /** Tell where each shard stopped, so that the next page can begin there. */
  readonly isScroll: boolean;
  /** How long its snapshots are needed for more pages, in milliseconds; absent: not beyond the search. */
  readonly keepAliveMs?: number | undefined;
  /** Tell how long each shard took. */
  readonly timesShards: boolean;
}

/** How long a shard took for its part of a search. */
export interface ShardTimes {
  /** Its position among all shards of the search. */
  readonly position: number;
  /** Milliseconds. */
  readonly queryMs: number;
  /** Null: it had no hits to show. */
  readonly fetchMs: number | null;
}

/** How far a shard has come with a page of a scroll. */
export interface ShardProgress {
  /** Its position among all shards of the search. */
  readonly position: number;
  /** All its matches. */
  readonly total: number;
  /** Hits that it found for this page; not all of them need be shown. */
  readonly found: number;
  /** Where its next page begins; null: where this one did. */
  readonly after: ShardHit | null;
  /** Hits before that, of a rescored scroll, that later pages show. */
  readonly pending: readonly ShardHit[];
  /** Its query with the statistics of all shards, where these were summed. */
  readonly prepared: PreparedQuery | null;
  readonly timedOut: boolean;
}

/** What a shard suggests. */
export interface ShardSuggest {
  /** Its position among all shards of the search. */
  readonly position: number;
  readonly partial: SuggestPartial;
}

/** JSON, long ones that come from another thread as bytes. */
export type JsonText = string | Uint8Array;

/** The answer to a search. */
export interface SearchOutcome {
  readonly total: number;
  /** As {@link SearchResponse} has it. */
  readonly maxScore: number | null;
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  /** The hits of the page, one JSON text each. */
  readonly hits: readonly Uint8Array[];
  /** The facets as JSON text by name, or null when none was asked for. */
  readonly facets: ReadonlyMap<string, JsonText> | null;
  /** The aggregations in the same way. */
  readonly aggregations: ReadonlyMap<string, JsonText> | null;
  /** What each shard suggests, by position; missing: nothing was asked for. */
  readonly suggest?: readonly ShardSuggest[];
  /** Shards that failed on the way. */
  readonly failures: readonly ShardFailure[];
  /** Those of them, by position, that failed over damaged segments. */
  readonly damaged: readonly { readonly position: number; readonly damage: SegmentDamage }[];
  /** Those of them, by position, whose snapshots are lost; absent: none. */
  readonly lost?: readonly number[];
  /** The phase in which the last shard failed, or null when one is left. */
  readonly allFailedIn: 'query' | 'fetch' | null;
  /** Of the shards that did not fail, if that was asked for; else empty. */
  readonly times: readonly ShardTimes[];
  /** Of the shards that did not fail, if it is a scroll; else empty. */
  readonly progress: readonly ShardProgress[];
}

/** Runs searches. */
export interface Executor {
  /**
   * Runs a search. Its snapshots must stay acquired until the promise settles. Once `signal` is aborted the
   * promise rejects soon.
   *
   * @throws EngineError where the search as a whole is refused, was cancelled, or its thread died; storage
   *         errors; anything else is a defect
   */
  search(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome>;
  /** What is cached for searches, on all threads. */
  caches(): Promise<CacheStats>;
  /** The same by kind only, without waiting for a thread that is busy. */
  cacheStatsByKind(): Promise<CacheStatsByKind>;
  /** Drops what is cached of segments that no commit point names any more. */
  forget(segmentIds: readonly number[]): void;
  close(): Promise<void>;
}

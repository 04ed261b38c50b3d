// A search from its job to its answer: [prepare] -> collect -> reduce -> fetch, over whoever runs the
// phases. A shard that fails on the way is left out and reported.

import type {
  CollectJob,
  ExplainedSearch,
  FetchJob,
  FetchedHits,
  Outcome,
  Phases,
  SearchJob,
  SearchOutcome,
  SearchShard,
  ShardSuggest,
} from '../plan/executor';
import {
  concluded,
  hasConclusion,
  type ReducedAggregation,
  TOP_HITS_TYPE,
} from '../../aggregations/index';
import { inSlices } from '../../common/index';
import { TypeConflict } from '../../counting/index';
import { EngineError } from '../../errors';
import { hasNames, type PreparedQuery } from '../../query/index';
import { sumStatistics } from './dfs';
import { queryFailure, suggestFailure } from '../plan/errors';
import {
  hitsBehind,
  maxScore,
  reduceAggregations,
  renderAggregations,
  mergeFacets,
  mergeHits,
  type PlannedResult,
} from './reduce';
import { BucketHits } from './bucket-hits';
import { rescored } from './rescore';
import type { IndexPlan, ShardHit, ShardResult } from '../plan/search-plan';
import { compareHits } from '../sort/hit-order';
import type { ShardFailure } from '../../api/index';
import type { JobFailure } from '../plan/failure';

/**
 * @throws EngineError when indices disagree about the types of a facet, and whatever `phases` rejects with
 */
export function runSearch(job: SearchJob, phases: Phases): Promise<SearchOutcome> {
  return new SearchRun(job, phases).run();
}

const NO_PROGRESS: SearchOutcome['progress'] = [];
const NOTHING_COUNTED = { facets: null, aggregations: null };

class SearchRun {
  /** Shards that have not failed. */
  private shards: readonly SearchShard[];
  private readonly failures: ShardFailure[] = [];
  private readonly damaged: SearchOutcome['damaged'][number][] = [];
  private readonly lost: number[] = [];
  /** By shard, if the search sums statistics. */
  private prepared: ReadonlyMap<SearchShard, PreparedQuery> | null = null;
  /** The last hit that each shard found by its query, before it was rescored. */
  private readonly lastFound = new Map<SearchShard, ShardHit>();
  /** There was not enough time to rescore, or for what hits show. */
  private laterTimedOut = false;
  /** By shard; filled if that is asked for. */
  private readonly times = new Map<SearchShard, { queryMs: number; fetchMs: number | null }>();

  constructor(
    private readonly job: SearchJob,
    private readonly phases: Phases,
  ) {
    this.shards = job.shards;
  }

  async run(): Promise<SearchOutcome> {
    this.refuseAtOnce();
    let results: readonly PlannedResult[] = [];
    if (this.job.onlySuggests !== true) results = await this.collect();
    let suggest: readonly ShardSuggest[] | undefined;
    if (this.shards.some(({ planned }) => planned.plan.suggest !== undefined)) {
      const collected = this.shards;
      suggest = await this.suggest();
      if (this.shards.length < collected.length) {
        const left = new Set(this.shards);
        results = results.filter((_, i) => left.has(collected[i]!));
      }
    }
    if (this.shards.length === 0) {
      return this.answer(results, [], NOTHING_COUNTED, this.job.shardCount > 0 ? 'query' : null);
    }
    const { from, size } = this.shards[0]!.planned.page;
    const facets = this.addedUp(() => mergeFacets(results));
    const reduced = await this.concluded(this.addedUp(() => reduceAggregations(results)));
    const { isScroll, pagePerShard, withoutHits } = this.job;
    // compat: a scroll that brings a page of every shard brings the best hits of them all.
    const wanted = isScroll && pagePerShard ? size * results.length : size;
    const page = mergeHits(results, from, withoutHits ? 0 : wanted, pagePerShard && !isScroll);
    // Before hits are fetched: shards that fail then are sorted out.
    const progress = isScroll ? this.progress(results, page, wanted) : NO_PROGRESS;
    const hits = await this.fetch(page);
    // compat: where hits are fetched in a step of their own, the answer goes without those that fail.
    const failedIn = hits === null && this.isOneStep ? 'fetch' : null;
    const counted = { facets, aggregations: await this.withHits(reduced) };
    const answer = this.answer(results, hits ?? [], counted, failedIn, progress);
    return suggest === undefined ? answer : { ...answer, suggest };
  }

  /** Whether hits are fetched in the step that finds them. */
  private get isOneStep(): boolean {
    return this.job.shardCount === 1 || this.job.pagePerShard;
  }

  /** compat: shards that cannot fetch hits in the step that finds them have no say at all. */
  private refuseAtOnce(): void {
    if (this.job.withoutHits || !this.isOneStep) return;
    this.shards = this.shards.filter((shard) => {
      const { refusal } = shard.planned.fetch;
      if (refusal !== undefined) this.failures.push(fetchFailure(shard, refusal));
      return refusal === undefined;
    });
  }

  private answer(
    results: readonly PlannedResult[],
    hits: SearchOutcome['hits'],
    counted: Pick<SearchOutcome, 'facets' | 'aggregations'>,
    allFailedIn: SearchOutcome['allFailedIn'],
    progress: SearchOutcome['progress'] = NO_PROGRESS,
  ): SearchOutcome {
    return {
      total: results.reduce((sum, { result }) => sum + result.total, 0),
      maxScore: maxScore(results),
      timedOut: this.laterTimedOut || results.some(({ result }) => result.timedOut),
      terminatedEarly: terminatedEarly(results),
      hits,
      ...counted,
      failures: this.failures,
      damaged: this.damaged,
      ...(this.lost.length === 0 ? {} : { lost: this.lost }),
      allFailedIn,
      progress,
      times:
        allFailedIn === 'query'
          ? []
          : Array.from(this.times, ([{ position }, { queryMs, fetchMs }]) => {
              return { position, queryMs, fetchMs };
            }),
    };
  }

  /** Where the next page begins: behind the last hit of this one, or of the shard's share of it. */
  private progress(
    results: readonly PlannedResult[],
    page: readonly ShardHit[],
    size: number,
  ): SearchOutcome['progress'] {
    const { pagePerShard } = this.job;
    const last = page.at(-1) ?? null;
    const lastOf = new Map(page.map((hit) => [hit.shard, hit]));
    const isRescored = this.shards[0]!.planned.plan.rescores !== undefined;
    const behind = isRescored ? hitsBehind(results, size) : null;
    const afterOf = (shard: SearchShard): ShardHit | null => {
      if (isRescored) return this.lastFound.get(shard) ?? null;
      return pagePerShard ? (lastOf.get(shard.position) ?? null) : last;
    };
    return this.shards.map((shard, i) => {
      const { result } = results[i]!;
      const { position } = shard;
      return {
        position,
        total: result.total,
        found: result.hits.length,
        after: afterOf(shard),
        pending: behind?.get(position) ?? [],
        prepared: this.prepared?.get(shard) ?? null,
        timedOut: result.timedOut,
      };
    });
  }

  private async collect(): Promise<readonly PlannedResult[]> {
    const { job } = this;
    this.prepared = job.globalStatistics ? await this.prepare() : null;
    const soleShard = job.shardCount === 1;
    const jobs = this.shards.map((shard): CollectJob => ({
      snapshot: shard.snapshot,
      plan: planOf(shard),
      position: shard.position,
      prepared: this.prepared?.get(shard) ?? shard.prepared ?? null,
      deadline: shard.planned.deadline,
      soleShard,
      skip: soleShard && skipsHits(shard.planned.plan) ? shard.planned.page.from : 0,
      after: shard.after ?? null,
      segments: null,
    }));
    const outcomes = await this.phases.collect(jobs);
    if (job.timesShards) {
      outcomes.forEach((outcome, i) => {
        if (outcome.ok) this.times.set(this.shards[i]!, { queryMs: outcome.ms, fetchMs: null });
      });
    }
    let results = this.successes(outcomes);
    const stages = this.shards[0]?.planned.plan.rescores?.length ?? 0;
    if (stages > 0) {
      for (const [shard, { hits }] of results) {
        if (hits.length > 0) this.lastFound.set(shard, hits.at(-1)!);
      }
    }
    for (let stage = 0; stage < stages && !this.laterTimedOut; stage++) {
      results = await this.rescore(stage, results);
    }
    return results.map(([{ planned, pending }, result]) => {
      return { plan: planned.plan, result: withPending(result, pending ?? []) };
    });
  }

  /**
   * What a stage of rescoring makes of the hits of all shards; the highest score stays what it was. Where one
   * of them has not enough time, none is rescored: scores of the stage are not to be compared with others.
   */
  private async rescore(
    stage: number,
    results: readonly [SearchShard, ShardResult][],
  ): Promise<[SearchShard, ShardResult][]> {
    const jobs = results.map(([shard, { hits }]) => {
      const { window, query } = shard.planned.plan.rescores![stage]!;
      const prepared = this.prepared?.get(shard) ?? shard.prepared;
      const whole = this.job.rescoresGlobally ? prepared : undefined;
      const statistics = whole?.statistics ?? null;
      const { similarities } = shard.planned.plan;
      const first = hits.slice(0, window);
      const { deadline } = shard.planned;
      return { snapshot: shard.snapshot, hits: first, query, similarities, statistics, deadline };
    });
    const byShard = new Map(results);
    const scored = this.successes(await this.phases.rescore(jobs));
    this.laterTimedOut = scored.some(([, scores]) => scores === null);
    return scored.map(([shard, scores]) => {
      const result = byShard.get(shard)!;
      if (this.laterTimedOut || scores === null) return [shard, result];
      const plan = shard.planned.plan.rescores![stage]!;
      return [shard, { ...result, hits: rescored(result.hits, scores, plan) }];
    });
  }

  private async suggest(): Promise<readonly ShardSuggest[]> {
    const jobs = this.shards.map(({ snapshot, planned }) => ({
      snapshot,
      specs: planned.plan.suggest ?? [],
    }));
    const results = this.successes(await this.phases.suggest(jobs));
    return results.map(([{ position }, partial]) => ({ position, partial }));
  }

  /** Expanded queries with the statistics of all shards. */
  private async prepare(): Promise<ReadonlyMap<SearchShard, PreparedQuery>> {
    const jobs = this.shards.map(({ snapshot, planned }) => ({
      snapshot,
      query: planned.plan.query,
      similarities: planned.plan.similarities,
      rescores: this.job.rescoresGlobally
        ? (planned.plan.rescores ?? []).map(({ query }) => query)
        : [],
    }));
    const shards = this.successes(await this.phases.prepare(jobs));
    const sums = sumStatistics(
      shards.map(([{ snapshot }, { statistics }]) => ({ index: snapshot.index, statistics })),
      this.job.fieldNames,
    );
    return new Map(
      shards.map(
        ([shard, { query }]) =>
          [shard, { query, statistics: sums.get(shard.snapshot.index)! }] as const,
      ),
    );
  }

  /** Renders hits, keeping their order; those of a shard that fails now are left out. Null: all failed. */
  private async fetch(hits: readonly ShardHit[]): Promise<readonly Uint8Array[] | null> {
    if (hits.length === 0) return [];
    const hitIndexes = new Map<number, number[]>();
    hits.forEach((hit, i) => {
      const own = hitIndexes.get(hit.shard);
      if (own === undefined) hitIndexes.set(hit.shard, [i]);
      else own.push(i);
    });
    const shards = this.shards.filter(({ position }) => hitIndexes.has(position));
    const jobs = shards.map((shard): FetchJob => {
      const { snapshot, position, planned } = shard;
      return {
        snapshot,
        hits: hitIndexes.get(position)!.map((i) => hits[i]!),
        fetch: planned.fetch,
        sort: planned.plan.sort,
        named: namedQueries(planned.plan),
        now: this.job.now,
        explained: planned.fetch.explain === null ? null : this.explained(shard),
        deadline: planned.deadline,
      };
    });
    const outcomes = await this.fetched(jobs);
    const rendered = new Array<Uint8Array | undefined>(hits.length);
    outcomes.forEach((outcome, s) => {
      const shard = shards[s]!;
      if (outcome.ok) {
        const times = this.times.get(shard);
        if (times !== undefined) times.fetchMs = outcome.ms;
        hitIndexes
          .get(shard.position)!
          .forEach((hitIndex, i) => (rendered[hitIndex] = outcome.value.texts[i]!));
        this.laterTimedOut ||= outcome.value.timedOut;
      } else {
        this.failures.push(fetchFailure(shard, outcome.failure));
        this.noteDamage(shard, outcome.failure);
      }
    });
    if (outcomes.every((outcome) => !outcome.ok)) return null;
    return rendered.filter((hit) => hit !== undefined);
  }

  /** What becomes of fetches; nobody is asked for those that are refused. */
  private async fetched(jobs: readonly FetchJob[]): Promise<readonly Outcome<FetchedHits>[]> {
    const accepted = jobs.filter(({ fetch }) => fetch.refusal === undefined);
    const outcomes = (await this.phases.fetch(accepted)).values();
    return jobs.map(({ fetch: { refusal } }) =>
      refusal === undefined ? outcomes.next().value! : { ok: false, failure: refusal },
    );
  }

  /** What scripts make of aggregations that are added up; the event loop gets its turns meanwhile. */
  private async concluded(
    added: readonly ReducedAggregation[],
  ): Promise<readonly ReducedAggregation[]> {
    if (!added.some(hasConclusion)) return added;
    try {
      return await Promise.all(added.map((each) => inSlices(concluded(each))));
    } catch (error) {
      throw error instanceof EngineError ? this.reduceFailure(error) : error;
    }
  }

  /** What shards counted, put together. */
  private addedUp<T>(add: () => T): T {
    try {
      return add();
    } catch (error) {
      throw error instanceof TypeConflict ? this.reduceFailure(error) : error;
    }
  }

  /** compat: named after the phase in which the reference server, by the type of the search, adds up. */
  private reduceFailure(cause: EngineError): EngineError {
    const { withoutHits, pagePerShard, globalStatistics } = this.job;
    const last = pagePerShard || globalStatistics ? 'merge' : 'fetch';
    const message = `Failed to execute phase [${withoutHits ? 'query' : last}], [reduce] `;
    return new EngineError('ReduceSearchPhaseException', message, { cause });
  }

  /** Aggregations as texts, those of hits with their hits. */
  private async withHits(
    reduced: readonly ReducedAggregation[],
  ): Promise<SearchOutcome['aggregations']> {
    if (!reduced.some(hasHits)) return renderAggregations(reduced, () => null);
    const buckets = new BucketHits(reduced);
    const jobs = buckets.jobs(this.shards, this.job.now, (shard) => this.explained(shard));
    const outcomes = await this.phases.fetch(jobs.map(({ job }) => job));
    outcomes.forEach((outcome, i) => {
      const { shard } = jobs[i]!;
      if (outcome.ok) {
        buckets.take(jobs[i]!, outcome.value.texts);
        this.laterTimedOut ||= outcome.value.timedOut;
      } else {
        this.failures.push(fetchFailure(shard, outcome.failure));
        this.noteDamage(shard, outcome.failure);
      }
    });
    return buckets.render();
  }

  /** How the scores of a shard came about. */
  private explained(shard: SearchShard): ExplainedSearch {
    const { plan, fetch } = shard.planned;
    const other = fetch.explain?.query;
    const prepared = this.prepared?.get(shard) ?? shard.prepared ?? null;
    return {
      query: other ?? plan.query,
      prepared: other === undefined ? prepared : null,
      similarities: plan.similarities,
      indexBoost: plan.indexBoost,
      isScoped: plan.scope !== null,
      rescores: plan.rescores ?? [],
      rescoreStatistics: this.job.rescoresGlobally ? (prepared?.statistics ?? null) : null,
    };
  }

  /** Sorts failed shards out; their outcomes become failures of the search. */
  private successes<T>(outcomes: readonly Outcome<T>[]): [SearchShard, T][] {
    const good: [SearchShard, T][] = [];
    outcomes.forEach((outcome, i) => {
      const shard = this.shards[i]!;
      const { index, shardNumber } = shard.snapshot;
      if (outcome.ok) good.push([shard, outcome.value]);
      else {
        const failure =
          this.job.onlySuggests === true
            ? suggestFailure(index, shardNumber, outcome.failure.reason)
            : queryFailure(index, shardNumber, shard.planned.page, outcome.failure);
        this.failures.push(failure);
        this.noteDamage(shard, outcome.failure);
      }
    });
    this.shards = good.map(([shard]) => shard);
    return good;
  }

  private noteDamage({ position }: SearchShard, { damage, isLost }: JobFailure): void {
    if (damage !== undefined) this.damaged.push({ position, damage });
    if (isLost === true) this.lost.push(position);
  }
}

function fetchFailure({ snapshot }: SearchShard, { status, reason }: JobFailure): ShardFailure {
  return { index: snapshot.index, shard: snapshot.shardNumber, status, reason };
}

/** No more hits are looked for where a page of them is left from earlier ones. */
function planOf({ planned: { plan, page }, pending }: SearchShard): IndexPlan {
  const hasPage = pending !== undefined && pending.length >= page.size;
  return hasPage ? { ...plan, window: 0 } : plan;
}

/** With the hits that are left from earlier pages. */
function withPending(result: ShardResult, pending: readonly ShardHit[]): ShardResult {
  if (pending.length === 0) return result;
  const hits = pending.concat(result.hits).sort((a, b) => compareHits(null, a, b));
  return { ...result, hits };
}

/** Whether the hits before the page need not be kept: they do where their order may change. */
function skipsHits({ window, rescores }: IndexPlan): boolean {
  return window > 0 && rescores === undefined;
}

/** The queries that have named parts, which a hit reports. */
function namedQueries(plan: IndexPlan): readonly IndexPlan['query'][] {
  const queries = plan.postFilter === null ? [plan.query] : [plan.query, plan.postFilter];
  return queries.filter(hasNames);
}

function hasHits({ kind, subs }: ReducedAggregation): boolean {
  return kind.type === TOP_HITS_TYPE || subs.some(hasHits);
}

function terminatedEarly(results: readonly PlannedResult[]): boolean | undefined {
  if (!results.some(({ plan }) => plan.terminateAfter > 0)) return undefined;
  return results.some(({ result }) => result.terminatedEarly);
}

// Search and count from request to response: the spine of the read side.
//
// resolve names -> parse and plan per index (parse/plan-search.ts) -> shards (targets.ts) ->
// acquire (shard-run.ts) -> run (run-search.ts). A shard that fails on the way is left out and reported; the
// search fails only when no shard is left.

import {
  type ClusterState,
  type IndexMetadata,
  type IndicesOptions,
  assertNoneBlocked,
  confinedByAliases,
  effectiveAliasFilters,
  resolveIndices,
  shardOf,
  singleIndex,
} from '../metadata/index';
import type { CancelSignal, RequestLimits } from '../common/index';
import type { IndexMapping } from '../mapping/index';
import { broadcastFailure, shardFailure } from './plan/errors';
import { openScroll } from './scroll/open-scroll';
import type { ScrollContexts } from './scroll/scroll-contexts';
import { asBuffer, asOutput, bytesOf } from './run/outcome';
import { Scroller } from './scroll/scroller';
import { writeJson } from '../json/index';
import { planCount } from './count';
import { mayExplain } from './parse/parse-search';
import { planSearch } from './parse/plan-search';
import { extraSource } from './parse/extra-source';
import { searchFromTemplate } from './from-template';
import type { SearchSource } from './parse/parse-search';
import { timesSearches, type SlowLogger } from '../shard/index';
import { SearchContext, type ParseServices } from '../query/index';
import { EngineError } from '../errors';
import { ShardRun, type ShardHost } from './shard-run';
import { logSlow } from './slow-search';
import { assertPreference, searchTargets, type Target } from './plan/targets';
import { type ReadSource, SourceLookUps } from './source-look-ups';
import { failedSearch, unreadableCount, unreadableSearch } from './unreadable-body';
import { collated } from './collate';
import { planSuggest, suggestionsOf, unplanned } from './suggest';
import { explainFailure, explainResult, planExplain } from './explain-document';
import { validateQuery } from './validate';
import type { ScriptLibrary } from '../script/index';
import type {
  SearchRequest,
  SearchResponse,
  SearchType,
  CountRequest,
  CountResponse,
  ExplainRequest,
  ExplainResult,
  SuggestRequest,
  SuggestResponse,
  QueryValidation,
} from '../api/index';
import { type KeptPlan, KeptPlans } from './plan/kept-plans';
import { planAll } from './plan/plan-all';
import type { PlannedIndex } from './plan/planned-index';

/** A routing value that no alias is likely to have. */
const ONE_SHARD = '\0';

/** How a query names indices (the `indices` query): what is unknown stands for nothing. */
const LENIENT: IndicesOptions = {
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: true,
  forbidClosed: false,
};

/** What searching needs of the node. */
export interface SearchHost extends ShardHost {
  state(): ClusterState;
  mapping(index: IndexMetadata): IndexMapping;
  readonly defaultSearchType: SearchType;
  readonly limits: RequestLimits;
  /** Bytes that the facets of a search may hold on a shard. */
  readonly facetMemory: number;
  /** Reads a document that a request looks into. */
  readonly readSource: ReadSource;
  /** Bytes that the documents which a request looks into may have. */
  readonly lookUpMemory: number;
  readonly slowLogger: SlowLogger;
  /** The scripts that requests may name. @param lookUps reads those that are documents elsewhere */
  scripts(lookUps?: SourceLookUps): ScriptLibrary;
}

/** How shards are asked for something that is no page of hits. */
function broadcast(signal: CancelSignal | undefined) {
  return {
    phase: 'query',
    globalStatistics: false,
    rescoresGlobally: false,
    withoutHits: true,
    pagePerShard: false,
    timesShards: false,
    onlySuggests: false,
    signal,
    refusal: broadcastFailure,
  };
}

/** Bytes of a plan for each character of the request, about. */
const PLAN_BYTES = 4;

/** What was asked for while a request was read. */
interface ServiceUses {
  /** Nothing that may be something else the next time, by the same cluster state. */
  isRepeatable: boolean;
}

/** A search that has been read. */
interface PlannedRequest extends KeptPlan {
  readonly request: SearchRequest;
  /** What its plans take, about. */
  readonly planBytes: number;
  /** Whether it is read the same way the next time. */
  readonly isRepeatable: () => boolean;
  readonly lookUps: SourceLookUps;
  readonly context: (index: IndexMetadata) => SearchContext;
}

/** Answers searches, counts and validations. */
export class Searcher {
  /** Makes further pages of searches that are kept open. */
  readonly scroller: Scroller;
  private readonly keptPlans = new KeptPlans();

  /** @param owner whose scrolls it opens and pages; null: of somebody who may see everything */
  constructor(
    private readonly host: SearchHost,
    private readonly scrolls: ScrollContexts,
    private readonly owner: string | null = null,
  ) {
    this.scroller = new Scroller(host, scrolls, owner);
  }

  /**
   * @throws EngineError when the request is refused, no shard could answer, or indices disagree about the
   *         types of a facet
   */
  search(asked: SearchRequest): Promise<SearchResponse> {
    return asked.scroll === undefined
      ? this.answer(asked)
      : this.scrolls.reserved(() => this.answer(asked));
  }

  private async answer(asked: SearchRequest): Promise<SearchResponse> {
    const start = performance.now();
    const state = this.host.state();
    const searchType = asked.searchType ?? this.host.defaultSearchType;
    const key = keptUnder(asked, searchType);
    const kept = key === null ? null : this.keptPlans.get(key, state);
    const planning =
      kept === null ? this.planned(asked, state, searchType) : this.known(asked, kept);
    const search = planning instanceof Promise ? await planning : planning;
    if (key !== null && kept === null && search.isRepeatable()) {
      this.keptPlans.keep(key, state, search);
    }
    return this.run(search, searchType, start);
  }

  /** A search whose plan is kept. */
  private known(request: SearchRequest, { targets, plans }: KeptPlan): PlannedRequest {
    return {
      request,
      planBytes: 0,
      targets,
      plans,
      isRepeatable: () => true,
      lookUps: this.lookUps(),
      context: (index) => {
        throw new Error(`a search of ${index.name} was kept that is to be planned further`);
      },
    };
  }

  /** Reads and plans a search: at once, or a promise of it. @throws EngineError as {@link search} */
  private planned(
    asked: SearchRequest,
    whole: ClusterState,
    searchType: SearchType,
  ): PlannedRequest | Promise<PlannedRequest> {
    const indices = this.readableIndices(whole, asked);
    const state = confinedByAliases(whole, indices, asked.indices);
    if (asked.isTemplate !== true) return this.plannedAs(asked, state, indices, searchType);
    const rendered = this.rendered(asked, state, indices);
    return rendered instanceof Promise
      ? rendered.then((request) => this.plannedAs(request, state, indices, searchType))
      : this.plannedAs(rendered, state, indices, searchType);
  }

  private plannedAs(
    request: SearchRequest,
    state: ClusterState,
    indices: readonly string[],
    searchType: SearchType,
  ): PlannedRequest | Promise<PlannedRequest> {
    const { bodyError, bodyText } = request;
    if (request.scroll !== undefined) this.scrolls.keepAlive(request.scroll);
    if (bodyError !== undefined) {
      throw unreadableSearch(bodyText, bodyError, state, indices, this.host.nodeId);
    }
    const extra = extraSource(request.params);
    const sources: SearchSource[] = [];
    if (request.body.size > 0 || bodyText !== null) {
      sources.push({ members: request.body, text: bodyText ?? '' });
    }
    if (extra !== null) sources.push({ members: extra, text: writeJson(extra) });
    const ofOneIndex = PLAN_BYTES * sources.reduce((sum, { text }) => sum + text.length, 0);
    request.memory?.grow(ofOneIndex * Math.max(0, indices.length - 1));
    const planBytes = ofOneIndex * Math.max(1, indices.length);
    const targets = targetsOf(state, request, indices);
    const lookUps = this.lookUps();
    const uses: ServiceUses = { isRepeatable: true };
    const texts = mayExplain(sources) ? 'scored' : undefined;
    const services = this.services(state, lookUps, texts, uses);
    const context = (index: IndexMetadata): SearchContext =>
      this.context(index, request.types, services);
    const planIndex = (index: IndexMetadata): PlannedIndex =>
      planSearch(sources, context(index), {
        searchType,
        aliasFilters: effectiveAliasFilters(state, index.name, request.indices),
        facetMemory: this.host.facetMemory,
        isScroll: request.scroll !== undefined,
      });
    const planned = lookUps.resolve(() => planAll(targets, planIndex, request.signal));
    const isRepeatable = () => uses.isRepeatable;
    const of = (plans: KeptPlan['plans']): PlannedRequest => {
      return { request, planBytes, targets, plans, isRepeatable, lookUps, context };
    };
    return planned instanceof Promise ? planned.then(of) : of(planned);
  }

  private async run(
    { request, planBytes, targets, plans, lookUps, context }: PlannedRequest,
    searchType: SearchType,
    start: number,
  ): Promise<SearchResponse> {
    const { scroll } = request;
    const keepAliveMs = scroll === undefined ? undefined : this.scrolls.keepAlive(scroll);
    const rescoresGlobally = request.searchType === undefined;
    const run = new ShardRun(this.host, targets, plans, {
      phase: phaseName(searchType, targets.length),
      globalStatistics: searchType.startsWith('dfs_') && targets.length > 1,
      rescoresGlobally,
      withoutHits: searchType === 'count' || searchType === 'scan',
      pagePerShard: searchType.endsWith('_and_fetch'),
      keepAliveMs,
      signal: request.signal,
      timesShards: targets.some(({ index }) => timesSearches(index.settings)),
      refusal: shardFailure,
    });
    try {
      const outcome = await run.run();
      const { hits } = outcome;
      if (outcome.times.length > 0) {
        logSlow(this.host.slowLogger, {
          request,
          searchType,
          extra: extraSource(request.params),
          targets,
          times: outcome.times,
        });
      }
      run.requireSomeShard(outcome);
      // compat: where all fail over what hits show, the answer goes without hits.
      const { hasFailed } = run;
      const suggest = await collated(outcome.suggest, {
        run,
        targets,
        plans,
        lookUps,
        signal: request.signal,
        context,
        failure: shardFailure,
      });
      if (run.hasFailed && !hasFailed) run.requireSomeShard({ allFailedIn: 'query' });
      request.memory?.grow(bytesOf(outcome));
      if (keepAliveMs !== undefined && searchType === 'count') throw scrollOfCount();
      const scrollId =
        keepAliveMs === undefined
          ? undefined
          : openScroll(this.scrolls, run, {
              owner: this.owner,
              searchType,
              rescoresGlobally,
              keepAliveMs,
              plans,
              outcome,
              bytes: planBytes,
            });
      return {
        scrollId,
        tookMs: Math.floor(performance.now() - start),
        timedOut: outcome.timedOut,
        terminatedEarly: outcome.terminatedEarly,
        shards: run.header(),
        total: outcome.total,
        maxScore: outcome.maxScore,
        hits: hits.map(asBuffer),
        facets: asOutput(outcome.facets),
        aggregations: asOutput(outcome.aggregations),
        suggest: suggest === undefined ? undefined : suggestionsOf(suggest, targets, plans),
      };
    } finally {
      run.release();
    }
  }

  /**
   * Suggests. Shard failures are part of the response, also when all shards failed.
   *
   * @throws EngineError when the request is refused, or the suggestions of shards do not fit together
   */
  async suggest(request: SuggestRequest): Promise<SuggestResponse> {
    const whole = this.host.state();
    const indices = this.readableIndices(whole, request);
    const state = confinedByAliases(whole, indices, request.indices);
    const targets = targetsOf(state, request, indices);
    const { body, bodyError } = request;
    const lookUps = this.lookUps();
    const services = this.services(state, lookUps);
    const context = (index: IndexMetadata): SearchContext => this.context(index, [], services);
    const plans = await planAll(
      targets,
      (index) => {
        if (bodyError !== undefined)
          return { fail: (shard) => unplanned(index.name, shard, bodyError) };
        return planSuggest(body, context(index));
      },
      request.signal,
    );
    const run = new ShardRun(this.host, targets, plans, {
      ...broadcast(request.signal),
      onlySuggests: true,
    });
    try {
      const suggest = await collated((await run.run()).suggest, {
        run,
        targets,
        plans,
        lookUps,
        signal: request.signal,
        context,
        failure: unplanned,
      });
      return { shards: run.header(), suggestions: suggestionsOf(suggest, targets, plans) };
    } finally {
      run.release();
    }
  }

  /** Shard failures are part of the response, also when all shards failed; a refused request rejects. */
  async count(request: CountRequest): Promise<CountResponse> {
    const whole = this.host.state();
    const indices = this.readableIndices(whole, request);
    const state = confinedByAliases(whole, indices, request.indices);
    if (request.bodyError !== undefined) return unreadableCount(request.bodyError, state, indices);
    const targets = targetsOf(state, request, indices);
    const lookUps = this.lookUps();
    const services = this.services(state, lookUps);
    const planIndex = (index: IndexMetadata): PlannedIndex => {
      const context = this.context(index, request.types, services);
      const filters = effectiveAliasFilters(state, index.name, request.indices);
      return planCount(request, context, filters);
    };
    const planned = lookUps.resolve(() => planAll(targets, planIndex, request.signal));
    const plans = planned instanceof Promise ? await planned : planned;
    const run = new ShardRun(this.host, targets, plans, broadcast(request.signal));
    try {
      const { total, terminatedEarly } = await run.run();
      return { count: total, shards: run.header(), terminatedEarly };
    } finally {
      run.release();
    }
  }

  /**
   * What a query is to each shard that is asked about it: one of an index, and all that the routing of an
   * alias names.
   *
   * @throws EngineError 404, 403, and for parameters that fail the request as a whole
   */
  async validateQuery(request: CountRequest): Promise<readonly QueryValidation[]> {
    const whole = this.host.state();
    const indices = this.readableIndices(whole, request);
    const state = confinedByAliases(whole, indices, request.indices);
    const lookUps = this.lookUps();
    const services = this.services(state, lookUps, 'written');
    const results = new Map<string, QueryValidation>();
    for (const name of indices) {
      const index = state.indices.get(name);
      if (index === undefined) continue;
      const context = this.context(index, request.types, services);
      const filters = effectiveAliasFilters(state, name, request.indices);
      results.set(name, await lookUps.resolve(() => validateQuery(request, context, filters)));
    }
    const targets = searchTargets(state, {
      names: request.indices,
      indices,
      // compat: the reference asks one shard by a routing of its own making; where an alias has another, all.
      routing: ONE_SHARD,
      preference: undefined,
    });
    return targets.flatMap(({ index }) => results.get(index.name) ?? []);
  }

  /**
   * Why a document has its score.
   *
   * @throws EngineError 404, 403, 400 for a query that cannot be read, and what its shard fails with
   */
  async explain(request: ExplainRequest): Promise<ExplainResult> {
    const whole = this.host.state();
    const { name } = singleIndex(whole, request.index, 'read').index;
    const state = confinedByAliases(whole, [name], [request.index]);
    const index = state.indices.get(name)!;
    assertNoneBlocked(state, [index.name], 'read');
    assertPreference(request.preference);
    const lookUps = this.lookUps();
    const services = this.services(state, lookUps, 'scored');
    const filters = effectiveAliasFilters(state, index.name, [request.index]);
    const { planned, refusal } = await lookUps.resolve(() => {
      const context = this.context(index, [request.type], services);
      return planExplain(request, context, filters);
    });
    const shard = shardOf(request.routing ?? request.id, index.shardIds.length);
    const run = new ShardRun(this.host, [{ index, shard }], new Map([[index.name, planned]]), {
      ...broadcast(request.signal),
      phase: 'query_fetch',
      withoutHits: false,
    });
    try {
      const { hits } = await run.run();
      const [failure] = run.header().failures;
      if (failure !== undefined) throw explainFailure(failure);
      if (refusal !== null && hits.length > 0) throw refusal;
      return explainResult(request, index, hits[0] === undefined ? undefined : asBuffer(hits[0]));
    } finally {
      run.release();
    }
  }

  /** At once, or a promise of it. @throws EngineError of all shards, for one that cannot be rendered */
  private rendered(
    request: SearchRequest,
    state: ClusterState,
    indices: readonly string[],
  ): SearchRequest | Promise<SearchRequest> {
    const lookUps = this.lookUps();
    const failed = (error: unknown): never => {
      if (!(error instanceof EngineError) || indices.length === 0) throw error;
      throw failedSearch(error, state, indices, this.host.nodeId);
    };
    try {
      const rendered = lookUps.resolve(() =>
        searchFromTemplate(request, this.host.scripts(lookUps)),
      );
      return rendered instanceof Promise ? rendered.catch(failed) : rendered;
    } catch (error) {
      return failed(error);
    }
  }

  /** @throws EngineError 404, 403 for closed indices and those that may not be read */
  private readableIndices(
    state: ClusterState,
    { indices, options }: Pick<SearchRequest, 'indices' | 'options'>,
  ): string[] {
    const concrete = resolveIndices(state, indices, options);
    assertNoneBlocked(state, concrete, 'read');
    return concrete;
  }

  private context(
    index: IndexMetadata,
    types: readonly string[],
    services: ParseServices,
  ): SearchContext {
    return new SearchContext(index, this.host.mapping(index), types, services);
  }

  /** The documents that one request looks into. */
  lookUps(): SourceLookUps {
    return new SourceLookUps(this.host.readSource, this.host.lookUpMemory);
  }

  /** What parsing may ask of the node. */
  services(
    state: ClusterState,
    lookUps: SourceLookUps,
    texts?: ParseServices['texts'],
    uses: ServiceUses = { isRepeatable: true },
  ): ParseServices {
    const { host } = this;
    const now = host.now();
    // Asked for each index anew, and the same each time.
    const resolved = new Map<string, ReadonlySet<string>>();
    return {
      indicesOf: (names) => {
        const key = names.join('\0');
        const known = resolved.get(key) ?? new Set(resolveIndices(state, names, LENIENT));
        resolved.set(key, known);
        return known;
      },
      now: () => {
        uses.isRepeatable = false;
        return now;
      },
      texts,
      limits: host.limits,
      nodeId: host.nodeId,
      getSource: (index, type, id, routing) => {
        uses.isRepeatable = false;
        return lookUps.get(index, type, id, routing);
      },
      scripts: () => {
        uses.isRepeatable = false;
        return host.scripts(lookUps);
      },
    };
  }
}

/**
 * What tells a request from all that are planned in another way by the same cluster state; null: it is
 * planned each time.
 */
function keptUnder(request: SearchRequest, searchType: SearchType): string | null {
  const { bodyText, bodyError, scroll, routing, preference, isTemplate, params } = request;
  if (bodyText === null || bodyError !== undefined || scroll !== undefined) return null;
  if (routing !== undefined || preference !== undefined || isTemplate === true) return null;
  const { indices, types, options } = request;
  const counts = `${indices.length}/${types.length}/${params.size}`;
  let text = `${searchType}/${flagsOf(options)}/${counts}`;
  // With their lengths, so that no two lists make the same text; quoting them takes several times as long.
  for (let i = 0; i < indices.length; i++) text += `/${indices[i]!.length}:${indices[i]!}`;
  for (let i = 0; i < types.length; i++) text += `/${types[i]!.length}:${types[i]!}`;
  for (const [name, value] of params) text += `/${name.length}:${name}${value.length}:${value}`;
  return `${text}/${bodyText}`;
}

/** All options in one number. */
function flagsOf(options: IndicesOptions): number {
  const { ignoreUnavailable, allowNoIndices, expandOpen, expandClosed, forbidClosed } = options;
  const flags = [ignoreUnavailable, allowNoIndices, expandOpen, expandClosed, forbidClosed];
  let bits = 0;
  for (let i = 0; i < flags.length; i++) if (flags[i]!) bits |= 1 << i;
  return bits;
}

/** compat: nothing is left of a count that could be kept open. */
function scrollOfCount(): EngineError {
  return new EngineError(
    'ReduceSearchPhaseException',
    'Failed to execute phase [query], [reduce] ',
    {
      cause: new EngineError('ElasticsearchIllegalStateException', ''),
    },
  );
}

function targetsOf(
  state: ClusterState,
  {
    indices: names,
    routing,
    preference,
  }: Pick<SearchRequest, 'indices' | 'routing' | 'preference'>,
  indices: readonly string[],
): readonly Target[] {
  return searchTargets(state, { names, indices, routing, preference });
}

/** How errors name the phase that shards failed in. */
function phaseName(searchType: SearchType, shards: number): string {
  if (searchType === 'count') return 'query';
  if (searchType === 'scan') return 'init_scan';
  if (shards === 1) return 'query_fetch';
  if (searchType.startsWith('dfs_')) return 'dfs';
  return searchType === 'query_and_fetch' ? 'query_fetch' : 'query';
}

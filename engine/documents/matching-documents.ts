// What a query of a request matches on one shard, page by page: for deleting by query, and for copying an
// index.

import { parseJsonObject, type JsonObject } from '../json/index';
import type { IndexMapping } from '../mapping/index';
import { effectiveAliasFilters, type ClusterState, type IndexMetadata } from '../metadata/index';
import { type ParseServices, type Query, SearchContext } from '../query/index';
import {
  countPlan,
  indexScope,
  parseQueryBody,
  queryFromParams,
  ShardRun,
  withinScope,
  type ShardHost,
  type SortKey,
  type SourceLookUps,
  type Target,
} from '../search/index';
import type { CountRequest } from '../api/index';

/** What looking for documents needs of the node. */
export interface MatchingHost extends ShardHost {
  mapping(index: IndexMetadata): IndexMapping;
  lookUps(): SourceLookUps;
  services(state: ClusterState, lookUps: SourceLookUps): ParseServices;
}

/** Documents of a shard that match, in the order of the document log. */
export interface MatchingPage {
  /** How many match in all. */
  readonly total: number;
  /** The first of them, each with `_type`, `_id` and `_version`. */
  readonly hits: readonly JsonObject[];
}

/** Finds the documents that a request is about. */
export class MatchingDocuments {
  constructor(private readonly host: MatchingHost) {}

  /**
   * The query of a request as it is on an index: within the types of the request and the filters of the
   * aliases that it names.
   *
   * @param check throws for queries of requests that are refused; not asked about the filters of aliases
   * @throws EngineError for a query that cannot be read
   */
  async query(
    request: CountRequest,
    state: ClusterState,
    name: string,
    check: (query: Query) => void = acceptAll,
  ): Promise<Query> {
    const lookUps = this.host.lookUps();
    return lookUps.resolve(() => {
      const { query, scope } = this.parse(request, state, name, lookUps);
      if (query !== null) check(query);
      return withinScope(query, scope);
    });
  }

  /**
   * The first documents of a shard, as of its last refresh, that a query matches.
   *
   * @param size how many are given at most
   * @throws EngineError when the shard cannot be searched
   */
  async page(target: Target, query: Query, size: number): Promise<MatchingPage> {
    const { name } = target.index;
    const { similarities } = this.host.mapping(target.index);
    const planned = countPlan(name, query, null, { similarities });
    const plan = {
      ...planned,
      plan: { ...planned.plan, sort: IN_DOCUMENT_ORDER, window: size },
      fetch: { ...planned.fetch, version: true },
      page: { from: 0, size },
    };
    const run = new ShardRun(this.host, [target], new Map([[name, plan]]), {
      phase: 'query',
      globalStatistics: false,
      rescoresGlobally: false,
      withoutHits: false,
      pagePerShard: false,
      signal: undefined,
      timesShards: false,
      refusal: null,
    });
    try {
      const outcome = await run.run();
      run.requireSomeShard(outcome);
      const hits = outcome.hits.map((hit) => parseJsonObject(Buffer.from(hit).toString()));
      return { total: outcome.total, hits };
    } finally {
      run.release();
    }
  }

  private parse(
    request: CountRequest,
    state: ClusterState,
    name: string,
    lookUps: SourceLookUps,
  ): { readonly query: Query | null; readonly scope: Query | null } {
    const index = state.indices.get(name)!;
    const context = new SearchContext(
      index,
      this.host.mapping(index),
      request.types,
      this.host.services(state, lookUps),
    );
    if (request.bodyError !== undefined) {
      throw context.queryError('Failed to parse', request.bodyError);
    }
    const query = parseQueryBody(request, queryFromParams(request.params), context);
    const filters = effectiveAliasFilters(state, name, request.indices);
    return { query, scope: indexScope(context, filters) };
  }
}

const acceptAll = (): void => {
  // Nothing is refused.
};

const IN_DOCUMENT_ORDER: readonly SortKey[] = [
  {
    kind: 'doc',
    field: 0,
    fieldKind: null,
    descending: false,
    missing: '_last',
    mode: 'min',
    nestedPath: null,
    nestedFilter: null,
  },
];

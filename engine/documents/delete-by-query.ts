// Deleting whatever a query matches (reference server), page by page: what a shard finds is deleted through
// the document log, each document bound to the version that was found. A document that is written meanwhile
// stays, unless a later page finds it again.

import { EngineError } from '../errors';
import { deletion } from './delete-document';
import type { DocumentWrite } from './document-write';
import type { DocumentWriter } from './document-writer';
import type { IndexService } from '../shard/index';
import { parseJsonObject, type JsonNumber, type JsonObject } from '../json/index';
import type { IndexMapping } from '../mapping/index';
import {
  assertNoneBlocked,
  effectiveAliasFilters,
  resolveIndices,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';
import { type Query, SearchContext, type ParseServices } from '../query/index';
import {
  countPlan,
  parseQueryBody,
  shardFailure,
  queryFromParams,
  indexScope,
  withinScope,
  type SortKey,
  ShardRun,
  type ShardHost,
  type SourceLookUps,
  searchTargets,
  type Target,
} from '../search/index';
import type { ShardFailure, ShardsHeader, CountRequest } from '../api/index';

/** Documents deleted by one step. */
const PAGE = 5000;

/** What deleting needs of the node. */
interface DeleteByQueryHost extends ShardHost {
  state(): ClusterState;
  mapping(index: IndexMetadata): IndexMapping;
  lookUps(): SourceLookUps;
  services(state: ClusterState, lookUps: SourceLookUps): ParseServices;
  indexService(index: IndexMetadata): IndexService;
  readonly writer: DocumentWriter;
}

/** Deletes the documents that a query matches. */
export class DeleteByQuery {
  constructor(private readonly host: DeleteByQueryHost) {}

  /**
   * Deletes on all shards that aliases and routing name.
   *
   * @returns per index what happened on its shards; what is wrong with the query is the failure of all
   * @throws EngineError when an index is missing or may not be written to
   */
  async run(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    const state = this.host.state();
    const indices = resolveIndices(state, request.indices, request.options);
    assertNoneBlocked(state, indices, 'write');
    const targets = searchTargets(state, { ...request, names: request.indices, indices });
    const headers = new Map<string, ShardsHeader>();
    for (const name of indices) {
      const own = targets.filter(({ index }) => index.name === name);
      headers.set(name, await this.runOnIndex(request, state, name, own));
    }
    return headers;
  }

  /**
   * Deletes what a query matches on one shard.
   * @throws EngineError when the shard cannot be searched or written
   */
  async deleteMatching(target: Target, query: Query): Promise<void> {
    const indexService = this.host.indexService(target.index);
    const shard = indexService.shards[target.shard]!;
    let left = Infinity;
    while (left > 0) {
      await shard.refresh();
      const { total, writes } = await this.page(target, query);
      left = Math.min(left, total) - writes.length;
      if (writes.length === 0) break;
      for (const outcome of await this.host.writer.write(indexService, writes)) {
        if (outcome instanceof EngineError && outcome.status !== 409) throw outcome;
      }
    }
    await shard.refresh();
  }

  private async runOnIndex(
    request: CountRequest,
    state: ClusterState,
    name: string,
    targets: readonly Target[],
  ): Promise<ShardsHeader> {
    const failures: ShardFailure[] = [];
    let query: Query | null = null;
    let problem: EngineError | null = null;
    try {
      const lookUps = this.host.lookUps();
      query = await lookUps.resolve(() => this.parse(request, state, name, lookUps));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      problem = error;
    }
    for (const target of targets) {
      try {
        if (problem !== null) throw problem;
        if (query !== null) await this.deleteMatching(target, query);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        failures.push(shardFailure(name, target.shard, error));
      }
    }
    const failed = failures.length;
    return { total: targets.length, successful: targets.length - failed, failed, failures };
  }

  private parse(
    request: CountRequest,
    state: ClusterState,
    name: string,
    lookUps: SourceLookUps,
  ): Query {
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
    return withinScope(query, indexScope(context, filters));
  }

  /** The first matching documents of a shard as deletes, and how many match in all. */
  private async page(
    target: Target,
    query: Query,
  ): Promise<{ readonly total: number; readonly writes: DocumentWrite[] }> {
    const planned = countPlan(target.index.name, query, null);
    const plans = new Map([
      [
        target.index.name,
        {
          ...planned,
          plan: { ...planned.plan, sort: IN_DOCUMENT_ORDER, window: PAGE },
          fetch: { ...planned.fetch, version: true },
          page: { from: 0, size: PAGE },
        },
      ],
    ]);
    const run = new ShardRun(this.host, [target], plans, {
      phase: 'query',
      globalStatistics: false,
      withoutHits: false,
      pagePerShard: false,
      signal: undefined,
      isScroll: false,
      timesShards: false,
    });
    try {
      const outcome = await run.run();
      run.requireSomeShard(outcome);
      const writes = outcome.hits.map((hit) =>
        deletionOf(target.shard, parseJsonObject(Buffer.from(hit).toString())),
      );
      return { total: outcome.total, writes };
    } finally {
      run.release();
    }
  }
}

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

/** Bound to the version that was found. */
function deletionOf(shard: number, hit: JsonObject): DocumentWrite {
  const version = (hit.get('_version') as JsonNumber).value;
  return deletion(
    shard,
    hit.get('_type') as string,
    hit.get('_id') as string,
    null,
    version,
    'internal',
  );
}

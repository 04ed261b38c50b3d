// The engine as the holder of a key may use it for one class of actions on indices: every method works on the
// part of the cluster state that is granted for it, and what is no action on indices is refused.

import { denied, grantsSome } from './access/index';
import { restrictedAdministration, restrictedMaintenance } from './restricted-administration';
import type {
  BulkAction,
  BulkItem,
  CountRequest,
  CountResponse,
  DeleteRequest,
  DeleteResult,
  ExplainRequest,
  ExplainResult,
  FieldStatsRequest,
  FieldStatsResult,
  GetRequest,
  GetResult,
  IndexRequest,
  IndexResult,
  MoreLikeThisRequest,
  NodeStats,
  PercolateRequest,
  PercolateResponse,
  QueryValidation,
  ScrollRequest,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  ShardsHeader,
  SuggestRequest,
  SuggestResponse,
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
  UpdateRequest,
  UpdateResult,
} from './api/index';
import {
  type ClusterState,
  type IndexPrivilege,
  type IndexMetadata,
  indicesOfAlias,
  resolveIndices,
} from './metadata/index';
import { assertFieldsSeen, assertSeenWhole, similarSearch } from './search/index';
import type { Serving } from './serving';
import type { RestrictedParts } from './restricted-parts';

const EXACT = {
  ignoreUnavailable: false,
  allowNoIndices: false,
  expandOpen: false,
  expandClosed: false,
  forbidClosed: false,
} as const;

/** See the head of this file. All methods reject with AuthorizationException for what is not granted. */
export class RestrictedEngine implements SearchEngine {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly searchesAtOnce: number;
  readonly admin: SearchEngine['admin'];
  readonly maintenance: SearchEngine['maintenance'];

  constructor(private readonly parts: RestrictedParts) {
    const { inner } = parts;
    this.clusterName = inner.clusterName;
    this.nodeName = inner.nodeName;
    this.nodeId = inner.nodeId;
    this.startedAt = inner.startedAt;
    this.searchesAtOnce = inner.searchesAtOnce;
    this.admin = restrictedAdministration(parts);
    this.maintenance = restrictedMaintenance(parts);
  }

  get storedScripts(): never {
    throw denied('cluster');
  }

  get snapshots(): never {
    throw denied('snapshots');
  }

  get reindexing(): never {
    throw denied('cluster');
  }

  state(): ClusterState {
    return this.parts.view.current();
  }

  index(request: IndexRequest): Promise<IndexResult> {
    return this.write((serving) => serving.documents.index(request));
  }

  delete(request: DeleteRequest): Promise<DeleteResult> {
    return this.write((serving) => serving.documents.delete(request));
  }

  update(request: UpdateRequest): Promise<UpdateResult> {
    return this.write(async (serving) => {
      this.assertReadable(request.index);
      return serving.documents.update(request);
    });
  }

  bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    return this.write(async (serving) => {
      const updated = new Set<string>();
      for (const { kind, request } of actions) if (kind === 'update') updated.add(request.index);
      for (const name of updated) this.assertReadable(name);
      return serving.documents.bulk(actions, refresh);
    });
  }

  refreshWritten(names: ReadonlySet<string>): Promise<void> {
    return this.write((serving) => serving.documents.refreshWritten(names));
  }

  deleteByQuery(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    return this.write((serving) => serving.deletion.run(request));
  }

  get(request: GetRequest): Promise<GetResult> {
    return this.read(({ documents }) => documents.get(request));
  }

  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    return this.read(({ documents }) => documents.multiGet(requests));
  }

  termVectors(
    request: TermVectorsRequest,
    control: TermVectorsControl,
  ): Promise<TermVectorsResult> {
    return this.read(async ({ documents }) => {
      this.assertWhole([request.index], '_termvector');
      return documents.termVectors(request, control);
    });
  }

  multiTermVectors(
    requests: readonly TermVectorsRequest[],
    control: TermVectorsControl,
  ): Promise<readonly TermVectorsOutcome[]> {
    return this.read(async ({ documents }) => {
      this.assertWhole(new Set(requests.map(({ index }) => index)), '_mtermvectors');
      return documents.multiTermVectors(requests, control);
    });
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const { gate, privilege, serving } = this.parts;
    // A warmer is tried when it is stored, on indices that are granted whole; what it finds is not shown.
    if (privilege !== 'index_admin') this.assertPrivilege('read');
    return gate.read(() => serving.searcher.search(request));
  }

  scroll(request: ScrollRequest): Promise<SearchResponse> {
    return this.read(({ searcher }) => searcher.scroller.page(request));
  }

  clearScroll(ids: readonly string[]): Promise<boolean> {
    return this.read(async ({ searcher }) => searcher.scroller.clear(ids));
  }

  count(request: CountRequest): Promise<CountResponse> {
    return this.read(({ searcher }) => searcher.count(request));
  }

  suggest(request: SuggestRequest): Promise<SuggestResponse> {
    return this.read(async ({ searcher }) => {
      this.assertAllWhole(request, '_suggest');
      return searcher.suggest(request);
    });
  }

  validateQuery(request: CountRequest): Promise<readonly QueryValidation[]> {
    return this.read(({ searcher }) => searcher.validateQuery(request));
  }

  explain(request: ExplainRequest): Promise<ExplainResult> {
    return this.read(async ({ searcher }) => {
      this.assertWhole([request.index], '_explain');
      return searcher.explain(request);
    });
  }

  percolate(request: PercolateRequest): Promise<PercolateResponse> {
    return this.read(async ({ percolator }) => {
      // What stored queries ask of fields would show in which documents they match.
      for (const index of this.indicesOf(request)) assertFieldsSeen(index, '_percolate');
      return percolator.percolate(request);
    });
  }

  fieldStats(request: FieldStatsRequest): Promise<FieldStatsResult> {
    return this.read(async ({ fieldStats }) => {
      this.assertAllWhole(request, '_field_stats');
      return fieldStats.run(request);
    });
  }

  moreLikeThis(request: MoreLikeThisRequest): Promise<SearchResponse> {
    return this.read(async ({ documents, searcher }) => {
      const { document, mapping } = await documents.liked(request);
      return searcher.search(similarSearch(request, document, mapping));
    });
  }

  async nodeStats(): Promise<NodeStats> {
    throw denied('monitor');
  }

  async reloadConfigured(): Promise<void> {
    throw denied('cluster');
  }

  async close(): Promise<void> {
    throw denied('cluster');
  }

  private async read<T>(work: (serving: Serving) => Promise<T>): Promise<T> {
    this.assertPrivilege('read');
    return this.parts.gate.read(() => work(this.parts.serving));
  }

  private async write<T>(work: (serving: Serving) => Promise<T>): Promise<T> {
    this.assertPrivilege('write');
    return this.parts.gate.grow(() => work(this.parts.serving));
  }

  private assertPrivilege(privilege: IndexPrivilege): void {
    if (this.parts.privilege !== privilege) throw denied(privilege);
  }

  /** Refuses what tells of documents of one of these indices that are not seen. Missing ones are ignored. */
  private assertWhole(names: Iterable<string>, what: string): void {
    const state = this.parts.view.current();
    for (const name of names) {
      const found = state.indices.get(name);
      const behind = found === undefined ? indicesOfAlias(state, name) : [found];
      for (const index of behind) assertSeenWhole(index, what);
    }
  }

  private assertAllWhole(
    { indices, options }: Pick<SuggestRequest, 'indices' | 'options'>,
    what: string,
  ): void {
    for (const index of this.indicesOf({ indices, options })) assertSeenWhole(index, what);
  }

  private indicesOf({
    indices,
    options,
  }: Pick<SuggestRequest, 'indices' | 'options'>): readonly IndexMetadata[] {
    const state = this.parts.view.current();
    return resolveIndices(state, indices, options).map((name) => state.indices.get(name)!);
  }

  /**
   * An update shows what it changes, all of it. An index that is still missing is created by it, and empty.
   */
  private assertReadable(name: string): void {
    const { role, view, readable } = this.parts;
    if (!grantsSome(role, 'read')) throw denied('read');
    const names = resolveIndices(view.current(), [name], { ...EXACT, allowNoIndices: true });
    if (names.length > 0) {
      const state = readable.current();
      for (const index of resolveIndices(state, [name], EXACT)) {
        if (state.indices.get(index)!.view !== undefined) throw denied(`read on all of ${index}`);
      }
    } else if (!readable.covers(name)) throw denied('read');
  }
}

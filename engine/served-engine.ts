// What every engine has in common: requests pass the gate and go to the part that serves them.

import type {
  AdministrationService,
  NodeGate,
  NodeSettings,
  StoredScriptsService,
} from './admin/index';
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
  QueryValidation,
  ScrollRequest,
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
import type { DeleteByQuery, DocumentOperations } from './documents/index';
import type { ClusterState, StateChanges } from './metadata/index';
import { type FieldStats, type Searcher, similarSearch } from './search/index';

/** What an engine is put together from, wherever its documents are. */
export interface ServedParts {
  readonly settings: NodeSettings;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly gate: NodeGate;
  readonly cluster: Pick<StateChanges, 'state'>;
  readonly documents: DocumentOperations;
  readonly searcher: Searcher;
  readonly deletion: DeleteByQuery;
  readonly fieldStats: FieldStats;
  readonly admin: AdministrationService;
  readonly storedScripts: StoredScriptsService;
  /** Reads the configuration folder. */
  readonly readConfigured: () => Promise<void>;
}

/** Documents, searches and administration of an engine. */
export abstract class ServedEngine<Parts extends ServedParts> {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly startedAt: number;
  readonly admin: AdministrationService;
  readonly storedScripts: StoredScriptsService;
  protected readonly gate: NodeGate;
  private readonly documents: DocumentOperations;
  private readonly searcher: Searcher;

  protected constructor(protected readonly parts: Parts) {
    const { settings } = parts;
    this.clusterName = settings.clusterName;
    this.nodeName = settings.nodeName;
    this.startedAt = parts.startedAt;
    this.admin = parts.admin;
    this.storedScripts = parts.storedScripts;
    this.gate = parts.gate;
    this.documents = parts.documents;
    this.searcher = parts.searcher;
  }

  state(): ClusterState {
    return this.parts.cluster.state();
  }

  index(request: IndexRequest): Promise<IndexResult> {
    return this.gate.grow(() => this.documents.index(request));
  }

  delete(request: DeleteRequest): Promise<DeleteResult> {
    return this.gate.grow(() => this.documents.delete(request));
  }

  update(request: UpdateRequest): Promise<UpdateResult> {
    return this.gate.grow(() => this.documents.update(request));
  }

  get(request: GetRequest): Promise<GetResult> {
    return this.gate.read(() => this.documents.get(request));
  }

  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    return this.gate.read(() => this.documents.multiGet(requests));
  }

  termVectors(
    request: TermVectorsRequest,
    control: TermVectorsControl,
  ): Promise<TermVectorsResult> {
    return this.gate.read(() => this.documents.termVectors(request, control));
  }

  multiTermVectors(
    requests: readonly TermVectorsRequest[],
    control: TermVectorsControl,
  ): Promise<readonly TermVectorsOutcome[]> {
    return this.gate.read(() => this.documents.multiTermVectors(requests, control));
  }

  bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    return this.gate.grow(() => this.documents.bulk(actions, refresh));
  }

  refreshWritten(names: ReadonlySet<string>): Promise<void> {
    return this.gate.grow(() => this.documents.refreshWritten(names));
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.gate.read(() => this.searcher.search(request));
  }

  scroll(request: ScrollRequest): Promise<SearchResponse> {
    return this.gate.read(() => this.searcher.scroller.page(request));
  }

  clearScroll(ids: readonly string[]): Promise<boolean> {
    return this.gate.read(async () => this.searcher.scroller.clear(ids));
  }

  count(request: CountRequest): Promise<CountResponse> {
    return this.gate.read(() => this.searcher.count(request));
  }

  suggest(request: SuggestRequest): Promise<SuggestResponse> {
    return this.gate.read(() => this.searcher.suggest(request));
  }

  validateQuery(request: CountRequest): Promise<readonly QueryValidation[]> {
    return this.gate.read(() => this.searcher.validateQuery(request));
  }

  explain(request: ExplainRequest): Promise<ExplainResult> {
    return this.gate.read(() => this.searcher.explain(request));
  }

  fieldStats(request: FieldStatsRequest): Promise<FieldStatsResult> {
    return this.gate.read(() => this.parts.fieldStats.run(request));
  }

  deleteByQuery(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    return this.gate.grow(() => this.parts.deletion.run(request));
  }

  async moreLikeThis(request: MoreLikeThisRequest): Promise<SearchResponse> {
    const { document, mapping } = await this.gate.read(() => this.documents.liked(request));
    return this.search(similarSearch(request, document, mapping));
  }

  reloadConfigured(): Promise<void> {
    return this.parts.readConfigured();
  }
}

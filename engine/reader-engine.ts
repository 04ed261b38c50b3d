// The engine as it is on a thread that reads: searches, counts and documents are read there. Everything else
// is main's; requests for it are handed over as a whole before an engine is asked (server/http-threads).

import type {
  CountRequest,
  CountResponse,
  GetRequest,
  GetResult,
  SearchEngine,
  SearchRequest,
  SearchResponse,
} from './api/index';
import type { ClusterState } from './metadata/index';
import type { ReaderNode, ReaderNodeOptions } from './reader-node';

/** What a thread that reads answers itself. */
type Served = 'get' | 'multiGet' | 'search' | 'count';

type Operation = {
  [name in keyof SearchEngine]-?: SearchEngine[name] extends (...args: never[]) => Promise<unknown>
    ? name
    : never;
}[keyof SearchEngine];

/** A defect: the request was to be handed over. */
function onMain(): Promise<never> {
  return Promise.reject(new Error('only the main thread does this'));
}

/** Operations of main. */
class HandedOver implements Pick<SearchEngine, Exclude<Operation, Served>> {
  readonly index = onMain;
  readonly delete = onMain;
  readonly update = onMain;
  readonly bulk = onMain;
  readonly refreshWritten = onMain;
  readonly termVectors = onMain;
  readonly multiTermVectors = onMain;
  readonly scroll = onMain;
  readonly clearScroll = onMain;
  readonly suggest = onMain;
  readonly validateQuery = onMain;
  readonly deleteByQuery = onMain;
  readonly percolate = onMain;
  readonly fieldStats = onMain;
  readonly explain = onMain;
  readonly moreLikeThis = onMain;
  readonly reloadConfigured = onMain;
  readonly nodeStats = onMain;
  readonly close = onMain;
}

/** Reads on the thread that asks. */
export class ReaderEngine extends HandedOver implements SearchEngine {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly searchesAtOnce: number;

  constructor(
    private readonly node: ReaderNode,
    { settings, nodeId, startedAt }: ReaderNodeOptions,
  ) {
    super();
    this.clusterName = settings.clusterName;
    this.nodeName = settings.nodeName;
    this.nodeId = nodeId;
    this.startedAt = startedAt;
    this.searchesAtOnce = settings.workers + 1;
  }

  get admin(): never {
    throw new Error('only the main thread administers');
  }

  get maintenance(): never {
    return this.admin;
  }

  get storedScripts(): never {
    return this.admin;
  }

  get snapshots(): never {
    return this.admin;
  }

  /** Whether requests can be answered here at once. */
  get isServing(): boolean {
    return !this.node.gate.isClosed;
  }

  state(): ClusterState {
    return this.node.state();
  }

  get(request: GetRequest): Promise<GetResult> {
    return this.node.read(() => this.node.documents.get(request));
  }

  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    return this.node.read(() => this.node.documents.multiGet(requests));
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.node.read(() => this.node.searcher.search(request));
  }

  count(request: CountRequest): Promise<CountResponse> {
    return this.node.read(() => this.node.searcher.count(request));
  }
}

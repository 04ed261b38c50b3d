// Trying documents against stored queries, from request to answer: the shards that have the queries, the
// document by the mapping of each index, the queries that match it, and what is asked about those.
//
// The document becomes a segment of its own, over which queries run as they do over any other.

import { Slices } from '../common/index';
import { EngineError, illegalArgument } from '../errors';
import {
  assertNoneBlocked,
  effectiveAliasFilters,
  resolveIndices,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';
import { PERCOLATOR_TYPE } from '../mapping/index';
import { ElementFailure, type ParseServices, SearchContext } from '../query/index';
import {
  cancelled,
  SearchScheduler,
  searchTargets,
  type SearchHost,
  type SourceLookUps,
  type Target,
} from '../search/index';
import { MemorySegments } from '../segment/index';
import { translateStorageError, type IndexService } from '../shard/index';
import type {
  GetRequest,
  GetResult,
  PercolateMatch,
  PercolateRequest,
  PercolateResponse,
  ShardFailure,
} from '../api/index';
import { MatchHighlighter } from './match-highlighter';
import {
  asksDocuments,
  searchMatches,
  type FoundMatch,
  type MatchQuestion,
  type ShardMatches,
} from './match-search';
import { readPercolateBody } from './percolate-body';
import {
  openDocument,
  type AddFields,
  type DocumentReading,
  type PercolatedDocument,
} from './percolated-document';
import type { QueryRegistry } from './query-registry';
import { matchingQueries } from './shard-percolation';
import type { StoredEntry } from './shard-queries';

/** Bytes of a document as a segment for each byte of its source, about. */
const DOCUMENT_BYTES = 8;

/** What trying documents needs of the node. */
export interface PercolatorHost extends SearchHost {
  indexService(index: IndexMetadata): IndexService;
  lookUps(): SourceLookUps;
  services(state: ClusterState, lookUps: SourceLookUps): ParseServices;
  get(request: GetRequest): Promise<GetResult>;
  readonly registry: QueryRegistry;
  readonly addFields: AddFields;
  /** Bytes of the source of a document that is tried: reading one takes the main thread. */
  readonly maxDocumentSize: number;
}

/** What a request comes to for the shards of one index. */
interface IndexPercolation extends MatchQuestion {
  readonly document: PercolatedDocument;
}

/** Tries documents against stored queries. */
export class Percolator {
  private readonly segments = new MemorySegments();
  private readonly scheduler = new SearchScheduler();

  constructor(private readonly host: PercolatorHost) {}

  /**
   * Shard failures are part of the answer, also when all shards failed.
   *
   * @throws EngineError when the request is refused: an index is missing, closed or blocked, or the stored
   *         document that it names is missing or has another version
   */
  async percolate(request: PercolateRequest): Promise<PercolateResponse> {
    const started = performance.now();
    const { existing } = request;
    const source = existing === undefined ? null : await this.stored(existing);
    const state = this.host.state();
    const targets = this.targets(state, request);
    if (request.isItem && targets.length === 0) throw noShards();
    const run = new PercolateRun(this.host, this.segments, this.scheduler, request, state, source);
    const reads = targets.map(
      ({ index, shard }) => this.host.indexService(index).shards[shard]!.reads,
    );
    for (const counters of reads) counters.beginPercolation();
    try {
      return await run.run(targets, started);
    } finally {
      const share = (performance.now() - started) / targets.length;
      for (const counters of reads) counters.endPercolation(share);
      run.close();
    }
  }

  private targets(state: ClusterState, request: PercolateRequest): readonly Target[] {
    const { indices: names, options, routing, preference } = request;
    let indices: readonly string[];
    try {
      indices = resolveIndices(state, names, options);
    } catch (error) {
      if (request.existing === undefined || !(error instanceof EngineError)) throw error;
      // compat: of a stored document it is the reading of it that fails.
      const text = `[${request.existing.index}] null`;
      throw new EngineError('NoShardAvailableActionException', text, { cause: error });
    }
    assertNoneBlocked(state, indices, 'read');
    return searchTargets(state, { names, indices, routing, preference });
  }

  private async stored(existing: GetRequest): Promise<Buffer | null> {
    const { type, id } = existing;
    const result = await this.host.get(existing);
    if (result.found) return result.source ?? null;
    throw new EngineError(
      'DocumentMissingException',
      `[_na][_na] [${type}][${id}]: document missing`,
    );
  }
}

/** One request on its way. */
class PercolateRun {
  private readonly failures: ShardFailure[] = [];
  private readonly opened = new Map<string, Promise<IndexPercolation>>();
  private readonly documents: PercolatedDocument[] = [];
  private readonly lookUps: SourceLookUps;
  private readonly services: ParseServices;

  constructor(
    private readonly host: PercolatorHost,
    private readonly segments: MemorySegments,
    private readonly scheduler: SearchScheduler,
    private readonly request: PercolateRequest,
    private readonly state: ClusterState,
    private readonly source: Buffer | null,
  ) {
    this.lookUps = host.lookUps();
    this.services = host.services(state, this.lookUps);
  }

  async run(targets: readonly Target[], started: number): Promise<PercolateResponse> {
    const all: ShardMatches[] = [];
    const questions = new Map<string, IndexPercolation>();
    for (const target of targets) {
      const { name } = target.index;
      try {
        const percolation = await this.open(target.index);
        all.push({ target, entries: await this.entries(target, percolation) });
        questions.set(name, percolation);
      } catch (error) {
        if (!(error instanceof ShardProblem)) throw error;
        this.failures.push(this.failure(target, error.cause));
      }
    }
    const asked = [...questions.values()].some(asksDocuments);
    const found = asked ? await this.search(all, questions) : this.list(all, questions);
    const matches = await this.shown(found.matches, all, questions);
    const failed = this.failures.length;
    return {
      tookMs: Math.floor(performance.now() - started),
      shards: {
        total: targets.length,
        successful: targets.length - failed,
        failed,
        failures: this.failures,
      },
      total: matches === 'failed' ? 0 : found.total,
      matches: this.request.countOnly ? null : matches === 'failed' ? [] : matches,
      facets: found.facets,
      aggregations: found.aggregations,
    };
  }

  /** Gives up what the documents hold. */
  close(): void {
    for (const { segment } of this.documents) segment.close();
  }

  /** @throws ShardProblem */
  private async entries(
    { index, shard }: Target,
    { document }: IndexPercolation,
  ): Promise<readonly StoredEntry[]> {
    const { host, services, lookUps, scheduler } = this;
    const { signal } = this.request;
    try {
      // Refuses shards that are damaged.
      host.acquire(index, shard).release();
      const indexService = host.indexService(index);
      const queries = host.registry.queriesOf(indexService, indexService.shards[shard]!);
      return await matchingQueries(queries, { document, services, lookUps, signal, scheduler });
    } catch (error) {
      const cause = translateStorageError(error);
      if (!(cause instanceof EngineError) || signal?.aborted === true) throw error;
      throw new ShardProblem(executing(cause));
    }
  }

  private async search(
    all: readonly ShardMatches[],
    questions: ReadonlyMap<string, IndexPercolation>,
  ) {
    const { countOnly, signal } = this.request;
    const found = await searchMatches(this.host, all, questions, countOnly, signal);
    for (const { index, shard, status, reason } of found.failures) {
      const cause = new EngineError('PercolateException', `failed to execute: ${reason}`, {
        status,
      });
      this.failures.push(this.failureOf(index, shard, cause));
    }
    return found;
  }

  /** The matches as they are. */
  private list(all: readonly ShardMatches[], questions: ReadonlyMap<string, MatchQuestion>) {
    const [question] = questions.values();
    const size = question?.body.size ?? Infinity;
    const matches: FoundMatch[] = [];
    let total = 0;
    for (const { target, entries } of all) {
      total += entries.length;
      for (const entry of entries) {
        if (matches.length >= size) break;
        matches.push({ index: target.index.name, entry, score: null });
      }
    }
    return { total, matches, facets: undefined, aggregations: undefined };
  }

  /** The matches as the answer has them, unless what was asked to be highlighted cannot be. */
  private async shown(
    found: readonly FoundMatch[],
    all: readonly ShardMatches[],
    questions: ReadonlyMap<string, IndexPercolation>,
  ): Promise<readonly PercolateMatch[] | 'failed'> {
    try {
      return await this.highlighted(found, questions);
    } catch (error) {
      if (!(error instanceof EngineError) || this.request.signal?.aborted === true) throw error;
      for (const { target, entries } of all) {
        if (entries.length > 0) this.failures.push(this.failure(target, executing(error)));
      }
      return 'failed';
    }
  }

  private async highlighted(
    found: readonly FoundMatch[],
    questions: ReadonlyMap<string, IndexPercolation>,
  ): Promise<readonly PercolateMatch[]> {
    const highlighters = new Map<string, MatchHighlighter>();
    for (const [index, { body, document }] of questions) {
      if (body.highlight === null) continue;
      highlighters.set(index, new MatchHighlighter(body.highlight, document));
    }
    const slices = new Slices(1);
    const shown: PercolateMatch[] = [];
    for (const { index, entry, score } of found) {
      const highlight = highlighters.get(index)?.highlight(entry) ?? null;
      shown.push({ index, id: entry.id, score, highlight });
      if (!slices.isOver()) continue;
      await slices.next();
      if (this.request.signal?.aborted === true) throw cancelled();
    }
    return shown;
  }

  /** What the request comes to for an index; once for all of its shards. */
  private open(index: IndexMetadata): Promise<IndexPercolation> {
    let opening = this.opened.get(index.name);
    if (opening === undefined) {
      opening = this.read(index);
      this.opened.set(index.name, opening);
    }
    return opening;
  }

  /**
   * @throws ShardProblem when the request cannot be read for the index, or the document does not fit it;
   *   EngineError ElasticsearchIllegalArgumentException (400) when the document is too large
   */
  private async read(index: IndexMetadata): Promise<IndexPercolation> {
    const { host, request, services, segments } = this;
    const start = { index, mapping: host.mapping(index) };
    const reading = await readable(() => this.readBody(start));
    const { isSorted, size, highlight } = reading.body;
    if (isSorted && size === null) throw unsuitable("Can't sort if size isn't specified");
    if (highlight !== null && size === null) {
      throw unsuitable("Can't highlight if size isn't specified");
    }
    const source = this.source ?? reading.body.document;
    if (source === null) throw unsuitable('Nothing to percolate');
    const { maxDocumentSize } = host;
    if (source.length > maxDocumentSize) {
      throw illegalArgument(
        `document of [${source.length}] bytes is larger than [${maxDocumentSize}] (percolator.max_document_size)`,
      );
    }
    request.memory?.grow(DOCUMENT_BYTES * source.length);
    const { type } = request;
    const indexService = host.indexService(index);
    const now = services.now();
    const document = await readable(() =>
      openDocument(source, type, start, indexService, segments, host.addFields, now),
    );
    this.documents.push(document);
    const aliasFilters = effectiveAliasFilters(this.state, index.name, request.indices);
    return { ...reading, document, aliasFilters };
  }

  private async readBody({ index, mapping }: DocumentReading) {
    const { request, lookUps, services, source } = this;
    if (request.bodyError !== undefined) throw request.bodyError;
    return lookUps.resolve(() => {
      const context = new SearchContext(index, mapping, [PERCOLATOR_TYPE], services);
      return { context, body: readPercolateBody(request.body, context, source !== null) };
    });
  }

  private failure({ index: { name }, shard }: Target, cause: EngineError): ShardFailure {
    return this.failureOf(name, shard, cause);
  }

  private failureOf(index: string, shard: number, cause: EngineError): ShardFailure {
    const at = `[${index}][${shard}] `;
    if (this.request.isItem) {
      // compat: of several documents, only the text of the cause is kept.
      const text = at + cause.toWireString();
      const error = new EngineError('BroadcastShardOperationFailedException', text);
      return { index, shard, status: error.status, reason: error.toWireString() };
    }
    const nested = new EngineError('PercolateException', 'failed to percolate', { cause });
    const error = new EngineError('BroadcastShardOperationFailedException', at, { cause: nested });
    return { index, shard, status: cause.status, reason: error.toWireString() };
  }
}

/** compat: of one document it is an empty answer. */
function noShards(): EngineError {
  return new EngineError('UnavailableShardsException', 'No shards available');
}

/** What a shard cannot answer for; the others may. */
class ShardProblem extends Error {
  constructor(override readonly cause: EngineError) {
    super(cause.message);
  }
}

/** What `read` gives. @throws ShardProblem where it finds the request or the document wrong */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const cause =
      error instanceof ElementFailure
        ? new EngineError('SearchParseException', `Parse Failure [${error.message}]`)
        : error;
    const isOfRequest =
      cause instanceof EngineError && cause.wireName !== 'StorageFailureException';
    if (!isOfRequest) throw error;
    throw new ShardProblem(
      new EngineError('ElasticsearchParseException', 'failed to parse request', { cause }),
    );
  }
}

function unsuitable(message: string): ShardProblem {
  return new ShardProblem(illegalArgument(message));
}

function executing(cause: EngineError): EngineError {
  return new EngineError('PercolateException', 'failed to execute', {
    cause,
    status: cause.status,
  });
}

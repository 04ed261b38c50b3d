// A thread of a node that reads: follows what main publishes, and has storage open while main has.

import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeSettings } from './admin/index';
import {
  ByteCache,
  DEFAULT_REQUEST_LIMITS,
  RenderedHits,
  type RenderedHitsBudget,
} from './common/index';
import { GetDocument, ReadTargets, StoredDocuments, type ReadHost } from './documents/index';
import { type ClusterState, NO_DEFAULTS, SCRIPTS_INDEX, type ScriptFiles } from './metadata/index';
import {
  openReaderSession,
  PublicationReader,
  type Publication,
  PublishedIndices,
  ReaderExecutor,
  ReaderGate,
  type ReaderPort,
  type ReaderSession,
} from './readers/index';
import { createReading } from './reading';
import { ScriptLibrary } from './script/index';
import { DEFAULT_SCROLL_LIMITS, ScrollContexts, type Searcher, SearchQueue } from './search/index';
import type { SlowLogger } from './shard/index';
import { errorFromData } from './threads/index';
import type { StorageLocation } from '../storage/index';

/** How often it is looked whether reads have ended. Milliseconds. */
const SUSPEND_LOOK_MS = 5;

/** What main passes to a thread that reads; plain data. */
export interface ReaderNodeOptions {
  readonly location: StorageLocation;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly settings: NodeSettings;
  /** Bytes of its cache. */
  readonly cacheBytes: number;
  readonly renderedHits: RenderedHitsBudget;
  /** Its place in that budget. */
  readonly place: number;
  /** Its place among the threads that read. */
  readonly thread: number;
  /** Of all threads that let searches in; that of the thread is after main's. */
  readonly searchCounts: SharedArrayBuffer;
  /** How many searches may wait: an int32 that main writes. */
  readonly queueCapacity: SharedArrayBuffer;
  /** Postings that a search may be expected to read to be run here. */
  readonly small: number;
}

/** What a thread reads with. */
export class ReaderNode {
  readonly gate = new ReaderGate();
  readonly documents: GetDocument;
  readonly searcher: Searcher;
  private readonly reader: PublicationReader;
  private readonly indices: PublishedIndices;
  private readonly executor: ReaderExecutor;
  private readonly renderedHits: RenderedHits;
  private scripts: ScriptFiles = NO_DEFAULTS.scripts;
  private session: ReaderSession | null = null;
  /** Opening and closing storage, one after the other. */
  private turning: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: ReaderNodeOptions,
    port: ReaderPort,
    slowLogger: SlowLogger,
  ) {
    const { settings, thread, small, cacheBytes } = options;
    this.renderedHits = new RenderedHits(options.renderedHits, options.place);
    this.reader = new PublicationReader(
      port,
      (publication) => this.take(publication),
      (answer) => this.executor.answered(answer),
    );
    const tell = this.reader.tell.bind(this.reader);
    this.indices = new PublishedIndices(thread, tell);
    this.executor = new ReaderExecutor(() => this.open().executor, {
      tell,
      publicationOf: (snapshot) => this.indices.publicationOf(snapshot),
      small,
      cacheBytes,
    });
    const host: ReadHost = {
      cluster: { state: () => this.state() },
      log: () => this.open().log,
      recordCache: {
        readRecord: (shard, sequence) =>
          this.open().executor.recordCache.readRecord(shard, sequence),
      },
      now: Date.now,
      indexService: (metadata) => this.indices.indexService(metadata),
    };
    const targets = new ReadTargets(host);
    const stored = new StoredDocuments(host);
    this.documents = new GetDocument(targets, stored, host.now);
    const source = (index: string, type: string, id: string, routing: string | undefined) =>
      stored.source(targets.target(index, type, id, routing, undefined, 'read'), type, id);
    const capacity = new Int32Array(options.queueCapacity);
    const { searcher } = createReading(
      {
        // Nothing is confined to a part here.
        trusted: () => searcher.services(this.state(), searcher.lookUps()),
        settings,
        nodeId: options.nodeId,
        executor: this.executor,
        indices: this.indices,
        limits: { ...DEFAULT_REQUEST_LIMITS, ...settings.requestLimits },
        now: host.now,
        scripts: () =>
          new ScriptLibrary((lang, id) => source(SCRIPTS_INDEX, lang, id, undefined), this.scripts),
        slowLogger,
        searchQueue: new SearchQueue(
          Math.max(1, settings.workers),
          () => Atomics.load(capacity, 0),
          options.searchCounts,
          thread + 1,
        ),
        // Searches that are kept open are main's.
        scrolls: new ScrollContexts({ ...DEFAULT_SCROLL_LIMITS, maxBytes: 0 }),
      },
      { state: () => this.state(), owner: null },
      async (index, type, id, routing) => source(index, type, id, routing),
    );
    this.searcher = searcher;
  }

  /** The newest state: whoever was told of a change before asks later than it was published. */
  state(): ClusterState {
    this.reader.catchUp();
    return this.indices.state();
  }

  /** Reads when storage is open. */
  read<T>(work: () => Promise<T>): Promise<T> {
    this.reader.catchUp();
    return this.gate.read(work);
  }

  /** What searches here keep in memory. */
  get local(): ReaderSession['executor'] {
    return this.open().executor;
  }

  /** Lets go of storage, and follows main no longer. */
  async close(): Promise<void> {
    await this.letGo(0);
    this.reader.close();
  }

  /** Waits for reads, gives up those that take longer than `graceMs`, and lets go of storage. */
  private async letGo(graceMs: number): Promise<void> {
    this.gate.close();
    const { session } = this;
    const deadline = performance.now() + graceMs;
    while (this.gate.running > 0 && performance.now() < deadline) await sleep(SUSPEND_LOOK_MS);
    await session?.executor.quiesce(0);
    while (this.gate.running > 0) await sleep(SUSPEND_LOOK_MS);
    this.session = null;
    await session?.close();
  }

  private open(): ReaderSession {
    if (this.session === null) throw new Error('storage is not open on this thread');
    return this.session;
  }

  private take(publication: Publication): void {
    switch (publication.kind) {
      case 'state':
        this.indices.update(publication.update);
        return;
      case 'shard':
        this.indices.publish(publication.shard);
        return;
      case 'scripts':
        this.scripts = publication.files;
        return;
      case 'forget':
        this.session?.executor.forget(publication.segments);
        return;
      case 'suspend':
        this.gate.close();
        this.turn(() => this.suspend(publication.graceMs));
        return;
      case 'resume':
        this.gate.close();
        this.turn(() => this.resume());
        return;
      case 'refuse':
        this.gate.refuse(errorFromData(publication.error));
        return;
    }
  }

  private turn(work: () => Promise<void>): void {
    this.turning = this.turning.then(work);
  }

  private async suspend(graceMs: number): Promise<void> {
    await this.letGo(graceMs);
    this.indices.clear();
    this.reader.tell({ kind: 'suspended' });
  }

  private async resume(): Promise<void> {
    const { location, cacheBytes } = this.options;
    this.session = await openReaderSession(location, new ByteCache(cacheBytes), this.renderedHits);
    this.gate.open();
    this.reader.tell({ kind: 'resumed' });
  }
}

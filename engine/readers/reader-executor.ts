// Runs the searches of a thread that reads: small ones itself; for others it asks main, which has threads for
// them.

import { type CacheStats, type CacheStatsByKind, type CancelSignal } from '../common/index';
import {
  type Executor,
  type InlineExecutor,
  MainSearches,
  type PackedSearch,
  type SearchJob,
  type SearchOutcome,
  unpackTexts,
} from '../search/index';
import type { ShardSnapshot } from '../segment/index';
import { errorFromData } from '../threads/index';
import type { PublicationId, ReaderMessage, SearchAnswer } from './messages';

interface Waiting {
  readonly resolve: (outcome: SearchOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** What an executor needs of its thread. */
interface ReaderExecutorHost {
  tell(message: ReaderMessage): void;
  publicationOf(snapshot: ShardSnapshot): PublicationId;
  /** Postings that a search may be expected to read to be small. */
  readonly small: number;
  readonly cacheBytes: number;
}

/** Runs searches here, or has main see to them. */
export class ReaderExecutor implements Executor {
  private readonly waiting = new Map<number, Waiting>();
  private readonly searches: MainSearches;
  private nextId = 1;

  /** @param local runs searches here, on the storage that is open now */
  constructor(
    private readonly local: () => InlineExecutor,
    private readonly host: ReaderExecutorHost,
  ) {
    this.searches = new MainSearches((snapshot) => local().open(snapshot), host);
  }

  search(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    return this.searches.search(job, signal, this.local(), () => this.askMain(job, signal));
  }

  private askMain(job: SearchJob, signal: CancelSignal | undefined): Promise<SearchOutcome> {
    const shards = job.shards.map((shard) => ({
      ...shard,
      snapshot: this.host.publicationOf(shard.snapshot),
    }));
    const id = this.nextId++;
    const cancel = (): void => this.host.tell({ kind: 'cancel', id });
    const outcome = new Promise<SearchOutcome>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.host.tell({ kind: 'search', id, job: { ...job, shards } });
    });
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    return outcome.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Takes an answer of main. */
  answered(answer: SearchAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.kind === 'failed') waiting?.reject(errorFromData(answer.error));
    else waiting?.resolve(unpacked(answer.outcome));
  }

  caches(): Promise<CacheStats> {
    return this.local().caches();
  }

  cacheStatsByKind(): Promise<CacheStatsByKind> {
    return this.local().cacheStatsByKind();
  }

  forget(segmentIds: readonly number[]): void {
    this.local().forget(segmentIds);
  }

  close(): Promise<void> {
    return this.local().close();
  }
}

function unpacked(packed: PackedSearch): SearchOutcome {
  return { ...packed, hits: unpackTexts(packed.hits) };
}

// Carries out searches over OpenSearch.

import {
  ByteCache,
  type CacheStats,
  type CacheStatsByKind,
  type CancelSignal,
} from '../../common/index';
import { type Executor, runSearch, type SearchJob, type SearchOutcome } from '../../search/index';
import type { SearchBackend } from './ask-shards';
import { RemotePhases } from './remote-phases';

/** Runs searches over OpenSearch. Nothing is cached here. */
export class RemoteExecutor implements Executor {
  private readonly nothing = new ByteCache(0);

  constructor(private readonly backend: SearchBackend) {}

  search(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    return runSearch(
      job,
      new RemotePhases(this.backend, job.keepAliveMs ?? null, () => signal?.aborted === true),
    );
  }

  caches(): Promise<CacheStats> {
    return Promise.resolve(this.nothing.stats());
  }

  cacheStatsByKind(): Promise<CacheStatsByKind> {
    return Promise.resolve(this.nothing.totals());
  }

  forget(): void {
    // Nothing is kept.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

// Entry point of the indexer thread: the only writer of the `segments` database.

import { openLogReader, openSegmentStore } from '../storage/index';
import { buildAnalysis } from './analysis/index';
import { ByteCache } from './common/index';
import {
  Indexer,
  type SegmentRemovals,
  KnownIndices,
  type EncodedBuild,
  type IndexerRequests,
  type Warning,
  type IndexerWorkerOptions,
} from './shard/index';
import { compileMapping, type IndexMapping } from './mapping/index';
import type { IndexMetadata } from './metadata/index';
import { ReaderCache } from './segment/index';
import {
  errorToData,
  serveMain,
  tellMain,
  threadOptions,
  type ThreadRequest,
  type ForgetNotice,
} from './threads/index';

async function main(): Promise<void> {
  const { location, cacheBytes } = threadOptions<IndexerWorkerOptions>();
  const log = await openLogReader(location);
  const store = await openSegmentStore(location, (error) => {
    tellMain('storageFailed', errorToData(error));
  });
  const cache = new ByteCache(cacheBytes);
  const readers = new ReaderCache(store, cache);
  const compiled = new WeakMap<IndexMetadata, IndexMapping>();
  const indices = new KnownIndices();
  const indexer = new Indexer({
    log: () => log,
    store: () => store,
    readers,
    mapping: (index) => {
      let mapping = compiled.get(index);
      if (mapping === undefined) {
        mapping = compileMapping(index, buildAnalysis(index.settings));
        compiled.set(index, mapping);
      }
      return mapping;
    },
    logger: {
      warn: (fields, message) => {
        const warning: Warning = { fields, message };
        tellMain('warn', warning);
      },
    },
  });
  serveMain({
    serve: (kind, payload, request) => serve(indexer, store, indices, kind, payload, request),
    notice: (_kind, payload) => {
      const { segments } = payload as ForgetNotice;
      readers.forget(segments);
      for (const segment of segments) cache.remove(segment);
    },
    close: async () => {
      readers.clear();
      await store.close();
      await log.close();
    },
  });
}

async function serve(
  indexer: Indexer,
  store: SegmentRemovals,
  indices: KnownIndices,
  kind: string,
  payload: unknown,
  request: ThreadRequest,
): Promise<unknown> {
  switch (kind as keyof IndexerRequests) {
    case 'build': {
      const { job, index } = indices.decode(payload as EncodedBuild);
      return indexer.build(job, index);
    }
    case 'merge':
      return indexer.merge(payload as IndexerRequests['merge'], {
        get aborted() {
          request.touch();
          return request.isCancelled();
        },
      });
    case 'carry':
      return indexer.carry(payload as IndexerRequests['carry']);
    case 'removeSegments':
      return store.removeSegments((payload as IndexerRequests['removeSegments'])[0]);
    case 'removeDeletions':
      return store.removeDeletions((payload as IndexerRequests['removeDeletions'])[0]);
    case 'removeOtherDeletions': {
      const [segment, kept] = payload as IndexerRequests['removeOtherDeletions'];
      return store.removeOtherDeletions(segment, kept);
    }
  }
  throw new TypeError(`no request ${kind}`);
}

void main();

// What a thread that reads has open of storage, from one opening of it to the next.

import type { ByteCache, RenderedHits } from '../common/index';
import { InlineExecutor } from '../search/index';
import {
  openLogReader,
  openSegmentReader,
  type LogReader,
  type StorageLocation,
} from '../../storage/index';

/** Opened storage, and what is kept in memory of it. */
export interface ReaderSession {
  readonly log: LogReader;
  readonly executor: InlineExecutor;
  close(): Promise<void>;
}

/** Opens storage that main has open. @throws as `openLogReader` */
export async function openReaderSession(
  location: StorageLocation,
  cache: ByteCache,
  renderedHits: RenderedHits,
): Promise<ReaderSession> {
  const log = await openLogReader(location);
  const segments = await openSegmentReader(location);
  const executor = new InlineExecutor(segments, log, cache, renderedHits);
  return {
    log,
    executor,
    close: async () => {
      await executor.close();
      await segments.close();
      await log.close();
    },
  };
}

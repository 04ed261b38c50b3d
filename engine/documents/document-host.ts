// What the document APIs need from the engine around them.

import type { EngineError } from '../errors';
import type { ClusterStateService, IndexMetadata } from '../metadata/index';
import type { RequestLimits } from '../common/index';
import type { SegmentReader, ShardSnapshot } from '../segment/index';
import type { ScriptLibrary } from '../script/index';
import type { WritableIndex, ReadableIndex } from '../shard/index';
import type { LogReader, LogRecord, LogStore } from '../../storage/index';

/** What reading documents needs; accessors where storage may be reopened. */
export interface ReadHost<I extends ReadableIndex = ReadableIndex> {
  readonly cluster: Pick<ClusterStateService, 'state'>;
  readonly log: () => LogReader;
  /** Records of the log, through a cache of those shown lately. */
  readonly recordCache: Pick<LogReader, 'readRecord'>;
  readonly now: () => number;
  /** What may be seen of a document of the index, null for nothing; asked where the index has a view. */
  seenOf?(metadata: IndexMetadata, record: LogRecord): LogRecord | null;
  /** The open index, or null when it is closed or gone. */
  indexService(metadata: IndexMetadata): I | null;
}

/** Given by whoever puts the engine together. */
export interface DocumentHost extends ReadHost<WritableIndex> {
  readonly log: () => LogStore;
  /** The scripts that the updates of a request may name. */
  readonly scripts: () => ScriptLibrary;
  /** What one request may have. */
  readonly limits: RequestLimits;
  /** What may be seen of the segments of a shard of the index. @throws CorruptionError */
  readers(metadata: IndexMetadata, snapshot: ShardSnapshot): readonly SegmentReader[];
  /**
   * Creates missing indices with default settings.
   *
   * @param missing their names, with the types of the documents that each is created for; with a type that
   *   cannot be, an index is not created
   * @returns why some are not created, by name; also when automatic creation is off
   */
  autoCreate(
    missing: ReadonlyMap<string, Iterable<string>>,
  ): Promise<ReadonlyMap<string, EngineError>>;
}

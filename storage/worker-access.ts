// What worker threads open: the handles of the process that main opened before them.
//
// A worker gets the location from main and uses its path as it is. It must close before main does.

import { databasePath } from './data-dir';
import type { StorageFailure } from './errors';
import { LevelDatabase } from './level-database';
import { DatabaseLogReader } from './log-store';
import { DatabaseSegmentReader, DatabaseSegmentStore } from './segment-store';
import type { LogReader, LogStore, SegmentStore } from './types';

/** Where a worker finds the databases; plain data, from `Storage.location`. */
export interface StorageLocation {
  /** The real path of the data folder. */
  readonly path: string;
}

/** Something that was opened and must be closed. */
interface Closeable {
  /** Idempotent. */
  close(): Promise<void>;
}

/** Read access to the log. */
type LogReaderAccess = LogReader & Pick<LogStore, 'copyRecords'>;

/** Opens read access to the log. @throws DataFolderError, CorruptionError, LockedError. */
export async function openLogReader(
  location: StorageLocation,
): Promise<LogReaderAccess & Closeable> {
  const database = await LevelDatabase.open('log', databasePath(location.path, 'log'), false);
  const reader = new DatabaseLogReader(database);
  return {
    readRecord: (shard, sequence) => reader.readRecord(shard, sequence),
    readUid: (shard, type, id) => reader.readUid(shard, type, id),
    copyRecords: (shard, from, to, sliceBytes, slab) =>
      reader.copyRecords(shard, from, to, sliceBytes, slab),
    close: () => database.close(),
  };
}

/** Read access to segments. */
type SegmentReaderAccess = Pick<SegmentStore, 'readBlock' | 'readDeletions'>;

/** Opens read access to segments, for search workers. @throws as `openLogReader`. */
export async function openSegmentReader(
  location: StorageLocation,
): Promise<SegmentReaderAccess & Closeable> {
  const database = await LevelDatabase.open(
    'segments',
    databasePath(location.path, 'segments'),
    false,
  );
  const reader = new DatabaseSegmentReader(database);
  return {
    readBlock: (segment, block) => reader.readBlock(segment, block),
    readDeletions: (segment, chunk, generation) => reader.readDeletions(segment, chunk, generation),
    close: () => database.close(),
  };
}

/**
 * Opens the segments for writing, for the one thread that is the indexer; main must then not write them.
 * @param onFailure is told once, when a batch failed: report it to main, which reopens.
 * @throws as `openLogReader`.
 */
export async function openSegmentStore(
  location: StorageLocation,
  onFailure: (error: StorageFailure) => void,
): Promise<SegmentStore & Closeable> {
  const database = await LevelDatabase.open(
    'segments',
    databasePath(location.path, 'segments'),
    false,
  );
  const store = new DatabaseSegmentStore(database, onFailure);
  return {
    writeSegment: (segment, blocks) => store.writeSegment(segment, blocks),
    writeDeletions: (chunks) => store.writeDeletions(chunks),
    readBlock: (segment, block) => store.readBlock(segment, block),
    readDeletions: (segment, chunk, generation) => store.readDeletions(segment, chunk, generation),
    removeSegments: (segments) => store.removeSegments(segments),
    removeOtherDeletions: (segment, kept) => store.removeOtherDeletions(segment, kept),
    removeDeletions: (chunks) => store.removeDeletions(chunks),
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}

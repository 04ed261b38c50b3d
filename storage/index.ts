// The public face of the storage layer: bytes, durability, corruption. The layer above imports this only.

export type {
  ShardId,
  SegmentId,
  SequenceNumber,
  LogRecord,
  UidEntry,
  CommittedSegment,
  CommitPoint,
  LogBatch,
  SegmentStore,
  LogReader,
  LogStore,
} from './types';
export { FORGOTTEN } from './types';
export {
  StorageError,
  CorruptionError,
  SegmentDamageError,
  DiskFullError,
  InputOutputError,
  ClosedError,
  DataLossError,
  StorageFailure,
  FormatVersionError,
  UnsafeFolderError,
} from './errors';
export { Storage, type StorageOptions } from './storage';
export {
  openLogReader,
  openSegmentReader,
  openSegmentStore,
  type StorageLocation,
} from './worker-access';
export type { CommitStats } from './commit-recorder';
export { Histogram, type HistogramStats } from './histogram';
export { fileHolder, holderText } from './file-holder';
export { FileFolder, locateBelow, type FoundFile } from './file-folder';
export type { HeldFile } from './held-file';
export { RecordSlab } from './record-slab';
export { packRecord, unpackRecords } from './record-list';
export { REOPEN_FREE_BYTES } from './level-database';

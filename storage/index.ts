// The public face of the storage layer: bytes, durability, corruption. The layer above imports this only.

export * from './types';
export * from './errors';
export { Storage, type StorageFigures, type StorageOptions } from './storage';
export {
  openLogReader,
  openSegmentReader,
  openSegmentStore,
  type Closeable,
  type LogReaderAccess,
  type SegmentReaderAccess,
  type StorageLocation,
} from './worker-access';
export type { CommitFigures } from './commit-meter';
export { Histogram, type HistogramFigures } from './histogram';
export { FileFolder, locateBelow } from './file-folder';
export { RecordSlab } from './record-slab';
export { packRecord, unpackRecords } from './record-list';
export { REOPEN_FREE_BYTES } from './level-database';
export { FORMAT_VERSION } from './stamp';
export type {
  DatabaseName,
  Entry,
  KeyValueDatabase,
  ScanOptions,
  WriteOperation,
} from './key-value-database';
export type { KeyRange } from './keys';
export { inspectFolder } from './inspect/inspect';
export type { Inspection, OnProgress } from './inspect/inspection';
export { repairFolder, type Repair } from './inspect/rewrite';

// One immutable segment: writing, merging and reading its dictionaries, postings and columns.

export { KEY_END } from './completion/completion-entry';
export { narrowed, type UnsignedArray, unsignedArray } from './columns/columns';
export { compareDoubles, doubleKeys, sortedOrder } from './columns/number-order';
export type { OrdinalArrays } from './columns/ordinal-column';
export { pointOrder } from './columns/point-order';
export { Bitset, NO_MORE_DOCS, popCount, scratchCopy, scratchSet } from './contract/bitset';
export type {
  CompletionIndex,
  GeoColumn,
  NumericColumn,
  OrdinalColumn,
  PostingsBlock,
  PostingsIterator,
  PostingsNeed,
  SegmentCache,
  SegmentReader,
  TermBytes,
  TermDictionary,
  TermImpacts,
} from './contract/reader';
export type { SeenFields, ShardSnapshot, SnapshotView } from './contract/shard-snapshot';
export { seenRecord } from './sets/seen-record';
export { Families, type SegmentFamilies } from './families/families';
export { hashTerm, TermHash } from './dictionary/term-hash';
export {
  compareBytes,
  compareUtf8,
  maxUtf8Length,
  readUtf8,
  writeUtf8,
} from './dictionary/utf8-order';
export { SegmentFormatError } from './format/errors';
export { MAX_DOCS, MAX_TERM_BYTES, widthFor } from './format/format';
export { type BuiltSegment, committedSegment } from './format/segment-writer';
export { MemoryPool } from './memory/memory-pool';
export { mergeSegments } from './merge/merger';
export { warmUnpack } from './postings/unpack';
export { applyDeletions, newlyDeletedRoots } from './read/deletions';
export { type MemorySegment, MemorySegments } from './read/memory-segment';
export { ReaderCache } from './read/reader-cache';
export { keepLiveRoots, liveRoots, liveRootsEnd } from './sets/live-docs';
export { childrenOf, NestedChildren, previousMember } from './sets/nested-children';
export { SegmentBuilder } from './write/segment-builder';

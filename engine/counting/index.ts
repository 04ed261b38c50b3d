// Counting: the values of documents, the buckets they fall into, and what is summed up by bucket. What
// facets and aggregations have in common.

export { MOST_SMALL_ENTRIES } from './answer-size';
export { type BucketColumn, bucketColumn, countSlots, countUsed } from './bucket-column';
export { countBuckets, foldBuckets, foldKeys } from './bucket-counter';
export { type BucketStats, StatsTable, selectStats, statsBytes, picked } from './bucket-stats';
export {
  type ValueExtent,
  type Bucketing,
  IntervalBuckets,
  DistinctBuckets,
  RoundedBuckets,
  type Rounding,
} from './bucketing';
export { BucketIds, doubled } from './bucket-ids';
export { ComputedNumbers } from './computed-numbers';
export { ConstantKeys } from './constant-keys';
export { CountingMemory, arrayBytes } from './counting-memory';
export { parseDateInterval, parseZone, parseDateOffset } from './date-interval';
export {
  type CalendarUnit,
  type DateRoundingSpec,
  DEFAULT_DATE_ROUNDING,
  DateRounding,
  nextDateKey,
} from './date-rounding';
export { DistanceReader } from './distance-reader';
export { type DocBuckets, SetWindows, SLOW_MS, WindowWriter } from './doc-buckets';
export { DocumentScript, type DocScores, type ScoresOf } from './document-script';
export { isFoldable, foldSlots, usedSlots } from './fold-slots';
export { GeohashKeys } from './geohash-keys';
export { KeyIds, type KeyList, SharedKeys, textAt, textKeys } from './key-lists';
export { type KeyColumn, NumberKeys, LongKeys, OrdinalKeys } from './key-reader';
export { ColumnKeys, type KeyReader } from './bucket-window';
export { type KeyedPart, keyedBytes, mergeKeyed, keyOrder } from './keyed-counts';
export { NumberIds } from './number-ids';
export { type NumberReader, ColumnReader, endOf, loadWindow, startOf } from './number-reader';
export { type NumberOrigin, NumberSource } from './number-source';
export { type NumberSums, NO_NUMBERS, sumOf, foldNumbers } from './number-sums';
export { type OrdinalCounts, noTerms, countOrdinals } from './ordinal-counts';
export { type Compare, PositionHeap } from './position-heap';
export { RangeBuckets } from './range-buckets';
export { type NumberRange, countRanges } from './range-counter';
export { termColumn } from './term-column';
export {
  type Term,
  termKey,
  compareTerms,
  type TermList,
  type TextTerms,
  type TermColumn,
} from './term-list';
export { ordinalKeys, TermNumbers, termsAt, textsAt } from './term-numbers';
export { type TermPattern, parseTermPattern, compileTermPattern } from './term-pattern';
export { ScriptTexts } from './script-texts';
export { ValueTable, wordsOf, type CountedNumbers } from './value-table';
export { TypeConflict } from './type-conflict';

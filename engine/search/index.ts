// One search from request to answer: parse, plan, collect, reduce, fetch.

export { countPlan, parseQueryBody } from './count';
export { type LikedSource, similarSearch } from './more-like-this';
export { queryFromParams } from './parse/extra-source';
export { renderHits } from './fetch/fetch';
export { indexPlan, indexScope, withinScope } from './parse/index-plan';
export { parseTopHits } from './parse/parse-top-hits';
export { cancelled, shardFailure } from './plan/errors';
export type {
  CollectJob,
  Executor,
  FetchedHits,
  FetchJob,
  Outcome,
  Phases,
  PrepareJob,
  RescoreJob,
  SearchJob,
  SearchOutcome,
} from './plan/executor';
export { describeFailure, type JobFailure } from './plan/failure';
export {
  type IndexPlan,
  NO_DISTANCE,
  type ShardHit,
  type ShardResult,
  type SortKey,
  type SortValue,
} from './plan/search-plan';
export {
  assertFieldsSeen,
  assertSeenWhole,
  confinedSnapshot,
  seenDocuments,
  seenFields,
} from './plan/document-view';
export {
  addedFigures,
  type FieldFigures,
  segmentFigures,
  type ShardFigures,
  termsPerValue,
} from './field-figures';
export { FieldStats } from './field-stats';
export { HITS_FINDER } from './top-hits/hits-finder';
export { assertPreference, searchTargets, type Target } from './plan/targets';
export {
  buffersToMove,
  decodeJobs,
  decodeSearch,
  type PackedFetch,
  type PackedSearch,
  packSearch,
  packTexts,
  unpackTexts,
  type SearchWorkerOptions,
} from './pool/search-messages';
export { SMALL_SEGMENT_DOCS } from './pool/segment-assignment';
export { KnownSnapshots } from './pool/snapshot-cache';
export { WorkerPool } from './pool/worker-pool';
export { hitsBudget, InlineExecutor } from './run/inline-executor';
export type { SearchControl } from './run/inline-phases';
export { asOutput } from './run/outcome';
export { runSearch } from './run/run-search';
export { SearchScheduler, SearchTurn } from './run/search-scheduler';
export { MainSearches, SMALL_SEARCH_POSTINGS } from './run/main-searches';
export { DEFAULT_SEARCH_QUEUE, queueSizeOf, searchCounts, SearchQueue } from './run/search-queue';
export { DEFAULT_SCROLL_LIMITS, ScrollContexts } from './scroll/scroll-contexts';
export { Searcher, type SearchHost } from './searcher';
export { type ShardHost, ShardRun } from './shard-run';
export type { SourceLookUps } from './source-look-ups';

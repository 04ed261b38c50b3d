// What every room may use and that knows nothing of searching: a cache with a byte budget, time values,
// numbers as Java reads them, the logger.

export {
  ByteCache,
  type CacheKey,
  type CacheStats,
  type CacheStatsByKind,
  countersOf,
  fieldKey,
  lookUps,
  sumStats,
  sumStatsByKind,
} from './byte-cache';
export type { CancelSignal } from './cancel-signal';
export { Slices, yieldToEventLoop } from './event-loop';
export { exactText } from './exact-text';
export {
  compact,
  exactLong,
  isInteger,
  numberFormat,
  parseDouble,
  parseInt16,
  parseInt32,
  parseInt64,
  parseInt8,
  saturatedLong,
} from './java-numbers';
export { checkDecimalPattern, formatDecimal } from './decimal-format';
export { someOutward } from './dotted-paths';
export { type EngineLogger, SILENT_LOGGER } from './logger';
export { isOpenToOthers, isWrittenByAll } from './file-access';
export { appendAll, greatestOf, leastOf } from './lists';
export { didYouMean, nearest } from './nearest';
export { findPackage } from './package-root';
export {
  badNumber,
  bodyBoolean,
  explicitBoolean,
  integerParameter,
  ordinaryBoolean,
  partsBetween,
  splitCommas,
} from './parameters';
export {
  type MemoryLease,
  MemoryShare,
  RenderedHits,
  renderedHitsBudget,
  requestCounts,
  type RenderedHitsBudget,
  RequestMemory,
} from './request-memory';
export { DEFAULT_REQUEST_LIMITS, type RequestLimits, RequestMeter } from './request-meter';
export { SeenKeys } from './seen-keys';
export { atOnce, inSlices } from './steps';
export { inTableOrder, placeOf } from './table-order';
export { matchesAny, matchesPattern, patternTest, PatternWork } from './pattern';
export { checkTurn, tick, untilDeadline, untilGivenUp, WorkGivenUp } from './turn';
export { parseTimeValue, tryTimeValue } from './time-value';

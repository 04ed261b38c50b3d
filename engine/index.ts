// The shop window of the engine: what the server layer may use.

export { Engine, openEngine, type EngineOptions } from './engine';
export {
  EngineError,
  ERROR_STATUS,
  illegalArgument,
  indexMissing,
  validationFailed,
  type EngineErrorOptions,
  type ErrorName,
} from './errors';
export {
  Double,
  Float,
  isJsonObject,
  JsonNumber,
  RawJson,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from './json/json';
export {
  decodeUtf8,
  JsonSyntaxError,
  parseJson,
  parseJsonObject,
  readValue,
  startsWithObject,
} from './json/parse';
export { requestProblems } from './indexing/request-problems';
export { JsonScanner, JsonToken } from './json/scanner';
export { matchesPattern } from './json/source-filter';
export { formatDouble, formatFloat, prettyJson, writeJson } from './json/write';
export { parseTtl } from './mapping/envelope';
export { fieldMappings } from './mapping/field-mapping';
export { renderMappings } from './mapping/render';
export { searchTargets } from './search/targets';
export { aliasToJson } from './metadata/alias';
export { blocksOf, type BlockLevel } from './metadata/blocks';
export {
  flatSettings,
  flattenIndexSettings,
  flattenSettings,
  nestSettings,
  type FlatSettings,
} from './metadata/settings';
export type * from './metadata/state';
export { matchingTemplates, type TemplateParameters } from './metadata/templates';
export { matchWarmers } from './metadata/warmers';
export { parseTimeValue } from './time-value';
export { SILENT_LOGGER, type EngineLogger, type NodeSettings } from './node-settings';
export type * from './search-engine';
export type * from './search/request';
export type { SlowLogger } from './slow-log';
export type * from './snapshots/api';
export {
  CorruptionError,
  DataFolderError,
  DataLossError,
  FormatVersionError,
  LockedError,
  StorageError,
  Histogram,
  type HistogramFigures,
} from '../storage/index';

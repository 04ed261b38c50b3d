// From documents to fields, and from names and values of requests to fields and terms.

export { compileMapping } from './compile';
export { civilDate, DAY_MS, dayNumber, dayOfWeek, fromEpoch, weekOf } from './dates/calendar';
export { dateFormat, DEFAULT_DATE_FORMAT } from './dates/date-format';
export { instantOf } from './dates/date-math';
export { timeZone, type TimeZone, UTC } from './dates/time-zone';
export { parseTtl, refusesBulk, resolveEnvelope } from './document/envelope';
export { fieldMappings } from './field-mapping';
export { KIND_OF_TYPE } from './fields/field-kinds';
export { fieldNamesOf, META_NAMES } from './fields/field-names';
export {
  type CompletionEntry,
  type FieldSink,
  type IndexedField,
  type IndexOptions,
  META_FIELD,
} from './fields/field-sink';
export { CompletionMapper } from './types/completion';
export type { CompletionOptions } from './types/completion-options';
export { queryPrefixes } from './types/completion-context-values';
export { completionPaths, TOKEN_SEPARATOR } from './types/completion-paths';
export type { FieldMatch, MappedField, MappedTypeName, TextTraits } from './fields/mapped-field';
export { DroppingSink, VALIDATE_ONLY } from './fields/dropping-sink';
export { refuseUnloadable } from './fields/loadable';
export { parseIp } from './types/ip';
export { joinUpdates } from './join-updates';
export { mergeDynamic, mergeDynamicSteps, putMapping } from './merge';
export { renderMappings } from './render';
export { seenFieldIds, seenMappings, seenMetadata } from './seen-fields';
export { assertRoomForTypes } from './schema/mapping-size';
export { PERCOLATOR_TYPE } from './schema/own-mappings';
export type {
  DocumentEnvelope,
  DocumentMapper,
  DocumentOutcome,
  IndexMapping,
} from './schema/index-mapping';
export { type MetadataField, metadataValue, storedValue } from './stored-values';

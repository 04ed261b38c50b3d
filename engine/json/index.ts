// JSON without losses: reading, scanning, writing, and cutting parts out of documents.

export { EntryList, memberLead, RenderedList } from './entry-list';
export {
  classCast,
  javaClass,
  javaHashText,
  javaText,
  mapperParsing,
  optionBoolean,
  optionFloat,
  optionInt,
  optionLong,
  truncated,
  underscoreCase,
} from './java-values';
export {
  Double,
  Float,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  RawJson,
} from './json';
export {
  isScalar,
  type JsonScalar,
  lenientBoolean,
  lenientFloat,
  lenientInteger,
  lenientLong,
  scalarText,
} from './lenient';
export { decodeUtf8, parseJson, parseJsonObject, readValue, startsWithObject } from './parse';
export { seenMembers, type SeenMembers } from './members';
export { prettyJson } from './pretty';
export { JsonScanner, JsonToken } from './scanner';
export {
  extractValue,
  extractValues,
  filterSource,
  type JsonLeaf,
  matchesPattern,
  parseSource,
  type SourceFilter,
} from './source-filter';
export { sourceParameters } from './source-parameters';
export { JsonSyntaxError } from './syntax-error';
export { formatDouble, formatFloat, writeJson } from './write';

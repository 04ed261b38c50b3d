// What a route handler gets and gives: parameters, bodies, routes, index options.

export {
  type ApiRequest,
  type ApiResponse,
  type KeptNames,
  type ConnectionStats,
  empty,
  type Handler,
  json,
  jsonKeeping,
  jsonWithSources,
  type RouteContext,
  text,
} from './api';
export { type BodyLimit, bodyOrSource, hasBody, readBeginning } from './body';
export { ConnectionCounts, connectionTotals } from './connection-counts';
export { mapBounded, Turns } from './bounded';
export {
  CLOSE_INDEX_OPTIONS,
  DELETE_BY_QUERY_OPTIONS,
  DELETE_INDEX_OPTIONS,
  DELETE_MAPPING_OPTIONS,
  DELETE_WARMER_OPTIONS,
  EXISTS_OPTIONS,
  indicesOptions,
  LENIENT_ALL_OPTIONS,
  LENIENT_READ_OPTIONS,
  OPEN_INDEX_OPTIONS,
  PUT_WARMER_OPTIONS,
  READ_OPTIONS,
  SEARCH_OPTIONS,
  SEARCH_SHARDS_OPTIONS,
  SYNCED_FLUSH_OPTIONS,
  UPDATE_METADATA_OPTIONS,
  VALIDATE_OPTIONS,
} from './indices-options';
export { Params } from './params';
export { type RestOfBody } from './rest-of-body';
export { RequestRecorder, requestTimes, type SlowRequest } from './request-recorder';
export { familyOf, type RouteFamily } from './route-family';
export { effectiveMethod, type Route, Router } from './router';
export { parseQueryParameters, splitTarget } from './url';

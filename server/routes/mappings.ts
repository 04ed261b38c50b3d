// Mappings: read, put, delete (reference server).

import {
  EngineError,
  fieldMappings,
  indexMissing,
  matchesPattern,
  PatternWork,
  renderMappings,
  validationFailed,
  type JsonOutput,
} from '../../engine/index';
import {
  json,
  jsonKeeping,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  DELETE_MAPPING_OPTIONS,
  indicesOptions,
  READ_OPTIONS,
  UPDATE_METADATA_OPTIONS,
} from '../request/index';
import { acknowledge } from './acknowledged';
import { jsonObjectBody } from './json-body';

/**
 * `GET [/{index}]/_mapping/{type}` and `/{index}/{type}/_mapping`: only indices that have one of the types.
 */
export function getMapping({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const indices = params.list('index');
  const types = params.list('type');
  const isAll = types.length === 0 || types.includes('_all') || types.includes('*');
  const options = indicesOptions(params, READ_OPTIONS);
  const found = engine.admin.resolve(indices, options, 'metadata_read');
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  for (const name of found) {
    const mappings = renderMappings(state.indices.get(name)!, isAll ? [] : types);
    if (mappings.size > 0 || types.length === 0) result.set(name, { mappings });
  }
  const [index] = indices;
  const [type] = types;
  if (found.length === 0 && index !== undefined && isAll) throw indexMissing(index);
  // compat: only the first of several types is named.
  if (result.size === 0 && index === undefined && !isAll && type !== undefined) {
    throw new EngineError('TypeMissingException', `[_all] type[[${type}]] missing`);
  }
  return jsonKeeping([1], result);
}

/**
 * `GET [/{index}]/_mapping[/{type}]/field/{fields}`: single fields, by full name, index name or pattern.
 * Indices with one of the types are listed; closed ones are not.
 */
export function getFieldMapping({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const indices = params.list('index');
  const types = params.list('type');
  const fields = params.list('fields');
  const isAll = types.length === 0 || (types.length === 1 && ['_all', '*'].includes(types[0]!));
  // compat: one field of one type of one index is nowhere unless every type that is meant has it.
  const isSingle =
    indices.length === 1 &&
    types.length === 1 &&
    !isAll &&
    fields.length === 1 &&
    !fields[0]!.includes('*');
  const withDefaults = params.flag('include_defaults');
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  const options = indicesOptions(params, READ_OPTIONS);
  const patterns = new PatternWork();
  for (const name of engine.admin.resolve(indices, options, 'metadata_read')) {
    const index = state.indices.get(name);
    if (index?.state !== 'open') continue;
    const meant = [...index.mappings].filter(
      ([type]) => isAll || types.some((pattern) => matchesPattern(pattern, type)),
    );
    if (meant.length === 0 && !isAll) continue;
    const mappings = new Map<string, JsonOutput>();
    for (const [type, canonical] of meant) {
      const shown = new Map<string, JsonOutput>();
      for (const [key, field] of fieldMappings(canonical, fields, patterns, withDefaults)) {
        const mapping = new Map(field.mapping === null ? [] : [[field.name, field.mapping]]);
        shown.set(key, { full_name: field.fullName, mapping });
      }
      if (shown.size > 0) mappings.set(type, shown);
    }
    if (isSingle && mappings.size < meant.length) return json({});
    result.set(name, { mappings });
  }
  // Names of indices and types.
  return jsonKeeping([1, 3], result, result.size > 0 ? 200 : 404);
}

/** `PUT|POST` on all mapping paths. */
export async function putMapping(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const type = params.get('type');
  const problems = [
    ...(type === undefined ? ['mapping type is missing'] : []),
    ...(body.length === 0 ? ['mapping source is empty'] : []),
  ];
  if (type === undefined || problems.length > 0) throw validationFailed(problems);
  const options = indicesOptions(params, UPDATE_METADATA_OPTIONS);
  // A missing index is reported before a broken body.
  engine.admin.resolve(params.list('index'), options);
  const mapping = jsonObjectBody(body, 'Failed to parse content to map');
  const ignoreConflicts = params.flag('ignore_conflicts');
  return acknowledge(params, engine, () =>
    engine.admin.putMapping(params.list('index'), type, mapping, options, ignoreConflicts),
  );
}

/** `DELETE` on all mapping paths and `/{index}/{type}`: the types with their documents. */
export async function deleteMapping(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const types = params.list('type');
  if (types.length === 0) throw validationFailed('mapping type is missing');
  if (types.some((type) => type.trim() === '')) {
    throw validationFailed('types must not contain empty strings');
  }
  const options = indicesOptions(params, DELETE_MAPPING_OPTIONS);
  return acknowledge(params, engine, () =>
    engine.admin.deleteMapping(params.list('index'), types, options),
  );
}

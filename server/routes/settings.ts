// Index settings: read and update (reference server).

import {
  isJsonObject,
  matchesPattern,
  validationFailed,
  type JsonObject,
  type JsonOutput,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  READ_OPTIONS,
  UPDATE_METADATA_OPTIONS,
  type Params,
} from '../request/index';
import { renderSettings } from '../render/index';
import { acknowledge } from './acknowledged';
import { jsonObjectBody } from './json-body';

/** Parameters that are not settings. */
const NOT_SETTINGS = new Set([
  'allow_no_indices',
  'case',
  'error_trace',
  'expand_wildcards',
  'filter_path',
  'flat_settings',
  'format',
  'human',
  'ignore_unavailable',
  'index',
  'master_timeout',
  'pretty',
  'source',
  'timeout',
]);

/** `GET [/{index}]/_settings/{name}`: indices with at least one of the settings. */
export function getSettings({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const patterns = params.list('name');
  const isAll = patterns.length === 0 || patterns.includes('_all') || patterns.includes('*');
  const isFlat = params.flag('flat_settings');
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  const options = indicesOptions(params, READ_OPTIONS);
  for (const name of engine.admin.resolve(params.list('index'), options, 'metadata_read')) {
    const settings = [...(state.indices.get(name)?.settings ?? [])].filter(
      ([key]) => isAll || patterns.some((pattern) => matchesPattern(pattern, key)),
    );
    if (settings.length > 0) {
      result.set(name, { settings: renderSettings(new Map(settings), isFlat) });
    }
  }
  return json(result);
}

/**
 * `PUT [/{index}]/_settings`: settings of the body, with or without the wrapper `settings`, and of the URL.
 */
export async function updateSettings(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const settings = settingsOf(params, body);
  if (isEmpty(settings)) throw validationFailed('no settings to update');
  const options = indicesOptions(params, UPDATE_METADATA_OPTIONS);
  return acknowledge(params, engine, () =>
    engine.admin.updateSettings(params.list('index'), settings, options),
  );
}

function settingsOf(params: Params, body: Buffer): JsonObject {
  const settings: JsonObject = new Map();
  for (const [name, value] of jsonObjectBody(body, 'Failed to parse content to map')) {
    if (name !== 'settings' || !isJsonObject(value)) settings.set(name, value);
    else for (const [inner, innerValue] of value) settings.set(inner, innerValue);
  }
  for (const [name, value] of params.values) {
    if (!NOT_SETTINGS.has(name)) settings.set(name, value);
  }
  return settings;
}

function isEmpty(settings: JsonObject): boolean {
  return [...settings.values()].every(
    (value) => value === null || (isJsonObject(value) && isEmpty(value)),
  );
}

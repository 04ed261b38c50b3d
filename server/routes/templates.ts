// Index templates: put, get, exists, delete (reference server).

import {
  isJsonObject,
  matchingTemplates,
  type JsonObject,
  type JsonOutput,
} from '../../engine/index';
import {
  empty,
  jsonKeeping,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
} from '../request/index';
import { renderSettings } from '../render/index';
import { acknowledge } from './acknowledged';
import { requiredObjectBody } from './json-body';

/** `PUT|POST /_template/{name}`. */
export async function putTemplate(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const parameters = { order: params.int('order'), pattern: params.get('template') };
  const template = requiredObjectBody(body);
  const name = params.get('name') ?? '';
  return acknowledge(params, engine, () =>
    engine.admin.putTemplate(name, template, params.flag('create'), parameters),
  );
}

/**
 * `GET /_template[/{name}]`: names and patterns; nothing found is 404 unless all were asked for. Settings are
 * flat unless `flat_settings` says otherwise.
 */
export function getTemplates({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  params.timeMs('master_timeout');
  const state = engine.state();
  const names = params.list('name');
  const found = names.length === 0 ? [...state.templates.keys()] : matchingTemplates(state, names);
  const result = new Map<string, JsonOutput>();
  const isFlat = params.flag('flat_settings', true);
  for (const name of found) {
    const template = state.templates.get(name);
    if (template === undefined) continue;
    result.set(name, isFlat ? template : withNestedSettings(template));
  }
  return jsonKeeping([1], result, found.length === 0 && names.length > 0 ? 404 : 200);
}

function withNestedSettings(template: JsonObject): JsonOutput {
  const settings = template.get('settings');
  if (!isJsonObject(settings)) return template;
  const flat = new Map([...settings].map(([name, value]) => [name, value as string]));
  return new Map<string, JsonOutput>(template).set('settings', renderSettings(flat, false));
}

/** `HEAD /_template/{name}`: one name or pattern, never a list. */
export function templateExists({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  params.timeMs('master_timeout');
  const found = matchingTemplates(engine.state(), [params.get('name') ?? '']);
  return empty(found.length > 0 ? 200 : 404);
}

/** `DELETE /_template/{name}`. */
export async function deleteTemplate(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  return acknowledge(params, engine, () => engine.admin.deleteTemplates(params.get('name') ?? ''));
}

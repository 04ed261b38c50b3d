// Index templates: put, get, exists, delete (reference server).

import { matchingTemplates, type JsonOutput } from '../../engine/index';
import { empty, json, type ApiRequest, type ApiResponse, type RouteContext } from '../api';
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
  return acknowledge(params, () =>
    engine.putTemplate(name, template, params.flag('create'), parameters),
  );
}

/** `GET /_template[/{name}]`: names and patterns; nothing found is 404 unless all were asked for. */
export function getTemplates({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const state = engine.state();
  const names = params.list('name');
  const found = names.length === 0 ? [...state.templates.keys()] : matchingTemplates(state, names);
  const result = new Map<string, JsonOutput>();
  for (const name of found) result.set(name, state.templates.get(name) ?? null);
  return json(result, found.length === 0 && names.length > 0 ? 404 : 200);
}

/** `HEAD /_template/{name}`. */
export function templateExists({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  return empty(matchingTemplates(engine.state(), params.list('name')).length > 0 ? 200 : 404);
}

/** `DELETE /_template/{name}`. */
export async function deleteTemplate(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  return acknowledge(params, () => engine.deleteTemplates(params.get('name') ?? ''));
}

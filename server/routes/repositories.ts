// Snapshot repositories: put, get, verify, delete (reference server).

import {
  EngineError,
  flattenSettings,
  isJsonObject,
  validationFailed,
  type JsonValue,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { acknowledge } from './acknowledged';
import { requiredObjectBody } from './json-body';

/** `PUT|POST /_snapshot/{repository}`. */
export async function putRepository(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const members = requiredObjectBody(body);
  const type = members.get('type');
  if (typeof type !== 'string') throw validationFailed('type is missing');
  const settings = members.get('settings') ?? new Map<string, JsonValue>();
  if (!isJsonObject(settings)) {
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      'Malformed settings section, should include an inner object',
    );
  }
  return acknowledge(params, engine, () =>
    engine.snapshots.putRepository({
      name: params.get('repository') ?? '',
      type,
      settings: flattenSettings(settings),
      verify: params.flag('verify', true),
    }),
  );
}

/** `GET /_snapshot[/{repository}]`: names or `_all`. */
export function getRepositories({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  params.timeMs('master_timeout');
  return json(engine.snapshots.repositories(params.list('repository')));
}

/** `POST /_snapshot/{repository}/_verify`: the nodes that can write to it. */
export async function verifyRepository(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  await engine.snapshots.verifyRepository(params.get('repository') ?? '');
  return json({ nodes: new Map([[engine.nodeId, { name: engine.nodeName }]]) });
}

/** `DELETE /_snapshot/{repository}`: a name or pattern. */
export async function deleteRepository(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  return acknowledge(params, engine, () =>
    engine.snapshots.deleteRepositories(params.get('repository') ?? ''),
  );
}

// Keys over HTTP (docs/security.md).

import {
  EngineError,
  illegalArgument,
  isJsonObject,
  type JsonObject,
  type Keys,
  parseRole,
  parseTimeValue,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { jsonObjectBody } from './json-body';
import { createdKeyBody, keyBody, keysBody } from '../render/index';

/** `GET /_facetd/keys`. */
export function listKeys(_request: ApiRequest, context: RouteContext): ApiResponse {
  return json(keysBody(keysOf(context)));
}

/** `GET /_facetd/keys/{id}`. @throws EngineError 404 */
export function getKey({ params }: ApiRequest, context: RouteContext): ApiResponse {
  const id = params.get('id') ?? '';
  const keys = keysOf(context);
  const key = keys.list().find((one) => one.id === id);
  if (key === undefined) {
    throw new EngineError('ElasticsearchIllegalArgumentException', `there is no key [${id}]`, {
      status: 404,
    });
  }
  return json({ keys: new Map([[id, keyBody(key, keys)]]) });
}

/** `GET /_facetd/me`: the key of the request. */
export function getOwnKey(_request: ApiRequest, context: RouteContext): ApiResponse {
  const { key } = context;
  return json(key === null ? { id: null } : { id: key.id, ...keyBody(key, keysOf(context)) });
}

/** `PUT /_facetd/keys/{id}` with `role`, `expires_in` and, for a chosen one, `secret`. @throws EngineError */
export async function createKey(
  { params, body }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  const members = jsonObjectBody(body, 'Failed to parse the key');
  onlyMembers(members, ['role', 'expires_in', 'secret']);
  const role = members.get('role');
  if (!isJsonObject(role)) throw illegalArgument('a key needs a [role], which is an object');
  const expiresIn = textOf(members, 'expires_in');
  const created = await keysOf(context).create({
    id: params.get('id') ?? '',
    role: parseRole(role),
    secret: textOf(members, 'secret'),
    expiresAt: expiresIn === undefined ? null : context.now() + parseTimeValue(expiresIn),
  });
  return json(createdKeyBody(created), 201);
}

/** `DELETE /_facetd/keys/{id}`. @throws EngineError 404 */
export async function revokeKey(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  await keysOf(context).revoke(params.get('id') ?? '');
  return json({ acknowledged: true });
}

/** `POST /_facetd/keys/{id}/_rotate`, with `secret` for a chosen one. @throws EngineError 404 */
export async function rotateKey(
  { params, body }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  const members = jsonObjectBody(body, 'Failed to parse the key');
  onlyMembers(members, ['secret']);
  const secret = textOf(members, 'secret');
  return json(createdKeyBody(await keysOf(context).rotate(params.get('id') ?? '', secret)));
}

function keysOf({ engine }: RouteContext): Keys {
  const { access } = engine;
  if (access !== undefined) return access.keys;
  throw new EngineError('UnsupportedOperationException', 'this engine has no keys');
}

function textOf(members: JsonObject, name: string): string | undefined {
  const value = members.get(name);
  if (value === undefined || typeof value === 'string') return value;
  throw illegalArgument(`[${name}] of a key has to be a text`);
}

function onlyMembers(members: JsonObject, known: readonly string[]): void {
  for (const name of members.keys()) {
    if (!known.includes(name)) {
      throw illegalArgument(`unknown member [${name}] of a key, known are [${known.join(', ')}]`);
    }
  }
}

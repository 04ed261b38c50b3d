// Stored scripts: put, create, get, delete (reference server).

import {
  decodeUtf8,
  illegalArgument,
  JsonSyntaxError,
  parseJsonObject,
  startsWithObject,
  EngineError,
  writeJson,
  type JsonObject,
  type ScriptIdentity,
  type ScriptVersion,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  type Params,
} from '../request/index';
import { isCreate, parseVersionType, refusedOperation } from './document-params';

/** `PUT|POST /_scripts/{lang}/{id}`. */
export async function putScript(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const refused = refusedOperation(request.params);
  return refused ?? put(request, engine, isCreate(request.params));
}

/** `PUT|POST /_scripts/{lang}/{id}/_create`: a script that is there already stays. */
export function createScript(request: ApiRequest, { engine }: RouteContext): Promise<ApiResponse> {
  return put(request, engine, true);
}

async function put(
  { params, body }: ApiRequest,
  engine: RouteContext['engine'],
  create: boolean,
): Promise<ApiResponse> {
  const identity = identityOf(params);
  const { found, version } = await engine.storedScripts.put(
    identity,
    sourceOf(body),
    versionOf(params),
    create,
  );
  return json({ _id: identity.id, _version: version, created: !found }, found ? 200 : 201);
}

/** `GET /_scripts/{lang}/{id}`. */
export function getScript({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const { lang, id } = identityOf(params);
  const entry = engine.storedScripts.get({ lang, id }, versionOf(params));
  if (entry === null) return json({ lang, _id: id, found: false }, 404);
  return json({ lang, _id: id, found: true, _version: entry.version, script: entry.script });
}

/** `DELETE /_scripts/{lang}/{id}`. */
export async function deleteScript(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { lang, id } = identityOf(params);
  const { found, version } = await engine.storedScripts.delete({ lang, id }, versionOf(params));
  const result = { found, _index: '.scripts', _type: lang, _id: id, _version: version };
  return json(result, found ? 200 : 404);
}

function identityOf(params: Params): ScriptIdentity {
  return { lang: params.get('lang') ?? '', id: params.get('id') ?? '' };
}

function versionOf(params: Params): ScriptVersion {
  return {
    version: params.long('version'),
    versionType: parseVersionType(params.get('version_type')),
  };
}

/** The text of `script` (or `template`); anything but text is taken for its JSON. */
function sourceOf(body: Buffer): string {
  const text = decodeUtf8(body);
  if (!startsWithObject(text)) {
    throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  }
  const members = parse(text);
  const value = members.get('script') ?? members.get('template');
  const source = typeof value === 'string' ? value : value === undefined ? '' : writeJson(value);
  if (source === '') throw illegalArgument(`Unable to find script in : ${text}`);
  return source;
}

function parse(text: string): JsonObject {
  try {
    return parseJsonObject(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw illegalArgument('failed to parse template script', error);
  }
}

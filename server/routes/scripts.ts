// Stored scripts: put, create, get, delete (reference server).

import {
  decodeUtf8,
  startsWithObject,
  EngineError,
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
export function putScript(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return put(request, context, identityOf(request.params));
}

/** `PUT|POST /_search/template/{id}`. */
export function putTemplateScript(
  request: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  return put(request, context, templateOf(request.params));
}

/** `PUT|POST /_scripts/{lang}/{id}/_create`: a script that is there already stays. */
export function createScript(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return write(request, context, identityOf(request.params), true);
}

/** `PUT|POST /_search/template/{id}/_create`: a template that is there already stays. */
export function createTemplateScript(
  request: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  return write(request, context, templateOf(request.params), true);
}

async function put(
  request: ApiRequest,
  context: RouteContext,
  identity: ScriptIdentity,
): Promise<ApiResponse> {
  const refused = refusedOperation(request.params);
  return refused ?? write(request, context, identity, isCreate(request.params));
}

async function write(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
  identity: ScriptIdentity,
  create: boolean,
): Promise<ApiResponse> {
  if (!startsWithObject(decodeUtf8(body))) {
    throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  }
  const { found, version } = await engine.storedScripts.put(
    identity,
    body,
    versionOf(params),
    create,
  );
  return json({ _id: identity.id, _version: version, created: !found }, found ? 200 : 201);
}

/** `GET /_scripts/{lang}/{id}`. */
export function getScript({ params }: ApiRequest, { engine }: RouteContext): Promise<ApiResponse> {
  return show('script', engine, identityOf(params), versionOf(params));
}

/** `GET /_search/template/{id}`. */
export function getTemplateScript(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  return show('template', engine, templateOf(params), versionOf(params));
}

async function show(
  member: 'script' | 'template',
  engine: RouteContext['engine'],
  identity: ScriptIdentity,
  version: ScriptVersion,
): Promise<ApiResponse> {
  const { lang, id } = identity;
  const entry = await engine.storedScripts.get(identity, version);
  if (entry === null) return json({ lang, _id: id, found: false }, 404);
  return json({ lang, _id: id, found: true, _version: entry.version, [member]: entry.script });
}

/** `DELETE /_scripts/{lang}/{id}`. */
export function deleteScript(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  return remove(engine, identityOf(params), versionOf(params));
}

/** `DELETE /_search/template/{id}`. */
export function deleteTemplateScript(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  return remove(engine, templateOf(params), versionOf(params));
}

async function remove(
  engine: RouteContext['engine'],
  { lang, id }: ScriptIdentity,
  asked: ScriptVersion,
): Promise<ApiResponse> {
  const { found, version } = await engine.storedScripts.delete({ lang, id }, asked);
  const result = { found, _index: '.scripts', _type: lang, _id: id, _version: version };
  return json(result, found ? 200 : 404);
}

function identityOf(params: Params): ScriptIdentity {
  return { lang: params.get('lang') ?? '', id: params.get('id') ?? '' };
}

/** Templates are the stored scripts of the language mustache. */
function templateOf(params: Params): ScriptIdentity {
  return { lang: 'mustache', id: params.get('id') ?? '' };
}

function versionOf(params: Params): ScriptVersion {
  return {
    version: params.long('version'),
    versionType: parseVersionType(params.get('version_type')),
  };
}

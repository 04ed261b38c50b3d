// Single documents: index, create, get, exists, source, delete, update (reference server).

import {
  decodeUtf8,
  parseJsonObject,
  validationFailed,
  type IndexRequest,
  type JsonObject,
  type JsonValue,
  type WriteOptions,
} from '../../engine/index';
import {
  empty,
  json,
  jsonWithSources,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  type Params,
} from '../request/index';
import { deleteBody, getBody, indexBody, updateBody, JSON_TYPE } from '../render/index';
import {
  deleteOptions,
  fieldsParameter,
  getRequest,
  isCreate,
  readVersion,
  refusedOperation,
  ttlParameter,
  updateOptions,
  writeOptions,
} from './document-params';

/** `PUT|POST /{index}/{type}/{id}`, `POST /{index}/{type}`. */
export async function indexDocument(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const options = writeOptions(request.params);
  const refused = refusedOperation(request.params);
  if (refused !== null) return refused;
  const result = await engine.index(stored(request, options, isCreate(request.params)));
  return json(indexBody(result), result.created ? 201 : 200);
}

/** `PUT|POST /{index}/{type}/{id}/_create`. */
export async function createDocument(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const result = await engine.index(stored(request, writeOptions(request.params), true));
  return json(indexBody(result), result.created ? 201 : 200);
}

/** Members one by one: an object that grows after it was copied has a shape of its own each time. */
function stored(
  { params, body }: ApiRequest,
  options: WriteOptions,
  create: boolean,
): IndexRequest {
  return {
    index: options.index,
    type: options.type,
    routing: options.routing,
    parent: options.parent,
    version: options.version,
    versionType: options.versionType,
    timestamp: options.timestamp,
    ttl: options.ttl,
    refresh: options.refresh,
    id: params.get('id'),
    create,
    source: body,
  };
}

/** `GET /{index}/{type}/{id}`; HEAD answers with the same statuses. */
export async function getDocument(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  const result = await engine.get({
    ...getRequest(params),
    ...readVersion(params),
  });
  return jsonWithSources(getBody(result), result.found ? 200 : 404);
}

/** `HEAD /{index}/{type}/{id}`: reads no source. */
export async function documentExists(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const result = await engine.get({
    ...getRequest(request.params),
    source: false,
    fields: undefined,
  });
  return empty(result.found ? 200 : 404);
}

/** `GET|HEAD /{index}/{type}/{id}/_source`: the bare document, or 404 without a body. */
export async function getSource(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const wanted = { ...getRequest(request.params), fields: undefined };
  const isRefused = wanted.source === false && request.params.has('_source');
  if (isRefused && request.method !== 'HEAD') {
    throw validationFailed('fetching source can not be disabled');
  }
  const result = await engine.get({ ...wanted, source: wanted.source || true });
  if (!result.found || result.source === undefined) {
    // compat: JSON by its type, though there is none.
    return { kind: 'text', status: 404, text: '', type: JSON_TYPE };
  }
  return { kind: 'chunks', status: 200, chunks: [result.source], keptNames: 'all' };
}

/** `DELETE /{index}/{type}/{id}`. */
export async function deleteDocument(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const id = request.params.get('id') ?? '';
  const result = await engine.delete({ ...deleteOptions(request.params), id });
  return json(deleteBody(result), result.found ? 200 : 404);
}

/** `POST /{index}/{type}/{id}/_update`. */
export async function updateDocument(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params, body: text } = request;
  const options = updateOptions(params);
  const body = text.length === 0 ? new Map<string, JsonValue>() : parseJsonObject(decodeUtf8(text));
  const result = await engine.update({
    ...options,
    // compat: of an update without a document nobody reads it.
    ttl: body.has('doc') || body.has('upsert') ? ttlParameter(params) : undefined,
    id: params.get('id') ?? '',
    body: updateBodyOf(params, body),
    retryOnConflict: Math.max(0, params.int('retry_on_conflict') ?? 0),
    fields: fieldsParameter(params),
  });
  return jsonWithSources(updateBody(result), result.created ? 201 : 200);
}

/** What the names of script parameters in the URL begin with. */
const SCRIPT_PARAM = 'sp_';

/** A script and its parameters may stand in the URL, and `doc_as_upsert`; members of the body win. */
function updateBodyOf(params: Params, body: JsonObject): JsonObject {
  const merged: JsonObject = new Map();
  for (const name of ['script', 'script_id', 'script_file']) {
    const text = params.get(name);
    if (text !== undefined) merged.set(name, text);
  }
  const lang = params.get('lang');
  if (merged.size > 0 && lang !== undefined) merged.set('lang', lang);
  const scriptParams = new Map(
    [...params.values]
      .filter(([name]) => name.startsWith(SCRIPT_PARAM))
      .map(([name, value]) => [name.slice(SCRIPT_PARAM.length), value]),
  );
  if (scriptParams.size > 0) merged.set('params', scriptParams);
  if (params.has('doc_as_upsert')) merged.set('doc_as_upsert', params.flag('doc_as_upsert'));
  if (merged.size === 0) return body;
  for (const [name, value] of body) merged.set(name, value);
  return merged;
}

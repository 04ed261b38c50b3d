// Warmers: put, get, delete (reference server).

import { matchWarmers, validationFailed, type JsonOutput } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  DELETE_WARMER_OPTIONS,
  indicesOptions,
  PUT_WARMER_OPTIONS,
  READ_OPTIONS,
} from '../request/index';
import { acknowledge } from './acknowledged';
import { readSearch } from './search';

/**
 * `PUT|POST [/{index}[/{type}]]/_warmer(s)/{name}`: the search is run once, so that a broken one is refused.
 */
export async function putWarmer(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  const wanted = readSearch(request);
  const options = indicesOptions(params, PUT_WARMER_OPTIONS);
  await engine.search({ ...wanted, options, params: new Map(), searchType: undefined });
  const { indices, types, body } = wanted;
  return acknowledge(params, engine, () =>
    engine.admin.putWarmer(indices, options, params.get('name') ?? '', types, body),
  );
}

/** `GET [/{index}[/{type}]]/_warmer/{name}`: only indices that have one of the warmers. */
export function getWarmers({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const names = params.list('name');
  const types = params.list('type');
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  const options = indicesOptions(params, READ_OPTIONS);
  for (const name of engine.admin.resolve(params.list('index'), options, 'metadata_read')) {
    const index = state.indices.get(name);
    if (index === undefined) continue;
    const warmers = new Map<string, JsonOutput>();
    for (const warmer of matchWarmers(index, names)) {
      const entry = index.warmers.get(warmer);
      const own = entry?.get('types');
      const isOfType =
        types.length === 0 || (Array.isArray(own) && types.some((type) => own.includes(type)));
      if (entry !== undefined && isOfType) warmers.set(warmer, entry);
    }
    if (warmers.size > 0) result.set(name, { warmers });
  }
  return json(result);
}

/** `DELETE /{index}/_warmer(s)[/{name}]`. */
export async function deleteWarmers(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const names = params.list('name');
  if (names.length === 0) throw validationFailed('warmer names are missing');
  const options = indicesOptions(params, DELETE_WARMER_OPTIONS);
  return acknowledge(params, engine, () =>
    engine.admin.deleteWarmers(params.list('index'), options, names),
  );
}

// `_field_stats`: what the indices know of the values of fields (reference server).

import { validationFailed } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  SEARCH_OPTIONS,
} from '../request/index';
import { shardsHeader } from '../render/index';

/** `GET|POST [/{index}]/_field_stats`; a body is not looked at, as on the reference server. */
export async function fieldStats(
  { params, signal }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const level = params.get('level') ?? 'cluster';
  if (level !== 'cluster' && level !== 'indices') {
    throw validationFailed(`invalid level option [${level}]`);
  }
  const { shards, indices } = await engine.fieldStats({
    indices: params.list('index'),
    options: indicesOptions(params, SEARCH_OPTIONS),
    fields: [...new Set(params.list('fields'))],
    perIndex: level === 'indices',
    signal: signal?.(),
  });
  return json({ _shards: shardsHeader(shards), indices });
}

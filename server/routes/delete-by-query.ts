// Delete by query (reference server).

import { validationFailed, type JsonOutput } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  DELETE_BY_QUERY_OPTIONS,
} from '../request/index';
import { shardsHeader, shardsStatus } from '../render/index';
import { checkIneffective } from './document-params';
import { readSearch } from './search';

/** `DELETE /{index}[/{type}]/_query`: how many documents are gone is not told. */
export async function deleteByQuery(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  checkIneffective(request.params);
  const wanted = readSearch(request, DELETE_BY_QUERY_OPTIONS);
  if (wanted.bodyText === null && !request.params.has('q')) {
    throw validationFailed('source is missing');
  }
  const headers = await engine.deleteByQuery(wanted);
  const indices = new Map<string, JsonOutput>();
  let status = 200;
  for (const [index, header] of headers) {
    indices.set(index, { _shards: shardsHeader(header, false) });
    status = Math.max(status, shardsStatus(header));
  }
  return json({ _indices: indices }, status);
}

// `_search/exists`: whether a query has any hit (reference server).

import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { readSearch } from './search';

/**
 * `GET|POST [/{index}[/{type}]]/_search/exists`: 200 or 404. What is wrong with a query means that nothing
 * exists.
 */
export async function searchExists(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  // compat: checked, but without effect.
  request.params.float('min_score');
  const wanted = readSearch(request);
  const params = new Map(wanted.params).set('terminate_after', '1');
  const { count } = await engine.count({ ...wanted, params });
  return answer(count > 0);
}

function answer(exists: boolean): ApiResponse {
  return json({ exists }, exists ? 200 : 404);
}

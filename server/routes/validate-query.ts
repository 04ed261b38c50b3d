// `_validate/query`: whether a query can be read, without searching (reference server).

import type { JsonOutput } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  VALIDATE_OPTIONS,
} from '../request/index';
import { readSearch } from './search';

/** `GET|POST [/{index}[/{type}]]/_validate/query`; with `explain` index by index. */
export async function validateQuery(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const results = await engine.validateQuery(readSearch(request, VALIDATE_OPTIONS));
  const explanations = results.map(({ index, error, explanation }): JsonOutput => ({
    index,
    valid: error === null,
    error: error ?? undefined,
    explanation: explanation ?? undefined,
  }));
  return json({
    valid: results.every(({ error }) => error === null),
    _shards: { total: results.length, successful: results.length, failed: 0 },
    explanations:
      request.params.flag('explain') && explanations.length > 0 ? explanations : undefined,
  });
}

// `_search/scroll`: the next page of a search that is kept open, and its end (reference server).

import { splitCommas, validationFailed } from '../../engine/index';
import {
  bodyOrSource,
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
} from '../request/index';
import { searchAnswer } from '../render/index';

/** `GET|POST /_search/scroll[/{scroll_id}]`; the id may also be the body, as bare text. */
export async function scroll(request: ApiRequest, { engine }: RouteContext): Promise<ApiResponse> {
  const { params, signal, memory } = request;
  const result = await engine.scroll({
    scrollId: params.get('scroll_id') ?? bodyText(request),
    keepAlive: params.timeMs('scroll'),
    signal: signal?.(),
    memory,
  });
  return searchAnswer(result);
}

/** `DELETE /_search/scroll[/{scroll_id}]`: ids with commas between them, or `_all`. */
export async function clearScroll(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const ids = splitCommas(request.params.get('scroll_id') ?? bodyText(request));
  if (ids.length === 0) throw validationFailed('no scroll ids specified');
  return json({}, (await engine.clearScroll(ids)) ? 200 : 404);
}

function bodyText(request: ApiRequest): string {
  return bodyOrSource(request).toString();
}

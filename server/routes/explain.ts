// `_explain`: why a document has its score by a query, or why it does not match (reference server).

import { sourceParameters, validationFailed } from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  bodyOrSource,
} from '../request/index';
import { fieldsParameter } from './document-params';
import { readSearchBody } from './search';

/** `GET|POST /{index}/{type}/{id}/_explain`; the query of the body comes before that of `q`. */
export async function explain(
  { params, body, signal, memory }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const given = bodyOrSource({ params, body });
  if (given.length === 0 && params.get('q') === undefined) {
    throw validationFailed('source is missing');
  }
  const { index, type, id, matched, explanation, get } = await engine.explain({
    ...readSearchBody(given),
    index: params.get('index') ?? '',
    type: params.get('type') ?? '',
    id: params.get('id') ?? '',
    // compat: `parent` says nothing here.
    routing: params.get('routing'),
    preference: params.get('preference'),
    params: params.values,
    fields: fieldsParameter(params),
    source: sourceParameters(params.values) ?? undefined,
    signal: signal?.(),
    memory,
  });
  return json(
    {
      _index: index,
      _type: type,
      _id: id,
      matched,
      explanation,
      get: get === undefined ? undefined : { found: true, ...get },
    },
    explanation === undefined ? 404 : 200,
  );
}

// `_suggest`: suggestions without a search (reference server).

import { illegalArgument, type JsonOutput } from '../../engine/index';
import {
  bodyOrSource,
  indicesOptions,
  json,
  SEARCH_OPTIONS,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
} from '../request/index';
import { shardsHeader, shardsStatus } from '../render/index';
import { readSearchBody } from './search';

/** `GET|POST [/{index}]/_suggest`. */
export async function suggest(
  { params, body, signal, memory }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  const source = bodyOrSource({ params, body });
  if (source.length === 0) {
    throw illegalArgument('no content or source provided to execute suggestion');
  }
  const { shards, suggestions } = await engine.suggest({
    ...readSearchBody(source),
    indices: params.list('index'),
    options,
    routing: params.get('routing'),
    preference: params.get('preference'),
    signal: signal?.(),
    memory,
  });
  const answer = new Map<string, JsonOutput>([['_shards', shardsHeader(shards)]]);
  for (const [name, entries] of suggestions) answer.set(name, entries);
  return json(answer, shardsStatus(shards));
}

// `_percolate`: which stored queries match a document of the body, or one that is stored (reference server).

import type { GetRequest, PercolateRequest } from '../../engine/index';
import {
  type ApiRequest,
  type ApiResponse,
  type Params,
  type RouteContext,
  bodyOrSource,
  indicesOptions,
  SEARCH_OPTIONS,
} from '../request/index';
import { percolateChunks } from '../render/index';
import { parseVersionType } from './document-params';
import { readSearchBody } from './search';

/** `GET|POST /{index}/{type}[/{id}]/_percolate`. */
export function percolate(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return respond(request, context, false);
}

/** `GET|POST /{index}/{type}[/{id}]/_percolate/count`. */
export function percolateCount(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  return respond(request, context, true);
}

async function respond(
  request: ApiRequest,
  { engine }: RouteContext,
  countOnly: boolean,
): Promise<ApiResponse> {
  const { params } = request;
  const result = await engine.percolate({
    ...(params.has('id') ? ofStored(params) : ofBody(params)),
    ...readPercolation(bodyOrSource(request)),
    options: indicesOptions(params, SEARCH_OPTIONS),
    countOnly,
    isItem: false,
    signal: request.signal?.(),
    memory: request.memory,
  });
  return { kind: 'chunks', status: 200, chunks: await percolateChunks(result, wantsIds(params)) };
}

/** The body of a percolation, or why it cannot be read. */
export function readPercolation(source: Buffer): Pick<PercolateRequest, 'body' | 'bodyError'> {
  const { body, bodyError } = readSearchBody(source);
  return { body, bodyError };
}

/** Whether matches are shown as bare ids. */
export function wantsIds(params: Params): boolean {
  return params.get('percolate_format') === 'ids';
}

type Address = Pick<PercolateRequest, 'indices' | 'type' | 'routing' | 'preference' | 'existing'>;

function ofBody(params: Params): Address {
  return {
    indices: params.list('index'),
    type: params.get('type') ?? '',
    routing: params.get('routing'),
    preference: params.get('preference'),
    existing: undefined,
  };
}

/** Routing and version of the URL are those of the stored document. */
function ofStored(params: Params): Address {
  const index = params.get('index') ?? '';
  const type = params.get('type') ?? '';
  const indices = params.list('percolate_index');
  return {
    indices: indices.length > 0 ? indices : [index],
    type: params.get('percolate_type') ?? type,
    routing: params.get('percolate_routing'),
    preference: params.get('percolate_preference'),
    existing: {
      ...STORED,
      index,
      type,
      id: params.get('id') ?? '',
      routing: params.get('routing'),
      parent: params.get('parent'),
      version: params.long('version'),
      versionType: parseVersionType(params.get('version_type')),
    },
  };
}

/** How a stored document is read that is to be tried. */
export const STORED: Pick<
  GetRequest,
  'realtime' | 'refresh' | 'source' | 'fields' | 'parent' | 'version' | 'versionType'
> = {
  realtime: true,
  refresh: false,
  source: true,
  fields: undefined,
  parent: undefined,
  version: undefined,
  versionType: 'internal',
};

// `_msearch`: many searches in one request, answered in order, each with its own outcome (reference server).
//
// All headers are read before the first search begins, because what is wrong with one fails the request;
// bodies are read when their turn comes, because what is wrong with one fails that search alone.

import {
  validationFailed,
  type CancelSignal,
  type IndicesOptions,
  type JsonObject,
  type MemoryLease,
  type SearchEngine,
  type SearchType,
} from '../../engine/index';
import {
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  bodyOrSource,
  mapBounded,
  indicesOptions,
  SEARCH_OPTIONS,
} from '../request/index';
import { joinChunks, joinSmall, searchResponseChunks } from '../render/index';
import { answerOf, type Item, nameList, optionsOf, readItems, textOf } from './item-header';
import { parseSearchType, readSearchBody } from './search';

/** What the header of a search says, or the URL in its place. */
interface Header {
  indices: readonly string[];
  types: readonly string[];
  options: IndicesOptions;
  searchType: SearchType | undefined;
  routing: string | undefined;
  preference: string | undefined;
}

const START = [Buffer.from('{"responses":[')];
const COMMA = [Buffer.from(',')];
const END = [Buffer.from(']}')];

const NO_PARAMS: ReadonlyMap<string, string> = new Map();

/** `GET|POST [/{index}[/{type}]]/_msearch`. */
export async function multiSearch(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  // compat: options in the URL are checked, but searches keep to those of their headers.
  indicesOptions(params, SEARCH_OPTIONS);
  const defaults: Header = {
    indices: params.list('index'),
    types: params.list('type'),
    options: SEARCH_OPTIONS,
    searchType: parseSearchType(params.get('search_type')),
    routing: params.get('routing'),
    preference: undefined,
  };
  const items = await readItems(
    bodyOrSource(request),
    (members) => readHeader(members, defaults),
    request.memory,
  );
  if (items.length === 0) throw validationFailed('no requests added');
  const signal = request.signal?.();
  // No more than keep the engine busy, which leaves its queues to other requests.
  const responses = await mapBounded(items, engine.searchesAtOnce, (item) =>
    answerOf(respondTo(item, engine, signal, request.memory)),
  );
  return { kind: 'chunks', status: 200, chunks: await joinChunks(pieces(responses)) };
}

function* pieces(responses: readonly (readonly Buffer[])[]): Iterable<readonly Buffer[]> {
  for (const [i, response] of responses.entries()) {
    yield i === 0 ? START : COMMA;
    yield response;
  }
  yield END;
}

/** @throws EngineError for what is wrong with this search, or with the request */
async function respondTo(
  { header, source }: Item<Header>,
  engine: SearchEngine,
  signal: CancelSignal | undefined,
  memory: MemoryLease | undefined,
): Promise<readonly Buffer[]> {
  const wanted = { ...header, ...readSearchBody(source), params: NO_PARAMS, signal, memory };
  return joinSmall(searchResponseChunks(await engine.search(wanted)));
}

function readHeader(members: JsonObject | null, defaults: Header): Header {
  if (members === null) return defaults;
  const header = { ...defaults };
  for (const [name, value] of members) {
    switch (name) {
      case 'index':
      case 'indices':
        header.indices = nameList(value, 'indices');
        break;
      case 'type':
      case 'types':
        header.types = nameList(value, 'types');
        break;
      case 'search_type':
      case 'searchType':
        header.searchType = parseSearchType(textOf(value));
        break;
      case 'routing':
        header.routing = textOf(value);
        break;
      case 'preference':
        header.preference = textOf(value);
        break;
      default:
        break;
    }
  }
  header.options = indicesOptions(optionsOf(members), defaults.options);
  return header;
}

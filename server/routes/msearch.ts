// `_msearch`: many searches in one request, answered in order, each with its own outcome (reference server).
//
// All headers are read before the first search begins, because what is wrong with one fails the request;
// bodies are read when their turn comes, because what is wrong with one fails that search alone.

import {
  decodeUtf8,
  EngineError,
  isJsonObject,
  parseJson,
  validationFailed,
  writeJson,
  type CancelSignal,
  type IndicesOptions,
  type MemoryLease,
  type SearchEngine,
  type SearchType,
  Slices,
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
import { errorBody, itemError, joinChunks, joinSmall, searchResponseChunks } from '../render/index';
import { MAX_READ_VALUES } from './json-body';
import { assertJsonLines, LINE_FEED } from './json-lines';
import { nameList, optionsOf, textOf } from './item-header';
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

/** One search; its body is not looked at yet. */
interface Item {
  readonly header: Header;
  readonly source: Buffer;
}

const START = [Buffer.from('{"responses":[')];
const COMMA = [Buffer.from(',')];
const END = [Buffer.from(']}')];

/** Items between two looks at the clock. */
const ITEMS_PER_LOOK = 64;

const NO_PARAMS: ReadonlyMap<string, string> = new Map();

/** `GET|POST [/{index}[/{type}]]/_msearch`. */
export async function multiSearch(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  // compat: options in the URL are checked, but searches keep to those of their headers.
  indicesOptions(params, SEARCH_OPTIONS);
  const items = await readItems(bodyOrSource(request), {
    indices: params.list('index'),
    types: params.list('type'),
    options: SEARCH_OPTIONS,
    searchType: parseSearchType(params.get('search_type')),
    routing: params.get('routing'),
    preference: undefined,
  });
  if (items.length === 0) throw validationFailed('no requests added');
  const signal = request.signal?.();
  // No more than keep the engine busy, which leaves its queues to other requests.
  const responses = await mapBounded(items, engine.searchesAtOnce, (item) =>
    respondTo(item, engine, signal, request.memory),
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

/** The response to one search, or what kept it from having one. */
async function respondTo(
  { header, source }: Item,
  engine: SearchEngine,
  signal: CancelSignal | undefined,
  memory: MemoryLease | undefined,
): Promise<readonly Buffer[]> {
  try {
    const wanted = { ...header, ...readSearchBody(source), params: NO_PARAMS, signal, memory };
    return joinSmall(searchResponseChunks(await engine.search(wanted)));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // What is done so far holds the memory that is lacking.
    if (error.wireName === 'CircuitBreakingException' && error.status === 503) throw error;
    return [Buffer.from(writeJson(errorBody(itemError(error))))];
  }
}

/** @throws EngineError for what fails the whole request */
async function readItems(body: Buffer, defaults: Header): Promise<Item[]> {
  const slices = new Slices(1);
  assertJsonLines(body);
  const items: Item[] = [];
  // compat: a line feed at the very beginning is skipped; later on an empty line is a header that says
  // nothing.
  let from = body[0] === LINE_FEED ? 1 : 0;
  for (;;) {
    if (items.length % ITEMS_PER_LOOK === 0 && slices.isOver()) await slices.next();
    const headerEnd = body.indexOf(LINE_FEED, from);
    if (headerEnd < 0) return items;
    const header = readHeader(body.subarray(from, headerEnd), defaults);
    const sourceEnd = body.indexOf(LINE_FEED, headerEnd + 1);
    if (sourceEnd < 0) return items;
    items.push({ header, source: body.subarray(headerEnd + 1, sourceEnd) });
    from = sourceEnd + 1;
  }
}

function readHeader(line: Buffer, defaults: Header): Header {
  const text = decodeUtf8(line);
  const members = text.trim() === '' ? null : parseJson(text, undefined, MAX_READ_VALUES);
  if (!isJsonObject(members)) return defaults;
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

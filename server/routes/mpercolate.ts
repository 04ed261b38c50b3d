// `_mpercolate`: many documents tried in one request, answered in order, each with its own outcome (reference
// server). All headers are read before the first document is tried: what is wrong with one fails the request.

import {
  appendAll,
  EngineError,
  isJsonObject,
  validationFailed,
  type CancelSignal,
  type IndicesOptions,
  type JsonObject,
  type MemoryLease,
  type PercolateRequest,
  type SearchEngine,
} from '../../engine/index';
import {
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  bodyOrSource,
  indicesOptions,
  mapBounded,
  SEARCH_OPTIONS,
} from '../request/index';
import { percolateChunks } from '../render/index';
import { answerOf, type Item, nameList, optionsOf, readItems, textOf } from './item-header';
import { readPercolation, STORED, wantsIds } from './percolate';

/** What the URL says for items that do not say it. */
interface Defaults {
  readonly indices: readonly string[];
  readonly type: string | undefined;
  readonly options: IndicesOptions;
}

/** What the header of a document says, or the URL in its place. */
interface Header extends Omit<PercolateRequest, 'type' | 'body' | 'bodyError'> {
  readonly type: string | undefined;
}

const START = Buffer.from('{"responses":[');
const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** `GET|POST [/{index}[/{type}]]/_mpercolate`. */
export async function multiPercolate(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  const body = bodyOrSource(request);
  if (body.length === 0) throw malformed('Failed to derive xcontent');
  const defaults: Defaults = {
    indices: params.list('index'),
    type: params.get('type'),
    options: indicesOptions(params, SEARCH_OPTIONS),
  };
  const items = await readItems(body, (whole) => readHeader(whole, defaults), request.memory);
  if (items.length === 0) throw validationFailed('no requests added');
  const lacking = items.filter(({ header }) => header.type === undefined);
  if (lacking.length > 0) throw validationFailed(lacking.map(() => 'type is missing'));
  const signal = request.signal?.();
  const onlyIds = wantsIds(params);
  const responses = await mapBounded(items, engine.searchesAtOnce, (item) =>
    answerOf(respondTo(item, engine, onlyIds, signal, request.memory), isAliasOfSeveral),
  );
  const chunks: Buffer[] = [START];
  responses.forEach((response, i) => {
    if (i > 0) chunks.push(COMMA);
    appendAll(chunks, response);
  });
  chunks.push(END);
  return { kind: 'chunks', status: 200, chunks };
}

/** @throws EngineError for what is wrong with this item, or with the request */
async function respondTo(
  { header: { type, ...header }, source }: Item<Header>,
  engine: SearchEngine,
  onlyIds: boolean,
  signal: CancelSignal | undefined,
  memory: MemoryLease | undefined,
): Promise<readonly Buffer[]> {
  const wanted = { ...header, type: type!, ...readPercolation(source), signal, memory };
  const chunks = await percolateChunks(await engine.percolate(wanted), onlyIds);
  memory?.grow(chunks.reduce((sum, { length }) => sum + length, 0));
  return chunks;
}

/** An alias of several indices has no document. */
function isAliasOfSeveral({ message }: EngineError): boolean {
  return message.startsWith('Alias [');
}

function readHeader(whole: JsonObject | null, defaults: Defaults): Header {
  const [first] = whole ?? [];
  if (first === undefined) throw malformed('Expected field');
  const [operation, members] = first;
  if (!isJsonObject(members)) throw malformed('expected start object');
  if (operation !== 'percolate' && operation !== 'count') {
    throw malformed(`${operation} isn't a supported percolate operation`);
  }
  return headerOf(members, defaults, operation === 'count');
}

function headerOf(members: JsonObject, defaults: Defaults, countOnly: boolean): Header {
  const text = (...names: string[]): string | undefined => {
    for (const name of names) if (members.has(name)) return textOf(members.get(name)!);
    return undefined;
  };
  const list = (...names: string[]): readonly string[] | undefined => {
    for (const name of names) if (members.has(name)) return nameList(members.get(name)!, name);
    return undefined;
  };
  const indices = list('index', 'indices') ?? defaults.indices;
  const type = text('type') ?? defaults.type;
  const options = indicesOptions(optionsOf(members), defaults.options);
  const common = { options, countOnly, isItem: true };
  const id = text('id');
  if (id === undefined) {
    const routing = text('routing');
    const preference = text('preference');
    return { ...common, type, indices, routing, preference, existing: undefined };
  }
  return {
    ...common,
    type: text('percolate_type', 'percolateType') ?? type,
    indices:
      list('percolate_index', 'percolate_indices', 'percolateIndex', 'percolateIndices') ?? indices,
    routing: text('percolate_routing', 'percolateRouting'),
    preference: text('percolate_preference', 'percolatePreference'),
    existing: {
      ...STORED,
      index: indices[0] ?? '_all',
      type: type ?? '',
      id,
      routing: text('routing'),
    },
  };
}

function malformed(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

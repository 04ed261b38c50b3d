// `_mpercolate`: many documents tried in one request, answered in order, each with its own outcome (reference
// server). All headers are read before the first document is tried: what is wrong with one fails the request.

import {
  decodeUtf8,
  EngineError,
  isJsonObject,
  parseJson,
  Slices,
  validationFailed,
  writeJson,
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
import { errorBody, itemError, percolateBody } from '../render/index';
import { nameList, optionsOf, textOf } from './item-header';
import { MAX_READ_VALUES } from './json-body';
import { assertJsonLines, LINE_FEED } from './json-lines';
import { readPercolation, STORED, wantsIds } from './percolate';

/** What the URL says for items that do not say it. */
interface Defaults {
  readonly indices: readonly string[];
  readonly type: string | undefined;
  readonly options: IndicesOptions;
}

/** One document to be tried; its body is not looked at yet. */
interface Item {
  readonly header: Omit<PercolateRequest, 'type' | 'body' | 'bodyError'>;
  readonly type: string | undefined;
  readonly source: Buffer;
}

const START = Buffer.from('{"responses":[');
const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Items between two looks at the clock. */
const ITEMS_PER_LOOK = 64;

/** `GET|POST [/{index}[/{type}]]/_mpercolate`. */
export async function multiPercolate(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  const body = bodyOrSource(request);
  if (body.length === 0) throw malformed('Failed to derive xcontent');
  const items = await readItems(body, {
    indices: params.list('index'),
    type: params.get('type'),
    options: indicesOptions(params, SEARCH_OPTIONS),
  });
  if (items.length === 0) throw validationFailed('no requests added');
  const lacking = items.filter(({ type }) => type === undefined);
  if (lacking.length > 0) throw validationFailed(lacking.map(() => 'type is missing'));
  const signal = request.signal?.();
  const onlyIds = wantsIds(params);
  const responses = await mapBounded(items, engine.searchesAtOnce, (item) =>
    respondTo(item, engine, onlyIds, signal, request.memory),
  );
  const chunks: Buffer[] = [START];
  responses.forEach((response, i) => {
    if (i > 0) chunks.push(COMMA);
    chunks.push(response);
  });
  chunks.push(END);
  return { kind: 'chunks', status: 200, chunks };
}

/** The response to one item, or what kept it from having one. */
async function respondTo(
  { header, type, source }: Item,
  engine: SearchEngine,
  onlyIds: boolean,
  signal: CancelSignal | undefined,
  memory: MemoryLease | undefined,
): Promise<Buffer> {
  try {
    const wanted = { ...header, type: type!, ...readPercolation(source), signal, memory };
    const bytes = Buffer.from(writeJson(percolateBody(await engine.percolate(wanted), onlyIds)));
    memory?.grow(bytes.length);
    return bytes;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (failsAll(error)) throw error;
    return Buffer.from(writeJson(errorBody(itemError(error))));
  }
}

/** What is done so far holds the memory that is lacking; an alias of several indices has no document. */
function failsAll({ wireName, status, message }: EngineError): boolean {
  if (wireName === 'CircuitBreakingException') return status === 503;
  return message.startsWith('Alias [');
}

/** @throws EngineError for what fails the whole request */
async function readItems(body: Buffer, defaults: Defaults): Promise<Item[]> {
  const slices = new Slices(1);
  assertJsonLines(body);
  const items: Item[] = [];
  let from = body[0] === LINE_FEED ? 1 : 0;
  for (;;) {
    if (items.length % ITEMS_PER_LOOK === 0 && slices.isOver()) await slices.next();
    const headerEnd = body.indexOf(LINE_FEED, from);
    if (headerEnd < 0) return items;
    const header = readHeader(body.subarray(from, headerEnd), defaults);
    const sourceEnd = body.indexOf(LINE_FEED, headerEnd + 1);
    // compat: a last line without its end is not there.
    if (sourceEnd < 0) return items;
    items.push({ ...header, source: body.subarray(headerEnd + 1, sourceEnd) });
    from = sourceEnd + 1;
  }
}

function readHeader(line: Buffer, defaults: Defaults): Pick<Item, 'header' | 'type'> {
  const text = decodeUtf8(line);
  const whole = text.trim() === '' ? null : parseJson(text, undefined, MAX_READ_VALUES);
  const [first] = isJsonObject(whole) ? whole : [];
  if (first === undefined) throw malformed('Expected field');
  const [operation, members] = first;
  if (!isJsonObject(members)) throw malformed('expected start object');
  if (operation !== 'percolate' && operation !== 'count') {
    throw malformed(`${operation} isn't a supported percolate operation`);
  }
  return itemOf(members, defaults, operation === 'count');
}

function itemOf(
  members: JsonObject,
  defaults: Defaults,
  countOnly: boolean,
): Pick<Item, 'header' | 'type'> {
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
    return { header: { ...common, indices, routing, preference, existing: undefined }, type };
  }
  return {
    header: {
      ...common,
      indices:
        list('percolate_index', 'percolate_indices', 'percolateIndex', 'percolateIndices') ??
        indices,
      routing: text('percolate_routing', 'percolateRouting'),
      preference: text('percolate_preference', 'percolatePreference'),
      existing: {
        ...STORED,
        index: indices[0] ?? '_all',
        type: type ?? '',
        id,
        routing: text('routing'),
      },
    },
    type: text('percolate_type', 'percolateType') ?? type,
  };
}

function malformed(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

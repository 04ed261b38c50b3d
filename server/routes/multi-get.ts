// `_mget`: many gets in one request, answered in order (reference server).

import {
  decodeUtf8,
  EngineError,
  illegalArgument,
  isJsonObject,
  parseJsonObject,
  scalarText,
  validationFailed,
  type GetRequest,
  type GetResult,
  type JsonOutput,
  type JsonValue,
  type SourceFilter,
  splitCommas,
  sourceParameters,
  writeJson,
  Slices,
} from '../../engine/index';
import {
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  bodyOrSource,
  type Params,
} from '../request/index';
import { getBody, itemError } from '../render/index';
import { MAX_READ_VALUES } from './json-body';
import { fieldsParameter, impliedSource, parseVersionType, wholeNumber } from './document-params';

/** One wanted document; `type` null when neither body nor URL names one. */
interface Item extends Omit<GetRequest, 'index' | 'type' | 'id'> {
  readonly index: string | undefined;
  readonly type: string | null;
  readonly id: string | undefined;
}

/** `GET|POST [/{index}[/{type}]]/_mget`. */
export async function multiGet(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const body = parseJsonObject(decodeUtf8(bodyOrSource(request)), undefined, MAX_READ_VALUES);
  const defaults = defaultItem(request.params);
  const items: Item[] = [];
  const docs = body.get('docs');
  const ids = body.get('ids');
  if (Array.isArray(docs)) for (const doc of docs) items.push(parseItem(doc, defaults));
  if (Array.isArray(ids)) for (const id of ids) items.push({ ...defaults, id: parseId(id) });
  validate(items);
  const results = await engine.multiGet(
    items.map((item) => ({
      ...item,
      index: item.index ?? '',
      type: item.type ?? '_all',
      id: item.id ?? '',
    })),
  );
  return { kind: 'chunks', status: 200, chunks: await render(items, results) };
}

/** Items between two looks at the clock, which come to one piece of the answer. */
const ITEMS_PER_CHUNK = 64;

async function render(
  items: readonly Item[],
  results: readonly (GetResult | Error)[],
): Promise<Buffer[]> {
  const slices = new Slices(1);
  const chunks: Buffer[] = [];
  for (let from = 0; from < items.length; from += ITEMS_PER_CHUNK) {
    if (slices.isOver()) await slices.next();
    const texts = items
      .slice(from, from + ITEMS_PER_CHUNK)
      .map((item, i) => writeJson(renderItem(item, results[from + i])));
    chunks.push(Buffer.from(`${from === 0 ? '{"docs":[' : ','}${texts.join(',')}`));
  }
  chunks.push(Buffer.from(']}'));
  return chunks;
}

function defaultItem(params: Params): Item {
  const fields = fieldsParameter(params);
  return {
    index: params.get('index'),
    type: params.get('type') ?? null,
    id: undefined,
    routing: params.get('routing'),
    parent: undefined,
    realtime: params.flag('realtime', true),
    refresh: params.flag('refresh'),
    version: undefined,
    versionType: 'internal',
    source: sourceParameters(params.values) ?? impliedSource(fields),
    fields,
  };
}

function parseItem(doc: JsonValue, defaults: Item): Item {
  if (!isJsonObject(doc)) throw illegalArgument('docs array element should include an object');
  const item = { ...defaults };
  let source: SourceFilter | undefined;
  let fields: string[] | undefined;
  for (const [name, value] of doc) {
    switch (name) {
      case '_index':
        item.index = scalarText(value) ?? defaults.index;
        break;
      case '_type':
        item.type = scalarText(value) ?? defaults.type;
        break;
      case '_id':
        item.id = scalarText(value);
        break;
      case '_routing':
      case 'routing':
        item.routing = scalarText(value);
        break;
      case '_parent':
      case 'parent':
        item.parent = scalarText(value);
        break;
      case '_version':
      case 'version':
        item.version = versionOf(value);
        break;
      case '_version_type':
      case '_versionType':
      case 'version_type':
      case 'versionType':
        item.versionType = parseVersionType(scalarText(value));
        break;
      case 'fields':
        fields = Array.isArray(value)
          ? value.flatMap((element) => scalarText(element) ?? [])
          : splitCommas(scalarText(value) ?? '');
        break;
      case '_source':
        source = parseSource(value);
        break;
      default:
        break;
    }
  }
  if (fields !== undefined) item.fields = fields;
  if (source !== undefined) item.source = source;
  else if (fields !== undefined) item.source = impliedSource(fields);
  return item;
}

/** A `_source` member of a get item. */
function parseSource(value: JsonValue): SourceFilter {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return { includes: [value], excludes: [] };
  if (Array.isArray(value)) return { includes: texts(value), excludes: [] };
  if (!isJsonObject(value)) return true;
  let includes: string[] = [];
  let excludes: string[] = [];
  for (const [name, patterns] of value) {
    if (name === 'include' || name === 'includes') includes = texts(patterns);
    else if (name === 'exclude' || name === 'excludes') excludes = texts(patterns);
    else {
      throw new EngineError(
        'ElasticsearchParseException',
        `Source definition may not contain ${name}`,
      );
    }
  }
  return { includes, excludes };
}

function texts(value: JsonValue): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((element) => scalarText(element) ?? []);
}

function parseId(value: JsonValue): string {
  const id = scalarText(value);
  if (id === undefined) throw illegalArgument('ids array element should only contain ids');
  return id;
}

/** @throws EngineError 500 `NumberFormatException`, as the reference has it */
function versionOf(value: JsonValue): number | undefined {
  const text = scalarText(value);
  return text === undefined ? undefined : wholeNumber(text);
}

function validate(items: readonly Item[]): void {
  if (items.length === 0) throw validationFailed('no documents to get');
  const failures = items.flatMap((item, i) => [
    ...(item.index === undefined ? [`index is missing for doc ${i}`] : []),
    ...(item.id === undefined ? [`id is missing for doc ${i}`] : []),
  ]);
  if (failures.length > 0) throw validationFailed(failures);
}

function renderItem(item: Item, result: GetResult | Error | undefined): JsonOutput {
  if (result === undefined) throw new Error('a get without a result');
  if (!(result instanceof Error)) return getBody(result, item.type);
  return {
    _index: item.index ?? null,
    _type: item.type,
    _id: item.id ?? null,
    error: documentErrorText(result),
  };
}

/** What fails before a shard is asked shows its message alone. */
export function documentErrorText(error: Error): string {
  const isMessageOnly =
    error instanceof EngineError &&
    (error.wireName === 'IndexMissingException' || error.wireName === 'RoutingMissingException');
  return isMessageOnly ? error.message : itemError(error);
}

// `_termvector` and `_mtermvectors`: the terms of documents (reference server).

import {
  decodeUtf8,
  EngineError,
  illegalArgument,
  isJsonObject,
  ordinaryBoolean,
  parseJsonObject,
  scalarText,
  Slices,
  splitCommas,
  validationFailed,
  writeJson,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  type TermVectorsOutcome,
  type TermVectorsRequest,
  type TermVectorsResult,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  type Params,
  bodyOrSource,
} from '../request/index';
import { MAX_READ_VALUES } from './json-body';
import { parseVersionType } from './document-params';
import { documentErrorText } from './multi-get';

/** A request as far as it has been read. */
interface Wanted extends Omit<TermVectorsRequest, 'index' | 'type'> {
  readonly index: string | undefined;
  readonly type: string | undefined;
}

/** `GET|POST /{index}/{type}[/{id}]/_termvector`. */
export async function termVectors(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params, signal, memory } = request;
  const body = bodyOrSource(request);
  const initial = { ...NOTHING, ...place(params), id: params.get('id') ?? null };
  const read = body.length === 0 ? initial : readMembers(objectOf(body), initial);
  const wanted = withParameters(read, params);
  const problems = problemsOf(wanted);
  if (problems.length > 0) throw validationFailed(problems);
  const result = await engine.termVectors(complete(wanted), { signal: signal?.(), memory });
  return json(render(result));
}

/** `GET|POST [/{index}[/{type}]]/_mtermvectors`. */
export async function multiTermVectors(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params, signal, memory } = request;
  const template = withParameters({ ...NOTHING, ...place(params) }, params);
  const body = bodyOrSource(request);
  const wanted = body.length === 0 ? [] : readItems(objectOf(body), template);
  for (const id of splitCommas(params.get('ids') ?? '')) wanted.push({ ...template, id });
  if (wanted.length === 0) {
    throw validationFailed('multi term vectors: no documents requested');
  }
  const problems = wanted.flatMap((item, i) => {
    const own = problemsOf(item);
    return own.length === 0 ? own : [...own, `at multi term vectors for doc ${i}`];
  });
  if (problems.length > 0) throw validationFailed(problems);
  const requests = wanted.map(complete);
  const outcomes = await engine.multiTermVectors(requests, { signal: signal?.(), memory });
  return { kind: 'chunks', status: 200, chunks: await renderAll(requests, outcomes) };
}

const NOTHING: Wanted = {
  index: undefined,
  type: undefined,
  id: null,
  doc: null,
  routing: undefined,
  parent: undefined,
  preference: undefined,
  realtime: true,
  fields: null,
  positions: true,
  offsets: true,
  termStatistics: false,
  fieldStatistics: true,
  analyzers: new Map(),
};

function place(params: Params): Pick<Wanted, 'index' | 'type'> {
  return { index: params.get('index'), type: params.get('type') };
}

/** compat: fields of the URL are added to those of the body. */
function withParameters(wanted: Wanted, params: Params): Wanted {
  // Checked, and without effect: whatever version there is is shown.
  params.long('version');
  parseVersionType(params.get('version_type'));
  const fields = splitCommas(params.get('fields') ?? '');
  const flag = (otherwise: boolean, name: string, alias = name): boolean => {
    const text = params.firstOf(name, alias);
    return text === undefined ? otherwise : ordinaryBoolean(text);
  };
  return {
    ...wanted,
    routing: params.get('routing') ?? wanted.routing,
    parent: params.get('parent') ?? wanted.parent,
    preference: params.get('preference'),
    realtime: params.flag('realtime', true),
    fields: fields.length === 0 ? wanted.fields : [...(wanted.fields ?? []), ...fields],
    positions: flag(wanted.positions, 'positions'),
    offsets: flag(wanted.offsets, 'offsets'),
    termStatistics: flag(wanted.termStatistics, 'termStatistics', 'term_statistics'),
    fieldStatistics: flag(wanted.fieldStatistics, 'fieldStatistics', 'field_statistics'),
  };
}

/** @throws EngineError 400 for what is no object, 500 for broken JSON */
function objectOf(body: Buffer): JsonObject {
  return parseJsonObject(decodeUtf8(body), undefined, MAX_READ_VALUES);
}

/** The members of a body. @throws EngineError ElasticsearchParseException (400) for unknown ones */
function readMembers(body: JsonObject, before: Wanted): Wanted {
  const wanted: { -readonly [K in keyof Wanted]: Wanted[K] } = { ...before };
  for (const [name, value] of body) {
    switch (name) {
      case 'fields':
        wanted.fields = fieldList(value);
        break;
      case 'offsets':
        wanted.offsets = booleanOf(value);
        break;
      case 'positions':
        wanted.positions = booleanOf(value);
        break;
      case 'payloads':
        // Read and checked: terms have no payloads.
        booleanOf(value);
        break;
      case 'term_statistics':
      case 'termStatistics':
        wanted.termStatistics = booleanOf(value);
        break;
      case 'field_statistics':
      case 'fieldStatistics':
        wanted.fieldStatistics = booleanOf(value);
        break;
      case 'per_field_analyzer':
      case 'perFieldAnalyzer':
        wanted.analyzers = analyzersOf(value);
        break;
      case '_index':
        wanted.index = scalarText(value);
        break;
      case '_type':
        wanted.type = scalarText(value);
        break;
      case '_id':
        if (wanted.doc !== null) throw idAndDocument();
        wanted.id = scalarText(value) ?? null;
        break;
      case 'doc':
        if (wanted.id !== null) throw idAndDocument();
        wanted.doc = Buffer.from(writeJson(value));
        break;
      case '_routing':
      case 'routing':
        wanted.routing = scalarText(value);
        break;
      default:
        throw unreadable(`The parameter ${name} is not valid for term vector request!`);
    }
  }
  return wanted;
}

function idAndDocument(): EngineError {
  return unreadable('Either "id" or "doc" can be specified, but not both!');
}

/** compat: no name at all counts as no list. */
function fieldList(value: JsonValue): readonly string[] | null {
  if (!Array.isArray(value)) {
    throw unreadable(
      'The parameter fields must be given as an array! Use syntax : "fields" : ["field1", "field2",...]',
    );
  }
  return value.length === 0 ? null : value.map((name) => scalarText(name) ?? 'null');
}

function analyzersOf(value: JsonValue): ReadonlyMap<string, string> {
  const analyzers = new Map<string, string>();
  if (!isJsonObject(value)) return analyzers;
  for (const [field, name] of value) {
    const text = scalarText(name);
    if (text === undefined) {
      throw unreadable(`expecting the analyzer at ${field} to be a String`);
    }
    analyzers.set(field, text);
  }
  return analyzers;
}

function readItems(body: JsonObject, template: Wanted): Wanted[] {
  const items: Wanted[] = [];
  const ids: string[] = [];
  let shared = template;
  for (const [name, value] of body) {
    if (Array.isArray(value)) {
      if (name === 'docs') {
        for (const doc of value) {
          if (!isJsonObject(doc)) {
            throw illegalArgument('docs array element should include an object');
          }
          items.push(readMembers(doc, template));
        }
      } else if (name === 'ids') {
        for (const id of value) {
          const text = scalarText(id);
          if (text === undefined) {
            throw illegalArgument('ids array element should only contain ids');
          }
          ids.push(text);
        }
      } else throw unreadable(`No parameter named ${name}and type ARRAY`);
    } else if (isJsonObject(value)) {
      if (name !== 'parameters') throw unreadable(`No parameter named ${name}and type OBJECT`);
      shared = readMembers(value, template);
    } else throw unreadable(`_mtermvectors: Parameter ${name}not supported`);
  }
  for (const id of ids) items.push({ ...shared, id });
  return items;
}

function problemsOf({ index, type, id, doc }: Wanted): string[] {
  return [
    ...(index === undefined ? ['index is missing'] : []),
    ...(type === undefined ? ['type is missing'] : []),
    ...(id === null && doc === null ? ['id or doc is missing'] : []),
  ];
}

function complete(wanted: Wanted): TermVectorsRequest {
  return { ...wanted, index: wanted.index ?? '', type: wanted.type ?? '' };
}

function booleanOf(value: JsonValue): boolean {
  return ordinaryBoolean(scalarText(value) ?? 'false');
}

function unreadable(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

function render({
  index,
  type,
  id,
  version,
  found,
  tookMs,
  fields,
}: TermVectorsResult): JsonOutput {
  return {
    _index: index,
    _type: type,
    _id: id ?? undefined,
    _version: version,
    found,
    took: tookMs,
    term_vectors: fields,
  };
}

async function renderAll(
  requests: readonly TermVectorsRequest[],
  outcomes: readonly TermVectorsOutcome[],
): Promise<Buffer[]> {
  const slices = new Slices(1);
  const chunks: Buffer[] = [Buffer.from('{"docs":[')];
  for (const [i, outcome] of outcomes.entries()) {
    if (slices.isOver()) await slices.next();
    const { index, type, id } = requests[i]!;
    const item =
      outcome instanceof EngineError
        ? { _index: index, _type: type, _id: id, error: documentErrorText(outcome) }
        : render(outcome);
    chunks.push(Buffer.from(`${i === 0 ? '' : ','}${writeJson(item)}`));
  }
  chunks.push(Buffer.from(']}'));
  return chunks;
}

// The body of a `_reindex` request, which the reference server of these versions does not have: members as
// later ones name them, and `swap_alias`. What is not known is refused, so that nothing is copied otherwise
// than was asked for.

import {
  illegalArgument,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  type ReindexRequest,
} from '../../engine/index';

/** What the URL says of a request. */
type FromUrl = Pick<ReindexRequest, 'refresh' | 'documentsPerSecond'>;

const SCRIPT_MEMBERS = ['script', 'script_id', 'script_file', 'lang', 'params'];
const MEMBERS = ['source', 'dest', 'size', 'conflicts', 'swap_alias', ...SCRIPT_MEMBERS];
const SOURCE_MEMBERS = ['index', 'type', 'query', 'size'];
const DESTINATION_MEMBERS = ['index', 'type', 'version_type', 'op_type', 'settings', 'mappings'];

/** @throws EngineError 400 for what is missing, not known or makes no sense */
export function reindexRequest(body: JsonObject, fromUrl: FromUrl): ReindexRequest {
  onlyMembers(body, MEMBERS, '');
  const source = object(body.get('source'), 'source');
  const destination = object(body.get('dest'), 'dest');
  if (source === undefined) throw illegalArgument('[source] is missing');
  if (destination === undefined) throw illegalArgument('[dest] is missing');
  onlyMembers(source, SOURCE_MEMBERS, 'source.');
  onlyMembers(destination, DESTINATION_MEMBERS, 'dest.');
  const indices = names(source.get('index'), 'source.index');
  const index = text(destination.get('index'), 'dest.index');
  if (indices.length === 0) throw illegalArgument('[source.index] is missing');
  if (index === undefined) throw illegalArgument('[dest.index] is missing');
  const script = new Map(
    SCRIPT_MEMBERS.flatMap((name) => {
      const value = body.get(name);
      return value === undefined ? [] : [[name, inlineScript(value)] as const];
    }),
  );
  // Batches are cut by bytes; the number is checked and has no effect.
  count(source.get('size'), 'source.size');
  return {
    source: {
      indices,
      types: names(source.get('type'), 'source.type'),
      query: source.get('query'),
    },
    destination: {
      index,
      type: text(destination.get('type'), 'dest.type'),
      settings: object(destination.get('settings'), 'dest.settings'),
      mappings: object(destination.get('mappings'), 'dest.mappings'),
      versionType: oneOf(destination.get('version_type'), 'dest.version_type', [
        'internal',
        'external',
      ]),
      create: oneOf(destination.get('op_type'), 'dest.op_type', ['index', 'create']) === 'create',
    },
    script: script.size === 0 ? undefined : script,
    proceedsOnConflict:
      oneOf(body.get('conflicts'), 'conflicts', ['abort', 'proceed']) === 'proceed',
    size: count(body.get('size'), 'size'),
    swapAlias: text(body.get('swap_alias'), 'swap_alias'),
    ...fromUrl,
  };
}

/** Later versions call the text of a script `inline`, these call it `script`. */
function inlineScript(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const inline = value.get('inline');
  if (inline === undefined) return value;
  const renamed: JsonObject = new Map(value);
  renamed.delete('inline');
  return renamed.set('script', inline);
}

function onlyMembers(object: JsonObject, known: readonly string[], prefix: string): void {
  for (const name of object.keys()) {
    if (!known.includes(name)) throw illegalArgument(`unknown member [${prefix}${name}]`);
  }
}

function object(value: JsonValue | undefined, name: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  throw illegalArgument(`[${name}] must be an object`);
}

function text(value: JsonValue | undefined, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw illegalArgument(`[${name}] must be a name`);
}

function names(value: JsonValue | undefined, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => text(item, name)?.split(',') ?? []).filter((part) => part !== '');
}

function count(value: JsonValue | undefined, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = value instanceof JsonNumber ? value.value : NaN;
  if (Number.isSafeInteger(number) && number > 0) return number;
  // Later versions write -1 for all documents.
  if (number === -1) return undefined;
  throw illegalArgument(`[${name}] must be a positive number`);
}

function oneOf<T extends string>(
  value: JsonValue | undefined,
  name: string,
  values: readonly T[],
): T | undefined {
  if (value === undefined || value === null) return undefined;
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw illegalArgument(`[${name}] must be one of [${values.join(', ')}]`);
}

// Changing aliases: the actions array and the single-alias forms (reference server). The parsers keep
// the reference's laxities, which real clients use without knowing.

import {
  decodeUtf8,
  EngineError,
  illegalArgument,
  isJsonObject,
  JsonScanner,
  JsonToken,
  readValue,
  startsWithObject,
  type AliasAction,
  type AliasChanges,
  type JsonOutput,
  type JsonValue,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../api';
import { explicitBoolean, splitCommas } from '../params';
import { acknowledge } from './acknowledged';
import { aliasSections } from './alias-read';

/** What an action's object says. Undefined: not given. */
interface AliasMembers {
  index: string | undefined;
  alias: string | undefined;
  filter: JsonValue | undefined;
  routing: string | undefined;
  indexRouting: string | undefined;
  searchRouting: string | undefined;
  isWriteIndex: boolean | undefined;
  mustExist: boolean | undefined;
}

/** `POST /_aliases`: all actions or none; with `dry_run` none, and the answer says what they would change. */
export async function updateAliases(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const actions = parseAliasActions(decodeUtf8(body));
  if (params.flag('dry_run')) return json(renderChanges(engine.previewAliases(actions)));
  return acknowledge(params, () => engine.updateAliases(actions));
}

function renderChanges({ indices, removedIndices }: AliasChanges): JsonOutput {
  const changes = new Map<string, JsonOutput>();
  for (const [name, { added, changed, removed }] of indices) {
    changes.set(name, {
      added: aliasSections(added),
      changed: aliasSections(changed),
      removed,
    });
  }
  return { dry_run: true, indices: changes, removed_indices: removedIndices };
}

/** `PUT|POST [/{index}]/_alias(es)[/{name}]`; `index` and `alias` of the body override the path. */
export async function putAlias(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const members = body.length === 0 ? noMembers() : bodyMembers(decodeUtf8(body));
  const action = addAction(
    members,
    members.index === undefined ? params.list('index') : splitCommas(members.index),
    members.alias ?? params.get('name') ?? '',
  );
  return acknowledge(params, () => engine.updateAliases([action]));
}

/** `DELETE /{index}/_alias(es)/{name}`. */
export async function deleteAlias(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const action = removal('remove', params.list('index'), params.list('name'));
  return acknowledge(params, () => engine.updateAliases([action]));
}

/**
 * The actions of a body: every member of every object inside any array of the top object.
 *
 * @throws EngineError 400 for an unknown action or a body that is no object, 500 for broken JSON
 */
export function parseAliasActions(text: string): AliasAction[] {
  const actions: AliasAction[] = [];
  const scanner = openObject(text);
  while (scanner.next() === JsonToken.Name) {
    if (scanner.next() !== JsonToken.ArrayStart) {
      scanner.skipChildren();
      continue;
    }
    while (scanner.next() !== JsonToken.ArrayEnd) {
      if (scanner.token !== JsonToken.ObjectStart) scanner.skipChildren();
      else readActions(scanner, actions);
    }
  }
  return actions;
}

/** The actions of one object of the array; its members may repeat a name. */
function readActions(scanner: JsonScanner, actions: AliasAction[]): void {
  while (scanner.next() === JsonToken.Name) {
    const kind = scanner.text;
    if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index') {
      throw illegalArgument(`Alias action [${kind}] not supported`);
    }
    const members = scanner.next() === JsonToken.ObjectStart ? readMembers(scanner) : noMembers();
    scanner.skipChildren();
    const indices = [members.index ?? ''];
    const alias = members.alias ?? '';
    if (kind === 'add') actions.push(addAction(members, indices, alias));
    else if (kind === 'remove_index') actions.push(removal(kind, indices, []));
    else actions.push({ ...removal(kind, indices, [alias]), mustExist: members.mustExist });
  }
}

function removal(
  kind: 'remove' | 'remove_index',
  indices: readonly string[],
  aliases: readonly string[],
): AliasAction {
  return {
    kind,
    indices,
    aliases,
    filter: undefined,
    indexRouting: undefined,
    searchRouting: undefined,
  };
}

function addAction(members: AliasMembers, indices: readonly string[], alias: string): AliasAction {
  return {
    kind: 'add',
    indices,
    aliases: [alias],
    filter: members.filter,
    indexRouting: members.indexRouting ?? members.routing,
    searchRouting: members.searchRouting ?? members.routing,
    isWriteIndex: members.isWriteIndex,
  };
}

function bodyMembers(text: string): AliasMembers {
  return readMembers(openObject(text));
}

function openObject(text: string): JsonScanner {
  if (!startsWithObject(text)) {
    throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  }
  const scanner = new JsonScanner(text);
  scanner.next();
  return scanner;
}

function noMembers(): AliasMembers {
  return {
    index: undefined,
    alias: undefined,
    filter: undefined,
    routing: undefined,
    indexRouting: undefined,
    searchRouting: undefined,
    isWriteIndex: undefined,
    mustExist: undefined,
  };
}

/** Reads the members of the object that has begun, to its end. Of arrays the last element counts. */
function readMembers(scanner: JsonScanner): AliasMembers {
  const members = noMembers();
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    scanner.next();
    const value = readValue(scanner);
    for (const element of Array.isArray(value) ? value : [value]) assign(members, name, element);
  }
  return members;
}

function assign(members: AliasMembers, name: string, value: JsonValue): void {
  if (isJsonObject(value)) {
    if (name === 'filter') members.filter = value;
    return;
  }
  if (value === null || Array.isArray(value)) return;
  const text = String(value);
  switch (name) {
    case 'index':
      members.index = text;
      break;
    case 'alias':
      members.alias = text;
      break;
    case 'routing':
      members.routing = text;
      break;
    case 'index_routing':
    case 'indexRouting':
    case 'index-routing':
      members.indexRouting = text;
      break;
    case 'search_routing':
    case 'searchRouting':
    case 'search-routing':
      members.searchRouting = text;
      break;
    case 'is_write_index':
      members.isWriteIndex = explicitBoolean(text) ?? undefined;
      break;
    case 'must_exist':
      members.mustExist = explicitBoolean(text) ?? undefined;
      break;
    default:
      break;
  }
}

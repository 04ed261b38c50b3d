// Changing aliases: the actions array and the single-alias forms (reference server). The parsers keep
// the reference's laxities, which real clients use without knowing.

import {
  decodeUtf8,
  EngineError,
  illegalArgument,
  JsonScanner,
  JsonToken,
  readValue,
  startsWithObject,
  type AliasAction,
  type AliasChanges,
  type JsonOutput,
  type JsonValue,
  explicitBoolean,
  splitCommas,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
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
  if (params.flag('dry_run')) return json(renderChanges(engine.admin.previewAliases(actions)));
  return acknowledge(params, engine, () => engine.admin.updateAliases(actions));
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
  return acknowledge(params, engine, () => engine.admin.updateAliases([action]));
}

/** `DELETE /{index}/_alias(es)/{name}`. */
export async function deleteAlias(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const action = removal('remove', params.list('index'), params.list('name'));
  return acknowledge(params, engine, () => engine.admin.updateAliases([action]));
}

/** They are carried out in one step. */
const MAX_ACTIONS = 65_536;

/**
 * The actions of a body. compat: read token by token as the reference does. A name anywhere inside an array
 * at the top begins an action, the next object that ends finishes it, whether it is the action's own or one
 * inside.
 *
 * @throws EngineError 400 for an unknown action or a body that is no object, 500 for broken JSON
 */
function parseAliasActions(text: string): AliasAction[] {
  const actions: AliasAction[] = [];
  const scanner = openObject(text);
  for (const token of tokensTo(JsonToken.ObjectEnd, scanner)) {
    if (token !== JsonToken.ArrayStart) continue;
    for (const inner of tokensTo(JsonToken.ArrayEnd, scanner)) {
      if (inner !== JsonToken.Name) continue;
      if (actions.length === MAX_ACTIONS) {
        throw illegalArgument(`request has more than [${MAX_ACTIONS}] alias actions`);
      }
      actions.push(readAction(scanner));
    }
  }
  return actions;
}

/** Moves the scanner on to the next token of a kind; yields those before it. */
function* tokensTo(end: JsonToken, scanner: JsonScanner): Generator<JsonToken> {
  for (;;) {
    const token = scanner.next();
    if (token === end || token === JsonToken.End) return;
    yield token;
  }
}

/** The action whose name the scanner has just read. */
function readAction(scanner: JsonScanner): AliasAction {
  const kind = scanner.text;
  if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index') {
    throw illegalArgument(`Alias action [${kind}] not supported`);
  }
  const members = readMembers(scanner);
  const indices = [members.index ?? ''];
  const alias = members.alias ?? '';
  if (kind === 'add') return addAction(members, indices, alias);
  if (kind === 'remove_index') return removal(kind, indices, []);
  return { ...removal(kind, indices, [alias]), mustExist: members.mustExist };
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

/** How far into a body the reference looks for what it is. */
const SNIFFED_CHARACTERS = 20;

function bodyMembers(text: string): AliasMembers {
  return readMembers(openObject(text));
}

/** A scanner on the first token of a body. compat: an array counts when an object begins in it soon. */
function openObject(text: string): JsonScanner {
  const isArray = text.startsWith('[') && text.slice(0, SNIFFED_CHARACTERS).includes('{');
  if (!isArray && !startsWithObject(text)) {
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

/**
 * Reads members up to the end of an object. compat: the next end of any object counts, and of arrays the last
 * element.
 */
function readMembers(scanner: JsonScanner): AliasMembers {
  const members = noMembers();
  let name = '';
  for (const token of tokensTo(JsonToken.ObjectEnd, scanner)) {
    if (token === JsonToken.Name) name = scanner.text;
    else if (token !== JsonToken.ObjectStart) assign(members, name, token, scanner.text);
    else if (name === 'filter') members.filter = readValue(scanner);
  }
  return members;
}

/** Strings, numbers and booleans count as their texts; nothing else does. */
function assign(members: AliasMembers, name: string, token: JsonToken, text: string): void {
  if (token < JsonToken.String || token > JsonToken.False) return;
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

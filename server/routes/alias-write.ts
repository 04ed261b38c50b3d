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
  type JsonValue,
} from '../../engine/index';
import type { ApiRequest, ApiResponse, RouteContext } from '../api';
import { splitCommas } from '../params';
import { acknowledge } from './acknowledged';

/** What an action's object says. Undefined: not given. */
interface AliasMembers {
  index: string | undefined;
  alias: string | undefined;
  filter: JsonValue | undefined;
  routing: string | undefined;
  indexRouting: string | undefined;
  searchRouting: string | undefined;
}

/** `POST /_aliases`: all actions or none. */
export async function updateAliases(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const actions = parseAliasActions(decodeUtf8(body));
  return acknowledge(params, () => engine.updateAliases(actions));
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
  const action: AliasAction = {
    kind: 'remove',
    indices: params.list('index'),
    aliases: params.list('name'),
    filter: undefined,
    indexRouting: undefined,
    searchRouting: undefined,
  };
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
    if (kind !== 'add' && kind !== 'remove') {
      throw illegalArgument(`Alias action [${kind}] not supported`);
    }
    const members = scanner.next() === JsonToken.ObjectStart ? readMembers(scanner) : noMembers();
    scanner.skipChildren();
    const indices = [members.index ?? ''];
    actions.push(
      kind === 'add'
        ? addAction(members, indices, members.alias ?? '')
        : {
            kind,
            indices,
            aliases: [members.alias ?? ''],
            filter: undefined,
            indexRouting: undefined,
            searchRouting: undefined,
          },
    );
  }
}

function addAction(members: AliasMembers, indices: readonly string[], alias: string): AliasAction {
  return {
    kind: 'add',
    indices,
    aliases: [alias],
    filter: members.filter,
    indexRouting: members.indexRouting ?? members.routing,
    searchRouting: members.searchRouting ?? members.routing,
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
    default:
      break;
  }
}

// The bulk format, exactly as the reference reads it: lines end at `\n` only, a
// last line without one does not count, and unknown actions swallow their source line. A hot path: source
// lines are never decoded here.

import {
  decodeUtf8,
  EngineError,
  JsonScanner,
  JsonToken,
  parseJsonObject,
  parseTtl,
  type BulkAction,
  type IndexRequest,
  type JsonValue,
  type VersionType,
} from '../../engine/index';
import { parseVersionType, wholeNumber } from './document-params';
import { assertJsonLines, LINE_FEED } from './json-lines';

/** What the URL gives to actions that do not say. */
export interface BulkDefaults {
  readonly index: string | undefined;
  readonly type: string | undefined;
  readonly routing: string | undefined;
}

/** One action, and which of the names it needs nobody gave; those are empty in the action. */
export interface ParsedAction {
  readonly action: BulkAction;
  readonly missing: readonly string[];
}

interface Metadata {
  index: string | undefined;
  type: string | undefined;
  id: string | undefined;
  routing: string | undefined;
  parent: string | undefined;
  timestamp: string | undefined;
  ttl: number | undefined;
  opType: string | undefined;
  version: number | undefined;
  versionType: VersionType;
  retryOnConflict: number;
}

const ACTIONS_WITH_SOURCE = new Set(['index', 'create', 'update']);

const TOKEN_NAMES = new Map<JsonToken, string>([
  [JsonToken.ObjectStart, 'START_OBJECT'],
  [JsonToken.ObjectEnd, 'END_OBJECT'],
  [JsonToken.ArrayStart, 'START_ARRAY'],
  [JsonToken.ArrayEnd, 'END_ARRAY'],
  [JsonToken.Name, 'FIELD_NAME'],
  [JsonToken.String, 'VALUE_STRING'],
  [JsonToken.Number, 'VALUE_NUMBER'],
  [JsonToken.True, 'VALUE_BOOLEAN'],
  [JsonToken.False, 'VALUE_BOOLEAN'],
  [JsonToken.Null, 'VALUE_NULL'],
  [JsonToken.End, 'null'],
]);

/**
 * The actions of a bulk body in order, one per step, so that callers may pause in between; null for lines
 * that are none.
 *
 * @throws EngineError for what fails the whole request
 */
export function parseBulk(
  body: Buffer,
  defaults: BulkDefaults,
): Generator<ParsedAction | null, void> {
  assertJsonLines(body);
  return new BulkParser(defaults).parse(body);
}

/** Reads a bulk body block by block. */
export class BulkParser {
  /** Where in the block behind the last action the next one begins. */
  consumed = 0;
  private line = 0;

  constructor(private readonly defaults: BulkDefaults) {}

  /**
   * The actions of a block, as {@link parseBulk} gives them. What is left behind `consumed` is the beginning
   * of an action, with which the next block has to begin.
   *
   * @throws EngineError for what fails the whole request
   */
  *parse(block: Buffer): Generator<ParsedAction | null, void> {
    this.consumed = 0;
    let from = 0;
    for (;;) {
      const end = block.indexOf(LINE_FEED, from);
      if (end < 0) return;
      const line = this.line + 1;
      const scanner = new JsonScanner(decodeUtf8(block.subarray(from, end)));
      from = end + 1;
      if (scanner.next() === JsonToken.End) {
        this.move(from, line);
        yield null;
        continue;
      }
      scanner.next();
      const action = scanner.token === JsonToken.Name ? scanner.text : '';
      const metadata = readMetadata(scanner, this.defaults, line);
      if (action === 'delete') {
        const request = { ...shared(metadata), id: metadata.id ?? '' };
        this.move(from, line);
        yield { action: { kind: 'delete', request }, missing: missingNames(metadata, true) };
        continue;
      }
      const sourceEnd = block.indexOf(LINE_FEED, from);
      if (sourceEnd < 0) return;
      this.move(sourceEnd + 1, line + 1);
      if (ACTIONS_WITH_SOURCE.has(action)) {
        yield {
          action: withSource(action, metadata, block.subarray(from, sourceEnd)),
          missing: missingNames(metadata, action === 'update'),
        };
      } else {
        yield null;
      }
      from = sourceEnd + 1;
    }
  }

  private move(consumed: number, line: number): void {
    this.consumed = consumed;
    this.line = line;
  }
}

const NONE: readonly string[] = [];

/** What the reference's validation says about names that are not given. */
function missingNames({ index, type, id }: Metadata, needsId: boolean): readonly string[] {
  if (index !== undefined && type !== undefined && (id !== undefined || !needsId)) return NONE;
  const names = [index === undefined ? 'index' : '', type === undefined ? 'type' : ''];
  if (needsId && id === undefined) names.push('id');
  return names.filter((name) => name !== '').map((name) => `${name} is missing`);
}

function withSource(action: string, metadata: Metadata, source: Buffer): BulkAction {
  if (action === 'update') {
    return {
      kind: 'update',
      request: {
        ...shared(metadata),
        id: metadata.id ?? '',
        body: isBlank(source) ? new Map<string, JsonValue>() : parseJsonObject(decodeUtf8(source)),
        retryOnConflict: metadata.retryOnConflict,
        fields: undefined,
      },
    };
  }
  const create = action === 'create' || metadata.opType === 'create';
  return { kind: 'index', request: indexRequest(metadata, create, source) };
}

/** Spelled out, because a spread costs more than all else that is done for an action. */
function indexRequest(metadata: Metadata, create: boolean, source: Buffer): IndexRequest {
  return {
    index: metadata.index ?? '',
    type: metadata.type ?? '',
    id: metadata.id,
    routing: metadata.routing,
    parent: metadata.parent,
    version: metadata.version,
    versionType: metadata.versionType,
    timestamp: metadata.timestamp,
    ttl: metadata.ttl,
    refresh: false,
    create,
    source,
  };
}

function shared(metadata: Metadata) {
  return {
    index: metadata.index ?? '',
    type: metadata.type ?? '',
    routing: metadata.routing,
    parent: metadata.parent,
    version: metadata.version,
    versionType: metadata.versionType,
    timestamp: metadata.timestamp,
    ttl: metadata.ttl,
    refresh: false,
  };
}

function isBlank(source: Buffer): boolean {
  return source.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Reads the object of metadata; the scanner stands on the action's name. */
function readMetadata(scanner: JsonScanner, defaults: BulkDefaults, line: number): Metadata {
  const metadata: Metadata = {
    index: defaults.index,
    type: defaults.type,
    id: undefined,
    routing: defaults.routing,
    parent: undefined,
    timestamp: undefined,
    ttl: undefined,
    opType: undefined,
    version: undefined,
    versionType: 'internal',
    retryOnConflict: 0,
  };
  const opening = scanner.next();
  if (opening === JsonToken.ObjectEnd) return metadata;
  if (opening !== JsonToken.ObjectStart) {
    throw malformed(
      `Malformed action/metadata line [${line}], expected START_OBJECT or END_OBJECT but found [${tokenName(opening)}]`,
    );
  }
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const token = scanner.next();
    if (token === JsonToken.Null) continue;
    if (token === JsonToken.ObjectStart || token === JsonToken.ArrayStart) {
      throw malformed(
        `Malformed action/metadata line [${line}], expected a simple value for field [${name}] but found [${tokenName(token)}]`,
      );
    }
    if (!assign(metadata, name, scanner.text)) {
      throw malformed(`Action/metadata line [${line}] contains an unknown parameter [${name}]`);
    }
  }
  return metadata;
}

/** Stores one member; false when its name is unknown. */
function assign(metadata: Metadata, name: string, text: string): boolean {
  switch (name) {
    case '_index':
      metadata.index = text;
      return true;
    case '_type':
      metadata.type = text;
      return true;
    case '_id':
      metadata.id = text;
      return true;
    case '_routing':
    case 'routing':
      metadata.routing = text;
      return true;
    case '_parent':
    case 'parent':
      metadata.parent = text;
      return true;
    case '_timestamp':
    case 'timestamp':
      metadata.timestamp = text;
      return true;
    case '_ttl':
    case 'ttl':
      metadata.ttl = parseTtl(text);
      return true;
    case 'op_type':
    case 'opType':
      metadata.opType = text;
      return true;
    case '_version':
    case 'version':
      metadata.version = wholeNumber(text);
      return true;
    case '_version_type':
    case '_versionType':
    case 'version_type':
    case 'versionType':
      metadata.versionType = parseVersionType(text);
      return true;
    case '_retry_on_conflict':
    case '_retryOnConflict':
      metadata.retryOnConflict = Math.max(0, wholeNumber(text));
      return true;
    default:
      return false;
  }
}

function malformed(message: string): EngineError {
  return new EngineError('IllegalArgumentException', message);
}

function tokenName(token: JsonToken): string {
  return TOKEN_NAMES.get(token) ?? String(token);
}

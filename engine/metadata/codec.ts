// Cluster state as bytes: one value per index and a few for what is global, so that a change writes only
// what it touches. JSON through our own parser and writer, which keep the order of members, the spelling of
// numbers and names like `__proto__`.
//
//   cluster       version, counters, persistent settings
//   templates     index templates by name
//   repositories  repositories by name
//   keys          keys by id, with the hashes of their secrets
//   key-uses      when keys were last used
//   index/{id}    one index

import {
  isJsonObject,
  JsonNumber,
  type JsonOutput,
  type JsonValue,
  writeJson,
} from '../json/index';
import { keysFromJson, keysToJson } from './access-key';
import { EMPTY_STATE } from './changes';
import type { AliasMetadata, ClusterState, FieldIdentity, IndexMetadata } from './state';
import type { FieldKind } from './field';
import { Reader } from './stored-json';

const CLUSTER = 'cluster';
const TEMPLATES = 'templates';
const REPOSITORIES = 'repositories';
const KEYS = 'keys';
const KEY_USES = 'key-uses';
const INDEX_PREFIX = 'index/';
/** Version of this encoding; a value with another one is refused. */
const FORMAT = 1;

/** Metadata values to write and names to remove. */
interface EncodedChanges {
  readonly put: readonly (readonly [name: string, value: Buffer])[];
  readonly remove: readonly string[];
}

/** What has to be written to get from one stored state to another. */
export function encodeChanges(before: ClusterState, after: ClusterState): EncodedChanges {
  const put: (readonly [string, Buffer])[] = [];
  const write = (name: string, value: JsonOutput): void => {
    put.push([name, Buffer.from(writeJson(value))]);
  };
  write(CLUSTER, {
    format: FORMAT,
    version: after.version,
    nextIndexId: after.nextIndexId,
    nextShardId: after.nextShardId,
    persistentSettings: after.persistentSettings,
  });
  if (before.templates !== after.templates) write(TEMPLATES, after.templates);
  if (before.repositories !== after.repositories) write(REPOSITORIES, after.repositories);
  if (before.keys !== after.keys) write(KEYS, keysToJson(after.keys));
  if (before.keyUses !== after.keyUses) write(KEY_USES, after.keyUses);
  const known = new Map([...before.indices.values()].map((index) => [index.id, index]));
  for (const index of after.indices.values()) {
    if (known.get(index.id) !== index) write(INDEX_PREFIX + index.id, indexToJson(index));
    known.delete(index.id);
  }
  return { put, remove: [...known.keys()].map((id) => INDEX_PREFIX + id) };
}

/**
 * The state that values were encoded from; the empty state when there is none. Other names are ignored:
 * they belong to others.
 *
 * @throws EngineError CorruptIndexException for a value that cannot be read
 */
export function decodeState(values: ReadonlyMap<string, Buffer>): ClusterState {
  const read = (name: string): Reader | null => {
    const bytes = values.get(name);
    return bytes === undefined ? null : Reader.of(name, bytes);
  };
  const cluster = read(CLUSTER);
  if (cluster === null) return EMPTY_STATE;
  if (cluster.integer('format') !== FORMAT) throw cluster.damaged('format');
  const indices: IndexMetadata[] = [];
  for (const name of values.keys()) {
    if (name.startsWith(INDEX_PREFIX)) indices.push(indexFromJson(read(name)!));
  }
  indices.sort((a, b) => a.id - b.id);
  return {
    version: cluster.integer('version'),
    indices: new Map(indices.map((index) => [index.name, index])),
    templates: read(TEMPLATES)?.objects() ?? new Map(),
    repositories: read(REPOSITORIES)?.objects() ?? new Map(),
    keys: keysFromJson(read(KEYS)),
    keyUses: read(KEY_USES)?.integers() ?? new Map(),
    persistentSettings: cluster.member('persistentSettings').texts(),
    nextIndexId: cluster.integer('nextIndexId'),
    nextShardId: cluster.integer('nextShardId'),
  };
}

/** One index as bytes, as other threads get it. */
export function encodeIndex(index: IndexMetadata): Buffer {
  return Buffer.from(writeJson(indexToJson(index)));
}

/** @throws EngineError CorruptIndexException for bytes that are not from {@link encodeIndex} */
export function decodeIndex(bytes: Buffer): IndexMetadata {
  return indexFromJson(Reader.of('index', bytes));
}

/** Everything about an index as one JSON object; {@link readIndex} reads it back. */
export function indexToJson(index: IndexMetadata): JsonOutput {
  return {
    id: index.id,
    name: index.name,
    uuid: index.uuid,
    state: index.state,
    version: index.version,
    shardIds: index.shardIds,
    settings: index.settings,
    mappings: index.mappings,
    aliases: [...index.aliases.values()].map((alias) => ({ ...alias })),
    warmers: index.warmers,
    fields: [...index.fields.values()].map(({ id, name, kind }) => [id, name, kind]),
  };
}

/** The index that {@link indexToJson} wrote. @throws EngineError CorruptIndexException */
export function readIndex(value: JsonValue | undefined): IndexMetadata {
  return indexFromJson(Reader.at('index', value));
}

function indexFromJson(json: Reader): IndexMetadata {
  const state = json.text('state');
  if (state !== 'open' && state !== 'close') throw json.damaged('state');
  const fields = json.array('fields').map((field): readonly [string, FieldIdentity] => {
    const [id, name, kind] = Array.isArray(field) ? field : [];
    if (!(id instanceof JsonNumber) || typeof name !== 'string' || !isFieldKind(kind)) {
      throw json.damaged('fields');
    }
    return [`${name}\u0000${kind}`, { id: id.value, name, kind }];
  });
  return {
    id: json.integer('id'),
    name: json.text('name'),
    uuid: json.text('uuid'),
    state,
    version: json.integer('version'),
    shardIds: json.array('shardIds').map((id) => (id instanceof JsonNumber ? id.value : NaN)),
    settings: json.member('settings').textsOrLists(),
    mappings: json.member('mappings').objects(),
    aliases: new Map(
      json.array('aliases').map((alias) => {
        const decoded = aliasFromJson(json.at(alias, 'aliases'));
        return [decoded.name, decoded] as const;
      }),
    ),
    warmers: json.member('warmers').objects(),
    fields: new Map(fields),
  };
}

function aliasFromJson(json: Reader): AliasMetadata {
  const filter = json.value.get('filter');
  const isWriteIndex = json.value.get('isWriteIndex');
  return {
    name: json.text('name'),
    filter: isJsonObject(filter) ? filter : null,
    indexRouting: json.optionalText('indexRouting'),
    searchRouting: json.optionalText('searchRouting'),
    isWriteIndex: typeof isWriteIndex === 'boolean' ? isWriteIndex : null,
  };
}

const FIELD_KINDS: readonly FieldKind[] = ['string', 'int', 'long', 'float', 'double', 'geo'];

function isFieldKind(value: unknown): value is FieldKind {
  return (FIELD_KINDS as readonly unknown[]).includes(value);
}

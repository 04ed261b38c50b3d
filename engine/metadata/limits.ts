// What a node may have of everything that clients can add to the cluster state. All of it is in memory, is
// copied or gone through by changes of the state, and is read at start: a client that adds without end would
// make the node slow for all others and in the end impossible to start.
//
// The reference has none of these limits. They are looked at where the state changes, whatever brought the
// change about, and only for what grows: a node that has more already, from a time with higher limits, starts
// and can be cleared out.

import { appendAll } from '../common/index';
import { illegalArgument } from '../errors';
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/index';
import type { ClusterState, IndexMetadata } from './state';

/** What the mapping of one index may be. */
export interface MappingLimits {
  /** Types, objects and fields, multi-fields included, of all types together. */
  readonly fieldsPerIndex: number;
  /** Objects within objects; a field of the document itself has depth 1. */
  readonly mappingDepth: number;
}

/** How much of everything a node may have. */
export interface ClusterLimits extends MappingLimits {
  /** Open and closed. */
  readonly indices: number;
  readonly shardsPerIndex: number;
  /** Of all indices, open and closed: a closed index keeps its shards in memory. */
  readonly shards: number;
  /** Entries: an alias of three indices counts three times. */
  readonly aliases: number;
  readonly templates: number;
  readonly warmersPerIndex: number;
  readonly settingsPerIndex: number;
  /** As {@link settingsSize} has it. */
  readonly settingsSize: number;
  /** As {@link definitionsSize} has it. */
  readonly definitionsSize: number;
  readonly repositories: number;
  /** Persistent ones, and the same number of transient ones. */
  readonly clusterSettings: number;
}

/** The setting of the node behind each limit. */
export const LIMIT_SETTINGS: { readonly [limit in keyof ClusterLimits]: string } = {
  indices: 'cluster.max_indices',
  shardsPerIndex: 'cluster.max_shards_per_index',
  shards: 'cluster.max_shards_per_node',
  aliases: 'cluster.max_aliases',
  templates: 'cluster.max_templates',
  warmersPerIndex: 'cluster.max_warmers_per_index',
  settingsPerIndex: 'cluster.max_settings_per_index',
  settingsSize: 'cluster.max_settings_size_per_index',
  definitionsSize: 'cluster.max_definitions_size',
  repositories: 'cluster.max_repositories',
  clusterSettings: 'cluster.max_persistent_settings',
  fieldsPerIndex: 'cluster.max_fields_per_index',
  mappingDepth: 'cluster.max_mapping_depth',
};

/** The defaults of the settings. */
export const DEFAULT_LIMITS: ClusterLimits = {
  indices: 5_000,
  shardsPerIndex: 1_024,
  shards: 10_000,
  aliases: 50_000,
  templates: 1_000,
  warmersPerIndex: 100,
  settingsPerIndex: 10_000,
  settingsSize: 10 * 1024 * 1024,
  definitionsSize: 32 * 1024 * 1024,
  repositories: 100,
  clusterSettings: 1_000,
  fieldsPerIndex: 10_000,
  mappingDepth: 100,
};

/** No limits, for mappings that were accepted before. */
export const NO_MAPPING_LIMITS: MappingLimits = {
  fieldsPerIndex: Infinity,
  mappingDepth: Infinity,
};

/**
 * Checks a change of the cluster state that does not come from documents. What the mappings of its indices
 * hold is checked where mappings change.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException (400) when something grows beyond its limit
 */
export function assertWithinLimits(
  before: ClusterState,
  after: ClusterState,
  limits: ClusterLimits,
): void {
  const check = (limit: keyof ClusterLimits, what: string, from: number, to: number): void => {
    if (to > limits[limit] && to > from) throw beyondLimit(limit, what, to, limits[limit]);
  };
  if (before.indices !== after.indices) {
    check('indices', 'indices', before.indices.size, after.indices.size);
    const [had, has] = [totals(before), totals(after)];
    check('shards', 'shards', had.shards, has.shards);
    check('aliases', 'aliases', had.aliases, has.aliases);
    for (const index of after.indices.values()) {
      const old = before.indices.get(index.name);
      if (old === index) continue;
      const { shardIds, warmers, settings } = index;
      const where = `of index [${index.name}]`;
      check('shardsPerIndex', `shards ${where}`, old?.shardIds.length ?? 0, shardIds.length);
      check('warmersPerIndex', `warmers ${where}`, old?.warmers.size ?? 0, warmers.size);
      check('settingsPerIndex', `settings ${where}`, old?.settings.size ?? 0, settings.size);
      if (settings !== old?.settings) {
        const was = old === undefined ? 0 : settingsSize(old.settings);
        check('settingsSize', `bytes of settings ${where}`, was, settingsSize(settings));
      }
    }
  }
  if (definesMore(before, after)) {
    const [was, is] = [definitionsSize(before), definitionsSize(after)];
    check('definitionsSize', 'bytes of templates, aliases, warmers, keys and settings', was, is);
  }
  check('templates', 'index templates', before.templates.size, after.templates.size);
  check('repositories', 'repositories', before.repositories.size, after.repositories.size);
  const [had, has] = [before.persistentSettings.size, after.persistentSettings.size];
  check('clusterSettings', 'persistent settings', had, has);
}

/**
 * @throws EngineError ElasticsearchIllegalArgumentException (400) when an index would have too many settings
 */
export function assertRoomForSettings(
  index: string,
  { size }: { readonly size: number },
  limits: ClusterLimits,
): void {
  const limit = limits.settingsPerIndex;
  if (size > limit) {
    throw beyondLimit('settingsPerIndex', `settings of index [${index}]`, size, limit);
  }
}

/** Bytes for a value in a list, beside its characters: what is made of a word takes as long as its text. */
const PER_VALUE = 32;

/** How large settings are: characters of their values, and 32 bytes for each value, also between commas. */
function settingsSize(settings: IndexMetadata['settings']): number {
  let size = 0;
  for (const value of settings.values()) {
    for (const text of typeof value === 'string' ? [value] : value) {
      size += text.length + PER_VALUE;
      for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) size += PER_VALUE;
    }
  }
  return size;
}

/**
 * @throws EngineError ElasticsearchIllegalArgumentException (400) when settings of an index are too large
 */
export function assertRoomForSizeOfSettings(
  index: string,
  settings: IndexMetadata['settings'],
  limits: ClusterLimits,
): void {
  const [size, limit] = [settingsSize(settings), limits.settingsSize];
  if (size > limit) {
    throw beyondLimit('settingsSize', `bytes of settings of index [${index}]`, size, limit);
  }
}

/**
 * Checks a change of settings of the cluster that are not stored.
 * @throws EngineError ElasticsearchIllegalArgumentException (400)
 */
export function assertRoomForTransient(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  limits: ClusterLimits,
): void {
  const { clusterSettings, definitionsSize: bytes } = limits;
  if (after.size > clusterSettings && after.size > before.size) {
    throw beyondLimit('clusterSettings', 'transient settings', after.size, clusterSettings);
  }
  const size = sizeOf(after);
  if (size > bytes)
    throw beyondLimit('definitionsSize', 'bytes of transient settings', size, bytes);
}

function definesMore(before: ClusterState, after: ClusterState): boolean {
  return (
    before.indices !== after.indices ||
    before.templates !== after.templates ||
    before.repositories !== after.repositories ||
    before.persistentSettings !== after.persistentSettings ||
    before.keys !== after.keys
  );
}

/** Bytes of all that clients define, but for mappings and settings of indices: those have limits. */
function definitionsSize(state: ClusterState): number {
  let size = sizeOf(state.persistentSettings) + sizeOfAll(state.keys);
  for (const template of state.templates.values()) size += sizeOf(template);
  for (const repository of state.repositories.values()) size += sizeOf(repository);
  for (const { aliases, warmers } of state.indices.values()) {
    size += sizeOfAll(aliases) + sizeOfAll(warmers);
  }
  return size;
}

/** The same of many, of which most were there before. */
function sizeOfAll(definitions: ReadonlyMap<string, object>): number {
  let size = sizes.get(definitions);
  if (size === undefined) {
    size = 0;
    for (const definition of definitions.values()) size += sizeOf(definition);
    sizes.set(definitions, size);
  }
  return size;
}

/** Of definitions and of maps of them. */
const sizes = new WeakMap<object, number>();

/** Characters of all texts and numbers in something immutable, and 32 for each member or item. */
function sizeOf(definition: object): number {
  let size = sizes.get(definition);
  if (size !== undefined) return size;
  size = 0;
  const open: unknown[] = [definition];
  while (open.length > 0) {
    const value = open.pop();
    size += PER_VALUE;
    if (typeof value === 'string') size += value.length;
    else if (value instanceof JsonNumber) size += value.text.length;
    else if (value instanceof Map) {
      for (const [name, member] of value as ReadonlyMap<string, unknown>) {
        size += name.length;
        open.push(member);
      }
    } else if (typeof value === 'object' && value !== null) {
      appendAll(open, Object.values(value));
    }
  }
  sizes.set(definition, size);
  return size;
}

/**
 * Refuses a template of which no index could be made before anything is made of its settings.
 * @throws EngineError ElasticsearchIllegalArgumentException (400)
 */
export function assertRoomForTemplate(name: string, body: JsonObject, limits: ClusterLimits): void {
  const check = (limit: keyof ClusterLimits, what: string, members: JsonValue | undefined) => {
    const size = isJsonObject(members) ? members.size : 0;
    if (size > limits[limit]) throw beyondLimit(limit, `${what} [${name}]`, size, limits[limit]);
    return members;
  };
  const settings = check('settingsPerIndex', 'settings of template', body.get('settings'));
  if (isJsonObject(settings)) {
    check('settingsPerIndex', 'settings of template', settings.get('index'));
  }
  check('warmersPerIndex', 'warmers of template', body.get('warmers'));
  check('aliases', 'aliases of template', body.get('aliases'));
}

/** What a new index brings along. */
export interface IndexParts {
  readonly shards: number;
  readonly aliases: number;
}

/** What any new index has at least. */
export const NO_PARTS: IndexParts = { shards: 1, aliases: 0 };

/**
 * Refuses a new index before it is made, as {@link assertWithinLimits} would afterwards.
 * @throws EngineError ElasticsearchIllegalArgumentException (400)
 */
export function assertRoomForIndex(
  state: ClusterState,
  { shards, aliases }: IndexParts,
  limits: ClusterLimits,
): void {
  const has = totals(state);
  const check = (limit: keyof ClusterLimits, what: string, to: number): void => {
    if (to > limits[limit]) throw beyondLimit(limit, what, to, limits[limit]);
  };
  check('indices', 'indices', state.indices.size + 1);
  check('shards', 'shards', has.shards + shards);
  if (aliases > 0) check('aliases', 'aliases', has.aliases + aliases);
}

/** 400: a request would add more than there may be. */
export function beyondLimit(
  limit: keyof ClusterLimits,
  what: string,
  wanted: number,
  allowed: number,
): Error {
  return illegalArgument(
    `limit of [${allowed}] ${what} has been exceeded: there would be [${wanted}] (${LIMIT_SETTINGS[limit]})`,
  );
}

interface Totals {
  readonly shards: number;
  readonly aliases: number;
}

const known = new WeakMap<ReadonlyMap<string, IndexMetadata>, Totals>();

/** What all indices have together, counted once for each state of them. */
function totals({ indices }: ClusterState): Totals {
  let counted = known.get(indices);
  if (counted !== undefined) return counted;
  let shards = 0;
  let aliases = 0;
  for (const index of indices.values()) {
    shards += index.shardIds.length;
    aliases += index.aliases.size;
  }
  counted = { shards, aliases };
  known.set(indices, counted);
  return counted;
}

// Create index: what a request body asks for, checked, and the metadata of the new index (reference
// server). Mappings are compiled and alias filters are checked against them elsewhere.

import { numberFormat } from '../common/index';
import { EngineError, illegalArgument, validationFailed } from '../errors';
import { isJsonObject, type JsonObject } from '../json/index';
import {
  expandReplicas,
  flattenIndexSettings,
  LIMIT_SETTINGS,
  parseAliasBody,
  parseInt32,
  parseWarmers,
  SCRIPTS_INDEX,
  settingProblems,
  validateAlias,
  validateIndexName,
  type AliasMetadata,
  type ClusterState,
  type CreateIndexSections,
  type IndexMetadata,
} from '../metadata/index';

const VERSION_CREATED = '1070699';

/** What a new index will be. */
export interface IndexPlan {
  readonly name: string;
  readonly settings: ReadonlyMap<string, string | readonly string[]>;
  readonly shards: number;
  /** Filters are not checked yet. */
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
  readonly mappings: ReadonlyMap<string, JsonObject>;
  readonly warmers: ReadonlyMap<string, JsonObject>;
}

/**
 * The sections of a create-index request. If it has none of the members `settings`, `mappings`, `aliases` and
 * `warmers`, all of it is settings.
 *
 * @throws EngineError ElasticsearchParseException, ElasticsearchIllegalArgumentException
 */
export function readSections(body: JsonObject): CreateIndexSections {
  const hasSections = ['settings', 'mappings', 'aliases', 'warmers'].some((member) =>
    body.has(member),
  );
  if (!hasSections) {
    const none = new Map<string, never>();
    return { settings: flattenIndexSettings(body), mappings: none, aliases: none, warmers: none };
  }
  const aliases = section(body, 'aliases');
  for (const [alias, aliasBody] of aliases) parseAliasBody(alias, aliasBody);
  return {
    settings: flattenIndexSettings(section(body, 'settings')),
    mappings: objectMembers(section(body, 'mappings'), 'mappings'),
    aliases,
    warmers: parseWarmers(section(body, 'warmers')),
  };
}

/** compat: what the index of stored scripts has, whatever is asked of it. */
const SCRIPTS_SETTINGS = [
  ['index.number_of_shards', '1'],
  ['index.number_of_replicas', '0'],
  ['index.auto_expand_replicas', '0-all'],
] as const;

/**
 * Checks what is asked of a new index and completes its settings.
 *
 * @param sections of the request and all templates
 * @param nodeDefaults settings of new indices, flat with prefix
 * @param maxShards how many the index may have
 * @param now epoch ms
 * @throws EngineError IndexAlreadyExistsException, InvalidIndexNameException, IndexCreationException,
 *   SettingsException, InvalidAliasNameException, ElasticsearchIllegalArgumentException
 */
export function planIndex(
  state: ClusterState,
  name: string,
  sections: CreateIndexSections,
  nodeDefaults: ReadonlyMap<string, string>,
  maxShards: number,
  now: number,
  uuid: string,
): IndexPlan {
  const aliases = new Map<string, AliasMetadata>();
  for (const [alias, aliasBody] of sections.aliases) {
    aliases.set(alias, parseAliasBody(alias, aliasBody));
  }
  validateIndexName(state, name);
  const settings = new Map(sections.settings);
  if (name === SCRIPTS_INDEX) {
    for (const [key, value] of SCRIPTS_SETTINGS) settings.set(key, value);
  }
  addDefaults(settings, nodeDefaults);
  const shards = requireCounts(name, settings, nodeDefaults, maxShards);
  expandReplicas(settings);
  for (const alias of aliases.values()) {
    validateAlias(state, name, alias.name, alias.indexRouting);
  }
  if (!settings.has('index.creation_date')) settings.set('index.creation_date', String(now));
  settings.set('index.uuid', uuid);
  if (!settings.has('index.version.created'))
    settings.set('index.version.created', VERSION_CREATED);
  return {
    name,
    settings,
    shards,
    aliases,
    mappings: sections.mappings,
    warmers: sections.warmers,
  };
}

/**
 * The metadata of a planned index, open and with ids from the state's counters; `addIndex` of changes.ts
 * puts it into the state. Mappings, fields and warmers start empty.
 */
export function newIndex(state: ClusterState, plan: IndexPlan): IndexMetadata {
  const uuid = plan.settings.get('index.uuid');
  return {
    id: state.nextIndexId,
    name: plan.name,
    uuid: typeof uuid === 'string' ? uuid : '',
    state: 'open',
    settings: plan.settings,
    mappings: new Map(),
    aliases: plan.aliases,
    warmers: plan.warmers,
    shardIds: Array.from({ length: plan.shards }, (_, i) => state.nextShardId + i),
    fields: new Map(),
    version: 1,
  };
}

/** The error around what goes wrong while a new index is set up; it has the status of its cause. */
export function indexCreationFailed(index: string, cause: unknown): EngineError {
  let status = 500;
  if (cause instanceof EngineError) {
    status = cause.wireName === 'IllegalArgumentException' ? 400 : cause.status;
  }
  return new EngineError('IndexCreationException', `[${index}] failed to create index`, {
    cause,
    status,
  });
}

function section(body: JsonObject, member: string): JsonObject {
  const value = body.get(member);
  if (value === undefined || value === null) return new Map();
  if (!isJsonObject(value)) throw notAnObject(member);
  return value;
}

function objectMembers(section_: JsonObject, path: string): ReadonlyMap<string, JsonObject> {
  const members = new Map<string, JsonObject>();
  for (const [name, value] of section_) {
    if (!isJsonObject(value)) throw notAnObject(`${path}.${name}`);
    members.set(name, value);
  }
  return members;
}

function notAnObject(path: string): EngineError {
  return new EngineError('ElasticsearchParseException', `[${path}] must be an object`);
}

/**
 * Gives the index the `index.` settings of the node, one by one, where its own settings say nothing. They are
 * stored with the index: other analyzers would not find what is already indexed.
 */
function addDefaults(
  settings: Map<string, string | readonly string[]>,
  nodeDefaults: ReadonlyMap<string, string>,
): void {
  const own = new Set([...settings.keys()].map(listName));
  for (const [key, value] of nodeDefaults) {
    if (!own.has(listName(key))) settings.set(key, value);
  }
}

/** `name` for a list that is given as `name.0`, `name.1`, ...; one list replaces another as a whole. */
function listName(key: string): string {
  return key.replace(/\.\d+$/, '');
}

/** Fills in and checks the numbers of shards and replicas; returns that of shards. */
function requireCounts(
  name: string,
  settings: Map<string, string | readonly string[]>,
  nodeDefaults: ReadonlyMap<string, string>,
  maxShards: number,
): number {
  const count = (key: string, fallback: string): number => {
    const given = settings.get(key) ?? nodeDefaults.get(key) ?? fallback;
    const text = typeof given === 'string' ? given : given.join(',');
    const value = parseInt32(text);
    if (value === null) {
      throw new EngineError(
        'SettingsException',
        `Failed to parse int setting [${key}] with value [${text}]`,
        { cause: numberFormat(text) },
      );
    }
    settings.set(key, text);
    return value;
  };
  const shards = count('index.number_of_shards', '5');
  const replicas = count('index.number_of_replicas', '1');
  const failures: string[] = [];
  if (shards < 1) failures.push('index must have 1 or more primary shards');
  if (shards > maxShards) {
    const setting = LIMIT_SETTINGS.shardsPerIndex;
    failures.push(`index must have at most ${maxShards} primary shards (${setting})`);
  }
  if (replicas < 0) failures.push('index must have 0 or more replica shards');
  if (failures.length > 0) {
    const { message } = validationFailed(failures);
    throw indexCreationFailed(name, illegalArgument(message));
  }
  const problems = settingProblems(settings);
  if (problems.length > 0) {
    const message = `can't process the settings: [${problems.join(', ')}]`;
    throw indexCreationFailed(name, illegalArgument(message));
  }
  return shards;
}

// Index templates: what their bodies may say, how they are stored, and what of them becomes part of a new
// index (reference server).

import { EngineError, illegalArgument, validationFailed } from '../errors';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  scalarText,
  writeJson,
} from '../json/index';
import { aliasToJson, parseAliasBody } from './alias';
import { severalRoutingValues } from './names';
import { matchesPattern, numberFormat } from '../common/index';
import { flatSettings, flattenIndexSettings } from './settings';
import { parseInt32 } from './setting-values';
import type { ClusterState } from './state';
import { parseWarmers } from './warmers';
import type { ScriptFiles } from './scripts';

/** Stands for the name of the new index in the names of a template's aliases. */
const INDEX_PLACEHOLDER = '{index}';

const EMPTY: JsonObject = new Map();

/**
 * What files of the configuration folder define. Templates and mappings take part in the creation of
 * indices like stored ones, but no request lists or changes them.
 */
export interface ConfiguredDefaults {
  /** Templates as {@link parseTemplate} returns them, by name. */
  readonly templates: ReadonlyMap<string, JsonObject>;
  /** Mappings by index name, or `_default` for all indices, and type. They fill in what is missing, last. */
  readonly mappings: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  readonly scripts: ScriptFiles;
}

export const NO_DEFAULTS: ConfiguredDefaults = {
  templates: new Map(),
  mappings: new Map(),
  scripts: new Map(),
};

/** What the URL of a put-template request says besides the name. Undefined: not given. */
export interface TemplateParameters {
  readonly order: number | undefined;
  readonly pattern: string | undefined;
}

/**
 * A template as it is stored and shown: `order`, `template`, flat `settings`, `mappings`, `warmers` if there
 * are any, `aliases`. Mappings and alias filters are not checked before an index is created with them.
 *
 * @throws EngineError ActionRequestValidationException without a pattern, InvalidIndexTemplateException for
 *   unusable names and patterns, ElasticsearchIllegalArgumentException for malformed sections
 */
export function parseTemplate(
  name: string,
  body: JsonObject,
  parameters: TemplateParameters = { order: undefined, pattern: undefined },
): JsonObject {
  const pattern = scalarText(body.get('template')) ?? parameters.pattern;
  const order = readOrder(body.get('order')) ?? parameters.order ?? 0;
  const settings = flattenIndexSettings(objectSection(body, 'settings') ?? EMPTY);
  const mappings = new Map<string, JsonObject>();
  for (const [type, mapping] of objectSection(body, 'mappings') ?? []) {
    if (!isJsonObject(mapping)) {
      throw illegalArgument(
        `Malformed mappings section for type [${type}], should include an inner object describing the mapping`,
      );
    }
    mappings.set(type, withoutTypeName(type, mapping));
  }
  const aliases = new Map<string, JsonValue>();
  for (const [alias, aliasBody] of objectSection(body, 'aliases') ?? []) {
    const parsed = parseAliasBody(alias, aliasBody);
    if (parsed.indexRouting?.includes(',') === true) throw severalRoutingValues(alias);
    aliases.set(alias, aliasToJson(parsed));
  }
  const warmers = parseWarmers(objectSection(body, 'warmers') ?? EMPTY);
  if (pattern === undefined) throw validationFailed('template is missing');
  validateNames(name, pattern);
  const template: JsonObject = new Map<string, JsonValue>([
    ['order', new JsonNumber(String(order))],
    ['template', pattern],
    ['settings', flatSettings(settings)],
    ['mappings', mappings],
  ]);
  if (warmers.size > 0) template.set('warmers', warmers);
  template.set('aliases', aliases);
  return template;
}

/** Names of the stored templates that match names and patterns. */
export function matchingTemplates(state: ClusterState, names: readonly string[]): string[] {
  return [...state.templates.keys()].filter((template) =>
    names.some((name) => matchesPattern(name, template)),
  );
}

/**
 * What a new index gets: the request's own sections, filled in by all templates whose pattern matches, those
 * of higher order first, then by the mappings of the configuration folder.
 *
 * Settings go by key, mappings member by member, aliases and warmers by name as whole entries.
 */
export function applyTemplates(
  state: ClusterState,
  configured: ConfiguredDefaults,
  index: string,
  request: CreateIndexSections,
): CreateIndexSections {
  const templates = [...state.templates.values(), ...configured.templates.values()]
    .filter((template) => matchesPattern(template.get('template') as string, index))
    .sort((a, b) => orderOf(b) - orderOf(a));
  const settings = new Map(request.settings);
  const mappings = new Map<string, JsonObject>();
  for (const [type, mapping] of request.mappings) {
    mappings.set(type, withoutTypeName(type, mapping));
  }
  const aliases = new Map(request.aliases);
  const warmers = new Map(request.warmers);
  for (const template of templates) {
    addMissing(settings, template.get('settings') as ReadonlyMap<string, string>);
    fillInMappings(mappings, template.get('mappings') as ReadonlyMap<string, JsonObject>);
    for (const [name, alias] of template.get('aliases') as JsonObject) {
      const named = name.replaceAll(INDEX_PLACEHOLDER, index);
      if (!aliases.has(name) && !aliases.has(named)) aliases.set(named, alias);
    }
    const templateWarmers = template.get('warmers') as ReadonlyMap<string, JsonObject> | undefined;
    if (templateWarmers !== undefined) addMissing(warmers, templateWarmers);
  }
  for (const scope of [index, '_default']) {
    fillInMappings(mappings, configured.mappings.get(scope) ?? new Map<string, JsonObject>());
  }
  return { settings, mappings, aliases, warmers };
}

function fillInMappings(
  mappings: Map<string, JsonObject>,
  defaults: ReadonlyMap<string, JsonObject>,
): void {
  for (const [type, mapping] of defaults) {
    mappings.set(type, mergeDefaults(mappings.get(type) ?? EMPTY, mapping));
  }
}

/**
 * An object with the members of another that it lacks; objects in both are merged likewise. Lists of objects
 * with one member each (dynamic templates) are merged by that member's name; of other lists the defaults
 * come first.
 */
function mergeDefaults(content: JsonObject, defaults: JsonObject): JsonObject {
  const merged = new Map(content);
  for (const [name, standard] of defaults) {
    const own = content.get(name);
    if (own === undefined) merged.set(name, standard);
    else if (isJsonObject(own) && isJsonObject(standard)) {
      merged.set(name, mergeDefaults(own, standard));
    } else if (Array.isArray(own) && Array.isArray(standard)) {
      merged.set(name, mergeLists(own, standard));
    }
  }
  return merged;
}

function mergeLists(own: readonly JsonValue[], standard: readonly JsonValue[]): JsonValue[] {
  if (own.every(isSingleMember) && standard.every(isSingleMember)) {
    const byName = new Map(own.map((entry) => [firstName(entry), entry]));
    for (const entry of standard) {
      const known = byName.get(firstName(entry));
      byName.set(firstName(entry), known === undefined ? entry : mergeDefaults(known, entry));
    }
    return [...byName.values()];
  }
  const spelled = new Set(standard.map((value) => writeJson(value)));
  return [...standard, ...own.filter((value) => !spelled.has(writeJson(value)))];
}

function isSingleMember(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value.size === 1;
}

function firstName(entry: JsonObject): string {
  return [...entry.keys()][0] ?? '';
}

function addMissing<V>(target: Map<string, V>, defaults: ReadonlyMap<string, V>): void {
  for (const [name, value] of defaults) if (!target.has(name)) target.set(name, value);
}

/** A mapping without the type's name around it. */
export function withoutTypeName(type: string, mapping: JsonObject): JsonObject {
  const inner = mapping.size === 1 ? mapping.get(type) : undefined;
  return isJsonObject(inner) ? inner : mapping;
}

function orderOf(template: JsonObject): number {
  return (template.get('order') as JsonNumber).value;
}

function objectSection(body: JsonObject, name: string): JsonObject | undefined {
  const value = body.get(name);
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  throw illegalArgument(`Malformed ${name} section, should include an inner object`);
}

function readOrder(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof JsonNumber) return Math.trunc(value.value);
  const order = parseInt32(scalarText(value) ?? '');
  if (order !== null) return order;
  throw numberFormat(scalarText(value) ?? '');
}

function validateNames(name: string, pattern: string): void {
  const reasons: readonly (readonly [boolean, string])[] = [
    [name.includes(' '), 'name must not contain a space'],
    [name.includes(','), "name must not contain a ','"],
    [name.includes('#'), "name must not contain a '#'"],
    [name.startsWith('_'), "name must not start with '_'"],
    [name !== name.toLowerCase(), 'name must be lower cased'],
    [pattern.includes(' '), 'template must not contain a space'],
    [pattern.includes(','), "template must not contain a ','"],
    [pattern.includes('#'), "template must not contain a '#'"],
    [pattern.startsWith('_'), "template must not start with '_'"],
  ];
  const reason = reasons.find(([applies]) => applies)?.[1];
  if (reason === undefined) return;
  throw new EngineError(
    'InvalidIndexTemplateException',
    `index_template [${name}] invalid, cause [${reason}]`,
  );
}

/** What is asked of a new index, by section. */
export interface CreateIndexSections {
  /** Flat, with the prefix `index.`. */
  readonly settings: ReadonlyMap<string, string | readonly string[]>;
  /** Mapping bodies by type, as given. */
  readonly mappings: ReadonlyMap<string, JsonObject>;
  readonly aliases: ReadonlyMap<string, JsonValue>;
  readonly warmers: ReadonlyMap<string, JsonObject>;
}

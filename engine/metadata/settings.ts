// Index settings: from request bodies to the flat form, back to what reads show, and changes of them
// (reference server).

import { illegalArgument, validationFailed } from '../errors';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  formatDouble,
} from '../json/index';
import { tryTimeValue } from '../common/index';
import { isDynamicSetting, settingProblem } from './dynamic-settings';
import { replaceIndices } from './changes';
import { assertNotBlocked } from './blocks';
import type { ClusterState, IndexMetadata } from './state';

/** Flat settings: values are texts or lists of texts. */
export type FlatSettings = ReadonlyMap<string, string | readonly string[]>;

const PREFIX = 'index.';
const DEFAULT_REFRESH_INTERVAL_MS = 1000;
const DEFAULT_GC_DELETES_MS = 60_000;

/**
 * Settings from nested or dotted members, or both. Scalars become text, nulls are left out, lists of
 * scalars stay lists; other lists are numbered (`name.0.member`).
 */
export function flattenSettings(body: JsonObject): Map<string, string | readonly string[]> {
  const flat = new Map<string, string | readonly string[]>();
  const open: (readonly [path: string, value: JsonValue])[] = [['', body]];
  while (open.length > 0) {
    const [path, value] = open.pop()!;
    const scalar = scalarText(value);
    if (scalar !== null) {
      flat.set(path, scalar);
    } else if (Array.isArray(value)) {
      const texts = value.map(scalarText);
      if (texts.every((text) => text !== null)) {
        if (texts.length > 0) flat.set(path, texts);
      } else {
        for (let i = value.length - 1; i >= 0; i--) open.push([`${path}.${i}`, value[i]!]);
      }
    } else if (isJsonObject(value)) {
      // Pushed backwards, so that members are taken in their order and later ones win.
      for (const [name, member] of [...value].reverse()) {
        open.push([path === '' ? name : `${path}.${name}`, member]);
      }
    }
  }
  return flat;
}

/** {@link flattenSettings} with `index.` put before the names that lack it. */
export function flattenIndexSettings(body: JsonObject): Map<string, string | readonly string[]> {
  return withIndexPrefix(flattenSettings(body));
}

function withIndexPrefix(settings: FlatSettings): Map<string, string | readonly string[]> {
  const prefixed = new Map<string, string | readonly string[]>();
  for (const [key, value] of settings) {
    if (key.startsWith(PREFIX)) prefixed.set(key, value);
  }
  // compat: of `index.x` and `x` the one without prefix wins.
  for (const [key, value] of settings) {
    if (!key.startsWith(PREFIX)) prefixed.set(PREFIX + key, value);
  }
  return prefixed;
}

function scalarText(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof JsonNumber) return value.isInteger ? value.text : formatDouble(value.value);
  return null;
}

/** Settings with every list numbered: `name.0`, `name.1`. What `flat_settings=true` shows. */
export function flatSettings(settings: FlatSettings): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of settings) {
    if (typeof value === 'string') flat.set(key, value);
    else for (const [i, item] of value.entries()) flat.set(`${key}.${i}`, item);
  }
  return flat;
}

/** A tree of settings while it is built; a node may have both a value and members. */
interface SettingNode {
  value: string | undefined;
  readonly members: Map<string, SettingNode>;
}

/** Levels that a setting is shown in; dots beyond them stay dots, as a name may consist of nothing else. */
const MOST_LEVELS = 100;

/** Settings as `GET _settings` nests them: `{"index":{"number_of_shards":"5",...}}`. */
export function nestSettings(settings: FlatSettings): ReadonlyMap<string, JsonOutput> {
  const root: SettingNode = { value: undefined, members: new Map() };
  for (const [key, value] of flatSettings(settings)) {
    let node = root;
    for (const part of levelsOf(key)) {
      let member = node.members.get(part);
      if (member === undefined) {
        member = { value: undefined, members: new Map() };
        node.members.set(part, member);
      }
      node = member;
    }
    node.value = value;
  }
  return nestMembers(root);
}

function levelsOf(key: string): string[] {
  const parts = key.split('.', MOST_LEVELS);
  if (parts.length < MOST_LEVELS) return parts;
  const shown = parts.slice(0, -1).join('.').length + 1;
  return [...parts.slice(0, -1), key.slice(shown)];
}

function nestMembers(node: SettingNode): Map<string, JsonOutput> {
  const result = new Map<string, JsonOutput>();
  for (const [name, member] of node.members) {
    if (member.members.size === 0) {
      result.set(name, member.value ?? '');
      continue;
    }
    // A name with both a value and members: the members keep their dotted names.
    if (member.value !== undefined) {
      result.set(name, member.value);
      for (const [below, value] of nestMembers(member)) result.set(`${name}.${below}`, value);
      continue;
    }
    const members = nestMembers(member);
    result.set(name, asList(members) ?? members);
  }
  return result;
}

/** The members in order when they are numbered from 0 on without gaps, else null. */
function asList(members: ReadonlyMap<string, JsonOutput>): JsonOutput[] | null {
  const items: JsonOutput[] = [];
  for (let i = 0; i < members.size; i++) {
    const item = members.get(String(i));
    if (item === undefined) return null;
    items.push(item);
  }
  return items;
}

/** How often an index is refreshed, in ms; negative or 0: only when asked. */
export function refreshIntervalMs(settings: FlatSettings): number {
  const text = settings.get('index.refresh_interval');
  const parsed = typeof text === 'string' ? tryTimeValue(text) : null;
  return parsed ?? DEFAULT_REFRESH_INTERVAL_MS;
}

/** How long the versions of deleted documents are remembered, in ms; negative: not at all. */
export function gcDeletesMs(settings: FlatSettings): number {
  const text = settings.get('index.gc_deletes');
  const parsed = typeof text === 'string' ? tryTimeValue(text) : null;
  return parsed ?? DEFAULT_GC_DELETES_MS;
}

/**
 * Sets the number of replicas that `index.auto_expand_replicas` (`0-1`, `0-all`) asks for on one node: the
 * lower end. Anything that is no range, `false` say, changes nothing.
 */
export function expandReplicas(settings: Map<string, string | readonly string[]>): void {
  const range = settings.get('index.auto_expand_replicas');
  const match = typeof range === 'string' ? /^(\d+)-(?:\d+|all)$/.exec(range) : null;
  if (match?.[1] !== undefined) settings.set('index.number_of_replicas', match[1]);
}

/**
 * Applies a settings update to indices, all or nothing.
 *
 * @param names concrete indices
 * @param body settings nested or dotted, with or without a `settings` member around them
 * @returns the new state; the same one when nothing changes
 * @throws EngineError ActionRequestValidationException for an empty update, ClusterBlockException,
 *   ElasticsearchIllegalArgumentException for values and settings that cannot be changed
 */
export function updateSettings(
  state: ClusterState,
  names: readonly string[],
  body: JsonObject,
): ClusterState {
  const wrapped = body.get('settings');
  const given = flattenSettings(isJsonObject(wrapped) ? wrapped : body);
  if (given.size === 0) throw validationFailed('no settings to update');
  const indices = names.map((name) => state.indices.get(name)!);
  // compat: only a request for one of these two alone can lift the blocks; the prefix has to be written.
  const liftsBlock =
    given.size === 1 && (given.has('index.blocks.read_only') || given.has('index.blocks.metadata'));
  if (!liftsBlock) for (const index of indices) assertNotBlocked(index, 'metadata_write');
  const changes = withIndexPrefix(given);
  validateChanges(indices, changes);
  const changed = indices
    .map((index) => withSettings(index, changes))
    .filter((index, i) => index !== indices[i]);
  return replaceIndices(state, changed);
}

function validateChanges(indices: readonly IndexMetadata[], changes: FlatSettings): void {
  if (changes.has('index.number_of_shards')) {
    throw illegalArgument("can't change the number of shards for an index");
  }
  const problems: string[] = [];
  const fixed: string[] = [];
  for (const [key, value] of flatSettings(changes)) {
    if (!isDynamicSetting(key)) {
      fixed.push(key);
      continue;
    }
    const problem = settingProblem(key, value);
    if (problem !== null) problems.push(`[${key}] - ${problem}`);
  }
  if (problems.length > 0) {
    throw illegalArgument(`can't process the settings: [${problems.join(', ')}]`);
  }
  const open = indices.filter((index) => index.state === 'open').map((index) => index.name);
  const closed = indices.filter((index) => index.state === 'close').map((index) => index.name);
  if (closed.length > 0 && changes.has('index.number_of_replicas')) {
    throw illegalArgument(
      `Can't update [index.number_of_replicas] on closed indices [[${closed.join(', ')}]] - can leave index in an unopenable state`,
    );
  }
  if (fixed.length > 0 && open.length > 0) {
    throw illegalArgument(
      `Can't update non dynamic settings[[${fixed.join(', ')}]] for open indices [[${open.join(', ')}]]`,
    );
  }
}

function withSettings(index: IndexMetadata, changes: FlatSettings): IndexMetadata {
  const settings = new Map(index.settings);
  // A list replaces the numbered form of itself, and the other way round.
  for (const known of index.settings.keys()) {
    const dot = known.lastIndexOf('.');
    if (dot > 0 && changes.has(known.slice(0, dot)) && /^\d+$/.test(known.slice(dot + 1))) {
      settings.delete(known);
    }
  }
  for (const [key, value] of changes) settings.set(key, value);
  expandReplicas(settings);
  return hasSameSettings(index.settings, settings) ? index : { ...index, settings };
}

/** Whether settings say the same, however their lists are given. Lists may be long. */
function hasSameSettings(before: FlatSettings, after: FlatSettings): boolean {
  const [old, young] = [others(before, after), others(after, before)];
  if (old.size === 0 && young.size === 0) return true;
  const [was, is] = [flatSettings(old), flatSettings(young)];
  return was.size === is.size && [...is].every(([key, value]) => was.get(key) === value);
}

/** Those that are not the very same in other settings. */
function others(settings: FlatSettings, than: FlatSettings): FlatSettings {
  return new Map([...settings].filter(([key, value]) => than.get(key) !== value));
}

/** How many replicas each shard of an index is wanted to have. */
export function replicasOf({ settings }: { readonly settings: FlatSettings }): number {
  return Number(settings.get('index.number_of_replicas') ?? 0);
}

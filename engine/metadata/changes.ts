// Pure functions from one cluster state to the next. They number what they change; the version of the
// state itself is set by whoever publishes it, and by these functions too so that it never stands still.

import type { AccessKeys } from './access-key';
import { sharesAliases } from './alias-index';
import { greatestOf } from '../common/index';
import type { AliasMetadata, ClusterState, IndexMetadata } from './state';
import type { JsonObject } from '../json/index';

/** The state of a node without indices. */
export const EMPTY_STATE: ClusterState = {
  version: 0,
  indices: new Map(),
  templates: new Map(),
  persistentSettings: new Map(),
  repositories: new Map(),
  keys: new Map(),
  keyUses: new Map(),
  nextIndexId: 1,
  nextShardId: 1,
};

/** Adds a new index; its ids must come from the state's counters, which move on. */
export function addIndex(state: ClusterState, index: IndexMetadata): ClusterState {
  const indices = new Map(state.indices).set(index.name, index);
  // Many indices may be created one after the other, and few have aliases.
  if (index.aliases.size === 0 && !state.indices.has(index.name)) sharesAliases(state, indices);
  return {
    ...next(state),
    indices,
    nextIndexId: Math.max(state.nextIndexId, index.id + 1),
    nextShardId: greatestOf(
      index.shardIds.map((id) => id + 1),
      state.nextShardId,
    ),
  };
}

/** Puts a changed index in the place of the one with its name and counts its version up. */
export function replaceIndex(state: ClusterState, index: IndexMetadata): ClusterState {
  return replaceIndices(state, [index]);
}

/** {@link replaceIndex} for several indices as one change. */
export function replaceIndices(
  state: ClusterState,
  changed: readonly IndexMetadata[],
): ClusterState {
  if (changed.length === 0) return state;
  const indices = new Map(state.indices);
  for (const index of changed) {
    const current = state.indices.get(index.name);
    indices.set(index.name, { ...index, version: (current?.version ?? index.version) + 1 });
  }
  return { ...next(state), indices };
}

/** Removes indices, and with them their aliases. Unknown names are ignored. */
export function removeIndices(state: ClusterState, names: Iterable<string>): ClusterState {
  const indices = new Map(state.indices);
  for (const name of names) indices.delete(name);
  return indices.size === state.indices.size ? state : { ...next(state), indices };
}

/** Opens or closes an index; the same state when it is so already. */
export function setIndexState(state: ClusterState, name: string, open: boolean): ClusterState {
  const index = state.indices.get(name);
  const wanted = open ? 'open' : 'close';
  if (index === undefined || index.state === wanted) return state;
  return replaceIndex(state, { ...index, state: wanted });
}

/** Replaces the aliases of some indices as one change. */
export function replaceAliases(
  state: ClusterState,
  aliases: ReadonlyMap<string, ReadonlyMap<string, AliasMetadata>>,
): ClusterState {
  const changed: IndexMetadata[] = [];
  for (const [name, own] of aliases) {
    const index = state.indices.get(name);
    if (index !== undefined) changed.push({ ...index, aliases: own });
  }
  return replaceIndices(state, changed);
}

/** Adds or replaces an index template. */
export function putTemplate(state: ClusterState, name: string, template: JsonObject): ClusterState {
  return { ...next(state), templates: new Map(state.templates).set(name, template) };
}

/** Removes index templates. Unknown names are ignored. */
export function removeTemplates(state: ClusterState, names: Iterable<string>): ClusterState {
  const templates = new Map(state.templates);
  for (const name of names) templates.delete(name);
  return templates.size === state.templates.size ? state : { ...next(state), templates };
}

/** Adds or replaces a snapshot repository. */
export function putRepository(
  state: ClusterState,
  name: string,
  repository: JsonObject,
): ClusterState {
  return { ...next(state), repositories: new Map(state.repositories).set(name, repository) };
}

/** Removes snapshot repositories. Unknown names are ignored. */
export function removeRepositories(state: ClusterState, names: Iterable<string>): ClusterState {
  const repositories = new Map(state.repositories);
  for (const name of names) repositories.delete(name);
  return repositories.size === state.repositories.size ? state : { ...next(state), repositories };
}

/** The state with other keys; what is known of those that are gone goes with them. */
export function replaceKeys(state: ClusterState, keys: AccessKeys): ClusterState {
  const keyUses = new Map([...state.keyUses].filter(([id]) => keys.has(id)));
  return { ...next(state), keys, keyUses };
}

/** The state with newer times of last use, of keys that there are; the same state when none is newer. */
export function replaceKeyUses(
  state: ClusterState,
  uses: ReadonlyMap<string, number>,
): ClusterState {
  const newer = [...uses].filter(
    ([id, at]) => state.keys.has(id) && at > (state.keyUses.get(id) ?? -Infinity),
  );
  if (newer.length === 0) return state;
  return { ...next(state), keyUses: new Map([...state.keyUses, ...newer]) };
}

function next(state: ClusterState): ClusterState {
  return { ...state, version: state.version + 1 };
}

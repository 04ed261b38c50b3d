// From alias names to the indices that carry them. State keeps aliases per index; this is the other
// direction, computed once per state when it is first asked for.

import type { ClusterState, IndexMetadata } from './state';

const cache = new WeakMap<
  ReadonlyMap<string, IndexMetadata>,
  ReadonlyMap<string, IndexMetadata[]>
>();

/** All alias names with the indices that have them, in order of creation. */
export function aliasIndex(state: ClusterState): ReadonlyMap<string, readonly IndexMetadata[]> {
  const known = cache.get(state.indices);
  if (known !== undefined) return known;
  const byAlias = new Map<string, IndexMetadata[]>();
  for (const index of state.indices.values()) {
    for (const alias of index.aliases.keys()) {
      const indices = byAlias.get(alias);
      if (indices === undefined) byAlias.set(alias, [index]);
      else indices.push(index);
    }
  }
  cache.set(state.indices, byAlias);
  return byAlias;
}

/** Tells that the indices of a later state have the same aliases, and those the same metadata. */
export function sharesAliases(before: ClusterState, after: ClusterState['indices']): void {
  const known = cache.get(before.indices);
  if (known !== undefined) cache.set(after, known);
}

/** The indices behind an alias; empty when there is no such alias. */
export function indicesOfAlias(state: ClusterState, alias: string): readonly IndexMetadata[] {
  return aliasIndex(state).get(alias) ?? [];
}

/** Whether some index has an alias of that name. */
export function isAlias(state: ClusterState, name: string): boolean {
  return aliasIndex(state).has(name);
}

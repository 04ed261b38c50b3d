// The index that documents are copied into: one that is there, or a new one like the source.

import type { ReindexRequest } from '../api/index';
import { illegalArgument } from '../errors';
import type { JsonObject, JsonValue } from '../json/index';
import { isAlias, type ClusterState, type IndexMetadata } from '../metadata/index';

/** Settings that are an index's own. */
const NOT_COPIED = new Set(['index.uuid', 'index.creation_date', 'index.version.created']);

/**
 * What the destination is to be created with; null: it exists.
 *
 * @throws EngineError for a destination that is one of the sources, or has to be new and is not
 */
export function newDestination(
  state: ClusterState,
  sources: readonly IndexMetadata[],
  { destination, swapAlias }: ReindexRequest,
): JsonObject | null {
  const { index, settings, mappings } = destination;
  if (sources.some(({ name }) => name === index)) {
    throw illegalArgument(`reindex cannot write into an index it's reading from [${index}]`);
  }
  if (isAlias(state, index)) {
    throw illegalArgument(`[${index}] is an alias; a destination is named by its index`);
  }
  if (state.indices.has(index)) {
    const member = swapAlias !== undefined ? 'swap_alias' : settings ? 'settings' : 'mappings';
    if (swapAlias === undefined && settings === undefined && mappings === undefined) return null;
    throw illegalArgument(`[${member}] is for a new index, and [${index}] exists already`);
  }
  return new Map<string, JsonValue>([
    ['settings', settingsLike(sources, settings)],
    ['mappings', mappingsLike(sources, mappings)],
  ]);
}

/** Those of the first source, under what the request gives. Names with and without `index.` are one. */
function settingsLike(
  sources: readonly IndexMetadata[],
  given: JsonObject | undefined,
): JsonObject {
  const settings: JsonObject = new Map();
  for (const [name, value] of sources[0]?.settings ?? []) {
    if (NOT_COPIED.has(name) || name.startsWith('index.blocks.')) continue;
    settings.set(name, typeof value === 'string' ? value : [...value]);
  }
  if (given === undefined) return settings;
  const replaced = new Set<string>();
  flatNames('', given, replaced);
  for (const name of settings.keys()) {
    if (replaced.has(name.replace(/^index\./, ''))) settings.delete(name);
  }
  for (const [name, value] of given) settings.set(name, value);
  return settings;
}

/** The full names of settings below `prefix`, without `index.`. Bodies are as deep as their reader allows. */
function flatNames(prefix: string, settings: JsonObject, names: Set<string>): void {
  for (const [name, value] of settings) {
    const full = prefix + name;
    if (value instanceof Map) flatNames(`${full}.`, value, names);
    else names.add(full.replace(/^index\./, ''));
  }
}

/** Those of all sources, the first first, but for the types that the request gives. */
function mappingsLike(
  sources: readonly IndexMetadata[],
  given: JsonObject | undefined,
): JsonObject {
  const mappings: JsonObject = new Map(given ?? []);
  for (const source of sources) {
    for (const [type, mapping] of source.mappings) {
      if (!mappings.has(type)) mappings.set(type, mapping);
    }
  }
  return mappings;
}

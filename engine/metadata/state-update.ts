// How the indices of one cluster state differ from those of another, as plain data that is sent to other
// threads. What did not change stays the same object there, so that whatever was made of it (compiled
// mappings, analyzers) is kept.

import { parseJson, writeJson } from '../json/index';
import { EMPTY_STATE } from './changes';
import { indexToJson, readIndex } from './codec';
import { MAX_DEPTH, Reader } from './stored-json';
import type { ClusterState, IndexMetadata } from './state';

/** Members of an index that are large and change seldom. */
const LARGE = ['settings', 'mappings', 'warmers', 'fields'] as const;

/** An index that is new or changed. */
interface IndexUpdate {
  readonly json: string;
  /** Members that are those of the index before. */
  readonly same: readonly (typeof LARGE)[number][];
}

/** The way from one state to the next; plain data. */
export interface StateUpdate {
  readonly version: number;
  readonly persistentSettings: ReadonlyMap<string, string>;
  readonly indices: readonly IndexUpdate[];
  /** Names of all indices in their order; null: as before. */
  readonly names: readonly string[] | null;
}

/** What leads from `before`, null for nothing at all, to `after`, as far as reading goes by it. */
export function encodeStateUpdate(before: ClusterState | null, after: ClusterState): StateUpdate {
  const { indices } = before ?? EMPTY_STATE;
  const changed = [...after.indices.values()].filter((index) => indices.get(index.name) !== index);
  const names = [...after.indices.keys()];
  return {
    version: after.version,
    persistentSettings: after.persistentSettings,
    indices: changed.map((index) => encodeIndexUpdate(indices.get(index.name), index)),
    names: isSameList(names, [...indices.keys()]) ? null : names,
  };
}

/**
 * The state after an update: what only writing and administration go by (templates, repositories, keys, next
 * ids) is not in it.
 * @throws EngineError CorruptIndexException for an update that does not follow `before`
 */
export function applyStateUpdate(before: ClusterState | null, update: StateUpdate): ClusterState {
  const known = before?.indices ?? EMPTY_STATE.indices;
  const changed = new Map<string, IndexMetadata>();
  for (const one of update.indices) {
    const index = decodeIndexUpdate(known, one);
    changed.set(index.name, index);
  }
  const indices = new Map<string, IndexMetadata>();
  for (const name of update.names ?? known.keys()) {
    const index = changed.get(name) ?? known.get(name);
    if (index === undefined) throw notFollowing('names');
    indices.set(name, index);
  }
  const { version, persistentSettings } = update;
  return { ...EMPTY_STATE, version, persistentSettings, indices };
}

function encodeIndexUpdate(before: IndexMetadata | undefined, after: IndexMetadata): IndexUpdate {
  const same = LARGE.filter((name) => before?.id === after.id && before[name] === after[name]);
  const leftOut = Object.fromEntries(same.map((name) => [name, new Map()]));
  return { json: writeJson(indexToJson({ ...after, ...leftOut })), same };
}

function decodeIndexUpdate(
  known: ReadonlyMap<string, IndexMetadata>,
  { json, same }: IndexUpdate,
): IndexMetadata {
  const index = readIndex(parseJson(json, MAX_DEPTH));
  if (same.length === 0) return index;
  const before = known.get(index.name);
  if (before?.id !== index.id) throw notFollowing('same');
  return { ...index, ...Object.fromEntries(same.map((name) => [name, before[name]])) };
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, i) => one === others[i]);
}

function notFollowing(member: string): Error {
  return Reader.at('update', new Map()).damaged(member);
}

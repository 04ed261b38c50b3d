// What a restore makes of the cluster state: pure functions, so that the same checks are made before anything
// is read and again in the moment in which the restored indices appear (reference server).

import { compilePattern, Replacement } from '../analysis/index';
import { EngineError, illegalArgument, indexMissing } from '../errors';
import {
  isAlias,
  addIndex,
  putTemplate,
  removeIndices,
  assertWithinLimits,
  settingProblems,
  type ClusterLimits,
  validateIndexName,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';
import { matchesPattern } from '../common/index';
import type { RestoreRequest } from '../api/index';
import type { IndexSnapshot, Manifest } from './manifest';
import { snapshotError } from './names';

/** An index of a snapshot and the name that it is restored under. */
export interface PlannedIndex {
  readonly name: string;
  readonly source: IndexSnapshot;
}

/** Ids that were set aside for a planned index. */
export interface ReservedIds {
  readonly id: number;
  readonly shardIds: readonly number[];
  readonly uuid: string;
}

/** Settings that a restore can neither change nor leave out, and those it can only change. */
const FIXED_SETTINGS = [
  'index.number_of_shards',
  'index.version.created',
  'index.legacy.routing.hash.type',
  'index.legacy.routing.use_type',
  'index.uuid',
  'index.creation_date',
];
const KEPT_SETTINGS = [
  ...FIXED_SETTINGS,
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.version.upgraded',
];

/**
 * The indices that a request asks for, under their new names.
 *
 * @throws EngineError SnapshotRestoreException, IndexMissingException, InvalidIndexNameException,
 *   PatternSyntaxException (500)
 */
export function planRestore(
  state: ClusterState,
  request: RestoreRequest,
  manifest: Manifest,
): readonly PlannedIndex[] {
  if (manifest.state === 'FAILED') {
    throw restoreError(request, `unsupported snapshot state [${manifest.state}]`);
  }
  const available = new Map(manifest.indices.map((index) => [index.metadata.name, index]));
  const rename = renaming(request);
  const planned = new Map<string, PlannedIndex>();
  for (const index of filterIndices([...available.keys()], request)) {
    const name = rename(index);
    const other = planned.get(name);
    if (other !== undefined) {
      const names = `[${index}] and [${other.source.metadata.name}]`;
      throw restoreError(request, `indices ${names} are renamed into the same index [${name}]`);
    }
    planned.set(name, { name, source: available.get(index)! });
  }
  for (const { name, source } of planned.values()) checkTarget(state, request, name, source);
  checkAliases(request, [...planned.values()]);
  return [...planned.values()];
}

/**
 * Tries what {@link withRestored} will do, before anything is read: most of what a restore is refused for
 * shows in the state that it would lead to. What mappings hold is not counted: a snapshot stays restorable
 * whatever the limits of today are.
 *
 * @throws EngineError as {@link withRestored} and {@link restoredMetadata}, and 400 when the node would have
 *   more indices, shards or aliases than it may
 */
export function tryRestore(
  state: ClusterState,
  request: RestoreRequest,
  manifest: Manifest,
  planned: readonly PlannedIndex[],
  limits: ClusterLimits,
): void {
  const restored = planned.map((index) => {
    const shardIds = index.source.shards.map(() => 0);
    const ids = { id: state.nextIndexId, shardIds, uuid: '' };
    return restoredMetadata(request, index, ids, state.indices.get(index.name));
  });
  assertWithinLimits(state, withRestored(state, request, manifest, restored), limits);
}

/** Patterns of a restore times what they are compared with. */
const MAX_COMPARED = 1_000_000;
/** Characters of `rename_replacement`, which names that have 255 bytes at most are made with. */
const MAX_REPLACEMENT = 1000;

/** @throws EngineError ElasticsearchIllegalArgumentException (400) */
function assertFewPatterns(patterns: readonly string[], names: number): void {
  if (patterns.length * names <= MAX_COMPARED) return;
  throw illegalArgument(
    `[${patterns.length}] names and patterns are too many for the [${names}] indices or settings of a snapshot`,
  );
}

/** Names of the snapshot that the request's names, patterns, `+` and `-` stand for, in their order. */
function filterIndices(available: readonly string[], request: RestoreRequest): readonly string[] {
  const { indices } = request;
  if (indices.length === 0 || (indices.length === 1 && indices[0] === '_all')) return available;
  assertFewPatterns(indices, available.length);
  const chosen = new Set<string>();
  for (const [i, part] of indices.entries()) {
    if (available.includes(part)) {
      chosen.add(part);
      continue;
    }
    const removes = part.startsWith('-');
    const name = removes || part.startsWith('+') ? part.slice(1) : part;
    if (removes && i === 0) for (const index of available) chosen.add(index);
    const found = available.filter((index) => matchesPattern(name, index));
    if (found.length === 0 && !name.includes('*') && !request.ignoreUnavailable) {
      throw indexMissing(name);
    }
    for (const index of found) {
      if (removes) chosen.delete(index);
      else chosen.add(index);
    }
  }
  return [...chosen];
}

/** How names change. The pattern runs on a linear-time engine. */
function renaming({ renamePattern, renameReplacement }: RestoreRequest): (name: string) => string {
  if (renamePattern === undefined || renameReplacement === undefined) return (name) => name;
  if (renameReplacement.length > MAX_REPLACEMENT) {
    throw illegalArgument(`rename_replacement has more than [${MAX_REPLACEMENT}] characters`);
  }
  try {
    const pattern = compilePattern(renamePattern, null);
    const replacement = new Replacement(renameReplacement, pattern.groupCount);
    return (name) => {
      const matcher = pattern.matcher(name);
      let renamed = '';
      let from = 0;
      // A name that is longer than any may be is refused, however it would go on.
      while (renamed.length <= MAX_REPLACEMENT && matcher.find()) {
        renamed += name.slice(from, matcher.start(0)) + replacement.expand(matcher, name);
        from = matcher.end(0);
      }
      return renamed + name.slice(from);
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.wireName, error.message, { status: 500 });
  }
}

/** Indices are restored into new ones, or into closed ones with as many shards. */
function checkTarget(
  state: ClusterState,
  request: RestoreRequest,
  name: string,
  { metadata, shards }: IndexSnapshot,
): void {
  if (!request.partial && shards.some(({ failure }) => failure !== null)) {
    throw restoreError(
      request,
      `index [${metadata.name}] wasn't fully snapshotted - cannot restore`,
    );
  }
  const current = state.indices.get(name);
  if (current === undefined) {
    validateIndexName(state, name);
    return;
  }
  if (current.state === 'open') {
    throw restoreError(request, `cannot restore index [${name}] because it's open`);
  }
  if (request.partial) {
    throw restoreError(
      request,
      `cannot restore partial index [${name}] because such index already exists`,
    );
  }
  const [mine, theirs] = [current.shardIds.length, shards.length];
  if (mine !== theirs) {
    throw restoreError(
      request,
      `cannot restore index [${name}] with [${mine}] shard from snapshot with [${theirs}] shards`,
    );
  }
}

/** No index may be restored under the name of an alias that is restored with it. */
function checkAliases(request: RestoreRequest, planned: readonly PlannedIndex[]): void {
  if (!request.includeAliases) return;
  const aliases = new Set(planned.flatMap(({ source }) => [...source.metadata.aliases.keys()]));
  for (const { name, source } of planned) {
    if (!aliases.has(name)) continue;
    throw restoreError(
      request,
      `cannot rename index [${source.metadata.name}] into [${name}] because of conflict with an alias with the same name`,
    );
  }
}

/**
 * The metadata of a restored index, open. Aliases and version are those of the snapshot: what it keeps of a
 * closed index is decided when it takes the place ({@link withRestored}).
 *
 * @param current the closed index in whose place it comes, if there is one
 * @throws EngineError SnapshotRestoreException for settings that a restore cannot change
 */
export function restoredMetadata(
  request: RestoreRequest,
  { name, source }: PlannedIndex,
  ids: ReservedIds,
  current: IndexMetadata | undefined,
): IndexMetadata {
  const { metadata } = source;
  const settings = changedSettings(request, metadata);
  const uuid = current?.uuid ?? ids.uuid;
  settings.set('index.uuid', uuid);
  return {
    ...metadata,
    id: ids.id,
    shardIds: ids.shardIds,
    name,
    uuid,
    state: 'open',
    settings,
  };
}

/** The restored index with what it keeps of the closed one, as that is in the moment of the change. */
function replacing(
  state: ClusterState,
  request: RestoreRequest,
  restored: IndexMetadata,
): IndexMetadata {
  const current = state.indices.get(restored.name);
  const aliases = request.includeAliases ? restored.aliases : (current?.aliases ?? new Map());
  const version = Math.max(restored.version, (current?.version ?? 0) + 1);
  return { ...restored, aliases, version };
}

function changedSettings(
  request: RestoreRequest,
  metadata: IndexMetadata,
): Map<string, string | readonly string[]> {
  const settings = new Map(metadata.settings);
  assertFewPatterns(request.ignoreIndexSettings, metadata.settings.size);
  for (const ignored of request.ignoreIndexSettings) {
    if (!ignored.includes('*') && KEPT_SETTINGS.includes(ignored)) {
      throw restoreError(request, `cannot remove setting [${ignored}] on restore`);
    }
    for (const key of metadata.settings.keys()) {
      if (matchesPattern(ignored, key) && !KEPT_SETTINGS.includes(key)) settings.delete(key);
    }
  }
  const problems = settingProblems(request.indexSettings);
  if (problems.length > 0) {
    throw illegalArgument(`can't process the settings: [${problems.join(', ')}]`);
  }
  for (const [key, value] of request.indexSettings) {
    if (FIXED_SETTINGS.includes(key)) {
      throw restoreError(request, `cannot modify setting [${key}] on restore`);
    }
    settings.set(key, value);
  }
  return settings;
}

/**
 * The state in which the restored indices are there, in the place of the closed ones of their names.
 *
 * @param restored their metadata, as {@link restoredMetadata} makes it
 * @throws EngineError as {@link planRestore}, when things have changed since
 */
export function withRestored(
  state: ClusterState,
  request: RestoreRequest,
  manifest: Manifest,
  restored: readonly IndexMetadata[],
): ClusterState {
  planRestore(state, request, manifest);
  let next = removeIndices(
    state,
    restored.map(({ name }) => name),
  );
  for (const index of restored) next = addIndex(next, replacing(state, request, index));
  for (const { name } of restored) {
    for (const alias of next.indices.get(name)!.aliases.keys()) {
      if (!next.indices.has(alias)) continue;
      throw restoreError(request, `alias [${alias}] has the name of an index`);
    }
  }
  for (const { name } of restored) {
    if (isAlias(next, name))
      throw restoreError(request, `index [${name}] has the name of an alias`);
  }
  const { global } = manifest;
  if (!request.includeGlobalState || global === null) return next;
  for (const [name, template] of global.templates) next = putTemplate(next, name, template);
  return { ...next, persistentSettings: global.persistentSettings };
}

/** 500: what was asked for cannot be restored. */
export function restoreError(
  { repository, snapshot }: RestoreRequest,
  reason: string,
  cause?: unknown,
): EngineError {
  return snapshotError('SnapshotRestoreException', repository, snapshot, reason, cause);
}

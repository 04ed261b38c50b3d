// What a key may do: classes of actions on the node, and classes of actions on indices by name. The form in
// which requests and the cluster state write it, and the checks that both pass.

import { illegalArgument } from '../errors';
import { matchesPattern } from '../common/index';
import { SCRIPTS_INDEX } from './scripts';
import { isJsonObject, type JsonObject, type JsonOutput, type JsonValue } from '../json/index';

/** Classes of actions on indices; what each covers is said by the table of routes. */
export const INDEX_PRIVILEGES = ['read', 'write', 'index_admin', 'aliases', 'monitor'] as const;

/** A class of actions on indices. */
export type IndexPrivilege = (typeof INDEX_PRIVILEGES)[number];

/** Classes of actions on the node as a whole. */
export const CLUSTER_PRIVILEGES = ['monitor', 'cluster', 'snapshots', 'keys'] as const;

/** A class of actions on the node as a whole. */
export type ClusterPrivilege = (typeof CLUSTER_PRIVILEGES)[number];

/** Actions on indices that a key is granted. */
export interface IndexGrant {
  /** Names of indices and aliases, with `*` for any characters. */
  readonly names: readonly string[];
  readonly privileges: readonly IndexPrivilege[];
  /** Only documents that match it; null: all. */
  readonly filter: JsonObject | null;
  /** Only these fields and what is below them, with `*` for any characters; null: all. */
  readonly fields: readonly string[] | null;
}

/** What a key may use of the node at a time; null: as much as anybody. */
export interface KeyLimits {
  /** Requests under way. */
  readonly inFlight: number | null;
  /** Requests begun in a second, on average over ten of them. */
  readonly perSecond: number | null;
  /** Bytes of the body of a request. */
  readonly maxBody: number | null;
  /** Of what requests under way may hold in memory, how much those of the key may. */
  readonly memoryPercent: number | null;
}

/** Everything that a key may do. */
export interface AccessRole {
  readonly cluster: readonly ClusterPrivilege[];
  readonly indices: readonly IndexGrant[];
  readonly limits: KeyLimits;
}

/** Entries of a list of a role. */
const MAX_ENTRIES = 1000;

/**
 * Reads `{"cluster": [...], "indices": [{"names": [...], "privileges": [...]}], "limits": {...}}`; `all` in a
 * list of privileges stands for each of them. Grants may have a `filter` and `fields`.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for what is unknown or of another type
 */
export function parseRole(body: JsonObject): AccessRole {
  onlyMembers('role', body, ['cluster', 'indices', 'limits']);
  const indices = body.get('indices') ?? [];
  if (!Array.isArray(indices) || indices.length > MAX_ENTRIES) throw wrong('indices', 'a list');
  return {
    cluster: privilegesOf('cluster', body.get('cluster') ?? [], CLUSTER_PRIVILEGES),
    indices: indices.map(parseGrant),
    limits: parseLimits(body.get('limits') ?? new Map()),
  };
}

/** A role as {@link parseRole} reads it. */
export function roleToJson({ cluster, indices, limits }: AccessRole): JsonOutput {
  return {
    cluster,
    indices: indices.map(({ names, privileges, filter, fields }) => ({
      names,
      privileges,
      ...(filter === null ? {} : { filter }),
      ...(fields === null ? {} : { fields }),
    })),
    limits: {
      in_flight: limits.inFlight ?? undefined,
      per_second: limits.perSecond ?? undefined,
      max_body: limits.maxBody ?? undefined,
      memory_percent: limits.memoryPercent ?? undefined,
    },
  };
}

/** Whether a grant is about a name. The index of stored scripts has to be named. */
export function namesMatch({ names }: Pick<IndexGrant, 'names'>, name: string): boolean {
  // Whoever writes there changes what others run: patterns do not mean it.
  if (name === SCRIPTS_INDEX) return names.includes(name);
  return names.some((pattern) => pattern === name || matchesPattern(pattern, name));
}

/** Whether a role may do everything with all indices, those to come included. */
export function hasAllIndices({ indices }: AccessRole): boolean {
  return INDEX_PRIVILEGES.every((privilege) =>
    indices.some(
      ({ names, privileges, filter, fields }) =>
        names.includes('*') && privileges.includes(privilege) && filter === null && fields === null,
    ),
  );
}

function parseGrant(value: JsonValue): IndexGrant {
  if (!isJsonObject(value)) throw wrong('indices', 'a list of objects');
  onlyMembers('indices', value, ['names', 'privileges', 'filter', 'fields']);
  const filter = value.get('filter') ?? null;
  if (filter !== null && !isJsonObject(filter)) throw wrong('filter', 'an object');
  const fields = value.has('fields') ? fieldsOf(value.get('fields')) : null;
  const privileges = privilegesOf('privileges', value.get('privileges'), INDEX_PRIVILEGES);
  const names = textsOf('names', value.get('names'));
  if (names.length === 0 || privileges.length === 0) {
    throw illegalArgument('[indices] needs [names] and [privileges] in each of its objects');
  }
  for (const [member, given] of [
    ['filter', filter],
    ['fields', fields],
  ] as const) {
    if (given === null || privileges.every((privilege) => privilege === 'read')) continue;
    throw illegalArgument(
      `[${member}] of [indices] goes with the privilege [read] alone, as only reading can be confined to it`,
    );
  }
  return { names, privileges, filter, fields };
}

/** Metadata fields that hold something of other fields, or nothing that could be listed. */
const UNLISTED = ['_all', '_source', '_size', '_boost', '_analyzer', '_field_names'];

function fieldsOf(value: JsonValue | undefined): readonly string[] {
  const fields = textsOf('fields', value);
  for (const field of fields) {
    if (!UNLISTED.includes(field)) continue;
    throw illegalArgument(
      `[${field}] cannot be in [fields] of [indices]: it is made of all fields of a document`,
    );
  }
  return fields;
}

function parseLimits(value: JsonValue): KeyLimits {
  if (!isJsonObject(value)) throw wrong('limits', 'an object');
  onlyMembers('limits', value, ['in_flight', 'per_second', 'max_body', 'memory_percent']);
  const memoryPercent = countOf('memory_percent', value);
  if (memoryPercent !== null && memoryPercent > 100) throw wrong('memory_percent', '1 to 100');
  return {
    inFlight: countOf('in_flight', value),
    perSecond: countOf('per_second', value),
    maxBody: countOf('max_body', value),
    memoryPercent,
  };
}

function countOf(name: string, limits: JsonObject): number | null {
  const value = limits.get(name) ?? null;
  if (value === null) return null;
  const number = typeof value === 'object' && 'value' in value ? value.value : NaN;
  if (!Number.isSafeInteger(number) || number < 1) throw wrong(name, 'a whole number from 1 on');
  return number;
}

function privilegesOf<T extends string>(
  member: string,
  value: JsonValue | undefined,
  known: readonly T[],
): readonly T[] {
  const texts = textsOf(member, value);
  if (texts.includes('all')) return known;
  return texts.map((text) => {
    const found = known.find((privilege) => privilege === text);
    if (found !== undefined) return found;
    throw illegalArgument(`[${text}] in [${member}] is none of [${known.join(', ')}, all]`);
  });
}

function textsOf(member: string, value: JsonValue | undefined): readonly string[] {
  const isList = Array.isArray(value) && value.length <= MAX_ENTRIES;
  if (!isList || !value.every((entry) => typeof entry === 'string' && entry !== '')) {
    throw wrong(member, 'a list of texts');
  }
  return value as readonly string[];
}

function onlyMembers(where: string, object: JsonObject, known: readonly string[]): void {
  for (const name of object.keys()) {
    if (!known.includes(name)) {
      throw illegalArgument(
        `unknown member [${name}] of [${where}], known are [${known.join(', ')}]`,
      );
    }
  }
}

function wrong(member: string, expected: string): Error {
  return illegalArgument(`[${member}] of a key has to be ${expected}`);
}

// The part of the cluster state that a key may see for a class of actions on indices: what is not granted is
// not there. Everything that resolves names does so in a state, so nothing can be reached past it.

import { type JsonObject, type JsonValue, writeJson } from '../json/index';
import { seenMappings } from '../mapping/index';
import {
  type AccessRole,
  type AliasMetadata,
  type ClusterState,
  type FieldLists,
  hasAllIndices,
  type IndexGrant,
  type IndexMetadata,
  type IndexPrivilege,
  namesMatch,
} from '../metadata/index';

/** Whether a role grants a class of actions on whatever indices, existing or not. */
export function grantsSome({ indices }: AccessRole, privilege: IndexPrivilege): boolean {
  return indices.some(({ privileges }) => privileges.includes(privilege));
}

/** Makes the state that a role may see for a class of actions. Kept as long as the state is the same. */
export class StateView {
  private readonly grants: readonly IndexGrant[];
  private seen: ClusterState | null = null;
  private shown: ClusterState | null = null;
  /** What is seen of indices as they are; null: nothing. */
  private readonly parts = new WeakMap<IndexMetadata, IndexMetadata | null>();

  constructor(
    private readonly role: AccessRole,
    private readonly privilege: IndexPrivilege,
    private readonly state: () => ClusterState,
  ) {
    this.grants = role.indices.filter(({ privileges }) => privileges.includes(privilege));
  }

  /** The part of the newest visible state. */
  current(): ClusterState {
    const state = this.state();
    if (this.seen !== state || this.shown === null) {
      this.seen = state;
      this.shown = this.part(state);
    }
    return this.shown;
  }

  /** Whether the role has the class of actions on an index by this very name. */
  covers(name: string): boolean {
    return this.grants.some((grant) => namesMatch(grant, name));
  }

  private part(state: ClusterState): ClusterState {
    if (hasAllIndices(this.role)) return state;
    const indices = new Map<string, IndexMetadata>();
    for (const index of state.indices.values()) {
      let part = this.parts.get(index);
      if (part === undefined) this.parts.set(index, (part = this.partOf(index)));
      if (part !== null) indices.set(index.name, part);
    }
    const isThere = (name: string): boolean =>
      state.indices.has(name) ||
      [...state.indices.values()].some(({ aliases }) => aliases.has(name));
    return {
      ...state,
      indices,
      restriction: { covers: (name) => this.covers(name) && !isThere(name) },
    };
  }

  /**
   * What is granted of an index, through its name or through aliases of it: the whole, or the documents that
   * their filters and those of the grants let pass, with the fields that all of these grants list.
   */
  private partOf(index: IndexMetadata): IndexMetadata | null {
    const seenThrough: Seen[] = [];
    const aliases = new Map<string, AliasMetadata>();
    for (const grant of this.grants) {
      const through = throughAlias(index, grant);
      for (const alias of through) aliases.set(alias.name, alias);
      const seen = namesMatch(grant, index.name)
        ? [null]
        : changesIndices(this.privilege)
          ? []
          : through.map(({ filter }) => filter);
      for (const filter of seen) {
        const { fields } = grant;
        const both = bothOf(filter, grant.filter);
        if (both === null && fields === null) return index;
        seenThrough.push({ filter: both, fields });
      }
    }
    if (seenThrough.length === 0 || this.privilege !== 'read') return null;
    const filters = seenThrough.flatMap(({ filter }) => filter ?? []);
    return confinedTo(
      { ...index, aliases, warmers: new Map() },
      index,
      filters.length < seenThrough.length ? null : filters,
      listsOf(seenThrough),
    );
  }
}

/** Documents, and what is seen of them. */
interface Seen {
  /** Null: all. */
  readonly filter: JsonObject | null;
  /** Null: all. */
  readonly fields: readonly string[] | null;
}

/**
 * What fields must be in to be seen, whatever document they are of: of grants of the same documents one of
 * their lists, else all of them.
 */
function listsOf(seen: readonly Seen[]): FieldLists {
  const byFilter = new Map<string, readonly string[] | null>();
  for (const { filter, fields } of seen) {
    const key = filter === null ? '' : writeJson(filter);
    const before = byFilter.get(key);
    if (before === undefined) byFilter.set(key, fields);
    else byFilter.set(key, before === null || fields === null ? null : [...before, ...fields]);
  }
  return [...byFilter.values()].filter((fields) => fields !== null);
}

function confinedTo(
  index: IndexMetadata,
  whole: IndexMetadata,
  filters: readonly JsonObject[] | null,
  lists: FieldLists,
): IndexMetadata {
  if (lists.length === 0) return { ...index, view: { filters, fields: null } };
  const { mappings, copiedTo } = seenMappings(whole.mappings, lists);
  // Filters name fields and values of them.
  const aliases = new Map(
    Array.from(index.aliases.values(), (alias) => [alias.name, { ...alias, filter: null }]),
  );
  return { ...index, aliases, mappings, view: { filters, fields: { lists, whole, copiedTo } } };
}

/** A filter that lets pass what both do; null lets everything pass. */
function bothOf(first: JsonObject | null, second: JsonObject | null): JsonObject | null {
  if (first === null || second === null) return first ?? second;
  return new Map<string, JsonValue>([['and', [first, second]]]);
}

/** Whether the class is about indices themselves: then an alias does not open them. */
function changesIndices(privilege: IndexPrivilege): boolean {
  return privilege === 'index_admin' || privilege === 'aliases' || privilege === 'monitor';
}

function throughAlias({ aliases }: IndexMetadata, grant: IndexGrant): readonly AliasMetadata[] {
  return [...aliases.values()].filter(({ name }) => namesMatch(grant, name));
}

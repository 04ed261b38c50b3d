// What an index expression stands for: which indices, under which alias filters, on which routing values.
// The algorithms are the reference server's; their oddities (patterns match alias
// names, exclusion is by name, an empty intersection of routing values means all shards) are the point.

import { EngineError, illegalArgument, indexMissing } from '../errors';
import type { JsonObject } from '../json/index';
import { indicesOfAlias, isAlias, aliasIndex } from './alias-index';
import { patternTest, splitCommas } from '../common/index';
import type { AliasMetadata, ClusterState, IndexMetadata, IndicesOptions } from './state';

/** Used where an expression has been accepted already and only its names are needed. */
const LENIENT: IndicesOptions = {
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: false,
};

/** Whether an expression means all indices: no parts, or `_all` alone. */
function isAllIndices(names: readonly string[]): boolean {
  return names.length === 0 || (names.length === 1 && names[0] === '_all');
}

/**
 * The names (of indices and aliases) that remain when patterns, `+` and `-` are worked out; `names`
 * itself when it has none of them.
 *
 * @throws EngineError IndexMissingException as `options` say.
 */
export function expandNames(
  state: ClusterState,
  names: readonly string[],
  options: IndicesOptions,
): readonly string[] {
  let result: Set<string> | null = null;
  let patterns = 0;
  for (const [i, part] of names.entries()) {
    if (exists(state, part)) {
      result?.add(part);
      continue;
    }
    let name = part;
    let adding = true;
    // A sign counts only while a set is being built; a leading minus starts from everything.
    if (part.startsWith('+')) {
      if (i === 0) result = new Set();
      name = part.slice(1);
      adding = true;
    } else if (part.startsWith('-')) {
      if (i === 0) result = new Set(namesByState(state, options));
      name = part.slice(1);
      adding = false;
    }
    if (!name.includes('*')) {
      if (!options.ignoreUnavailable && !exists(state, name)) throw missing(state, name);
      if (adding) result?.add(name);
      else result?.delete(name);
      continue;
    }
    result ??= new Set(names.slice(0, i));
    assertFewPatterns(++patterns, state);
    if (!applyPattern(state, name, options, adding, result) && !options.allowNoIndices) {
      throw missing(state, name);
    }
  }
  if (result === null) return names;
  if (result.size === 0 && !options.allowNoIndices) throw indexMissing(`[${names.join(', ')}]`);
  return [...result];
}

/** Names that the patterns of one expression may be compared with, together: some 50 ms. */
const MAX_COMPARED = 2_000_000;
/** So many patterns are never too many. */
const FEW_PATTERNS = 16;

/** @throws EngineError ElasticsearchIllegalArgumentException (400) */
function assertFewPatterns(patterns: number, state: ClusterState): void {
  const names = state.indices.size + aliasIndex(state).size;
  if (patterns <= FEW_PATTERNS || patterns * names <= MAX_COMPARED) return;
  throw illegalArgument(
    `more than [${patterns - 1}] patterns of index names are too many for [${names}] indices and aliases`,
  );
}

/** Names and patterns of one expression: URLs have no room for as many. */
const MAX_NAMES = 10_000;
/** Values that restrict a search to shards, likewise. */
const MAX_ROUTING_VALUES = 10_000;

/** Adds or removes all names that match; whether there was one. */
function applyPattern(
  state: ClusterState,
  pattern: string,
  options: IndicesOptions,
  adding: boolean,
  result: Set<string>,
): boolean {
  let found = false;
  const matches = patternTest(pattern);
  const apply = (name: string): void => {
    if (!matches(name)) return;
    found = true;
    if (adding) result.add(name);
    else result.delete(name);
  };
  for (const name of namesByState(state, options)) apply(name);
  for (const alias of aliasIndex(state).keys()) apply(alias);
  return found;
}

/**
 * The indices that an expression stands for, in order of first mention.
 *
 * @param names the parts of the comma list, without empty ones
 * @throws EngineError IndexMissingException, IndexClosedException, or ElasticsearchIllegalArgumentException
 *   when there is neither a name nor a kind of index to expand to.
 */
export function resolveIndices(
  state: ClusterState,
  names: readonly string[],
  options: IndicesOptions,
): string[] {
  if (names.length > MAX_NAMES) {
    throw illegalArgument(`request names more than [${MAX_NAMES}] indices and patterns`);
  }
  const expands = options.expandOpen || options.expandClosed;
  if (expands && isAllIndices(names)) {
    const all = namesByState(state, options);
    if (all.length === 0 && !options.allowNoIndices) throw indexMissing('_all');
    return all;
  }
  const expanded = expands ? expandNames(state, names, options) : names;
  if (expanded.length === 0) {
    if (options.allowNoIndices) return [];
    throw illegalArgument('no indices were specified and wildcard expansion is disabled.');
  }
  // compat: for a single name the option that decides about an unknown one is the other one.
  const strict = expanded.length === 1 ? !options.allowNoIndices : !options.ignoreUnavailable;
  const result = new Set<string>();
  for (const name of expanded) {
    const index = state.indices.get(name);
    const behind = index === undefined ? indicesOfAlias(state, name) : [index];
    if (behind.length === 0 && strict) throw missing(state, name);
    for (const { name: concrete, state: openOrClose } of behind) {
      if (openOrClose === 'open' || !options.forbidClosed) result.add(concrete);
      else if (!options.ignoreUnavailable) throw indexClosed(concrete);
    }
  }
  if (result.size === 0 && !options.allowNoIndices) throw indexMissing(`[${expanded.join(', ')}]`);
  return [...result];
}

/** 403 for an operation that needs an open index. */
function indexClosed(name: string): EngineError {
  return new EngineError('IndexClosedException', `[${name}] closed`);
}

/**
 * What a single-document operation does; errors are worded after it, and a write follows `is_write_index`.
 */
export type SingleIndexPurpose = 'read' | 'multiGet' | 'write';

/**
 * The one index that a single-document operation is about, and the alias it was named by.
 *
 * @throws EngineError IndexMissingException (lists, patterns and `_all` are ordinary names here),
 *   IndexClosedException, or ElasticsearchIllegalArgumentException for an alias of several indices, or one
 *   that may not be written through.
 */
export function singleIndex(
  state: ClusterState,
  name: string,
  purpose: SingleIndexPurpose,
): { readonly index: IndexMetadata; readonly alias: AliasMetadata | null } {
  let index = state.indices.get(name);
  let alias: AliasMetadata | null = null;
  if (index === undefined) {
    const behind = indicesOfAlias(state, name);
    index =
      behind.length > 1 || purpose === 'write' ? chooseIndex(name, behind, purpose) : behind[0];
    alias = index?.aliases.get(name) ?? null;
  }
  if (index === undefined) throw missing(state, name);
  if (index.state === 'close') throw indexClosed(index.name);
  return { index, alias };
}

/** Writes go to the index that the alias says, if it says so; everything else needs a single index. */
function chooseIndex(
  name: string,
  behind: readonly IndexMetadata[],
  purpose: SingleIndexPurpose,
): IndexMetadata | undefined {
  const says = (index: IndexMetadata): boolean | null =>
    index.aliases.get(name)?.isWriteIndex ?? null;
  if (purpose === 'write') {
    const target = behind.find((index) => says(index) === true);
    if (target !== undefined) return target;
    if (behind.some((index) => says(index) === false)) {
      throw illegalArgument(
        `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
      );
    }
  }
  if (behind.length <= 1) return behind[0];
  const wording = purpose === 'multiGet' ? 'index' : 'indices';
  const list = behind.map((one) => one.name).join(', ');
  throw illegalArgument(
    `Alias [${name}] has more than one ${wording} associated with it [[${list}]], can't execute a single index op`,
  );
}

/**
 * The alias filters that a search through `names` puts on an index: null for none, else the filters of
 * which a document must match one.
 */
export function effectiveAliasFilters(
  state: ClusterState,
  index: string,
  names: readonly string[],
): JsonObject[] | null {
  if (isAllIndices(names)) return null;
  return filtersThrough(state.indices.get(index), expandAgain(state, names));
}

let last: {
  readonly state: ClusterState;
  readonly names: readonly string[];
  readonly expanded: readonly string[];
} | null = null;

/** The names of an expression that was accepted: they are asked for once for each index of a search. */
function expandAgain(state: ClusterState, names: readonly string[]): readonly string[] {
  if (last?.state !== state || last.names !== names) {
    last = { state, names, expanded: expandNames(state, names, LENIENT) };
  }
  return last.expanded;
}

function filtersThrough(
  index: IndexMetadata | undefined,
  expanded: readonly string[],
): JsonObject[] | null {
  const filters: JsonObject[] = [];
  for (const name of expanded) {
    if (name === index?.name) return null;
    const alias = index?.aliases.get(name);
    if (alias === undefined) continue;
    if (alias.filter === null) return null;
    filters.push(alias.filter);
  }
  return filters.length === 0 ? null : filters;
}

/**
 * A state in which the indices that a search goes to through aliases with filters show only the documents of
 * those. It is about indices of which not all fields are seen: filters may go by the others, so that they are
 * no part of the search there.
 *
 * @param indices that `names` stand for
 */
export function confinedByAliases(
  state: ClusterState,
  indices: readonly string[],
  names: readonly string[],
): ClusterState {
  if (state.restriction === undefined || isAllIndices(names)) return state;
  let confined: Map<string, IndexMetadata> | null = null;
  for (const name of indices) {
    const index = state.indices.get(name);
    if (index?.view === undefined || index.view.fields === null) continue;
    const { view } = index;
    const filters = filtersThrough(view.fields!.whole, expandNames(state, names, LENIENT));
    if (filters === null) continue;
    confined ??= new Map(state.indices);
    const both = view.filters === null ? filters : [allOf([anyOf(view.filters), anyOf(filters)])];
    confined.set(name, { ...index, view: { ...view, filters: both } });
  }
  return confined === null ? state : { ...state, indices: confined };
}

function anyOf(filters: readonly JsonObject[]): JsonObject {
  return filters.length === 1 ? filters[0]! : new Map([['or', [...filters]]]);
}

function allOf(filters: readonly JsonObject[]): JsonObject {
  return new Map([['and', [...filters]]]);
}

/**
 * The routing values to which a search is restricted, by index. An index that is absent is searched on all
 * shards; one with an empty set on none.
 *
 * @param parameter the `routing` parameter, undefined when not given
 */
export function searchRouting(
  state: ClusterState,
  names: readonly string[],
  parameter: string | undefined,
): Map<string, Set<string>> {
  const asked = parameter === undefined ? null : new Set(splitRouting(parameter));
  const result = new Map<string, Set<string>>();
  if (isAllIndices(names)) {
    if (asked !== null) for (const name of state.indices.keys()) result.set(name, asked);
    return result;
  }
  /** Indices named without routing of their own: nothing that follows narrows them. */
  const settled = new Set<string>();
  for (const name of expandNames(state, names, LENIENT)) {
    const index = state.indices.get(name);
    // A name may be both (an alias like its own index); then the alias entries are what counts.
    const behind = isAlias(state, name) ? indicesOfAlias(state, name) : index ? [index] : [];
    for (const { name: concrete, aliases } of behind) {
      if (settled.has(concrete)) continue;
      const own = splitRouting(aliases.get(name)?.searchRouting ?? '');
      if (own.length > 0) {
        const values = new Set(result.get(concrete));
        for (const value of own) values.add(value);
        for (const value of values) if (asked !== null && !asked.has(value)) values.delete(value);
        // compat: nothing in common means all shards, not none.
        if (values.size > 0) result.set(concrete, values);
        else result.delete(concrete);
      } else {
        settled.add(concrete);
        if (asked === null) result.delete(concrete);
        else result.set(concrete, new Set(asked));
      }
    }
  }
  return result;
}

/** @throws EngineError ElasticsearchIllegalArgumentException for more values than a search may be given */
function splitRouting(text: string): string[] {
  const values = splitCommas(text);
  if (values.length <= MAX_ROUTING_VALUES) return values;
  throw illegalArgument(`a search has more than [${MAX_ROUTING_VALUES}] routing values`);
}

/** 404; of a name that the state would not show anyway 403, whether or not there is such an index. */
function missing({ restriction }: ClusterState, name: string): EngineError {
  if (restriction === undefined || name.includes('*') || restriction.covers(name)) {
    return indexMissing(name);
  }
  return new EngineError('AuthorizationException', `the key has no grant for this on [${name}]`);
}

function exists(state: ClusterState, name: string): boolean {
  return state.indices.has(name) || isAlias(state, name);
}

function namesByState(state: ClusterState, options: IndicesOptions): string[] {
  const names: string[] = [];
  for (const index of state.indices.values()) {
    if (index.state === 'open' ? options.expandOpen : options.expandClosed) names.push(index.name);
  }
  return names;
}

// Alias actions as one atomic change of the cluster state (reference server).

import { EngineError, illegalArgument, validationFailed } from '../errors';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  formatDouble,
  writeJson,
} from '../json/index';
import { aliasIndex, indicesOfAlias, isAlias } from './alias-index';
import { assertNotBlocked } from './blocks';
import { removeIndices, replaceAliases } from './changes';
import { validateAlias } from './names';
import { matchesPattern } from '../common/index';
import { resolveIndices } from './resolve';
import type { AliasMetadata, ClusterState, IndexMetadata, IndicesOptions } from './state';
import type { AliasAction, AliasChanges } from './alias-action';

/** Options in the request are not looked at when aliases are written. */
const STRICT: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: false,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: false,
};

/**
 * Names that the actions of one request may go through together: patterns times what they are compared with.
 * All of it happens in one step.
 */
const MAX_WORK = 2_000_000;
/** What reading a filter counts. */
const FILTER_WORK = 20;

/** Counts the names that a request goes through. */
class AliasWork {
  private left = MAX_WORK;

  /** @throws EngineError 400 when it is too much */
  spend(names: number): void {
    this.left -= names;
    if (this.left >= 0) return;
    throw illegalArgument(
      `alias actions would go through more than [${MAX_WORK}] names of indices and aliases; use several requests`,
    );
  }
}

/** Checks the filter of an alias of an index; throws the parse error, unwrapped. */
export type AliasFilterValidator = (
  index: IndexMetadata,
  alias: string,
  filter: JsonObject,
) => void;

/** One action on one index and one alias name. */
interface ConcreteAction {
  readonly index: string;
  readonly alias: string;
  readonly action: AliasAction;
}

/**
 * Applies all actions in order, or none of them.
 *
 * Index expressions and patterns of aliases to remove stand for what exists before the request, so
 * `add x, remove x` leaves a new `x` in place. An alias that is added again loses what is not given again.
 *
 * @returns the same state when nothing changes
 * @throws EngineError ActionRequestValidationException, IndexMissingException, ClusterBlockException,
 *   AliasesMissingException when only removals are left and none matches anything,
 *   InvalidAliasNameException, ElasticsearchIllegalArgumentException for too much work in one step, or
 *   ElasticsearchIllegalArgumentException around what the validator throws
 */
export function applyAliasActions(
  state: ClusterState,
  actions: readonly AliasAction[],
  validateFilter: AliasFilterValidator,
): ClusterState {
  validateActions(actions);
  assertNamedIndicesNotBlocked(state, actions);
  const work = new AliasWork();
  spendOnIndices(state, actions, work);
  const doomed = indicesToRemove(state, actions);
  const concrete = expandActions(state, actions, doomed, work);
  // An alias may take the name of an index that is removed by the same request.
  const remaining = removeIndices(state, doomed);
  for (const { index, alias, action } of concrete) {
    validateAlias(remaining, index, alias, action.indexRouting ?? null);
  }
  const changed = new Map<string, Map<string, AliasMetadata>>();
  for (const { index: name, alias, action } of concrete) {
    const index = state.indices.get(name)!;
    const aliases = changed.get(name) ?? new Map(index.aliases);
    if (action.kind === 'remove') {
      if (!aliases.delete(alias)) continue;
    } else {
      const added = toAlias(alias, action);
      if (added.filter !== null) checkFilter(index, added, validateFilter);
      if (sameAlias(aliases.get(alias), added)) continue;
      aliases.set(alias, added);
    }
    changed.set(name, aliases);
  }
  const next = replaceAliases(remaining, changed);
  for (const { alias, action } of concrete) {
    if (action.isWriteIndex === true) assertOneWriteIndex(next, alias);
  }
  return next;
}

/** How the aliases of two states differ. */
export function aliasChanges(before: ClusterState, after: ClusterState): AliasChanges {
  const indices = new Map<
    string,
    { added: AliasMetadata[]; changed: AliasMetadata[]; removed: string[] }
  >();
  for (const { name, aliases } of after.indices.values()) {
    const old = before.indices.get(name)?.aliases ?? new Map<string, AliasMetadata>();
    if (old === aliases) continue;
    const all = [...aliases.values()];
    indices.set(name, {
      added: all.filter((alias) => !old.has(alias.name)),
      changed: all.filter((alias) => old.has(alias.name) && !sameAlias(old.get(alias.name), alias)),
      removed: [...old.keys()].filter((alias) => !aliases.has(alias)),
    });
  }
  const removedIndices = [...before.indices.keys()].filter((name) => !after.indices.has(name));
  return { indices, removedIndices };
}

/**
 * @throws EngineError ElasticsearchIllegalArgumentException when several indices claim the writes to an alias
 */
function assertOneWriteIndex(state: ClusterState, alias: string): void {
  const claims = indicesOfAlias(state, alias).filter(
    (index) => index.aliases.get(alias)?.isWriteIndex === true,
  );
  if (claims.length < 2) return;
  const names = claims.map(({ name }) => name).join(', ');
  throw illegalArgument(`alias [${alias}] has more than one write index [${names}]`);
}

/** Counts what it takes to find the indices of all actions. */
function spendOnIndices(
  state: ClusterState,
  actions: readonly AliasAction[],
  work: AliasWork,
): void {
  const all = state.indices.size + aliasIndex(state).size;
  for (const { indices } of actions) {
    for (const name of indices) work.spend(isLiteral(name) ? 1 : all);
  }
}

/** The indices that `remove_index` actions name; aliases do not stand for their indices there. */
function indicesToRemove(state: ClusterState, actions: readonly AliasAction[]): Set<string> {
  const doomed = new Set<string>();
  for (const action of actions) {
    if (action.kind !== 'remove_index') continue;
    for (const name of action.indices) {
      if (isAlias(state, name) && !state.indices.has(name)) {
        throw illegalArgument(
          `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
        );
      }
    }
    for (const name of resolveIndices(state, action.indices, STRICT)) doomed.add(name);
  }
  return doomed;
}

/**
 * Runs the validator over the filter of an alias.
 * @throws EngineError ElasticsearchIllegalArgumentException with the parse error as cause
 */
export function checkFilter(
  index: IndexMetadata,
  alias: AliasMetadata,
  validateFilter: AliasFilterValidator,
): void {
  if (alias.filter === null) return;
  try {
    validateFilter(index, alias.name, alias.filter);
  } catch (error) {
    throw illegalArgument(`failed to parse filter for alias [${alias.name}]`, error);
  }
}

function validateActions(actions: readonly AliasAction[]): void {
  if (actions.length === 0) throw validationFailed('Must specify at least one alias action');
  const failures: string[] = [];
  for (const { kind, indices, aliases } of actions) {
    const subject = `Alias action [${kind}]`;
    const isBlank = (text: string): boolean => text.trim() === '';
    if (kind === 'remove_index') {
      if (indices.length === 0 || indices.some(isBlank)) {
        failures.push(`${subject}: [index] may not be empty string`);
      }
      continue;
    }
    if (kind === 'add') {
      if (aliases.length === 0 || aliases.some(isBlank)) {
        failures.push(`${subject} requires an [alias] to be set`);
      }
    } else if (aliases.length === 0) {
      failures.push(`${subject}: aliases may not be empty`);
    } else if (aliases.some(isBlank)) {
      failures.push(`${subject}: [alias] may not be empty string`);
    }
    if (indices.length === 0) {
      failures.push(`${subject}: Property [index] was either missing or null`);
    } else if (indices.some(isBlank)) {
      failures.push(`${subject}: [index] may not be empty string`);
    }
  }
  if (failures.length > 0) throw validationFailed(failures);
}

/**
 * Blocks of indices are reported before anything that is missing.
 * compat: only of those named literally; behind a pattern or an alias they do not count.
 */
function assertNamedIndicesNotBlocked(state: ClusterState, actions: readonly AliasAction[]): void {
  for (const action of actions) {
    for (const name of action.indices) {
      const index = state.indices.get(name);
      if (index !== undefined) assertNotBlocked(index, 'metadata_write');
    }
  }
}

function expandActions(
  state: ClusterState,
  actions: readonly AliasAction[],
  doomed: ReadonlySet<string>,
  work: AliasWork,
): ConcreteAction[] {
  const concrete: ConcreteAction[] = [];
  const requested = new Set<string>();
  for (const action of actions) {
    if (action.kind === 'remove_index') continue;
    for (const alias of action.aliases) requested.add(alias);
    let isFound = false;
    for (const name of resolveIndices(state, action.indices, STRICT)) {
      const index = state.indices.get(name)!;
      const aliases =
        action.kind === 'add' ? action.aliases : matchAliases(index, action.aliases, work);
      work.spend(1 + aliases.length * (action.filter === undefined ? 1 : FILTER_WORK));
      isFound ||= aliases.length > 0;
      if (doomed.has(name)) {
        if (action.kind === 'remove') continue;
        throw illegalArgument(`alias cannot be added to index [${name}] that is removed`);
      }
      for (const alias of aliases) concrete.push({ index: name, alias, action });
    }
    if (!isFound && action.mustExist === true) throw aliasesMissing(action.aliases);
  }
  const isTolerated = actions.some(
    ({ kind, mustExist }) => kind === 'remove_index' || mustExist === false,
  );
  if (concrete.length === 0 && !isTolerated) throw aliasesMissing([...requested]);
  return concrete;
}

/** 404 for aliases to remove of which none exists. */
function aliasesMissing(names: readonly string[]): EngineError {
  return new EngineError('AliasesMissingException', `aliases [[${names.join(', ')}]] missing`);
}

/** The names of an index's aliases that match names and patterns; `_all` and an empty list match all. */
function matchAliases(
  index: IndexMetadata,
  names: readonly string[],
  work: AliasWork,
): readonly string[] {
  if (names.length === 1 && isLiteral(names[0]!)) return index.aliases.has(names[0]!) ? names : [];
  work.spend(names.length * (index.aliases.size + 1));
  const all = names.length === 0 || names.includes('_all');
  return [...index.aliases.keys()].filter(
    (alias) => all || names.some((name) => matchesPattern(name, alias)),
  );
}

/** Whether a name stands for itself alone. */
function isLiteral(name: string): boolean {
  return name !== '_all' && !/^[+-]|\*/.test(name);
}

function toAlias(name: string, action: AliasAction): AliasMetadata {
  return {
    name,
    filter: readFilter(action.filter),
    indexRouting: action.indexRouting ?? null,
    searchRouting: action.searchRouting ?? null,
    isWriteIndex: action.isWriteIndex ?? null,
  };
}

/**
 * A `filter` member as it is stored: an object, or the last object of an array, with numbers spelled anew;
 * null for `{}` and anything else, which do not filter.
 */
function readFilter(value: JsonValue | undefined): JsonObject | null {
  const filter = Array.isArray(value) ? value.findLast(isJsonObject) : value;
  if (!isJsonObject(filter) || filter.size === 0) return null;
  return respellNumbers(filter) as JsonObject;
}

/** Fractions and exponents are stored as doubles print: 1.50 as 1.5, 1e3 as 1000.0. */
function respellNumbers(value: JsonValue): JsonValue {
  if (value instanceof JsonNumber) {
    if (value.isInteger || !Number.isFinite(value.value)) return value;
    return new JsonNumber(formatDouble(value.value));
  }
  if (Array.isArray(value)) return value.map(respellNumbers);
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([name, member]) => [name, respellNumbers(member)]));
}

/** An alias as reads show it: the members that are set, `{}` for a plain alias. */
export function aliasToJson(alias: AliasMetadata): JsonObject {
  const json: JsonObject = new Map();
  if (alias.filter !== null) json.set('filter', alias.filter);
  if (alias.indexRouting !== null) json.set('index_routing', alias.indexRouting);
  if (alias.searchRouting !== null) json.set('search_routing', alias.searchRouting);
  if (alias.isWriteIndex !== null) json.set('is_write_index', alias.isWriteIndex);
  return json;
}

function sameAlias(a: AliasMetadata | undefined, b: AliasMetadata): boolean {
  return a !== undefined && writeJson(aliasToJson(a)) === writeJson(aliasToJson(b));
}

/**
 * An alias from its entry in the body of a create-index request or template. Unlike in `_aliases`, only
 * strings count as routing values.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException without a name or an object
 */
export function parseAliasBody(name: string, body: JsonValue): AliasMetadata {
  if (!isJsonObject(body)) throw illegalArgument('No alias is specified');
  if (name.trim() === '') throw illegalArgument('alias name is required');
  const both = routingText(body, 'routing');
  return {
    name,
    filter: readFilter(body.get('filter')),
    indexRouting: routingText(body, 'index_routing', 'indexRouting', 'index-routing') ?? both,
    searchRouting: routingText(body, 'search_routing', 'searchRouting', 'search-routing') ?? both,
    isWriteIndex: booleanMember(body.get('is_write_index')),
  };
}

function booleanMember(value: JsonValue | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function routingText(body: JsonObject, ...spellings: readonly string[]): string | null {
  for (const spelling of spellings) {
    const value = body.get(spelling);
    if (typeof value === 'string') return value;
  }
  return null;
}

// Cluster states for the metadata tests, and errors as clients see them.

import { EngineError } from '../../../../engine/errors';
import { parseJsonObject } from '../../../../engine/json/parse';
import { applyAliasActions, type AliasFilterValidator } from '../../../../engine/metadata/alias';
import { addIndex, EMPTY_STATE, setIndexState } from '../../../../engine/metadata/changes';
import { newIndex, planIndex, readSections } from '../../../../engine/admin/create-index';
import type { ClusterState, IndicesOptions } from '../../../../engine/metadata/state';
import type { JsonObject } from '../../../../engine/json/json';
import type { AliasAction } from '../../../../engine/metadata/alias-action';

export const json = (value: unknown): JsonObject => parseJsonObject(JSON.stringify(value));

/** Adds an index as a create request with this body would. */
export function create(state: ClusterState, name: string, body: object = {}): ClusterState {
  return addIndex(
    state,
    newIndex(state, planIndex(state, name, readSections(json(body)), new Map(), 1024, 1_000, 'u')),
  );
}

/** A state with indices; a name that starts with `!` is closed. */
export function stateOf(...names: readonly string[]): ClusterState {
  let state = EMPTY_STATE;
  for (const name of names) {
    const closed = name.startsWith('!');
    state = create(state, closed ? name.slice(1) : name);
    if (closed) state = setIndexState(state, name.slice(1), false);
  }
  return state;
}

interface ActionOptions {
  readonly filter?: unknown;
  readonly routing?: string;
  readonly indexRouting?: string;
  readonly searchRouting?: string;
}

/** An `add` action for one alias of one index expression. */
export function add(index: string, alias: string, options: ActionOptions = {}): AliasAction {
  const filter = options.filter === undefined ? undefined : json({ f: options.filter }).get('f');
  return {
    kind: 'add',
    indices: [index],
    aliases: [alias],
    filter,
    indexRouting: options.indexRouting ?? options.routing,
    searchRouting: options.searchRouting ?? options.routing,
  };
}

/** A `remove` action. */
export function remove(indices: readonly string[], aliases: readonly string[]): AliasAction {
  return {
    kind: 'remove',
    indices,
    aliases,
    filter: undefined,
    indexRouting: undefined,
    searchRouting: undefined,
  };
}

/** Applies actions with filters that are all fine, unless a validator is given. */
export function withAliases(
  state: ClusterState,
  actions: readonly AliasAction[],
  validate: AliasFilterValidator = () => {},
): ClusterState {
  return applyAliasActions(state, actions, validate);
}

export const options = (change: Partial<IndicesOptions> = {}): IndicesOptions => ({
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: true,
  ...change,
});

/** `status wire text` of what `action` throws. */
export function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineError) return `${error.status} ${error.toWireString()}`;
    throw error;
  }
  throw new Error('nothing was thrown');
}

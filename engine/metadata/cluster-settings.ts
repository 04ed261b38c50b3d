// Settings of the whole cluster that clients may change while it runs. They are kept and shown; few of them
// have an effect on a single node, whose own settings come from its configuration (reference server).
// docs/compatibility.md lists which.

import { tryTimeValue } from '../common/index';
import { illegalArgument, validationFailed } from '../errors';
import { isJsonObject, type JsonObject } from '../json/index';
import { isTrueSetting } from './setting-values';
import { flattenSettings } from './settings';
import type { ClusterState } from './state';

/** Beginnings of the names that the reference knows as dynamic; others are dropped without a word. */
const DYNAMIC = [
  'action.destructive_requires_name',
  'cluster.blocks.',
  'cluster.info.',
  'cluster.routing.',
  'cluster.service.',
  'discovery.zen.',
  'indices.breaker.',
  'indices.cache.',
  'indices.fielddata.',
  'indices.recovery.',
  'indices.store.',
  'indices.ttl.',
  'logger.',
  'threadpool.',
];

/** What a request sets, flat. */
export interface ClusterSettingsUpdate {
  readonly persistent: ReadonlyMap<string, string>;
  readonly transient: ReadonlyMap<string, string>;
}

/**
 * The settings of a request that are known.
 *
 * @throws EngineError ActionRequestValidationException when it holds none at all
 */
export function parseClusterSettings(body: JsonObject): ClusterSettingsUpdate {
  const persistent = section(body, 'persistent');
  const transient = section(body, 'transient');
  if (persistent.size === 0 && transient.size === 0)
    throw validationFailed('no settings to update');
  return { persistent: known(persistent), transient: known(transient) };
}

function section(body: JsonObject, name: string): Map<string, string | readonly string[]> {
  const value = body.get(name);
  return flattenSettings(isJsonObject(value) ? value : new Map<string, never>());
}

function known(settings: ReadonlyMap<string, string | readonly string[]>): Map<string, string> {
  const result = new Map<string, string>();
  for (const [name, value] of settings) {
    if (DYNAMIC.some((beginning) => name.startsWith(beginning))) {
      const text = typeof value === 'string' ? value : value.join(',');
      refuseIneffective(name, text);
      result.set(name, text);
    }
  }
  return result;
}

/** @throws EngineError 400 for what would change answers and is not there, and for what has no meaning */
function refuseIneffective(name: string, value: string): void {
  if (name.startsWith('cluster.blocks.') && isTrueSetting(value)) {
    throw illegalArgument(`the setting [${name}] is not supported yet`);
  }
  if (name === 'indices.ttl.interval' && tryTimeValue(value) === null) {
    throw illegalArgument(
      `can't process the settings: [[${name}] - cannot parse value [${value}] as time]`,
    );
  }
}

/** The state with persistent settings added or replaced. */
export function withPersistentSettings(
  state: ClusterState,
  settings: ReadonlyMap<string, string>,
): ClusterState {
  if (settings.size === 0) return state;
  const persistentSettings = new Map([...state.persistentSettings, ...settings]);
  return { ...state, version: state.version + 1, persistentSettings };
}

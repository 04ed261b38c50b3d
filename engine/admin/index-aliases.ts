// Aliases: actions are applied as one step, all of them or none, on disk and for readers.

import { removeFromState, type AdministrationHost } from './state-changes';
import { RequestMeter } from '../common/index';
import { buildAnalysis } from '../analysis/index';
import type { Administration } from '../api/index';
import type { JsonObject } from '../json/index';
import { compileMapping } from '../mapping/index';
import {
  aliasChanges,
  applyAliasActions,
  assertNoneBlocked,
  type AliasAction,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';
import { parseFilter } from '../query/index';

/** The part of administration that is about aliases. */
export function indexAliases(
  host: AdministrationHost,
): Pick<Administration, 'updateAliases' | 'previewAliases'> {
  return {
    updateAliases: (actions) => removeFromState(host, (state) => withAliases(host, state, actions)),

    previewAliases(actions) {
      const state = host.cluster.state();
      return aliasChanges(state, withAliases(host, state, actions));
    },
  };
}

function withAliases(
  host: AdministrationHost,
  state: ClusterState,
  actions: readonly AliasAction[],
): ClusterState {
  const remaining = applyAliasActions(state, actions, (index, _alias, filter) =>
    validateAliasFilter(host, index, filter),
  );
  if (remaining.indices.size < state.indices.size) {
    const removed = [...state.indices.keys()].filter((name) => !remaining.indices.has(name));
    assertNoneBlocked(state, removed, 'metadata_write');
  }
  return remaining;
}

/**
 * Parses an alias filter against the mapping it will be used with.
 * @throws EngineError also for fields that are not mapped
 */
export function validateAliasFilter(
  host: AdministrationHost,
  index: IndexMetadata,
  filter: JsonObject,
): void {
  const indexService = host.indicesService.indexService(index);
  const mapping =
    indexService === null
      ? compileMapping(index, buildAnalysis(index.settings))
      : indexService.mapping(index);
  parseFilter(filter, {
    indexName: index.name,
    mapping,
    types: [],
    now: host.now(),
    strictFields: true,
    defaultField: '_all',
    nestedPath: null,
    getSource: host.getSource,
    meter: new RequestMeter(host.limits),
    scripts: host.scripts(),
  });
}

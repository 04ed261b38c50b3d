// Aliases: actions are applied as one step, all of them or none, on disk and for readers.

import { changeState, removeFromState, type AdministrationHost } from './state-changes';
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

/** Moving an alias, for other parts of the engine. */
export interface AliasMoves {
  /**
   * Takes an alias from some indices and gives it to another one, as it is on the first of them that has it;
   * where none has it, it is new.
   *
   * @param check runs in the step and may throw; nothing is changed then
   */
  moveAlias(alias: string, from: readonly string[], to: string, check: () => void): Promise<void>;
  /** Tries {@link moveAlias} without changing anything. @throws EngineError */
  previewMove(alias: string, from: readonly string[], to: string): void;
}

/** The part of administration that is about aliases. */
export function indexAliases(
  host: AdministrationHost,
): Pick<Administration, 'updateAliases' | 'previewAliases'> & AliasMoves {
  return {
    async moveAlias(alias, from, to, check) {
      await changeState(host, (state) => {
        check();
        return withAliases(host, state, moveActions(state, alias, from, to));
      });
    },

    previewMove(alias, from, to) {
      const state = host.cluster.state();
      withAliases(host, state, moveActions(state, alias, from, to));
    },

    updateAliases: (actions) => removeFromState(host, (state) => withAliases(host, state, actions)),

    previewAliases(actions) {
      const state = host.cluster.state();
      return aliasChanges(state, withAliases(host, state, actions));
    },
  };
}

function moveActions(
  state: ClusterState,
  alias: string,
  from: readonly string[],
  to: string,
): readonly AliasAction[] {
  const holders = from.filter((name) => state.indices.get(name)?.aliases.has(alias) === true);
  const known = state.indices.get(holders[0] ?? '')?.aliases.get(alias);
  const named = { aliases: [alias], filter: undefined };
  const noRouting = { indexRouting: undefined, searchRouting: undefined };
  return [
    ...holders.map((name) => ({
      kind: 'remove' as const,
      indices: [name],
      ...named,
      ...noRouting,
    })),
    {
      kind: 'add',
      indices: [to],
      aliases: [alias],
      filter: known?.filter ?? undefined,
      indexRouting: known?.indexRouting ?? undefined,
      searchRouting: known?.searchRouting ?? undefined,
      isWriteIndex: known?.isWriteIndex ?? undefined,
    },
  ];
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
    now: () => host.now(),
    texts: null,
    asWritten: false,
    strictFields: true,
    defaultField: '_all',
    nestedPath: null,
    getSource: host.getSource,
    meter: new RequestMeter(host.limits),
    scripts: () => host.scripts(),
  });
}

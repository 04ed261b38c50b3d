// Settings that are changed while the node runs: those of indices and those of the cluster.

import { changeState, type AdministrationHost } from './state-changes';
import type { PreparedAnalysis } from './new-index';
import { buildAnalysis, buildInSteps, hasSameAnalysis } from '../analysis/index';
import { inSlices } from '../common/index';
import { EngineError } from '../errors';
import type { Administration } from '../api/index';
import { compileMapping } from '../mapping/index';
import { checkSimilarities, hasSameSimilarities } from '../similarity/index';
import {
  assertRoomForSettings,
  assertRoomForTransient,
  parseClusterSettings,
  resolveIndices,
  updateSettings,
  withPersistentSettings,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';

/** What was changed while the node runs. */
export interface ChangedSettings {
  /** A setting of the cluster by its name; undefined: it was not changed. */
  clusterSetting(name: string): string | undefined;
}

/** The part of administration that is about settings. */
export function changedSettings(
  host: AdministrationHost,
): Pick<Administration, 'updateSettings' | 'clusterSettings' | 'updateClusterSettings'> &
  ChangedSettings {
  /** Cluster settings that a restart forgets. */
  let transientSettings: ReadonlyMap<string, string> = new Map();
  return {
    async updateSettings(names, settings, options) {
      const changed = (state: ClusterState): ClusterState => {
        const concrete = resolveIndices(state, names, options);
        const { limits } = host.settings;
        for (const name of concrete) assertRoomForSettings(name, settings, limits);
        return updateSettings(state, concrete, settings);
      };
      const prepared = await prepareAnalyses(host.cluster.state(), changed);
      await changeState(host, (state) => {
        const next = changed(state);
        for (const [name, metadata] of next.indices) {
          // Analysis and similarities change on closed indices only: what would not open again is refused.
          const before = state.indices.get(name);
          if (metadata === before) continue;
          const isNew =
            before === undefined || !hasSameAnalysis(before.settings, metadata.settings);
          const known = isNew ? prepared.get(name)?.settings : before.settings;
          const analysis = buildAnalysis(metadata.settings, { isNew, before: known });
          if (!hasSameSimilarities(before?.settings, metadata.settings)) {
            checkSimilarities(metadata.settings);
          }
          compileMapping(metadata, analysis);
        }
        return next;
      });
    },

    clusterSettings() {
      const { persistentSettings } = host.cluster.state();
      return { persistent: persistentSettings, transient: transientSettings };
    },

    clusterSetting(name) {
      return transientSettings.get(name) ?? host.cluster.state().persistentSettings.get(name);
    },

    async updateClusterSettings(body) {
      const update = parseClusterSettings(body);
      const transient = new Map([...transientSettings, ...update.transient]);
      assertRoomForTransient(transientSettings, transient, host.settings.limits);
      await changeState(host, (state) => withPersistentSettings(state, update.persistent));
      transientSettings = transient;
      host.settingsChanged?.();
      return update;
    },
  };
}

/**
 * Builds the analysis that a change of settings gives to indices in slices, because lists of words may be
 * long and changes of the state are made in one go.
 *
 * @returns by index; what is wrong with the change is told by the change itself
 */
async function prepareAnalyses(
  state: ClusterState,
  changed: (state: ClusterState) => ClusterState,
): Promise<ReadonlyMap<string, PreparedAnalysis>> {
  const prepared = new Map<string, PreparedAnalysis>();
  try {
    let last: IndexMetadata['settings'] | undefined;
    for (const [name, { settings }] of changed(state).indices) {
      const before = state.indices.get(name);
      if (before === undefined || hasSameAnalysis(before.settings, settings)) continue;
      const steps = buildInSteps(settings, { isNew: true, before: last });
      prepared.set(name, { settings, analysis: await inSlices(steps) });
      last = settings;
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  return prepared;
}

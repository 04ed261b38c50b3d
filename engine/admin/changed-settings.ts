// Settings that are changed while the node runs: those of indices and those of the cluster.

import { changeState, type AdministrationHost } from './state-changes';
import { buildAnalysis, hasSameAnalysis } from '../analysis/index';
import type { Administration } from '../api/index';
import { compileMapping } from '../mapping/index';
import { checkSimilarities, hasSameSimilarities } from '../similarity/index';
import {
  assertRoomForSettings,
  beyondLimit,
  parseClusterSettings,
  resolveIndices,
  updateSettings,
  withPersistentSettings,
} from '../metadata/index';

/** The part of administration that is about settings. */
export function changedSettings(
  host: AdministrationHost,
): Pick<Administration, 'updateSettings' | 'clusterSettings' | 'updateClusterSettings'> {
  /** Cluster settings that a restart forgets. */
  let transientSettings: ReadonlyMap<string, string> = new Map();
  return {
    async updateSettings(names, settings, options) {
      await changeState(host, (state) => {
        const concrete = resolveIndices(state, names, options);
        const { limits } = host.settings;
        for (const name of concrete) assertRoomForSettings(name, settings.size, limits);
        const next = updateSettings(state, concrete, settings);
        for (const [name, metadata] of next.indices) {
          // Analysis and similarities change on closed indices only: what would not open again is refused.
          const before = state.indices.get(name);
          if (metadata === before) continue;
          const isNew =
            before === undefined || !hasSameAnalysis(before.settings, metadata.settings);
          const analysis = buildAnalysis(metadata.settings, { isNew, before: before?.settings });
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

    async updateClusterSettings(body) {
      const update = parseClusterSettings(body);
      const transient = new Map([...transientSettings, ...update.transient]);
      const { clusterSettings } = host.settings.limits;
      if (transient.size > clusterSettings && transient.size > transientSettings.size) {
        throw beyondLimit('clusterSettings', 'transient settings', transient.size, clusterSettings);
      }
      await changeState(host, (state) => withPersistentSettings(state, update.persistent));
      transientSettings = transient;
      host.settingsChanged?.();
      return update;
    },
  };
}

// Settings that are changed while the node runs: those of indices and those of the cluster.

import { changeState, type AdministrationHost } from './state-changes';
import { buildAnalysis } from '../analysis/index';
import type { Administration } from '../api/index';
import { compileMapping } from '../mapping/index';
import {
  beyondLimit,
  parseClusterSettings,
  resolveIndices,
  updateSettings,
  withPersistentSettings,
  type IndexMetadata,
} from '../metadata/index';

/** Whether all components are set as they were; an older index keeps those that would be refused now. */
function hasSameAnalysis(before: IndexMetadata, after: IndexMetadata): boolean {
  const componentsOf = ({ settings }: IndexMetadata): string =>
    JSON.stringify([...settings].filter(([key]) => key.startsWith('index.analysis.')));
  return componentsOf(before) === componentsOf(after);
}

/** The part of administration that is about settings. */
export function changedSettings(
  host: AdministrationHost,
): Pick<Administration, 'updateSettings' | 'clusterSettings' | 'updateClusterSettings'> {
  /** Cluster settings that a restart forgets. */
  let transientSettings: ReadonlyMap<string, string> = new Map();
  return {
    async updateSettings(names, settings, options) {
      await changeState(host, (state) => {
        const next = updateSettings(state, resolveIndices(state, names, options), settings);
        for (const [name, metadata] of next.indices) {
          // Analysis settings change on closed indices only: what would not open again is refused here.
          const before = state.indices.get(name);
          if (metadata === before) continue;
          const isNew = before === undefined || !hasSameAnalysis(before, metadata);
          compileMapping(metadata, buildAnalysis(metadata.settings, { isNew }));
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
      return update;
    },
  };
}

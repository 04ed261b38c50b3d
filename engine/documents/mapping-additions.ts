// Fields that a document adds to a mapping without being stored.

import { atOnce, inSlices } from '../common/index';
import { indexMissing } from '../errors';
import { mergeDynamicSteps } from '../mapping/index';
import {
  replaceIndex,
  type ClusterState,
  type ClusterStateService,
  type IndexMetadata,
} from '../metadata/index';
import type { AddFields } from '../percolator/index';

/** How often a mapping is worked out beforehand, in steps: others may change it meanwhile. */
const MAX_TRIES = 3;

/** Adds fields to the mappings of indices, as far as others have not added them meanwhile. */
export function mappingAdditions(cluster: ClusterStateService): AddFields {
  return async (indexService, type, update) => {
    const { name, id, mappingLimits } = indexService;
    const known = ({ indices }: ClusterState): IndexMetadata => {
      const metadata = indices.get(name);
      if (metadata?.id !== id) throw indexMissing(name);
      return metadata;
    };
    const steps = (metadata: IndexMetadata) =>
      mergeDynamicSteps(metadata, type, update, indexService.analysis(metadata), mappingLimits);
    let isDone = false;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = known(cluster.latest());
      const next = await inSlices(steps(before));
      const after = await cluster.change((state) => {
        isDone = known(state) === before;
        return !isDone || next === before ? state : replaceIndex(state, next);
      });
      if (isDone) return known(after);
    }
    const after = await cluster.change((state) => {
      const metadata = known(state);
      const next = atOnce(steps(metadata));
      return next === metadata ? state : replaceIndex(state, next);
    });
    return known(after);
  };
}

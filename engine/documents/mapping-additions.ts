// Fields that a document adds to a mapping without being stored.

import { indexMissing } from '../errors';
import { mergeDynamic } from '../mapping/index';
import { replaceIndex, type ClusterStateService } from '../metadata/index';
import type { AddFields } from '../percolator/index';

/** Adds fields to the mappings of indices, as far as others have not added them meanwhile. */
export function mappingAdditions(cluster: ClusterStateService): AddFields {
  return async (indexService, type, update) => {
    const { name, id, mappingLimits } = indexService;
    const after = await cluster.change((state) => {
      const metadata = state.indices.get(name);
      if (metadata?.id !== id) throw indexMissing(name);
      const analysis = indexService.analysis(metadata);
      const next = mergeDynamic(metadata, type, update, analysis, mappingLimits);
      return next === metadata ? state : replaceIndex(state, next);
    });
    const metadata = after.indices.get(name);
    if (metadata?.id !== id) throw indexMissing(name);
    return metadata;
  };
}

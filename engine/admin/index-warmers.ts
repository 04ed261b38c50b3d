// Warmers: searches stored with an index. When they run is in warmer.ts.

import { changeIndices, changeState, type AdministrationHost } from './state-changes';
import type { Administration } from '../api/index';
import { EngineError } from '../errors';
import {
  assertNotBlocked,
  matchWarmers,
  replaceIndices,
  resolveIndices,
  warmerEntry,
  type IndexMetadata,
} from '../metadata/index';

/** The part of administration that is about warmers. */
export function indexWarmers(
  host: AdministrationHost,
): Pick<Administration, 'putWarmer' | 'deleteWarmers'> {
  return {
    async putWarmer(names, options, warmer, types, source) {
      await changeIndices(host, names, options, 'metadata_write', (metadata) => ({
        ...metadata,
        warmers: new Map(metadata.warmers).set(warmer, warmerEntry(types, source)),
      }));
    },

    async deleteWarmers(names, options, warmers) {
      await changeState(host, (state) => {
        const changed: IndexMetadata[] = [];
        for (const name of resolveIndices(state, names, options)) {
          const metadata = state.indices.get(name)!;
          assertNotBlocked(metadata, 'metadata_write');
          const found = matchWarmers(metadata, warmers);
          if (found.length === 0) continue;
          const left = new Map(metadata.warmers);
          for (const warmer of found) left.delete(warmer);
          changed.push({ ...metadata, warmers: left });
        }
        if (changed.length === 0) {
          throw new EngineError(
            'IndexWarmerMissingException',
            `index_warmer [[${warmers.join(', ')}]] missing`,
          );
        }
        return replaceIndices(state, changed);
      });
    },
  };
}

// Mappings of indices that exist: adding to them, and deleting types together with their documents.

import { changeIndices, type AdministrationHost } from './state-changes';
import { buildAnalysis } from '../analysis/index';
import type { Administration } from '../api/index';
import { matchesAny } from '../common/index';
import { EngineError } from '../errors';
import { putMapping } from '../mapping/index';
import { assertNotBlocked, resolveIndices, validateMappingTypeName } from '../metadata/index';

/** The part of administration that is about mappings. */
export function indexMappings(
  host: AdministrationHost,
): Pick<Administration, 'putMapping' | 'deleteMapping'> {
  const { cluster, gate } = host;
  return {
    async putMapping(names, type, body, options, ignoreConflicts) {
      await changeIndices(host, names, options, 'metadata_write', (metadata) => {
        const analysis = buildAnalysis(metadata.settings);
        const changed = putMapping(metadata, type, body, analysis, {
          ignoreConflicts,
          limits: host.settings.limits,
        });
        // What is wrong with the body is reported first.
        validateMappingTypeName(type);
        return changed;
      });
    },

    async deleteMapping(names, types, options) {
      const concrete = resolveIndices(cluster.state(), names, options);
      const doomed = new Map<string, string[]>();
      for (const name of concrete) {
        const metadata = cluster.state().indices.get(name)!;
        assertNotBlocked(metadata, 'metadata_write');
        // The documents of the types go with them.
        assertNotBlocked(metadata, 'write');
        const mapped = [...metadata.mappings.keys()];
        doomed.set(
          name,
          mapped.filter((type) => types.includes('_all') || matchesAny(types, type)),
        );
      }
      if ([...doomed.values()].every((list) => list.length === 0)) {
        throw new EngineError(
          'TypeMissingException',
          `[_all] type[[${types.join(', ')}]] missing: No index has the type.`,
        );
      }
      await gate.write(() => deleteDocuments(host, doomed));
      await changeIndices(host, concrete, options, 'metadata_write', (metadata) => {
        const mappings = new Map(metadata.mappings);
        for (const type of doomed.get(metadata.name) ?? []) mappings.delete(type);
        return { ...metadata, mappings };
      });
    },
  };
}

/** @param doomed types by index */
async function deleteDocuments(
  { cluster, indicesService, deleteByQuery }: AdministrationHost,
  doomed: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  for (const [name, types] of doomed) {
    const metadata = cluster.state().indices.get(name);
    const indexService = metadata === undefined ? null : indicesService.indexService(metadata);
    if (metadata === undefined || indexService === null || types.length === 0) continue;
    for (const shard of indexService.shards.keys()) {
      await deleteByQuery.deleteMatching(
        { index: metadata, shard },
        { kind: 'types', types, boost: 1 },
      );
    }
  }
}

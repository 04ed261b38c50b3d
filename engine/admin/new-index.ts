// The metadata of an index that is about to be created: what the request, templates and settings of the node
// ask for together, with its mappings compiled and its alias filters checked.

import { randomBytes } from 'node:crypto';
import { validateAliasFilter } from './index-aliases';
import { indexCreationFailed, newIndex, planIndex, readSections } from './create-index';
import type { AdministrationHost } from './state-changes';
import { buildAnalysis, type AnalysisRegistry } from '../analysis/index';
import { EngineError } from '../errors';
import type { JsonObject } from '../json/index';
import { assertRoomForTypes, putMapping } from '../mapping/index';
import { checkSimilarities } from '../similarity/index';
import {
  applyTemplates,
  assertRoomForIndex,
  assertRoomForSettings,
  checkFilter,
  validateTypeName,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';

/**
 * What a request to create an index comes to in `state`.
 * @throws EngineError of {@link planIndex}, MapperParsingException, and what is wrong with an alias filter
 */
export function describeNewIndex(
  host: AdministrationHost,
  state: ClusterState,
  name: string,
  body: JsonObject,
): IndexMetadata {
  const { limits } = host.settings;
  const uuid = randomBytes(16).toString('base64url');
  const sections = readSections(body);
  const plan = planIndex(
    state,
    name,
    applyTemplates(state, host.configured(), name, sections),
    host.settings.indexDefaults,
    limits.shardsPerIndex,
    host.now(),
    uuid,
  );
  assertRoomForSettings(name, plan.settings.size, limits);
  assertRoomForIndex(state, { shards: plan.shards, aliases: plan.aliases.size }, limits);
  assertRoomForTypes(name, plan.mappings.size, limits);
  let metadata = newIndex(state, plan);
  const analysis = analysisOf(metadata);
  // `_default_` first: it is merged under every other type of the same request.
  const types = [...plan.mappings].sort(
    ([a], [b]) => Number(b === '_default_') - Number(a === '_default_'),
  );
  for (const [type, mapping] of types) {
    metadata = inMapping(type, () => {
      if (type !== '_default_') validateTypeName(type);
      // An empty mapping is no mapping at all to a put; here it declares the type.
      const declared = mapping.size === 0 ? new Map([[type, new Map()]]) : mapping;
      return putMapping(metadata, type, declared, analysis, {
        ignoreConflicts: false,
        limits,
      });
    });
  }
  for (const alias of plan.aliases.values()) {
    checkFilter(metadata, alias, (index, _alias, filter) =>
      validateAliasFilter(host, index, filter),
    );
  }
  return metadata;
}

/** Runs a step of creating an index that concerns one type; what it throws is wrapped with the type. */
function inMapping<T>(type: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError('MapperParsingException', `mapping [${type}]`, { cause: error });
  }
}

function analysisOf(metadata: IndexMetadata): AnalysisRegistry {
  try {
    const analysis = buildAnalysis(metadata.settings, { isNew: true });
    checkSimilarities(metadata.settings);
    return analysis;
  } catch (error) {
    throw error instanceof EngineError ? indexCreationFailed(metadata.name, error) : error;
  }
}

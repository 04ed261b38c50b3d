// The metadata of an index that is about to be created: what the request, templates and settings of the node
// ask for together, with its mappings compiled and its alias filters checked.

import { randomBytes } from 'node:crypto';
import { validateAliasFilter } from './index-aliases';
import {
  indexCreationFailed,
  newIndex,
  planIndex,
  readSections,
  type IndexPlan,
} from './create-index';
import type { AdministrationHost } from './state-changes';
import { buildAnalysis, buildInSteps, type AnalysisRegistry } from '../analysis/index';
import { inSlices, Slices } from '../common/index';
import { EngineError } from '../errors';
import type { JsonObject } from '../json/index';
import { assertRoomForTypes, putMapping } from '../mapping/index';
import { checkSimilarities } from '../similarity/index';
import {
  applyTemplates,
  assertRoomForIndex,
  assertRoomForSettings,
  assertRoomForSizeOfSettings,
  checkFilter,
  validateTypeName,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';

/** Analysis that was built before it is needed, for settings that say the same. */
export interface PreparedAnalysis {
  readonly settings: IndexMetadata['settings'];
  /** Is only held, so that it is still known for `settings`. */
  readonly analysis: AnalysisRegistry;
}

/**
 * Builds the analysis of a new index in slices, because lists of words may be long and changes of the state
 * are made in one go.
 *
 * @returns null when something is wrong, which {@link describeNewIndex} tells
 */
export async function prepareAnalysis(
  host: AdministrationHost,
  name: string,
  body: JsonObject,
): Promise<PreparedAnalysis | null> {
  const slices = new Slices(1);
  try {
    const { settings } = planOf(host, host.cluster.state(), name, body);
    return { settings, analysis: await inSlices(buildInSteps(settings, { isNew: true }), slices) };
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/**
 * What a request to create an index comes to in `state`.
 *
 * @param prepared analysis that may be that of the index
 * @throws EngineError of {@link planIndex}, MapperParsingException, and what is wrong with an alias filter
 */
export function describeNewIndex(
  host: AdministrationHost,
  state: ClusterState,
  name: string,
  body: JsonObject,
  prepared: PreparedAnalysis | null = null,
): IndexMetadata {
  const { limits } = host.settings;
  const plan = planOf(host, state, name, body);
  let metadata = newIndex(state, plan);
  const analysis = analysisOf(metadata, prepared?.settings);
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

/** @throws EngineError of {@link planIndex}, and where there would be too many of something */
function planOf(
  host: AdministrationHost,
  state: ClusterState,
  name: string,
  body: JsonObject,
): IndexPlan {
  const { limits, indexDefaults } = host.settings;
  const plan = planIndex(
    state,
    name,
    applyTemplates(state, host.configured(), name, readSections(body)),
    indexDefaults,
    limits.shardsPerIndex,
    host.now(),
    randomBytes(16).toString('base64url'),
  );
  assertRoomForSettings(name, plan.settings, limits);
  assertRoomForSizeOfSettings(name, plan.settings, limits);
  assertRoomForIndex(state, { shards: plan.shards, aliases: plan.aliases.size }, limits);
  assertRoomForTypes(name, plan.mappings.size, limits);
  return plan;
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

function analysisOf(
  metadata: IndexMetadata,
  before: IndexMetadata['settings'] | undefined,
): AnalysisRegistry {
  try {
    const analysis = buildAnalysis(metadata.settings, { isNew: true, before });
    checkSimilarities(metadata.settings);
    return analysis;
  } catch (error) {
    throw error instanceof EngineError ? indexCreationFailed(metadata.name, error) : error;
  }
}

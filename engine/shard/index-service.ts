// One index of the node, open or closed: its shards and the compiled form of its newest metadata.

import { buildAnalysis, type AnalysisRegistry } from '../analysis/index';
import { compileMapping, type IndexMapping } from '../mapping/index';
import type { IndexMetadata, MappingLimits } from '../metadata/index';
import { Shard } from './shard';
import type { ShardServices } from './shard-services';

/** An index in its running form. */
export class IndexService {
  readonly id: number;
  readonly name: string;
  readonly shards: readonly Shard[];
  /** What its mappings must not exceed. */
  readonly mappingLimits: MappingLimits;
  private closed = false;
  private analysisOf: { settings: IndexMetadata['settings']; registry: AnalysisRegistry } | null =
    null;
  private mappingOf: {
    mappings: IndexMetadata['mappings'];
    settings: IndexMetadata['settings'];
    compiled: IndexMapping;
  } | null = null;

  constructor(metadata: IndexMetadata, services: ShardServices) {
    this.id = metadata.id;
    this.name = metadata.name;
    this.mappingLimits = services.mappingLimits;
    this.shards = metadata.shardIds.map(
      (shardId, number) =>
        new Shard({ index: metadata.name, indexId: metadata.id, shardId, number }, services),
    );
  }

  /** Whether another runtime, or none, has taken the place of this one. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Refuses new work and finishes what is under way. Searches that hold snapshots may still read. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.shards.map((shard) => shard.close()));
  }

  /** The analyzers of the index, built once per settings. */
  analysis(metadata: IndexMetadata): AnalysisRegistry {
    const { settings } = metadata;
    if (this.analysisOf?.settings !== settings) {
      const before = this.analysisOf?.settings;
      this.analysisOf = { settings, registry: buildAnalysis(settings, { before }) };
    }
    return this.analysisOf.registry;
  }

  /**
   * The compiled mapping of `metadata`. Kept while mappings and settings are the same values, so that
   * alias changes and repeated calls cost nothing.
   */
  mapping(metadata: IndexMetadata): IndexMapping {
    const { mappings, settings } = metadata;
    if (this.mappingOf?.mappings !== mappings || this.mappingOf.settings !== settings) {
      this.mappingOf = {
        mappings,
        settings,
        compiled: compileMapping(metadata, this.analysis(metadata), this.mappingLimits),
      };
    }
    return this.mappingOf.compiled;
  }
}

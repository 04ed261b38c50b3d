// The compiled form of the newest metadata of one index: analyzers and mapping, kept as long as what they
// were made of stays the same.

import { buildAnalysis, type AnalysisRegistry } from '../analysis/index';
import { compileMapping, type IndexMapping } from '../mapping/index';
import type { IndexMetadata, MappingLimits } from '../metadata/index';

/** Compiles the metadata of an index. */
export class IndexCompiler {
  private analysisOf: { settings: IndexMetadata['settings']; registry: AnalysisRegistry } | null =
    null;
  private mappingOf: {
    mappings: IndexMetadata['mappings'];
    settings: IndexMetadata['settings'];
    compiled: IndexMapping;
  } | null = null;

  /** What keys see of the mappings, which alternates with the whole. */
  private readonly views = new WeakMap<IndexMetadata['mappings'], IndexMapping>();

  /** @param limits what mappings must not exceed */
  constructor(private readonly limits: MappingLimits) {}

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
    const { mappings, settings, view } = metadata;
    // A view is made anew when the index changes, its settings included.
    if (view !== undefined && view.fields !== null) {
      let compiled = this.views.get(mappings);
      if (compiled === undefined) {
        compiled = compileMapping(metadata, this.analysis(metadata), this.limits);
        this.views.set(mappings, compiled);
      }
      return compiled;
    }
    if (this.mappingOf?.mappings !== mappings || this.mappingOf.settings !== settings) {
      this.mappingOf = {
        mappings,
        settings,
        compiled: compileMapping(metadata, this.analysis(metadata), this.limits),
      };
    }
    return this.mappingOf.compiled;
  }
}

// Reading mappings against one index: which analyzers and similarities it knows.

import type { AnalysisRegistry } from '../../analysis/index';
import { type SimilarityRegistry, similarityRegistry } from '../../similarity/index';
import { parseFieldMapping } from './field-types';
import { TypeMapping } from './type-mapping';
import type { JsonObject } from '../../json/index';
import type { MappingContext } from '../types/options';

/** The part of the analysis registry that mappings use. */
export type AnalyzerLookup = Pick<AnalysisRegistry, 'analyzer' | 'defaultIndex' | 'defaultSearch'> &
  Partial<Pick<AnalysisRegistry, 'safeLength'>>;

/** Settings of an index, flat with prefix. */
type IndexSettings = ReadonlyMap<string, string | readonly string[]>;

/** What mappings of an index may refer to, by its settings. */
export function mappingContext(analysis: AnalyzerLookup, settings: IndexSettings): MappingContext {
  let similarities: SimilarityRegistry | null = null;
  const context: MappingContext = {
    isStored: false,
    hasAnalyzer: (name) => analysis.analyzer(name) !== null,
    hasSimilarity: (name) => (similarities ??= similarityRegistry(settings)).named.has(name),
    parseField: (name, node) => parseFieldMapping(name, node, context),
  };
  return context;
}

/** Canonical mappings already read: a type is read again only when it or the index's settings change. */
const readTypes = new WeakMap<
  JsonObject,
  { readonly settings: IndexSettings; readonly mapping: TypeMapping }
>();

/** Reads a canonical mapping, or takes the result of reading it before. */
export function readCanonical(
  type: string,
  canonical: JsonObject,
  settings: IndexSettings,
  context: MappingContext,
): TypeMapping {
  const known = readTypes.get(canonical);
  if (known?.settings === settings && known.mapping.type === type) return known.mapping;
  const stored: MappingContext = {
    ...context,
    isStored: true,
    parseField: (name, node) => parseFieldMapping(name, node, stored),
  };
  const mapping = TypeMapping.parse(type, canonical, stored);
  remember(canonical, settings, mapping);
  return mapping;
}

/** Keeps what a canonical mapping was made from, so that it need not be read again. */
export function remember(
  canonical: JsonObject,
  settings: IndexSettings,
  mapping: TypeMapping,
): void {
  readTypes.set(canonical, { settings, mapping });
}

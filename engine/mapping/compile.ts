// An index's mapping compiled from its metadata: the entry to mapping for everyone who reads it.

import { MAX_SHAPE_POINTS } from '../geo/index';
import {
  NO_MAPPING_LIMITS,
  parseBytes,
  parseInt32,
  type FieldId,
  type FieldKind,
  type IndexMetadata,
  type MappingLimits,
} from '../metadata/index';
import {
  type Similarities,
  type Similarity,
  type SimilarityRegistry,
  similarityRegistry,
} from '../similarity/index';
import { TypeDocumentMapper } from './document/document-parser';
import {
  envelopeRules,
  NO_RULES,
  sourceFilterOf,
  type EnvelopeRules,
} from './schema/envelope-rules';
import { FieldLookup } from './schema/field-lookup';
import type { DocumentMapper, IndexMapping } from './schema/index-mapping';
import { sizeOfType } from './schema/mapping-size';
import { mappingContext, readCanonical, type AnalyzerLookup } from './schema/mapping-context';
import { FieldRegistry, TypeMapper, type CompileContext } from './schema/type-mapper';
import type { SourceFilter } from '../json/index';
import type { FieldMatch, MappedField } from './fields/mapped-field';

/** The type whose mapping is merged under types that are added later. */
export const DEFAULT_TYPE = '_default_';

/** The key of a physical field in IndexMetadata.fields. */
export function fieldKey(name: string, kind: FieldKind): string {
  return `${name}\u0000${kind}`;
}

/**
 * Compiles the mapping of an index.
 *
 * @param limits of what documents may add that are checked with it
 * @throws EngineError MapperParsingException when a mapping names an analyzer that the settings no longer
 *         define; Error when a field has no id, which no metadata written by merge.ts lacks
 */
export function compileMapping(
  metadata: IndexMetadata,
  analysis: AnalyzerLookup,
  limits: MappingLimits = NO_MAPPING_LIMITS,
): IndexMapping {
  return new CompiledMapping(metadata, analysis, limits);
}

/** What analysis may make of one document, in bytes of tokens: `index.max_analyzed_size`. */
function maxAnalyzedBytes(settings: IndexMetadata['settings']): number {
  const text = settings.get('index.max_analyzed_size');
  return (typeof text === 'string' ? parseBytes(text) : null) ?? MAX_ANALYZED_BYTES;
}

/** Points that the shapes of one document may have: `index.max_shape_points`. */
function maxShapePoints(settings: IndexMetadata['settings']): number {
  const text = settings.get('index.max_shape_points');
  const points = typeof text === 'string' ? parseInt32(text) : null;
  return points !== null && points > 0 ? points : MAX_SHAPE_POINTS;
}

const MAX_ANALYZED_BYTES = 128 * 1024 * 1024;

class CompiledMapping implements IndexMapping {
  readonly types: readonly string[];
  readonly fieldCount: number = 0;
  readonly defaultSearchAnalyzer;
  private readonly mappers = new Map<string, TypeMapper>();
  private readonly documents = new Map<string, TypeDocumentMapper>();
  private readonly rules = new Map<string, EnvelopeRules>();
  private readonly sources = new Map<string, SourceFilter>();
  private readonly lookup: FieldLookup;
  readonly similarities: Similarities;

  constructor(
    { name, mappings, settings, fields }: IndexMetadata,
    private readonly analysis: AnalyzerLookup,
    limits: MappingLimits,
  ) {
    this.defaultSearchAnalyzer = analysis.defaultSearch;
    const reading = mappingContext(analysis, settings);
    const registry = similarityRegistry(settings);
    const context: CompileContext = {
      analysis,
      settings,
      reading,
      similarities: registry,
      fields: new FieldRegistry((field, kind) => {
        const identity = fields.get(fieldKey(field, kind));
        if (identity === undefined) throw new Error(`field [${field}] of kind [${kind}] has no id`);
        return identity.id;
      }),
    };
    const maxBytes = maxAnalyzedBytes(settings);
    const limit = {
      maxBytes,
      safeLength: analysis.safeLength?.(maxBytes) ?? maxBytes,
      maxShapePoints: maxShapePoints(settings),
    };
    let size = 0;
    const room = () => limits.fieldsPerIndex - size;
    for (const [type, canonical] of mappings) {
      const mapping = readCanonical(type, canonical, settings, reading);
      size += sizeOfType(mapping).fields;
      this.rules.set(type, envelopeRules(mapping));
      this.sources.set(type, sourceFilterOf(mapping));
      if (type === DEFAULT_TYPE) continue;
      const mapper = new TypeMapper(mapping, context);
      this.mappers.set(type, mapper);
      this.documents.set(type, new TypeDocumentMapper(mapper, name, limit, { limits, room }));
    }
    this.types = [...this.mappers.keys()];
    for (const mapper of this.mappers.values()) this.fieldCount += mapper.fields.length;
    this.lookup = new FieldLookup(this.mappers);
    this.similarities = this.similaritiesBy(registry);
  }

  /** compat: of several types that index a field under one name, the similarity of the first one counts. */
  private similaritiesBy({ named, standard, normsQueries }: SimilarityRegistry): Similarities {
    const fields = new Map<FieldId, Similarity>();
    for (const mapper of this.mappers.values()) {
      for (const { field, similarity } of mapper.fields) {
        if (field === null || similarity === null) continue;
        const first = this.lookup.find(field.name, [])?.mapped.similarity ?? null;
        const found = first === null ? undefined : named.get(first);
        if (found !== undefined) fields.set(field.id, found);
      }
    }
    return { standard, normsQueries, fields };
  }

  find(name: string, types: readonly string[]): FieldMatch | null {
    return this.lookup.find(name, types);
  }

  match(pattern: string, types: readonly string[]): readonly MappedField[] {
    return this.lookup.match(pattern, types);
  }

  fieldsOf(type: string): readonly MappedField[] {
    return this.mappers.get(type)?.fields ?? [];
  }

  leavesOf(objectPath: string, types: readonly string[]): readonly MappedField[] {
    return this.lookup.leavesOf(objectPath, types);
  }

  nestedObject(
    path: string,
    types: readonly string[],
  ): { readonly path: string; readonly parent: string | null } | 'plain' | null {
    return this.lookup.nestedObject(path, types);
  }

  analyzer(name: string) {
    return name === 'default' ? this.analysis.defaultIndex : this.analysis.analyzer(name);
  }

  documentMapper(type: string): DocumentMapper | null {
    return this.documents.get(type) ?? null;
  }

  sourceFilter(type: string): SourceFilter {
    return this.sources.get(type) ?? this.sources.get(DEFAULT_TYPE) ?? true;
  }

  envelopeRules(type: string): EnvelopeRules {
    return this.rules.get(type) ?? this.rules.get(DEFAULT_TYPE) ?? NO_RULES;
  }

  routingRequired(type: string): boolean {
    return this.envelopeRules(type).routingRequired;
  }

  parentType(type: string): string | null {
    return this.envelopeRules(type).parentType;
  }
}

// The mapping of one index, compiled: how a name in a request finds its field, and how a document is
// turned into fields. Built from IndexMetadata (engine/mapping/compile.ts); immutable.

import type { Analyzer } from '../../analysis/index';
import type { EngineError } from '../../errors';
import type { JsonObject, SourceFilter } from '../../json/index';
import type { Similarities } from '../../similarity/index';
import type { EnvelopeRules } from './envelope-rules';
import type { FieldSink } from '../fields/field-sink';
import type { MappedField, FieldMatch } from '../fields/mapped-field';

/** The compiled mapping of an index. */
export interface IndexMapping {
  /** Types in the order they were added, `_default_` excluded. */
  readonly types: readonly string[];
  /**
   * Finds a name in the order of the reference server. `types`: the types of the URL, or empty. Given
   * types, a plain name that none of them maps is not found.
   */
  find(name: string, types: readonly string[]): FieldMatch | null;
  /** All indexed fields whose name matches a pattern with `*`, metadata fields included. */
  match(pattern: string, types: readonly string[]): readonly MappedField[];
  /** Fields of all types: what a pattern is compared with. */
  readonly fieldCount: number;
  /** All fields of a type, also those that are not indexed; empty for an unknown type. */
  fieldsOf(type: string): readonly MappedField[];
  /** The leaf fields below an object path (for exists/missing on objects). */
  leavesOf(objectPath: string, types: readonly string[]): readonly MappedField[];
  /**
   * The nested object at a path (type-prefixed too): its full path and that of its enclosing one; 'plain' for
   * a plain object; null when unknown.
   */
  nestedObject(
    path: string,
    types: readonly string[],
  ): { readonly path: string; readonly parent: string | null } | 'plain' | null;
  /** The index's default search analyzer (for unmapped fields). */
  readonly defaultSearchAnalyzer: Analyzer;
  /** A named analyzer of the index or a built-in one, or null. */
  analyzer(name: string): Analyzer | null;
  /** How fields are scored. */
  readonly similarities: Similarities;
  /** The document side of a type, or null when the type is not mapped yet. */
  documentMapper(type: string): DocumentMapper | null;
  /** How `_source` is stored and shown, by type. */
  sourceFilter(type: string): SourceFilter;
  /** What the type's metadata fields demand of documents; of unmapped types what `_default_` says. */
  envelopeRules(type: string): EnvelopeRules;
  /** Whether the mapped type requires routing (`_routing.required`, `_parent`). */
  routingRequired(type: string): boolean;
  /** The parent type of a child type, or null. */
  parentType(type: string): string | null;
}

/** What a document brings along besides its body. */
export interface DocumentEnvelope {
  readonly id: string;
  readonly routing: string | null;
  readonly parent: string | null;
  readonly timestamp: number | null;
  readonly expiry: number | null;
}

/** What walking one document brought to light. */
export interface DocumentOutcome {
  /**
   * New fields that dynamic mapping introduces, as a mapping of this type holding only them (mergeable
   * like a put mapping); null when there are none. Also set when `error` is: the reference keeps the
   * fields seen before the failure.
   */
  readonly mappingUpdate: JsonObject | null;
  /** Why the document is refused; null when it is fine. */
  readonly error: EngineError | null;
  /** `_source` as it is to be stored; of a refused document as it came. */
  readonly source: Buffer;
}

/** Turns documents of one type into fields. */
export interface DocumentMapper {
  readonly type: string;
  /**
   * Walks a document and hands the values of mapped fields to `sink`. Values of fields that only exist in
   * `mappingUpdate` are checked but not handed over: the mapping is compiled again before a segment is
   * built, and fields that are still unknown then are skipped.
   */
  parse(source: Buffer, envelope: DocumentEnvelope, sink: FieldSink): DocumentOutcome;
}

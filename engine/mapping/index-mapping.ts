// The mapping of one index, compiled: how a name in a request finds its field, and how a document is
// turned into fields. Built from IndexMetadata (engine/mapping/compile.ts); immutable.

import type { Analyzer } from '../analysis/analyzer';
import type { EngineError } from '../errors';
import type { JsonNumber, JsonObject, JsonValue } from '../json/json';
import type { EnvelopeRules } from './envelope-rules';
import type { FieldSink, IndexedField } from './field';
import type { SourceFilter } from '../search/request';

/** The type a user gave a field in the mapping. */
export type MappedTypeName =
  | 'string'
  | 'byte'
  | 'short'
  | 'integer'
  | 'long'
  | 'float'
  | 'double'
  | 'date'
  | 'boolean'
  | 'ip'
  | 'binary'
  | 'geo_point'
  | 'geo_shape'
  | 'token_count'
  | 'completion'
  | 'murmur3'
  | 'object'
  | 'nested'
  /** Metadata fields (`_uid`, `_type`, `_all`, ...). */
  | 'meta';

/** How a query value is turned into what the index holds. */
export interface RangeBoundOptions {
  /** True for the bound that is rounded up (`lte`, and `gt` in queries): date math and missing time parts. */
  readonly roundUp: boolean;
  /** Date format overriding the field's, or null. */
  readonly format: string | null;
  /** Time zone id or offset, or null. */
  readonly timeZone: string | null;
  /** Epoch ms that `now` stands for. */
  readonly now: number;
}

/** A field as one mapping type declares it. */
export interface MappedField {
  /** Full path, e.g. `author.name` or `title.raw`. */
  readonly path: string;
  /** Name under which it is indexed (differs with `index_name` or `path: just_name`). */
  readonly indexName: string;
  /** The mapping type that declares it. */
  readonly docType: string;
  readonly type: MappedTypeName;
  /** Null for objects, nested objects and fields that index nothing. */
  readonly field: IndexedField | null;
  /** Path of the innermost enclosing nested object, or null. */
  readonly nestedPath: string | null;
  /** For strings: analyzes query text. Null: the whole value is one term. */
  readonly searchAnalyzer: Analyzer | null;
  readonly boost: number;
  readonly nullValue: JsonValue | undefined;
  /** Date format as mapped (`dateOptionalTime`), else null. */
  readonly format: string | null;
  readonly similarity: string | null;
  readonly store: boolean;
  /**
   * The term (strings, booleans) or number the index holds for a query value.
   * @throws EngineError NumberFormatException, ElasticsearchParseException ... as the reference does
   */
  termOf(value: string | JsonNumber | boolean): string | number | bigint;
  /**
   * A range bound. Numbers are exact: a decimal bound on an integer field is truncated as the reference
   * truncates it. Strings give the text.
   */
  boundOf(
    value: string | JsonNumber | boolean,
    options: RangeBoundOptions,
  ): string | number | bigint;
}

/** A field found under a name, with the type restriction that the name carried (`doctype.field`). */
export interface FieldMatch {
  readonly mapped: MappedField;
  /** The type named as a prefix: the query is restricted to it as well. */
  readonly restrictToType: string | null;
}

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
  /** The leaf fields below an object path (for exists/missing on objects). */
  leavesOf(objectPath: string, types: readonly string[]): readonly MappedField[];
  /** The nested object at a path (type-prefixed too): its full path and that of its enclosing one; 'plain' for a plain object; null when unknown. */
  nestedObject(
    path: string,
    types: readonly string[],
  ): { readonly path: string; readonly parent: string | null } | 'plain' | null;
  /** The index's default search analyzer (for unmapped fields). */
  readonly defaultSearchAnalyzer: Analyzer;
  /** A named analyzer of the index or a built-in one, or null. */
  analyzer(name: string): Analyzer | null;
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
   * `mappingUpdate` are checked but not handed over: whoever builds a segment compiles the mapping first,
   * and what is still unknown then is skipped.
   */
  parse(source: Buffer, envelope: DocumentEnvelope, sink: FieldSink): DocumentOutcome;
}

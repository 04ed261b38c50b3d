// A field as a mapping type declares it, and how values of requests become what its index holds.

import type { Analyzer } from '../../analysis/index';
import type { ShapePrecision } from '../../geo/index';
import type { JsonNumber, JsonValue } from '../../json/index';
import type { IndexedField } from './field-sink';

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
  readonly now: () => number;
}

/** Where the texts of a string field are, and what of their tokens the mapping asks to be kept. */
export interface TextTraits {
  /** Where in `_source` its values are: of a sub-field those of the field that it belongs to. */
  readonly sourcePath: string;
  /** Makes the terms of its values, indexed or not. Null: a whole value is one term. */
  readonly analyzer: Analyzer | null;
  /** `term_vector` with positions and offsets. */
  readonly hasVectors: boolean;
  /** `index_options: offsets`. */
  readonly hasOffsets: boolean;
  /** Fields that its values are copied to (`copy_to`). */
  readonly copiesTo: readonly string[];
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
  /** Null for what is no string. */
  readonly text: TextTraits | null;
  readonly boost: number;
  readonly nullValue: JsonValue | undefined;
  /** Date format as mapped (`dateOptionalTime`), else null. */
  readonly format: string | null;
  readonly similarity: string | null;
  readonly store: boolean;
  /** For points: beginnings of their geohashes are terms of the field behind `.geohash`. */
  readonly hasGeohashPrefixes?: boolean;
  /** For shapes: the cells that stand for them. */
  readonly shapePrecision?: ShapePrecision;
  /** As mapped (`with_positions_offsets`); absent for fields that cannot keep term vectors. */
  readonly termVector?: string;
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

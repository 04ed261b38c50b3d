// What compiling a field needs to know of the place where it stands.

import type { Analyzer } from '../../analysis/index';
import type { IndexedField } from '../fields/field-sink';

/** Where a field stands in its type. */
export interface FieldLocation {
  readonly docType: string;
  /** Full path, e.g. `author.name` or `title.raw`. */
  readonly path: string;
  /** Name under which it is indexed. */
  readonly indexName: string;
  readonly nestedPath: string | null;
  /** Path of the field that a sub-field belongs to, which has its values; missing: the field's own path. */
  readonly sourcePath?: string;
  readonly setup: TypeSetup;
}

/** What compiling the fields of one type needs. */
export interface TypeSetup {
  /** The physical field of a definition; equal definitions share one object. */
  field(definition: Omit<IndexedField, 'id'>): IndexedField;
  /** @throws EngineError MapperParsingException when the index does not know the analyzer */
  analyzer(name: string): Analyzer;
  /** For fields that name no analyzer. */
  readonly indexAnalyzer: Analyzer;
  readonly searchAnalyzer: Analyzer;
  /** How lengths are counted by the similarity of a name; null: by the standard one. */
  lengthsOf(similarity: string | null): Pick<IndexedField, 'countsOverlaps'>;
  /** `_all` is enabled for the type. */
  readonly allEnabled: boolean;
  /** Index-wide defaults of `ignore_malformed` and `coerce`. */
  readonly ignoreMalformed: boolean;
  readonly coerce: boolean;
}

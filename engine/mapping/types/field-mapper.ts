// A field compiled: it turns the JSON values of documents into values of a sink, and query values into
// what the index holds. One class per field type.

import { EngineError } from '../../errors';
import {
  type JsonNumber,
  type JsonValue,
  JsonToken,
  type JsonScanner,
  mapperParsing,
} from '../../json/index';
import type { Analyzer } from '../../analysis/index';
import type { ShapeBudget } from '../../geo/index';
import type { FieldSink, IndexedField } from '../fields/field-sink';
import type { FieldMapping } from './field-mapping';
import type { FieldLocation } from './field-location';
import { numberFormat, parseDouble } from '../../common/index';
import type {
  MappedField,
  MappedTypeName,
  RangeBoundOptions,
  TextTraits,
} from '../fields/mapped-field';

/** A value in a query: text, or a JSON scalar. */
export type QueryValue = string | JsonNumber | boolean;

/** Where the values of one document go while it is parsed. */
export interface ValueContext extends ShapeBudget {
  readonly scanner: JsonScanner;
  /** The sink of the document (root or nested) at hand. */
  readonly sink: FieldSink;
  /** Factor of the whole document. */
  readonly documentBoost: number;
  /** Above 0 while a value is handed to sub-fields or copied: then it is not for `_all`. */
  secondary: number;
  /** Adds a text to `_all`. */
  addToAll(text: string, boost: number): void;
  /**
   * Calls `write` when the document has been read.
   *
   * @param write is told the values that the document has in the fields that are watched
   */
  atEnd(write: (valuesOf: (field: string) => readonly string[]) => void): void;
  /** Hands a scalar to the fields named by `copy_to`. */
  copyTo(targets: readonly string[], token: JsonToken, text: string): void;
}

const NO_BOOST =
  'You cannot set an index-time boost on an unindexed field, or one that omits norms';

/** A compiled field of one type. */
export abstract class FieldMapper implements MappedField {
  readonly path: string;
  readonly indexName: string;
  readonly docType: string;
  readonly type: MappedTypeName;
  readonly nestedPath: string | null;
  readonly boost: number;
  readonly similarity: string | null;
  readonly store: boolean;
  readonly termVector: string;
  readonly searchAnalyzer: Analyzer | null = null;
  readonly text: TextTraits | null = null;
  readonly nullValue: JsonValue | undefined = undefined;
  readonly format: string | null = null;
  /** Further searchable fields that belong to this one (coordinates of a point). */
  readonly parts: readonly FieldMapper[] = [];
  /** Indexed names of other fields whose values a document's values of this one depend on. */
  readonly watches: readonly string[] = [];
  /** True for types that read arrays themselves. */
  readonly readsArrays: boolean = false;
  protected readonly copies: readonly string[];
  protected readonly inAll: boolean;
  private readonly omitsNorms: boolean;

  constructor(
    mapping: FieldMapping,
    location: FieldLocation,
    readonly field: IndexedField | null,
    readonly subFields: readonly FieldMapper[] = mapping.compileSubFields(location),
  ) {
    const { common } = mapping;
    this.path = location.path;
    this.indexName = location.indexName;
    this.docType = location.docType;
    this.type = mapping.type;
    this.nestedPath = location.nestedPath;
    this.boost = common.boost;
    this.similarity = common.similarity;
    this.store = common.store;
    this.termVector = common.termVector;
    this.copies = common.copyTo;
    this.inAll = location.setup.allEnabled && (common.includeInAll ?? common.indexed);
    this.omitsNorms = common.omitNorms;
  }

  abstract termOf(value: QueryValue): string | number | bigint;

  boundOf(value: QueryValue, _options: RangeBoundOptions): string | number | bigint {
    return this.termOf(value);
  }

  /**
   * Stores one scalar or null. `text` is the decoded string or the spelling of the token.
   *
   * @throws EngineError the cause of a `failed to parse [field]`
   */
  protected abstract add(
    context: ValueContext,
    token: JsonToken,
    text: string,
    boost: number,
  ): void;

  /**
   * Reads the value at the scanner's token, which begins no array unless {@link readsArrays}; afterwards the
   * scanner stands on the value's last token.
   *
   * @throws EngineError MapperParsingException with the cause nested
   */
  parse(context: ValueContext): void {
    const { scanner } = context;
    if (scanner.token === JsonToken.ObjectStart) this.parseObject(context);
    else this.accept(context, scanner.token, scanner.text, 1);
  }

  /** Stores a scalar here, in the sub-fields and, outside of copies, in the `copy_to` targets. */
  accept(context: ValueContext, token: JsonToken, text: string, boost: number): void {
    try {
      this.add(context, token, text, boost);
      const isHeld = this.field !== null && token !== JsonToken.Null;
      if (boost !== 1 && this.omitsNorms && isHeld) {
        throw new EngineError('IllegalArgumentException', NO_BOOST);
      }
    } catch (error) {
      throw this.failed(error);
    }
    if (this.subFields.length > 0 || this.copies.length > 0) this.passOn(context, token, text);
  }

  private passOn(context: ValueContext, token: JsonToken, text: string): void {
    const within = context.secondary;
    context.secondary = within + 1;
    for (const sub of this.subFields) sub.accept(context, token, text, 1);
    if (within === 0 && this.copies.length > 0) context.copyTo(this.copies, token, text);
    context.secondary = within;
  }

  /** `{"value": ..., "boost": ...}` */
  protected parseObject(context: ValueContext): void {
    const { scanner } = context;
    const depth = scanner.depth - 1;
    let token: JsonToken = JsonToken.Null;
    let text = 'null';
    let boost = 1;
    try {
      while (scanner.next() !== JsonToken.ObjectEnd || scanner.depth > depth) {
        if (scanner.token !== JsonToken.Name) continue;
        const name = scanner.text;
        if (name === 'value' || name === '_value') {
          const found = scanner.next();
          if (found !== JsonToken.ObjectStart && found !== JsonToken.ArrayStart) {
            token = found;
            text = scanner.text;
          }
        } else if (name === 'boost' || name === '_boost') {
          scanner.next();
          boost = Math.fround(boostOf(scanner));
        } else {
          throw new EngineError(
            'ElasticsearchIllegalArgumentException',
            `unknown property [${name}]`,
          );
        }
      }
    } catch (error) {
      const failure = this.objectFailed(error);
      if (failure !== null) throw this.failed(failure);
      while (scanner.depth > depth) scanner.next();
      return;
    }
    this.accept(context, token, text, boost);
  }

  /** What becomes of an object that is no value: the error, or null to leave it out. */
  protected objectFailed(error: unknown): unknown {
    return error;
  }

  /** `failed to parse [field]`. Errors that concern the whole document stay as they are. */
  protected failed(error: unknown): unknown {
    if (!(error instanceof EngineError) || error instanceof DocumentError) return error;
    return mapperParsing(`failed to parse [${this.path}]`, error);
  }
}

/** A failure that is reported as it is, not as that of a field. */
export class DocumentError extends EngineError {}

function boostOf(scanner: JsonScanner): number {
  const { token, text } = scanner;
  if (token === JsonToken.Number) return Number(text);
  if (token === JsonToken.String) return parseDouble(text);
  throw numberFormat(text);
}

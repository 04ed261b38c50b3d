// `string`: analyzed or kept whole; any scalar counts with its spelling in the source.

import { EngineError } from '../../errors';
import {
  JsonNumber,
  type JsonObject,
  JsonToken,
  javaText,
  mapperParsing,
  optionInt,
} from '../../json/index';
import type { Analyzer } from '../../analysis/index';
import { VALIDATE_ONLY } from '../fields/dropping-sink';
import { DocumentError, FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import type { TextTraits } from '../fields/mapped-field';
import {
  nullValueOption,
  optionText,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon, requireAnalyzer } from './parse-options';

/** Longest term in UTF-8 bytes. */
const MAX_TERM_BYTES = 32_766;

interface StringOptions {
  readonly nullValue: string | null;
  readonly indexAnalyzer: string | null;
  readonly searchAnalyzer: string | null;
  readonly searchQuoteAnalyzer: string | null;
  readonly positionGap: number;
  /** Longer values are not indexed; 0 or less: no limit. */
  readonly ignoreAbove: number;
}

function defaultsOf(indexed: boolean, tokenized: boolean): TypeDefaults {
  const whole = indexed && !tokenized;
  return {
    indexed: true,
    tokenized: true,
    omitNorms: whole,
    boostNeedsNorms: whole,
    indexOptions: whole ? 'docs' : 'positions',
    inAll: true,
    subFields: true,
  };
}

/** A field of the type `string`. */
export class StringMapping extends FieldMapping {
  readonly type = 'string';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly own: StringOptions,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): StringMapping {
    const nullValue = nullValueOption(node);
    const common = parseCommon(name, node, context, defaultsOf);
    if (common.docValues && common.indexed && common.tokenized) {
      throw mapperParsing(`Field [${name}] cannot be analyzed and have doc values`);
    }
    const search = analyzerOption(name, node, 'search_analyzer', context);
    return new StringMapping(name, common, {
      nullValue: nullValue === undefined ? null : javaText(nullValue),
      indexAnalyzer: analyzerOption(name, node, 'index_analyzer', context),
      searchAnalyzer: search,
      searchQuoteAnalyzer: node.has('search_quote_analyzer')
        ? analyzerOption(name, node, 'search_quote_analyzer', context)
        : search,
      positionGap: intOption(node, 'position_offset_gap', 0),
      ignoreAbove: intOption(node, 'ignore_above', -1),
    });
  }

  protected defaults(indexed: boolean, tokenized: boolean): TypeDefaults {
    return defaultsOf(indexed, tokenized);
  }

  protected override get indexAnalyzerName(): string | null {
    const { indexed, tokenized } = this.common;
    return this.own.indexAnalyzer ?? (indexed && !tokenized ? 'keyword' : null);
  }

  protected renderOwn(out: JsonObject): void {
    const { indexAnalyzer, searchAnalyzer, searchQuoteAnalyzer } = this.own;
    if (indexAnalyzer !== null && indexAnalyzer === searchAnalyzer)
      out.set('analyzer', indexAnalyzer);
    else {
      if (indexAnalyzer !== null) out.set('index_analyzer', indexAnalyzer);
      if (searchAnalyzer !== null) out.set('search_analyzer', searchAnalyzer);
    }
    if (searchQuoteAnalyzer !== searchAnalyzer) {
      out.set('search_quote_analyzer', searchQuoteAnalyzer ?? 'default');
    }
    if (this.own.nullValue !== null) out.set('null_value', this.own.nullValue);
    if (this.own.positionGap !== 0) {
      out.set('position_offset_gap', new JsonNumber(String(this.own.positionGap)));
    }
    if (this.own.ignoreAbove !== -1)
      out.set('ignore_above', new JsonNumber(String(this.own.ignoreAbove)));
  }

  protected withCommon(common: CommonOptions): StringMapping {
    return new StringMapping(this.name, common, this.own);
  }

  protected mergeOwn(common: CommonOptions, next: this): StringMapping {
    const { own } = this;
    const search = next.own.searchAnalyzer ?? own.searchAnalyzer;
    return new StringMapping(this.name, common, {
      ...own,
      nullValue: next.own.nullValue,
      ignoreAbove: next.own.ignoreAbove,
      searchAnalyzer: search,
      searchQuoteAnalyzer: own.searchQuoteAnalyzer ?? search,
    });
  }

  compile(location: FieldLocation): StringMapper {
    const { setup } = location;
    const { indexAnalyzer, searchAnalyzer } = this.own;
    const analyzed = this.common.tokenized || indexAnalyzer !== null;
    const analyzer = !analyzed
      ? null
      : indexAnalyzer === null
        ? setup.indexAnalyzer
        : setup.analyzer(indexAnalyzer);
    const search =
      searchAnalyzer !== null
        ? setup.analyzer(searchAnalyzer)
        : analyzed
          ? setup.searchAnalyzer
          : null;
    return new StringMapper(this, location, this.common.tokenized ? analyzer : null, search);
  }

  /** The physical field; values of not analyzed fields stay whole whatever analyzer is named. */
  physical(location: FieldLocation, analyzer: Analyzer | null) {
    const gap = this.own.positionGap + (analyzer?.positionGap ?? 0);
    return this.physicalField(location, 'string', analyzer, gap);
  }
}

class StringMapper extends FieldMapper {
  override readonly searchAnalyzer: Analyzer | null;
  override readonly text: TextTraits;
  override readonly nullValue: string | undefined;
  private readonly ignoreAbove: number;

  constructor(
    mapping: StringMapping,
    location: FieldLocation,
    analyzer: Analyzer | null,
    search: Analyzer | null,
  ) {
    super(mapping, location, mapping.physical(location, analyzer));
    this.searchAnalyzer = search;
    const { termVector, indexOptions, indexed, copyTo } = mapping.common;
    this.text = {
      sourcePath: location.sourcePath ?? location.path,
      analyzer,
      hasVectors: indexed && termVector.startsWith('with_positions_offsets'),
      hasOffsets: indexed && indexOptions === 'offsets',
      copiesTo: copyTo,
    };
    this.nullValue = mapping.own.nullValue ?? undefined;
    this.ignoreAbove = mapping.own.ignoreAbove;
  }

  /**
   * Where values are only checked, a string is fine whatever it says unless it may be too long for a term.
   */
  override parse(context: ValueContext): void {
    const { scanner } = context;
    const isFine =
      context.sink === VALIDATE_ONLY &&
      scanner.token === JsonToken.String &&
      (scanner.end - scanner.start) * 3 <= MAX_TERM_BYTES &&
      this.subFields.length === 0 &&
      this.copies.length === 0;
    if (!isFine) super.parse(context);
  }

  protected add(context: ValueContext, token: JsonToken, text: string, boost: number): void {
    let value = text;
    if (token === JsonToken.Null) {
      if (this.nullValue === undefined) return;
      value = this.nullValue;
    }
    if (this.ignoreAbove > 0 && value.length > this.ignoreAbove) return;
    const total = boost * this.boost * context.documentBoost;
    if (this.inAll && context.secondary === 0) context.addToAll(value, total);
    const { field } = this;
    if (field === null) return;
    if (!field.indexed && !field.docValues) {
      context.sink.present(field);
      return;
    }
    if (field.analyzer === null && value.length * 3 > MAX_TERM_BYTES) this.checkLength(value);
    context.sink.text(field, value, total);
  }

  private checkLength(value: string): void {
    const bytes = Buffer.byteLength(value);
    if (bytes <= MAX_TERM_BYTES) return;
    const prefix = [...Buffer.from(value.slice(0, 30)).subarray(0, 30)];
    const signed = prefix.map((byte) => (byte > 127 ? byte - 256 : byte)).join(', ');
    const tooLong = `bytes can be at most ${MAX_TERM_BYTES} in length; got ${bytes}`;
    throw new DocumentError(
      'IllegalArgumentException',
      `Document contains at least one immense term in field="${this.indexName}" (whose UTF8 encoding is longer than the max length ${MAX_TERM_BYTES}), all of which were skipped.  Please correct the analyzer to not produce such terms.  The prefix of the first immense term is: '[${signed}]...', original message: ${tooLong}`,
      { cause: new EngineError('MaxBytesLengthExceededException', tooLong) },
    );
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}

/**
 * The name of an analyzer that a field uses, or null for the default one. `analyzer` stands for both
 * `index_analyzer` and `search_analyzer`.
 *
 * @throws EngineError when the index does not know it
 */
function analyzerOption(
  field: string,
  node: OptionNode,
  option: string,
  context: MappingContext,
): string | null {
  const shared = option === 'search_quote_analyzer' ? undefined : optionText(node, 'analyzer');
  const name = optionText(node, option) ?? shared;
  if (name === undefined || name === 'default') return null;
  requireAnalyzer(name, field, context);
  return name;
}

function intOption(node: OptionNode, name: string, otherwise: number): number {
  const value = node.get(name);
  return value === undefined ? otherwise : optionInt(value);
}

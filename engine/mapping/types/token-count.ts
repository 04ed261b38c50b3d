// `token_count`: how many tokens an analyzer makes of a text.

import {
  mapperParsing,
  optionInt,
  truncated,
  JsonNumber,
  type JsonObject,
  JsonToken,
} from '../../json/index';
import { type Analyzer, safeLength } from '../../analysis/index';
import { EngineError } from '../../errors';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import { storeNumber } from './number';
import {
  mergeNumericOptions,
  NUMERIC_DEFAULTS,
  parseNumericOptions,
  renderNumericOptions,
  type NumericOptions,
} from './numeric-options';
import {
  nullValueOption,
  optionText,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';
import { parseInt32 } from '../../common/index';

const PRECISION_STEP = 8;

/** A field of the type `token_count`. */
export class TokenCountMapping extends FieldMapping {
  readonly type = 'token_count';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly options: NumericOptions,
    readonly analyzer: string,
    readonly nullValue: number | null,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): TokenCountMapping {
    const common = parseCommon(name, node, context, () => NUMERIC_DEFAULTS);
    const nullValue = nullValueOption(node);
    const analyzer = optionText(node, 'analyzer');
    if (analyzer === undefined) {
      throw mapperParsing(`Analyzer must be set for field [${name}] but wasn't.`);
    }
    return new TokenCountMapping(
      name,
      common,
      parseNumericOptions(node, PRECISION_STEP),
      analyzer,
      nullValue === undefined ? null : optionInt(nullValue),
    );
  }

  protected defaults(): TypeDefaults {
    return NUMERIC_DEFAULTS;
  }

  protected override get indexAnalyzerName(): string {
    return `_int/${this.options.precisionStep ?? PRECISION_STEP}`;
  }

  protected renderOwn(out: JsonObject): void {
    renderNumericOptions(out, this.options);
    if (this.nullValue !== null) out.set('null_value', new JsonNumber(String(this.nullValue)));
    out.set('analyzer', this.analyzer);
  }

  protected withCommon(common: CommonOptions): TokenCountMapping {
    const { options, analyzer, nullValue } = this;
    return new TokenCountMapping(this.name, common, options, analyzer, nullValue);
  }

  protected mergeOwn(common: CommonOptions, next: this): TokenCountMapping {
    const options = mergeNumericOptions(this.options, next.options);
    return new TokenCountMapping(this.name, common, options, next.analyzer, next.nullValue);
  }

  compile(location: FieldLocation): FieldMapper {
    const { setup } = location;
    const analyzer =
      this.analyzer === 'default' ? setup.indexAnalyzer : setup.analyzer(this.analyzer);
    return new TokenCountMapper(
      this,
      location,
      this.physicalField(location, 'int', null),
      analyzer,
    );
  }
}

/** What analysis may make of a text whose tokens are only counted. */
const MAX_ANALYZED_BYTES = 128 * 1024 * 1024;

class TokenCountMapper extends FieldMapper {
  override readonly nullValue: JsonNumber | undefined;
  /** Texts up to this length become no more tokens than may be. */
  private readonly safeLength: number;

  constructor(
    private readonly mapping: TokenCountMapping,
    location: FieldLocation,
    field: IndexedField | null,
    private readonly analyzer: Analyzer,
  ) {
    super(mapping, location, field);
    this.safeLength = safeLength([analyzer], MAX_ANALYZED_BYTES);
    const { nullValue } = mapping;
    this.nullValue = nullValue === null ? undefined : new JsonNumber(String(nullValue));
  }

  protected add(context: ValueContext, token: JsonToken, text: string): void {
    let count: number | null = null;
    if (token === JsonToken.Null) {
      count = this.mapping.nullValue;
      if (count === null) return;
    }
    if (this.field !== null) storeNumber(context, this.field, count ?? this.positions(text));
  }

  /** Positions rather than tokens: removed words count, synonyms do not. */
  private positions(text: string): number {
    if (text.length > this.safeLength) this.checkSize(text);
    let count = 0;
    this.analyzer.forEachTerm(text, (_term, increment) => {
      count += increment;
    });
    return count;
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException when too much would be made to be counted */
  private checkSize(text: string): void {
    const size = this.analyzer.sizeOf?.(text, MAX_ANALYZED_BYTES) ?? 0;
    if (size <= MAX_ANALYZED_BYTES) return;
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `field [${this.path}] would count more tokens than [${MAX_ANALYZED_BYTES}] bytes`,
    );
  }

  termOf(value: QueryValue): number {
    if (value instanceof JsonNumber) return Number(truncated(value, 32));
    return parseInt32(String(value));
  }
}

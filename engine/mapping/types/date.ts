// `date`: stored as epoch milliseconds; text by format, numbers as milliseconds (or `numeric_resolution`).

import { EngineError } from '../../errors';
import {
  JsonNumber,
  type JsonObject,
  JsonToken,
  javaText,
  mapperParsing,
  truncated,
} from '../../json/index';
import { dateFormat, DEFAULT_DATE_FORMAT, type DateFormat } from '../dates/date-format';
import { timeZone, UTC } from '../dates/time-zone';
import { parseDateMath } from '../dates/date-math';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import { storeNumber } from './number';
import { jsonLong, requireIntegral } from './number-traits';
import {
  isMalformedValue,
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
import { compact, parseInt64, saturatedLong } from '../../common/index';
import type { RangeBoundOptions } from '../fields/mapped-field';

const PRECISION_STEP = 16;

/** Milliseconds per unit of `numeric_resolution`; a fraction where the unit is smaller. */
const RESOLUTIONS = new Map([
  ['nanoseconds', 1e-6],
  ['microseconds', 1e-3],
  ['milliseconds', 1],
  ['seconds', 1000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
]);

/** A locale as the reference prints it: `en_US`; nothing for the one of no country. */
function localeName(text: string): string {
  if (text === 'ROOT') return '';
  const [language = '', country, ...variant] = text.split('_');
  const parts = country === undefined ? [] : [country.toUpperCase(), ...variant];
  return [language.toLowerCase(), ...parts].join('_');
}

interface DateOptions extends NumericOptions {
  readonly format: string;
  readonly locale: string;
  readonly resolution: string;
  readonly nullValue: string | null;
}

/** A field of the type `date`. */
export class DateMapping extends FieldMapping {
  readonly type = 'date';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly own: DateOptions,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): DateMapping {
    const nullValue = nullValueOption(node);
    const common = parseCommon(name, node, context, () => NUMERIC_DEFAULTS);
    const format = optionText(node, 'format') ?? DEFAULT_DATE_FORMAT;
    dateFormat(format);
    const resolution = (optionText(node, 'numeric_resolution') ?? 'milliseconds').toLowerCase();
    if (!RESOLUTIONS.has(resolution)) {
      throw new EngineError(
        'IllegalArgumentException',
        `No enum constant java.util.concurrent.TimeUnit.${resolution.toUpperCase()}`,
      );
    }
    return new DateMapping(name, common, {
      ...parseNumericOptions(node, PRECISION_STEP),
      format,
      locale: localeName(optionText(node, 'locale') ?? ''),
      resolution,
      nullValue: nullValue === undefined ? null : javaText(nullValue),
    });
  }

  protected defaults(): TypeDefaults {
    return NUMERIC_DEFAULTS;
  }

  protected override get indexAnalyzerName(): string {
    return `_date/${this.own.precisionStep ?? PRECISION_STEP}`;
  }

  protected renderOwn(out: JsonObject): void {
    renderNumericOptions(out, this.own);
    out.set('format', this.own.format);
    if (this.own.nullValue !== null) out.set('null_value', this.own.nullValue);
    if (this.own.locale !== '') out.set('locale', this.own.locale);
    if (this.own.resolution !== 'milliseconds') out.set('numeric_resolution', this.own.resolution);
  }

  protected withCommon(common: CommonOptions): DateMapping {
    return new DateMapping(this.name, common, this.own);
  }

  protected mergeOwn(common: CommonOptions, next: this): DateMapping {
    return new DateMapping(this.name, common, {
      ...mergeNumericOptions(this.own, next.own),
      format: next.own.format,
      locale: next.own.locale,
      resolution: this.own.resolution,
      nullValue: next.own.nullValue,
    });
  }

  compile(location: FieldLocation): DateMapper {
    return new DateMapper(this.own, this, location, this.physicalField(location, 'long', null));
  }
}

class DateMapper extends FieldMapper {
  override readonly nullValue: string | undefined;
  override readonly format: string;
  private readonly dates: DateFormat;
  private readonly resolution: number;
  private readonly ignoreMalformed: boolean;
  private readonly coerce: boolean;

  constructor(
    private readonly own: DateOptions,
    mapping: FieldMapping,
    location: FieldLocation,
    field: IndexedField | null,
  ) {
    super(mapping, location, field);
    this.nullValue = own.nullValue ?? undefined;
    this.format = own.format;
    this.dates = dateFormat(own.format);
    this.resolution = RESOLUTIONS.get(own.resolution) ?? 1;
    this.ignoreMalformed = own.ignoreMalformed ?? location.setup.ignoreMalformed;
    this.coerce = own.coerce ?? location.setup.coerce;
  }

  protected add(context: ValueContext, token: JsonToken, text: string, boost: number): void {
    let shown = text;
    if (token === JsonToken.Null) {
      if (this.nullValue === undefined) return;
      shown = this.nullValue;
    }
    const isNumber = token === JsonToken.Number;
    // compat: the text of a date goes into _all, a number does not.
    if (!isNumber && this.inAll && context.secondary === 0) {
      context.addToAll(shown, boost * this.boost);
    }
    let value: number | bigint;
    try {
      value = isNumber ? this.parseNumber(text) : this.parseText(shown);
    } catch (error) {
      if (this.ignoreMalformed && isMalformedValue(error)) return;
      throw error;
    }
    if (this.field !== null) storeNumber(context, this.field, value);
  }

  private parseNumber(text: string): number | bigint {
    const value = jsonLong(text);
    if (!this.coerce) requireIntegral(text, 'Long');
    return this.toMillis(value);
  }

  /** Text by the format, or an integer in the field's resolution. */
  private parseText(text: string): number | bigint {
    try {
      return this.dates.parse(text);
    } catch (error) {
      try {
        return this.toMillis(compact(parseInt64(text)));
      } catch {
        throw mapperParsing(
          `failed to parse date field [${text}], tried both date format [${this.own.format}], and timestamp number with locale [${this.own.locale}]`,
          error,
        );
      }
    }
  }

  private toMillis(value: number | bigint): number | bigint {
    const { resolution } = this;
    if (resolution === 1) return value;
    const exact = BigInt(value);
    return compact(
      resolution > 1
        ? saturatedLong(exact * BigInt(resolution))
        : exact / BigInt(Math.round(1 / resolution)),
    );
  }

  protected override objectFailed(error: unknown): unknown {
    return this.ignoreMalformed && isMalformedValue(error) ? null : error;
  }

  /** A single value: numbers are milliseconds, text has to match the format; no date math. */
  termOf(value: QueryValue): number | bigint {
    if (value instanceof JsonNumber) return compact(truncated(value, 64));
    return this.dates.parse(String(value));
  }

  override boundOf(value: QueryValue, options: RangeBoundOptions): number | bigint {
    if (value instanceof JsonNumber) return compact(truncated(value, 64));
    return parseDateMath(String(value), {
      format: options.format === null ? this.dates : dateFormat(options.format),
      zone: options.timeZone === null ? UTC : timeZone(options.timeZone),
      now: options.now,
      roundUp: options.roundUp,
      resolution: Math.max(1, this.resolution),
    });
  }
}

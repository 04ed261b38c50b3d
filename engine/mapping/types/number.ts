// `byte`, `short`, `integer`, `long`, `float` and `double`.
//
// Behaviour as on the reference server. JSON decimals are truncated in integer fields, strings must be
// strictly integral; a byte takes what fits 16 bits and wraps around.

import { EngineError } from '../../errors';
import {
  JsonNumber,
  type JsonObject,
  type JsonValue,
  formatDouble,
  JsonToken,
  optionBoolean,
} from '../../json/index';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import {
  NUMBER_TRAITS,
  requireIntegral,
  type NumberTraits,
  type NumberTypeName,
} from './number-traits';
import {
  isMalformedValue,
  mergeNumericOptions,
  NUMERIC_DEFAULTS,
  parseNumericOptions,
  renderNumericOptions,
  type NumericOptions,
} from './numeric-options';
import {
  floatNumber,
  nullValueOption,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';

/** A field of a numeric type. */
export class NumberMapping extends FieldMapping {
  private constructor(
    name: string,
    common: CommonOptions,
    readonly type: NumberTypeName,
    readonly options: NumericOptions,
    readonly nullValue: number | bigint | null,
  ) {
    super(name, common);
  }

  static parse(
    type: NumberTypeName,
    name: string,
    node: OptionNode,
    context: MappingContext,
  ): NumberMapping {
    const nullValue = nullValueOption(node);
    return new NumberMapping(
      name,
      parseCommon(name, node, context, () => NUMERIC_DEFAULTS),
      type,
      parseNumericOptions(node, NUMBER_TRAITS[type].precisionStep),
      nullValue === undefined ? null : NUMBER_TRAITS[type].ofOption(nullValue),
    );
  }

  protected defaults(): TypeDefaults {
    return NUMERIC_DEFAULTS;
  }

  /** Part of the reference's analyzer name, so that a new precision step is a conflict. */
  protected override get indexAnalyzerName(): string {
    return `_${this.type}/${this.options.precisionStep ?? NUMBER_TRAITS[this.type].precisionStep}`;
  }

  protected renderOwn(out: JsonObject): void {
    renderNumericOptions(out, this.options);
    if (this.nullValue !== null) out.set('null_value', this.printed(this.nullValue));
  }

  private printed(value: number | bigint): JsonValue {
    if (this.type === 'float') return floatNumber(Number(value));
    const text = this.type === 'double' ? formatDouble(Number(value)) : String(value);
    return text.startsWith('"') ? text.slice(1, -1) : new JsonNumber(text);
  }

  protected withCommon(common: CommonOptions): NumberMapping {
    return new NumberMapping(this.name, common, this.type, this.options, this.nullValue);
  }

  protected mergeOwn(common: CommonOptions, next: this): NumberMapping {
    const options = mergeNumericOptions(this.options, next.options);
    return new NumberMapping(this.name, common, this.type, options, next.nullValue);
  }

  compile(location: FieldLocation): FieldMapper {
    const traits = NUMBER_TRAITS[this.type];
    return new NumberMapper(
      this,
      location,
      this.physicalField(location, traits.kind, null),
      traits,
    );
  }
}

/** Hands a number or 64-bit integer to the sink. */
export function storeNumber(
  context: ValueContext,
  field: IndexedField,
  value: number | bigint,
): void {
  if (!field.indexed && !field.docValues) context.sink.present(field);
  else if (typeof value === 'number') context.sink.number(field, value);
  else context.sink.long(field, value);
}

class NumberMapper extends FieldMapper {
  override readonly nullValue: JsonValue | undefined;
  private readonly nullNumber: number | bigint | null;
  private readonly coerce: boolean;
  private readonly ignoreMalformed: boolean;

  constructor(
    mapping: NumberMapping,
    location: FieldLocation,
    field: IndexedField | null,
    private readonly traits: NumberTraits,
  ) {
    super(mapping, location, field);
    this.nullNumber = mapping.nullValue;
    this.nullValue =
      mapping.nullValue === null ? undefined : new JsonNumber(String(mapping.nullValue));
    this.coerce = mapping.options.coerce ?? location.setup.coerce;
    this.ignoreMalformed = mapping.options.ignoreMalformed ?? location.setup.ignoreMalformed;
  }

  protected add(context: ValueContext, token: JsonToken, text: string, boost: number): void {
    let value: number | bigint;
    let shown = text;
    if (token === JsonToken.Null || (token === JsonToken.String && text === '')) {
      if (this.nullNumber === null) return;
      value = this.nullNumber;
      shown = String(value);
    } else {
      try {
        value = this.read(token, text);
      } catch (error) {
        if (this.ignoreMalformed && isMalformedValue(error)) return;
        throw error;
      }
    }
    if (this.inAll && context.secondary === 0) context.addToAll(shown, boost * this.boost);
    if (this.field !== null) storeNumber(context, this.field, value);
  }

  private read(token: JsonToken, text: string): number | bigint {
    const { traits } = this;
    if (token === JsonToken.Number) {
      const value = traits.ofNumber(text);
      if (!this.coerce && !traits.fraction) requireIntegral(text, traits.className);
      return value;
    }
    if (token === JsonToken.String) {
      if (this.coerce) return traits.ofString(text);
      throw new EngineError(
        'IllegalArgumentException',
        `${traits.className} value passed as String`,
      );
    }
    const name = token === JsonToken.True ? 'VALUE_TRUE' : 'VALUE_FALSE';
    throw new EngineError(
      'JsonParseException',
      `Current token (${name}) not numeric, can not use numeric value accessors`,
    );
  }

  protected override objectFailed(error: unknown): unknown {
    return this.ignoreMalformed && isMalformedValue(error) ? null : error;
  }

  termOf(value: QueryValue): number | bigint {
    if (value instanceof JsonNumber) return this.traits.ofQueryNumber(value);
    return this.traits.ofQueryText(String(value));
  }
}

/** Index settings that number fields fall back to. */
export function numericDefaults(settings: ReadonlyMap<string, string | readonly string[]>): {
  ignoreMalformed: boolean;
  coerce: boolean;
} {
  const flag = (name: string, otherwise: boolean): boolean => {
    const value = settings.get(name);
    return typeof value === 'string' ? optionBoolean(value) : otherwise;
  };
  return {
    ignoreMalformed: flag('index.mapping.ignore_malformed', false),
    coerce: flag('index.mapping.coerce', true),
  };
}

// `boolean`: the terms `T` and `F`.

import { EngineError } from '../../errors';
import { JsonNumber, type JsonObject, JsonToken, optionBoolean } from '../../json/index';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import { jsonInt } from './number-traits';
import {
  nullValueOption,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';
import { bodyBoolean } from '../../common/index';

const DEFAULTS: TypeDefaults = {
  indexed: true,
  tokenized: false,
  omitNorms: true,
  boostNeedsNorms: false,
  indexOptions: 'docs',
  inAll: false,
  subFields: false,
};

/** A field of the type `boolean`. */
export class BooleanMapping extends FieldMapping {
  readonly type = 'boolean';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly nullValue: boolean | null,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): BooleanMapping {
    const nullValue = nullValueOption(node);
    const common = parseCommon(name, node, context, () => DEFAULTS);
    if (common.tokenized) {
      throw new EngineError(
        'ElasticsearchIllegalArgumentException',
        "bool field can't be tokenized",
      );
    }
    // compat: doc values are no option of this type.
    return new BooleanMapping(
      name,
      { ...common, docValues: false },
      nullValue === undefined ? null : optionBoolean(nullValue),
    );
  }

  protected defaults(): TypeDefaults {
    return DEFAULTS;
  }

  protected override get indexAnalyzerName(): string {
    return 'keyword';
  }

  protected renderOwn(out: JsonObject): void {
    if (this.nullValue !== null) out.set('null_value', this.nullValue);
  }

  protected withCommon(common: CommonOptions): BooleanMapping {
    return new BooleanMapping(this.name, common, this.nullValue);
  }

  protected mergeOwn(common: CommonOptions, next: this): BooleanMapping {
    return new BooleanMapping(this.name, common, next.nullValue);
  }

  compile(location: FieldLocation): FieldMapper {
    return new BooleanMapper(this, location, this.physicalField(location, 'string', null));
  }
}

class BooleanMapper extends FieldMapper {
  override readonly nullValue: boolean | undefined;

  constructor(mapping: BooleanMapping, location: FieldLocation, field: IndexedField | null) {
    super(mapping, location, field);
    this.nullValue = mapping.nullValue ?? undefined;
  }

  protected add(context: ValueContext, token: JsonToken, text: string): void {
    let value: boolean;
    if (token === JsonToken.Null) {
      if (this.nullValue === undefined) return;
      value = this.nullValue;
    } else if (token === JsonToken.Number) value = jsonInt(text) !== 0;
    else if (token === JsonToken.String) value = bodyBoolean(text);
    else value = token === JsonToken.True;
    const { field } = this;
    if (field === null) return;
    if (field.indexed) context.sink.text(field, value ? 'T' : 'F', this.boost);
    else context.sink.present(field);
  }

  protected override parseObject(): void {
    throw this.failed(
      new EngineError('JsonParseException', 'Current token (START_OBJECT) not of boolean type'),
    );
  }

  termOf(value: QueryValue): string {
    if (typeof value === 'boolean') return value ? 'T' : 'F';
    const text = value instanceof JsonNumber ? value.text : value;
    return text === 'F' || !bodyBoolean(text) ? 'F' : 'T';
  }
}

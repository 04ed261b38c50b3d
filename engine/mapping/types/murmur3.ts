// `murmur3`: the hash of a value's text as a long, for counting distinct values.

import { JsonNumber, type JsonObject, JsonToken, truncated } from '../../json/index';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import { murmur3 } from './murmur3-hash';
import { storeNumber } from './number';
import {
  LONG_PRECISION_STEP,
  mergeNumericOptions,
  NUMERIC_DEFAULTS,
  parseNumericOptions,
  renderNumericOptions,
  WHOLE_PRECISION_STEP,
  type NumericOptions,
} from './numeric-options';
import type { CommonOptions, MappingContext, OptionNode, TypeDefaults } from './options';
import { parseCommon } from './parse-options';
import { compact, parseInt64 } from '../../common/index';

/** A field of the type `murmur3`. */
export class Murmur3Mapping extends FieldMapping {
  readonly type = 'murmur3';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly options: NumericOptions,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): Murmur3Mapping {
    const common = parseCommon(name, node, context, () => NUMERIC_DEFAULTS);
    // compat: the step of a long is taken for none having been given.
    return new Murmur3Mapping(name, common, parseNumericOptions(node, LONG_PRECISION_STEP));
  }

  protected defaults(): TypeDefaults {
    return NUMERIC_DEFAULTS;
  }

  private get precisionStep(): number {
    return this.options.precisionStep ?? WHOLE_PRECISION_STEP;
  }

  protected override get indexAnalyzerName(): string {
    return `_long/${this.precisionStep}`;
  }

  /** compat: the step is always printed, and a null_value that counts for nothing. */
  protected renderOwn(out: JsonObject): void {
    renderNumericOptions(out, { ...this.options, precisionStep: this.precisionStep });
    out.set('null_value', new JsonNumber('-1'));
  }

  protected withCommon(common: CommonOptions): Murmur3Mapping {
    return new Murmur3Mapping(this.name, common, this.options);
  }

  protected mergeOwn(common: CommonOptions, next: this): Murmur3Mapping {
    const options = mergeNumericOptions(this.options, next.options);
    return new Murmur3Mapping(this.name, common, options);
  }

  compile(location: FieldLocation): FieldMapper {
    return new Murmur3Mapper(this, location, this.physicalField(location, 'long', null));
  }
}

class Murmur3Mapper extends FieldMapper {
  constructor(mapping: Murmur3Mapping, location: FieldLocation, field: IndexedField | null) {
    super(mapping, location, field);
  }

  /** compat: the text of an object is its opening brace. */
  protected override parseObject(context: ValueContext): void {
    this.accept(context, JsonToken.String, '{', 1);
    context.scanner.skipChildren();
  }

  protected add(context: ValueContext, token: JsonToken, text: string, boost: number): void {
    if (token === JsonToken.Null) return;
    const hash = murmur3(text);
    if (this.inAll && context.secondary === 0) context.addToAll(String(hash), boost * this.boost);
    if (this.field !== null) storeNumber(context, this.field, compact(hash));
  }

  termOf(value: QueryValue): number | bigint {
    return compact(value instanceof JsonNumber ? truncated(value, 64) : parseInt64(String(value)));
  }
}

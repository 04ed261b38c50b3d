// `ip`: IPv4 addresses as numbers.

import { isIPv6 } from 'node:net';
import { EngineError } from '../../errors';
import { JsonNumber, type JsonObject, JsonToken, javaText, truncated } from '../../json/index';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
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
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';
import { compact } from '../../common/index';

const PRECISION_STEP = 16;

/** A field of the type `ip`. */
export class IpMapping extends FieldMapping {
  readonly type = 'ip';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly options: NumericOptions,
    readonly nullValue: string | null,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): IpMapping {
    const nullValue = nullValueOption(node);
    return new IpMapping(
      name,
      parseCommon(name, node, context, () => NUMERIC_DEFAULTS),
      parseNumericOptions(node, PRECISION_STEP),
      nullValue === undefined ? null : javaText(nullValue),
    );
  }

  protected defaults(): TypeDefaults {
    return NUMERIC_DEFAULTS;
  }

  protected override get indexAnalyzerName(): string {
    return `_ip/${this.options.precisionStep ?? PRECISION_STEP}`;
  }

  protected renderOwn(out: JsonObject): void {
    renderNumericOptions(out, this.options);
    if (this.nullValue !== null) out.set('null_value', this.nullValue);
  }

  protected withCommon(common: CommonOptions): IpMapping {
    return new IpMapping(this.name, common, this.options, this.nullValue);
  }

  protected mergeOwn(common: CommonOptions, next: this): IpMapping {
    const options = mergeNumericOptions(this.options, next.options);
    return new IpMapping(this.name, common, options, next.nullValue);
  }

  compile(location: FieldLocation): FieldMapper {
    return new IpMapper(this, location, this.physicalField(location, 'long', null));
  }
}

class IpMapper extends FieldMapper {
  override readonly nullValue: string | undefined;
  private readonly ignoreMalformed: boolean;

  constructor(mapping: IpMapping, location: FieldLocation, field: IndexedField | null) {
    super(mapping, location, field);
    this.nullValue = mapping.nullValue ?? undefined;
    this.ignoreMalformed = mapping.options.ignoreMalformed ?? location.setup.ignoreMalformed;
  }

  protected add(context: ValueContext, token: JsonToken, text: string, boost: number): void {
    let value = text;
    if (token === JsonToken.Null) {
      if (this.nullValue === undefined) return;
      value = this.nullValue;
    }
    if (this.inAll && context.secondary === 0) context.addToAll(value, boost * this.boost);
    let address: number;
    try {
      address = parseIp(value);
    } catch (error) {
      if (this.ignoreMalformed && isMalformedValue(error)) return;
      throw error;
    }
    const { field } = this;
    if (field === null) return;
    if (field.indexed || field.docValues) context.sink.number(field, address);
    else context.sink.present(field);
  }

  protected override parseObject(context: ValueContext): void {
    const failure = this.objectFailed(notAnAddress('{'));
    if (failure !== null) throw this.failed(failure);
    context.scanner.skipChildren();
  }

  protected override objectFailed(error: unknown): unknown {
    return this.ignoreMalformed && isMalformedValue(error) ? null : error;
  }

  termOf(value: QueryValue): number | bigint {
    if (value instanceof JsonNumber) return compact(truncated(value, 64));
    return parseIp(String(value));
  }
}

function notAnAddress(text: string): EngineError {
  const reason = isIPv6(text) ? 'not a valid ipv4 address (4 dots)' : 'not a valid ip address';
  return new EngineError(
    'ElasticsearchIllegalArgumentException',
    `failed to parse ip [${text}], ${reason}`,
  );
}

/**
 * A dotted quad as number.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException; leading zeros are not allowed
 */
export function parseIp(text: string): number {
  let address = 0;
  let octet = -1;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0x2e;
    if (code === 0x2e) {
      if (octet < 0 || octet > 255) throw notAnAddress(text);
      address = address * 256 + octet;
      octet = -1;
      digits = 0;
      dots++;
    } else {
      if (code < 0x30 || code > 0x39 || octet === 0 || digits === 3) throw notAnAddress(text);
      octet = Math.max(0, octet) * 10 + code - 0x30;
      digits++;
    }
  }
  if (dots !== 4) throw notAnAddress(text);
  return address;
}

// `binary`: base64 text that is kept in the source and not searchable.

import { JsonNumber, type JsonObject, JsonToken, javaText, optionBoolean } from '../../json/index';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import {
  optionText,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';

const DEFAULTS: TypeDefaults = {
  indexed: false,
  tokenized: true,
  omitNorms: false,
  boostNeedsNorms: false,
  indexOptions: 'positions',
  inAll: false,
  subFields: false,
};

/** Storage options of old versions: accepted, printed, without effect. */
interface BinaryOptions {
  readonly compress: boolean | null;
  readonly compressThreshold: string | null;
}

/** A field of the type `binary`. */
export class BinaryMapping extends FieldMapping {
  readonly type = 'binary';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly own: BinaryOptions,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): BinaryMapping {
    const threshold = optionText(node, 'compress_threshold') ?? null;
    const compress = node.get('compress');
    const common = parseCommon(name, node, context, () => DEFAULTS);
    return new BinaryMapping(
      name,
      { ...common, boost: 1, similarity: null, normsLoading: null },
      {
        compress:
          compress !== undefined ? optionBoolean(compress) : threshold !== null ? true : null,
        compressThreshold: threshold === null ? null : javaText(threshold),
      },
    );
  }

  protected defaults(): TypeDefaults {
    return DEFAULTS;
  }

  protected override get indexAnalyzerName(): string | null {
    const { indexed, tokenized } = this.common;
    return indexed && !tokenized ? 'keyword' : null;
  }

  protected renderOwn(out: JsonObject): void {
    if (this.own.compress !== null) out.set('compress', this.own.compress);
    if (this.own.compressThreshold !== null) {
      out.set('compress_threshold', this.own.compressThreshold);
    }
  }

  protected withCommon(common: CommonOptions): BinaryMapping {
    return new BinaryMapping(this.name, common, this.own);
  }

  protected mergeOwn(common: CommonOptions, next: this): BinaryMapping {
    return new BinaryMapping(this.name, common, {
      compress: next.own.compress ?? this.own.compress,
      compressThreshold: next.own.compressThreshold ?? this.own.compressThreshold,
    });
  }

  compile(location: FieldLocation): FieldMapper {
    const { store, docValues } = this.common;
    const field = store || docValues ? this.markerField(location) : null;
    return new BinaryMapper(this, location, field);
  }
}

class BinaryMapper extends FieldMapper {
  protected add(context: ValueContext, token: JsonToken): void {
    if (this.field !== null && token !== JsonToken.Null) context.sink.present(this.field);
  }

  protected override parseObject(context: ValueContext): void {
    context.scanner.skipChildren();
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}

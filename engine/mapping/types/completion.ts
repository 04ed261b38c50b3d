// `completion`: texts that a suggester completes, with what it shows for them and how it ranks them.
//
// Behaviour as on the reference server. Of the index only whether a document has a value is asked; what is
// suggested comes from the documents.

import { illegalArgument } from '../../errors';
import {
  JsonNumber,
  type JsonObject,
  type JsonValue,
  JsonToken,
  javaText,
  mapperParsing,
  optionBoolean,
  optionInt,
} from '../../json/index';
import {
  parseSuggestContexts,
  renderSuggestContexts,
  type SuggestContexts,
} from './completion-contexts';
import { readCompletion, requireInput } from './completion-value';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping, type FieldLocation } from './field-mapping';
import { NUMERIC_DEFAULTS } from './numeric-options';
import type { CommonOptions, MappingContext, OptionNode, TypeDefaults } from './options';
import { parseCommon } from './parse-options';

const DEFAULTS: TypeDefaults = { ...NUMERIC_DEFAULTS, inAll: false };
const ANALYZER = 'simple';
const MAX_INPUT_LENGTH = 50;

const OPTIONS = new Set([
  'type',
  'analyzer',
  'index_analyzer',
  'search_analyzer',
  'payloads',
  'preserve_separators',
  'preserve_position_increments',
  'max_input_length',
  'max_input_len',
  'fields',
  'context',
]);

/** What a completion field was told. */
export interface CompletionOptions {
  readonly indexAnalyzer: string;
  readonly searchAnalyzer: string;
  readonly payloads: boolean;
  readonly preserveSeparators: boolean;
  readonly preservePositionIncrements: boolean;
  readonly maxInputLength: number;
  readonly contexts: SuggestContexts;
}

/** A field of the type `completion`. */
export class CompletionMapping extends FieldMapping {
  readonly type = 'completion';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly own: CompletionOptions,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): CompletionMapping {
    const analyzer = (option: string): string => {
      const value = node.get(option) ?? node.get('analyzer') ?? ANALYZER;
      const text = javaText(value);
      if (text === 'default' || context.hasAnalyzer(text)) return text;
      throw illegalArgument(`Can't find default or mapped analyzer with name [${text}]`);
    };
    const unknown = [...node.keys()].find((option) => !OPTIONS.has(option));
    const [indexAnalyzer, searchAnalyzer] = [
      analyzer('index_analyzer'),
      analyzer('search_analyzer'),
    ];
    if (unknown !== undefined) throw mapperParsing(`Unknown field [${unknown}]`);
    const flag = (option: string, otherwise: boolean): boolean =>
      optionBoolean(node.get(option) ?? otherwise);
    const length = node.get('max_input_length') ?? node.get('max_input_len');
    const maxInputLength = length === undefined ? MAX_INPUT_LENGTH : optionInt(length);
    if (maxInputLength <= 0) {
      throw illegalArgument(`max_input_length must be > 0 but was [${maxInputLength}]`);
    }
    const fields = new Map([...node].filter(([option]) => option === 'fields'));
    return new CompletionMapping(
      name,
      parseCommon(name, fields, context, () => DEFAULTS),
      {
        indexAnalyzer,
        searchAnalyzer,
        payloads: flag('payloads', false),
        preserveSeparators: flag('preserve_separators', true),
        preservePositionIncrements: flag('preserve_position_increments', true),
        maxInputLength,
        contexts: parseSuggestContexts(node.get('context') ?? null),
      },
    );
  }

  protected defaults(): TypeDefaults {
    return DEFAULTS;
  }

  protected override get indexAnalyzerName(): string {
    return this.own.indexAnalyzer;
  }

  /** compat: all options are printed, also those that have their default. */
  protected renderOwn(out: JsonObject): void {
    const { own } = this;
    if (own.indexAnalyzer === own.searchAnalyzer) out.set('analyzer', own.indexAnalyzer);
    else {
      out.set('index_analyzer', own.indexAnalyzer);
      out.set('search_analyzer', own.searchAnalyzer);
    }
    out.set('payloads', own.payloads);
    out.set('preserve_separators', own.preserveSeparators);
    out.set('preserve_position_increments', own.preservePositionIncrements);
    out.set('max_input_length', new JsonNumber(String(own.maxInputLength)));
    const contexts = renderSuggestContexts(own.contexts);
    if (contexts.size > 0) out.set('context', contexts);
  }

  protected withCommon(common: CommonOptions): CompletionMapping {
    return new CompletionMapping(this.name, common, this.own);
  }

  protected mergeOwn(
    common: CommonOptions,
    next: this,
    path: string,
    conflicts: string[],
  ): CompletionMapping {
    const check = (current: JsonValue, wanted: JsonValue, what: string): void => {
      if (current !== wanted) conflicts.push(`mapper [${path}] has different ${what} values`);
    };
    const { own } = this;
    check(own.payloads, next.own.payloads, 'payload');
    check(
      own.preservePositionIncrements,
      next.own.preservePositionIncrements,
      "'preserve_position_increments'",
    );
    check(own.preserveSeparators, next.own.preserveSeparators, "'preserve_separators'");
    check(textOf(own.contexts), textOf(next.own.contexts), "'context_mapping'");
    const { searchAnalyzer, maxInputLength } = next.own;
    return new CompletionMapping(this.name, common, { ...own, searchAnalyzer, maxInputLength });
  }

  compile(location: FieldLocation): FieldMapper {
    return new CompletionMapper(this, location, this.markerField(location));
  }
}

function textOf(contexts: SuggestContexts): string {
  return javaText(renderSuggestContexts(contexts));
}

class CompletionMapper extends FieldMapper {
  private readonly own: CompletionOptions;

  constructor(mapping: CompletionMapping, location: FieldLocation, field: FieldMapper['field']) {
    super(mapping, location, field);
    this.own = mapping.own;
  }

  override parse(context: ValueContext): void {
    const { scanner } = context;
    const { token } = scanner;
    if (token === JsonToken.String) {
      this.accept(context, token, scanner.text, 1);
    } else if (token === JsonToken.ObjectStart) {
      readCompletion(scanner, this.own);
      this.mark(context);
    } else {
      throw mapperParsing(
        token === JsonToken.Null
          ? `no object mapping found for null value in [${this.path}]`
          : `object mapping for [${this.docType}] tried to parse field [${this.path}] as object, but got EOF, has a concrete value been provided to it?`,
      );
    }
  }

  protected add(context: ValueContext, _token: JsonToken, text: string): void {
    requireInput(text);
    this.mark(context);
  }

  /** The errors of completions do not name the field. */
  protected override failed(error: unknown): unknown {
    return error;
  }

  private mark({ sink }: ValueContext): void {
    if (this.field !== null) sink.present(this.field);
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}

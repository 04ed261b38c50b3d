// `completion`: texts that a suggester completes, with what it shows for them and how it ranks them.
//
// Behaviour as on the reference server. Its keys are the terms of the field, which queries find; beside them
// the index has what is shown for each key.

import { EngineError, illegalArgument } from '../../errors';
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
import { documentPrefixes } from './completion-context-values';
import { completionPaths } from './completion-paths';
import {
  plainCompletion,
  readCompletion,
  requireInput,
  requireRoom,
  type CompletionValue,
} from './completion-value';
import { DocumentError, FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import type { FieldSink, IndexedField } from '../fields/field-sink';
import type { Analyzer } from '../../analysis/index';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import { NUMERIC_DEFAULTS } from './numeric-options';
import type { CommonOptions, MappingContext, OptionNode, TypeDefaults } from './options';
import { parseCommon } from './parse-options';
import type { CompletionOptions } from './completion-options';

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
    const field = location.setup.field({
      name: location.indexName,
      kind: 'string',
      indexed: true,
      analyzer: null,
      indexOptions: 'positions',
      norms: false,
      docValues: false,
      positionGap: 0,
    });
    return new CompletionMapper(this, location, field);
  }
}

function textOf(contexts: SuggestContexts): string {
  return javaText(renderSuggestContexts(contexts));
}

/** UTF-16 units of an input that are looked at: not half of a character. */
function shortened(input: string, length: number): string {
  if (input.length <= length) return input;
  const isSplit = (input.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return input.slice(0, isSplit ? length + 1 : length);
}

/** A completion field compiled. */
export class CompletionMapper extends FieldMapper {
  readonly own: CompletionOptions;
  override readonly searchAnalyzer: Analyzer;
  override readonly watches: readonly string[];
  private readonly indexAnalyzer: Analyzer;

  constructor(mapping: CompletionMapping, location: FieldLocation, field: FieldMapper['field']) {
    super(mapping, location, field);
    const { own } = mapping;
    this.own = own;
    const { setup } = location;
    this.indexAnalyzer =
      own.indexAnalyzer === 'default' ? setup.indexAnalyzer : setup.analyzer(own.indexAnalyzer);
    this.searchAnalyzer =
      own.searchAnalyzer === 'default' ? setup.indexAnalyzer : setup.analyzer(own.searchAnalyzer);
    this.watches = [...own.contexts.values()].flatMap(({ path }) => path ?? []);
  }

  override parse(context: ValueContext): void {
    const { scanner } = context;
    const { token } = scanner;
    if (token === JsonToken.String) {
      this.accept(context, token, scanner.text, 1);
    } else if (token === JsonToken.ObjectStart) {
      this.complete(context, readCompletion(scanner, this.own));
    } else {
      throw mapperParsing(
        token === JsonToken.Null
          ? `no object mapping found for null value in [${this.path}]`
          : `object mapping for [${this.docType}] tried to parse field [${this.path}] as object, but got EOF, has a concrete value been provided to it?`,
      );
    }
  }

  protected add(context: ValueContext, token: JsonToken, text: string): void {
    if (token === JsonToken.Null) return;
    this.complete(context, plainCompletion(text));
  }

  /** The errors of completions do not name the field. */
  protected override failed(error: unknown): unknown {
    return error;
  }

  private complete(context: ValueContext, value: CompletionValue): void {
    const inputs = value.inputs.filter((input) => input !== '');
    const texts = inputs.map((input) => {
      const text = shortened(input, this.own.maxInputLength);
      requireInput(value.output ?? input, input, text);
      requireRoom(value.output ?? input, value.payload);
      return text;
    });
    if (inputs.length === 0 || this.field === null) return;
    const { field } = this;
    const { contexts, preserveSeparators } = this.own;
    const { sink } = context;
    if (sink.isChecking === true) {
      const checked = { ...field, analyzer: this.indexAnalyzer };
      for (const text of texts) sink.text(checked, text, 1);
    }
    if (contexts.size === 0) this.write(sink, field, value, inputs, texts, ['']);
    else {
      // What other fields of the document hold is known at its end.
      context.atEnd((valuesOf) => {
        const prefixes = refusing(() =>
          documentPrefixes(contexts, value.contexts, valuesOf, preserveSeparators),
        );
        this.write(sink, field, value, inputs, texts, prefixes);
      });
    }
  }

  private write(
    sink: FieldSink,
    field: IndexedField,
    { output, weight, payload }: CompletionValue,
    inputs: readonly string[],
    texts: readonly string[],
    prefixes: readonly string[],
  ): void {
    if (sink.isChecking === true) return;
    sink.present(field);
    const keys = new Set<string>();
    inputs.forEach((input, i) => {
      const paths = completionPaths(this.indexAnalyzer, texts[i]!, this.own);
      for (const prefix of prefixes) {
        for (const path of paths) {
          const key = prefix + path;
          sink.text(field, key, 1);
          const isFirst = !keys.has(key);
          keys.add(key);
          sink.completion(field, { key, surface: output ?? input, weight, payload, isFirst });
        }
      }
    });
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}

/** The error of a document that is reported as it is. */
function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new DocumentError(error.wireName, error.message, { cause: error.cause });
  }
}

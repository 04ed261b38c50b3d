// What metadata fields share: collecting the options that are kept, and merging them.

import {
  javaText,
  mapperParsing,
  optionBoolean,
  underscoreCase,
  type JsonObject,
  type JsonValue,
} from '../../json/index';
import type { MappingContext, OptionNode } from '../types/options';

/** How the options of one metadata field are read and merged. */
export interface MetaField {
  readonly name: string;
  /** Canonical options. @throws EngineError */
  read(node: OptionNode, context: MappingContext): JsonObject;
  /** The options after a put; null: the current ones stay. Both are empty when nothing was said. */
  merge(current: JsonObject, next: JsonObject, conflicts: string[]): JsonObject | null;
}

/** No options. */
export const NOTHING: JsonObject = new Map();

/** Collects canonical options from a node. */
class Options {
  readonly out: JsonObject = new Map<string, JsonValue>();

  constructor(private readonly node: OptionNode) {}

  /** Keeps a boolean when it was said. */
  said(name: string): this {
    const value = this.node.get(name);
    if (value !== undefined) this.out.set(name, optionBoolean(value));
    return this;
  }

  /** Keeps a boolean when it differs from its default. */
  unless(name: string, standard: boolean): this {
    const value = this.node.get(name);
    if (value === undefined) return this;
    const flag = name === 'store' && javaText(value) === 'no' ? false : optionBoolean(value);
    if (flag !== standard) this.out.set(name, flag);
    return this;
  }

  /** Keeps a text that differs from its default. */
  text(name: string, standard?: string): this {
    const value = this.node.get(name);
    if (value !== undefined && value !== null && javaText(value) !== standard) {
      this.out.set(name, javaText(value));
    }
    return this;
  }

  /** Keeps one of some values of `index`. */
  index(...kept: readonly string[]): this {
    const value = this.node.get('index');
    if (value !== undefined && kept.includes(underscoreCase(javaText(value)))) {
      this.out.set('index', underscoreCase(javaText(value)));
    }
    return this;
  }

  /** Keeps the analyzers, as one where they are the same. @throws EngineError for an unknown one */
  analyzers(context: MappingContext, field: string): this {
    const name = (option: string): string | null => {
      const value = this.node.get(option) ?? this.node.get('analyzer');
      if (value === undefined || value === null) return null;
      const text = javaText(value);
      if (text === 'default') return null;
      if (context.hasAnalyzer(text)) return text;
      throw mapperParsing(`Analyzer [${text}] not found for field [${field}]`);
    };
    const index = name('index_analyzer');
    const search = name('search_analyzer');
    if (index !== null && index === search) this.out.set('analyzer', index);
    else {
      if (index !== null) this.out.set('index_analyzer', index);
      if (search !== null) this.out.set('search_analyzer', search);
    }
    return this;
  }
}

/** A field whose options cannot change. */
export const keep = (): null => null;

/** Takes over what the next declaration says, option by option. */
export function override(current: JsonObject, next: JsonObject): JsonObject {
  return new Map([...current, ...next]);
}

/** The canonical options that `fill` collects. */
export function optionsOf(node: OptionNode, fill: (options: Options) => void): JsonObject {
  const options = new Options(node);
  fill(options);
  return options.out;
}

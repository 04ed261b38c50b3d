// What parsing a suggestion may look at.

import type { Analyzer, Token } from '../../analysis/index';
import { SizeBudget } from '../../analysis/index';
import type { RequestMeter } from '../../common/index';
import { EngineError, illegalArgument } from '../../errors';
import { isScalar, javaText, lenientFloat, lenientInteger, type JsonValue } from '../../json/index';
import type { IndexMapping, MappedField } from '../../mapping/index';
import type { FieldId, IndexMetadata } from '../../metadata/index';
import type { ScriptLibrary } from '../../script/index';

/** One index as suggestions see it. */
export interface SuggestScope {
  readonly index: IndexMetadata;
  readonly mapping: IndexMapping;
  readonly meter: RequestMeter;
  /** The scripts that templates may name. */
  readonly services: { readonly scripts: () => ScriptLibrary };
}

/** The field that a name stands for, or null. */
export function mappedField({ mapping }: SuggestScope, name: string): MappedField | null {
  return mapping.find(name, [])?.mapped ?? null;
}

/**
 * The terms that are indexed under a name; null: none are. compat: other names of a field, such as one with
 * its type before it, find the field and none of its terms.
 */
export function termsField(mapped: MappedField | null, name: string): FieldId | null {
  const isTerms = mapped?.field?.kind === 'string' && mapped.indexName === name;
  return isTerms ? mapped.field.id : null;
}

/** @throws EngineError ElasticsearchIllegalArgumentException for an unknown one */
export function analyzerOf({ mapping }: SuggestScope, name: string): Analyzer {
  const analyzer = mapping.analyzer(name);
  if (analyzer === null) throw illegalArgument(`Analyzer [${name}] doesn't exists`);
  return analyzer;
}

/**
 * The tokens of a text; without an analyzer the text is one.
 *
 * @throws EngineError when they are more than a request may have
 */
export function tokensOf(
  { meter }: SuggestScope,
  analyzer: Analyzer | null,
  text: string,
): readonly Token[] {
  meter.add('text', text.length);
  if (analyzer !== null) {
    const tokens = analyzer.analyze(text, new SizeBudget((bytes) => meter.add('analyzed', bytes)));
    meter.add('suggestions', tokens.length);
    return tokens;
  }
  meter.add('suggestions', 1);
  const { length } = text;
  const whole = { term: text, positionIncrement: 1, startOffset: 0, endOffset: length };
  return length === 0 ? [] : [{ ...whole, type: 'word' }];
}

/** Options that all suggesters have. */
export class CommonOptions {
  field: string | null = null;
  analyzer: Analyzer | null = null;
  size = DEFAULT_SIZE;
  /** -1: not given. */
  shardSize = -1;

  /**
   * Takes an option over; false when it is none of these.
   *
   * @throws EngineError
   */
  read(name: string, value: JsonValue, scope: SuggestScope): boolean {
    switch (name) {
      case 'analyzer':
        this.analyzer = analyzerOf(scope, javaText(value));
        return true;
      case 'field':
        this.field = javaText(value);
        return true;
      case 'size':
        this.size = positive('Size', integer(value));
        return true;
      case 'shard_size':
      case 'shardSize':
        this.shardSize = positive('ShardSize', integer(value));
        return true;
      default:
        return false;
    }
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException */
  requireField(): string {
    if (this.field === null) throw illegalArgument('The required field option is missing');
    return this.field;
  }

  /** Options that each shard gives. */
  get optionsPerShard(): number {
    return this.shardSize === -1 ? Math.max(this.size, DEFAULT_SIZE) : this.shardSize;
  }
}

const DEFAULT_SIZE = 5;

function positive(what: string, value: number): number {
  if (value > 0) return value;
  throw illegalArgument(`${what} must be positive but was: ${value}`);
}

/** Whether a value is written in one piece and is no null. */
export function isValue(value: JsonValue): boolean {
  return value !== null && isScalar(value);
}

/** @throws EngineError NumberFormatException, JsonParseException */
export function integer(value: JsonValue): number {
  return lenientInteger(value, 0);
}

/** A 32-bit float. @throws EngineError NumberFormatException, JsonParseException */
export function float(value: JsonValue): number {
  return Math.fround(lenientFloat(value, 0) ?? 0);
}

/** @throws EngineError NumberFormatException, JsonParseException */
export function double(value: JsonValue): number {
  return lenientFloat(value, 0) ?? 0;
}

/** An error that the reference did not foresee. */
export function internalError(
  name: 'NullPointerException' | 'ClassCastException' | 'IllegalArgumentException',
  text: string,
): EngineError {
  return new EngineError(name, text, { status: 500 });
}

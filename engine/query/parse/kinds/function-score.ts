// `function_score`: a query or filter with scores changed by functions.

import { EngineError, illegalArgument } from '../../../errors';
import {
  type JsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../json/index';
import type { KindParser, ParseScope } from '../scope/parse-scope';
import { MATCH_ALL, type Query } from '../../ast/query';
import type {
  BoostMode,
  FunctionMode,
  ScoreFunction,
  WeightedFunction,
} from '../../ast/score-function';
import { floatOf, isScalar, optionName, textOf, tokenName } from '../scope/members';
import { parseScoreFunction } from './score-functions';

const MAX_FLOAT = 3.4028234663852886e38;

const SCORE_MODES: ReadonlyMap<string, FunctionMode> = new Map<string, FunctionMode>([
  ['avg', 'avg'],
  ['max', 'max'],
  ['min', 'min'],
  ['sum', 'sum'],
  ['multiply', 'multiply'],
  ['first', 'first'],
]);

const BOOST_MODES: ReadonlyMap<string, BoostMode> = new Map<string, BoostMode>([
  ['avg', 'avg'],
  ['max', 'max'],
  ['min', 'min'],
  ['sum', 'sum'],
  ['multiply', 'multiply'],
  ['replace', 'replace'],
]);

/** `{query|filter, functions|FUNCTION, score_mode, boost_mode, max_boost, min_score, boost}`. */
export const parseFunctionScore: KindParser = (body, scope) => {
  const parser = new FunctionScoreParser(scope);
  for (const [name, value] of Array.isArray(body) ? [] : body) parser.read(name, value);
  return parser.result();
};

class FunctionScoreParser {
  private query: Query | null = null;
  private filter: Query | null = null;
  private boost = 1;
  private scoreMode: FunctionMode = 'multiply';
  private boostMode: BoostMode = 'multiply';
  private maxBoost = MAX_FLOAT;
  private minScore: number | null = null;
  private readonly functions: WeightedFunction<Query>[] = [];
  /** The name of the only function, or null. */
  private single: string | null = null;
  private hasList = false;

  constructor(private readonly scope: ParseScope) {}

  read(name: string, value: JsonValue): void {
    if (isJsonObject(value) && (name === 'query' || name === 'filter')) {
      if (name === 'query') this.query = this.scope.query(value);
      else this.filter = this.scope.filter(value);
      return;
    }
    if (name === 'functions') {
      this.readFunctions(value);
      return;
    }
    if (isScalar(value) && this.readOption(optionName(name), value)) return;
    this.readSingle(name, value);
  }

  result(): Query {
    const { query, filter, scoreMode, boostMode, maxBoost, minScore, boost } = this;
    return {
      kind: 'functionScore',
      query: this.inner(query, filter),
      functions: this.functions,
      scoreMode,
      boostMode,
      maxBoost,
      minScore,
      boost,
    };
  }

  private inner(query: Query | null, filter: Query | null): Query {
    if (filter === null) return query ?? MATCH_ALL;
    if (query === null) return { kind: 'constantScore', query: filter, boost: 1 };
    return { kind: 'filtered', query, filter, boost: 1 };
  }

  private readOption(name: string, value: string | boolean | JsonNumber): boolean {
    const text = textOf(value);
    switch (name) {
      case 'score_mode':
        this.scoreMode = SCORE_MODES.get(text) ?? this.illegal('score_mode', text);
        return true;
      case 'boost_mode':
        this.boostMode = BOOST_MODES.get(text) ?? this.illegal('boost_mode', text);
        return true;
      case 'max_boost':
        this.maxBoost = floatOf(value);
        return true;
      case 'min_score':
        this.minScore = floatOf(value);
        return true;
      case 'boost':
        this.boost = floatOf(value);
        return true;
      default:
        return false;
    }
  }

  private illegal(option: string, text: string): never {
    throw this.scope.error(`function_score illegal ${option} [${text}]`);
  }

  private readSingle(name: string, value: JsonValue): void {
    const shown = isWeight(name) ? 'weight' : name;
    // compat: what is no function is complained about first.
    const single: WeightedFunction<Query> = isWeight(name)
      ? { filter: null, function: { kind: 'constant' }, weight: weightOf(value, this.scope) }
      : { filter: null, function: parseScoreFunction(name, value, this.scope), weight: null };
    if (this.hasList) {
      throw parseError(
        `You can either define "functions":[...] or a single function, not both. Found "functions": [...] already, now encountering "${shown}".`,
      );
    }
    if (this.single !== null) {
      throw parseError(
        `Found function ${this.single} already, now encountering "${shown}". Use functions[{...},...] if you want to define several functions.`,
      );
    }
    this.functions.push(single);
    this.single = shown;
  }

  private readFunctions(value: JsonValue): void {
    if (this.single !== null) {
      throw parseError(
        `You can either define "functions":[...] or a single function, not both. Found "${this.single}" already, now encountering "functions": [...].`,
      );
    }
    this.hasList = true;
    if (!Array.isArray(value)) throw this.malformed(value);
    const entries = value;
    this.scope.context.meter.add('queries', entries.length);
    for (const entry of entries) {
      if (!isJsonObject(entry)) throw this.malformed(entry);
      this.functions.push(this.entry(entry));
    }
  }

  private malformed(value: JsonValue): EngineError {
    return this.scope.error(
      `function_score: malformed query, expected a START_OBJECT while parsing functions but got a ${tokenName(value)}`,
    );
  }

  private entry(members: JsonObject): WeightedFunction<Query> {
    let filter: Query | null = null;
    let weight: number | null = null;
    let weightName: string | null = null;
    let found: ScoreFunction | null = null;
    for (const [name, value] of members) {
      if (isWeight(name)) {
        if (weightName !== null && weightName !== name) {
          throw illegalArgument(
            "'boost_factor' and 'weight' cannot be used together. Use 'weight'.",
          );
        }
        weightName = name;
        weight = weightOf(value, this.scope);
      } else if (name === 'filter') {
        filter = this.scope.filter(value);
      } else {
        found = parseScoreFunction(name, value, this.scope);
      }
    }
    if (found === null && weight === null) {
      throw parseError('function_score: One entry in functions list is missing a function.');
    }
    if (found !== null) return { filter, function: found, weight };
    // compat: a boost factor alone is a function, which an average divides by 1, not a weight.
    return weightName === 'weight'
      ? { filter, function: { kind: 'constant' }, weight }
      : { filter, function: { kind: 'constant', value: weight! }, weight: null };
  }
}

function isWeight(name: string): boolean {
  return name === 'weight' || name === 'boost_factor' || name === 'boostFactor';
}

function weightOf(value: JsonValue, scope: ParseScope): number {
  if (isScalar(value)) return floatOf(value);
  throw scope.error(`function_score: malformed weight, got a ${tokenName(value)}`);
}

function parseError(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

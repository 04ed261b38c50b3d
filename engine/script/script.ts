// Running scripts: the entry for facets, filters, sorting, scoring, script fields and updates.
//
//   const plan = planScript({ source, lang, params }, index);        on main, once per index: plain data
//   const script = bindScript(plan, { now });                        where the job runs
//   script.open(segment);                                            once per segment
//   script.number(doc) / script.truth(doc) / script.value(doc)       once per document
//
// A bound script is not shared between threads or jobs. docs/expressions.md describes the language.

import { tick } from '../common/index';
import { EngineError, illegalArgument } from '../errors';
import { Double, parseJsonObject } from '../json/index';
import type { SegmentReader } from '../segment/index';
import { compile } from './compiler';
import type { Code } from './scope';
import { compileFormula, type Formula, type FormulaFrame } from './expression-language';
import { Frame } from './frame';
import { SEARCH_STEPS, StepBudget } from './limits';
import { DocLookup, FieldsLookup, SourceLookup } from './lookups';
import { compileNumeric, type NumericCode } from './numeric';
import { parseScript, type ScriptPlan } from './plan';
import {
  isNumber,
  javaClassOf,
  objectFromJson,
  ScoreValue,
  textOf,
  toBigInt,
  toDouble,
  type ScriptValue,
} from './values';
export { toOutput, type ScriptValue } from './values';

/** Names that a script may use besides its parameters and `doc`, `_source`, `_fields`. */
export type ScriptVariable = '_score' | 'term' | '_value';

interface BindOptions {
  /** Epoch milliseconds, for `time()` and dates. */
  readonly now: number;
  readonly variables?: readonly ScriptVariable[];
  /** What other names give. */
  readonly given?: ReadonlyMap<string, () => ScriptValue>;
}

/** A script ready to run on the documents of segments. */
export interface BoundScript {
  /** The score that `_score` gives. */
  score: number;
  /** The value that `term` and `_value` give. */
  term: ScriptValue;
  /** Reads from this segment from now on. */
  open(segment: SegmentReader): void;
  /**
   * The result as a double.
   *
   * @throws EngineError GroovyScriptExecutionException; ClassCastException for anything but a number
   */
  number(doc: number): number;
  /**
   * The result as a filter takes it: booleans as they are, numbers by their integer part, null is false.
   *
   * @throws EngineError GroovyScriptExecutionException; ElasticsearchIllegalArgumentException for the rest
   */
  truth(doc: number): boolean;
  /** @throws EngineError GroovyScriptExecutionException */
  value(doc: number): ScriptValue;
}

/**
 * Binds a script.
 *
 * @throws EngineError GroovyScriptCompilationException for constructs that are not supported
 */
export function bindScript(plan: ScriptPlan, options: BindOptions): BoundScript {
  return plan.lang === 'expression' ? new FormulaScript(plan) : new GeneralScript(plan, options);
}

/** A formula of doubles. */
class FormulaScript implements BoundScript {
  term: ScriptValue = null;
  private readonly frame: FormulaFrame = { doc: 0, score: 0, number: 0 };
  private readonly formula: Formula;

  constructor(plan: ScriptPlan) {
    const params = parseJsonObject(plan.params);
    this.formula = compileFormula(parseScript(plan.source), plan.fields, params, this.frame);
  }

  get score(): number {
    return this.frame.score;
  }

  set score(score: number) {
    this.frame.score = score;
  }

  open(segment: SegmentReader): void {
    for (const slot of this.formula.slots) slot.open(segment);
  }

  number(doc: number): number {
    tick();
    this.frame.doc = doc;
    if (this.term !== null && isNumber(this.term)) this.frame.number = toDouble(this.term);
    return this.formula.run();
  }

  truth(doc: number): boolean {
    return this.number(doc) !== 0;
  }

  value(doc: number): ScriptValue {
    return new Double(this.number(doc));
  }
}

/** A script of the full language, with a faster way for those that only compute numbers. */
class GeneralScript implements BoundScript {
  private readonly frame: Frame;
  private readonly code: Code;
  private readonly fast: NumericCode | null;
  /** The faster way is open for the current segment. */
  private isFast = false;

  constructor(plan: ScriptPlan, options: BindOptions) {
    const budget = new StepBudget(SEARCH_STEPS, plan.steps);
    this.frame = new Frame(budget, plan.mappedSource, options.now);
    const tree = parseScript(plan.source);
    const names = environmentNames(plan, options, this.frame);
    const rules = { integerDivision: plan.lang === 'mvel' };
    this.code = compile(tree, { frame: this.frame, rules, names });
    this.fast = compileNumeric(tree, plan.fields, names, this.frame, rules);
  }

  get score(): number {
    return this.frame.score;
  }

  set score(score: number) {
    this.frame.score = score;
  }

  get term(): ScriptValue {
    return this.frame.term;
  }

  set term(term: ScriptValue) {
    this.frame.term = term;
  }

  open(segment: SegmentReader): void {
    this.frame.open(segment);
    this.isFast = this.fast?.open(segment) ?? false;
  }

  number(doc: number): number {
    const { frame } = this;
    if (this.isFast && !this.fast!.isBoolean) {
      tick();
      frame.doc = doc;
      const result = this.fast!.run();
      if (result === result) return result;
    }
    return asNumber(this.value(doc));
  }

  truth(doc: number): boolean {
    if (this.isFast) {
      tick();
      this.frame.doc = doc;
      const result = this.fast!.run();
      if (result === result) return Math.trunc(result) !== 0;
    }
    return asTruth(this.value(doc));
  }

  value(doc: number): ScriptValue {
    this.frame.seek(doc);
    return this.code();
  }
}

type Names = Map<string, ScriptValue | (() => ScriptValue)>;

function environmentNames(plan: ScriptPlan, options: BindOptions, frame: Frame): Names {
  const fields = new Map(plan.fields.map((field) => [field.name, field]));
  const names: Names = new Map<string, ScriptValue | (() => ScriptValue)>([
    ['doc', new DocLookup(fields, frame)],
    ['_source', new SourceLookup(frame)],
    ['_fields', new FieldsLookup(fields, frame)],
  ]);
  for (const [name, value] of objectFromJson(parseJsonObject(plan.params))) names.set(name, value);
  for (const variable of options.variables ?? []) {
    if (variable !== '_score') names.set(variable, () => frame.term);
    else if (plan.lang === 'mvel') names.set(variable, () => new Double(frame.score));
    else names.set(variable, () => new ScoreValue(frame.score));
  }
  for (const [name, value] of options.given ?? []) names.set(name, value);
  return names;
}

function asNumber(value: ScriptValue): number {
  if (value !== null && isNumber(value)) return toDouble(value);
  if (value === null) {
    throw new EngineError('NullPointerException', 'the script gave no number but null');
  }
  throw new EngineError(
    'ClassCastException',
    `class ${javaClassOf(value)} cannot be cast to class java.lang.Number`,
  );
}

function asTruth(value: ScriptValue): boolean {
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return toBigInt(value) !== 0n;
  throw illegalArgument(`Can't handle type [${textOf(value)}] in script filter`);
}

// Scripts that gather something of many documents (`scripted_metric`): several of them change the same
// variables one after the other, and what one leaves in a name of its own is there when it runs again.

import { parseJsonObject } from '../json/index';
import type { SegmentReader } from '../segment/index';
import { compile } from './compiler';
import { Frame } from './frame';
import { heldBytes } from './held-bytes';
import {
  GATHERED_COLLECTION_SIZE,
  GATHERED_STEPS,
  type RequestSteps,
  SEARCH_STEPS,
  StepBudget,
} from './limits';
import { DocLookup, FieldsLookup, SourceLookup } from './lookups';
import { parseScript, type ScriptPlan } from './plan';
import type { Code } from './scope';
import { valueToText } from './value-text';
import { objectFromJson, type ScriptMap, type ScriptValue } from './values';

/** What one step of a script may have left behind at most, and each character of its source. Bytes. */
const BYTES_PER_STEP = 1024;
const BYTES_PER_CHARACTER = 16;
/** Of a document's source, once it is parsed. */
const BYTES_PER_SOURCE_BYTE = 8;
/** So much may have been left behind before it is looked how much it is. */
const UNMEASURED_BYTES = 1 << 22;

/** The variables that scripts share. */
export class GatheredState {
  /** By name; scripts change what the values hold. */
  variables: ScriptMap = new Map();
  private measured = 0;
  private unmeasured = 0;
  private readonly budget: StepBudget;

  /**
   * @param params the variables that it begins with, as the text of a JSON object
   * @param hold is told of bytes that are held, and of those that are no longer with a minus; throws
   *   when it is too much
   */
  constructor(
    private readonly params: string,
    steps: RequestSteps,
    private readonly hold: (bytes: number) => void,
  ) {
    this.budget = new StepBudget(GATHERED_STEPS, steps);
  }

  /** Begins anew, with copies of the parameters. */
  begin(): void {
    this.end();
    this.variables = objectFromJson(parseJsonObject(this.params));
  }

  /**
   * What a script gave, as text.
   *
   * @throws EngineError GroovyScriptExecutionException when it is too deep or too much
   */
  textOf(value: ScriptValue): string {
    this.budget.reset();
    return valueToText(value);
  }

  /** Lets go of all that is held. */
  end(): void {
    this.variables = new Map();
    this.hold(-this.measured);
    this.measured = 0;
    this.unmeasured = 0;
  }

  /** Scripts may have left so many bytes more. */
  grew(atMost: number): void {
    this.unmeasured += atMost;
    if (this.unmeasured < Math.max(UNMEASURED_BYTES, this.measured)) return;
    this.unmeasured = 0;
    const bytes = heldBytes(this.variables);
    this.hold(bytes - this.measured);
    this.measured = bytes;
  }
}

/** A script bound to the state that it works on. */
export class GatheringScript {
  private readonly frame: Frame;
  private readonly code: Code;
  private readonly growth: number;
  private sourceBytes = 0;

  /**
   * @param options.seesDocuments it runs on documents, each with the steps of a script of a search
   * @throws EngineError GroovyScriptCompilationException for constructs that are not supported
   */
  constructor(
    plan: ScriptPlan,
    private readonly state: GatheredState,
    options: { readonly now: number; readonly seesDocuments: boolean },
  ) {
    const { now, seesDocuments } = options;
    const steps = seesDocuments ? SEARCH_STEPS : GATHERED_STEPS;
    const budget = new StepBudget(steps, plan.steps, GATHERED_COLLECTION_SIZE);
    this.frame = new Frame(budget, plan.mappedSource, now);
    this.growth = BYTES_PER_CHARACTER * plan.source.length;
    const names = new Map<string, ScriptValue | (() => ScriptValue)>();
    if (seesDocuments) {
      const fields = new Map(plan.fields.map((field) => [field.name, field]));
      names.set('doc', new DocLookup(fields, this.frame));
      names.set('_source', new SourceLookup(this.frame));
      names.set('_fields', new FieldsLookup(fields, this.frame));
    }
    for (const name of parseJsonObject(plan.params).keys()) {
      names.set(name, () => state.variables.get(name) ?? null);
    }
    const rules = { integerDivision: plan.lang === 'mvel' };
    this.code = compile(parseScript(plan.source), { frame: this.frame, rules, names });
  }

  /** The variables of its own begin anew. */
  begin(): void {
    this.frame.forgets = true;
  }

  /** Reads from this segment from now on. */
  open(segment: SegmentReader): void {
    this.frame.open(segment);
  }

  /** Runs it on a document, or on none. @throws EngineError GroovyScriptExecutionException */
  run(doc = 0): ScriptValue {
    const { frame, state } = this;
    frame.seek(doc);
    const value = this.code();
    frame.forgets = false;
    const read = frame.sourceBytes - this.sourceBytes;
    this.sourceBytes = frame.sourceBytes;
    state.grew(this.growth + BYTES_PER_STEP * frame.budget.taken + BYTES_PER_SOURCE_BYTE * read);
    return value;
  }
}

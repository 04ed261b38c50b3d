// Scripts of requests as scripts of OpenSearch, from their syntax trees. What a script gives is of the class
// that facetd's own evaluation (engine/script) gives, and fails as that does.

import { parseJsonObject, type JsonOutput } from '../../json/index';
import { assignedNames, parseScript, type ScriptPlan } from '../../script/index';
import { ExpressionTranslator } from './expressions';
import { FieldPieces, type ScriptPlace } from './fields';
import { FORMULA_DECLARATIONS, FormulaTranslator } from './formula';
import { withFunctions } from './library';
import { boxed, grouped, isNumeric, notTranslated, ScriptParts, type ValuePiece } from './pieces';
import { StatementTranslator } from './statements';
import { Variables } from './variables';

/** What a script has to give; `known`: one number, which is certain before anything runs. */
export type ScriptResult = 'number' | 'known' | 'truth' | 'text';

/** A script of a request with the present of the request, epoch milliseconds. */
export interface TimedScript {
  readonly plan: ScriptPlan;
  readonly now: number;
}

/** Names that Painless has for a script, besides its fields and parameters. */
export type ScriptNames = ReadonlySet<'_score'>;

/** A script for OpenSearch. */
export type PainlessScript = Readonly<Record<string, JsonOutput>> & {
  readonly lang: 'painless';
  readonly source: string;
};

const NO_SCORE: ScriptNames = new Set();
/** Of scripts that see the score of the document. */
export const WITH_SCORE: ScriptNames = new Set(['_score'] as const);

/**
 * Translates a script.
 *
 * @param place where its fields stand
 * @throws EngineError ElasticsearchIllegalArgumentException for what is not translated, by name
 */
export function painlessScript(
  { plan, now }: TimedScript,
  result: ScriptResult,
  place: ScriptPlace,
  names: ScriptNames = NO_SCORE,
): PainlessScript {
  const parts = new ScriptParts();
  const score: ValuePiece = { type: plan.lang === 'groovy' ? 'score' : 'double', code: '_score' };
  const given = new Map([...names].map((name) => [name, score]));
  const { code, declarations } =
    plan.lang === 'expression'
      ? formula(plan, result, place, given, parts)
      : general(plan, now, result, place, given, parts);
  const source = withFunctions(code, declarations);
  return { lang: 'painless', source, params: parts.params };
}

interface Translated {
  readonly code: string;
  readonly declarations: ReadonlyMap<string, string>;
}

function general(
  plan: ScriptPlan,
  now: number,
  result: ScriptResult,
  place: ScriptPlace,
  given: ReadonlyMap<string, ValuePiece>,
  parts: ScriptParts,
): Translated {
  const tree = parseScript(plan.source);
  const fields = new FieldPieces(parts, place);
  const variables = new Variables(parts, assignedNames(tree));
  const params = parseJsonObject(plan.params);
  const expressions = new ExpressionTranslator(plan, params, given, parts, fields, variables, now);
  const finish = (value: ValuePiece): string => FINISHED[result](value);
  const statements = new StatementTranslator(expressions, variables, parts, finish);
  return { code: statements.script(tree.statements), declarations: fields.declarations };
}

function formula(
  plan: ScriptPlan,
  result: ScriptResult,
  place: ScriptPlace,
  given: ReadonlyMap<string, ValuePiece>,
  parts: ScriptParts,
): Translated {
  const [only] = parseScript(plan.source).statements;
  if (only?.kind !== 'expression') throw notTranslated('anything but an expression');
  const params = parseJsonObject(plan.params);
  const translator = new FormulaTranslator(plan.fields, params, given, parts, place);
  const code = translator.value(only.expression);
  const value = FORMULA_FINISHED[result](code);
  return { code: `return ${value};\n`, declarations: FORMULA_DECLARATIONS };
}

/** What becomes of the value of a script. */
const FINISHED: { readonly [Result in ScriptResult]: (value: ValuePiece) => string } = {
  number: (value) =>
    isNumeric(value.type) || value.type === 'score'
      ? grouped('double', value.code)
      : `numberOf(${boxed(value)})`,
  known: ({ type, code }) => {
    if (!isNumeric(type)) throw notTranslated('something that may be no number');
    return grouped('double', code);
  },
  truth: (value) => {
    if (value.type === 'boolean') return value.code;
    return isNumeric(value.type) ? `longOf(${value.code}) != 0` : `truthOf(${boxed(value)})`;
  },
  text: (value) => `textOf(${boxed(value)})`,
};

const FORMULA_FINISHED: { readonly [Result in ScriptResult]: (code: string) => string } = {
  number: (code) => code,
  known: (code) => code,
  truth: (code) => `${code} != 0`,
  text: (code) => `text(any(${code}))`,
};

// The functions of `function_score` by name.

import { EngineError } from '../../../errors';
import { isJsonObject, JsonNumber, type JsonValue } from '../../../json/index';
import { ScriptMembers, type ScriptRequest, planScript } from '../../../script/index';
import { isNumeric, resolveField } from '../scope/field-ref';
import type { ParseScope } from '../scope/parse-scope';
import { type KindBody, floatOf, isScalar, textOf, tokenName } from '../scope/members';
import type { Modifier, ScoreFunction } from '../../ast/score-function';
import { parseDecay } from './decay';

type FunctionParser = (body: KindBody, scope: ParseScope) => ScoreFunction;

const MODIFIERS: readonly Modifier[] = [
  'none',
  'log',
  'log1p',
  'log2p',
  'ln',
  'ln1p',
  'ln2p',
  'square',
  'sqrt',
  'reciprocal',
];

const FUNCTIONS: ReadonlyMap<string, FunctionParser> = new Map<string, FunctionParser>([
  ['script_score', parseScriptScore],
  ['scriptScore', parseScriptScore],
  ['field_value_factor', parseFieldValue],
  ['fieldValueFactor', parseFieldValue],
  ['random_score', parseRandom],
  ['randomScore', parseRandom],
  ['gauss', (body, scope) => parseDecay('gauss', body, scope)],
  ['exp', (body, scope) => parseDecay('exp', body, scope)],
  ['linear', (body, scope) => parseDecay('linear', body, scope)],
]);

/** @throws EngineError QueryParsingException for unknown names, and what the function's own parser throws */
export function parseScoreFunction(
  name: string,
  value: JsonValue,
  scope: ParseScope,
): ScoreFunction {
  const parse = FUNCTIONS.get(name);
  if (parse === undefined) throw scope.error(`No function with the name [${name}] is registered.`);
  return parse(
    isJsonObject(value) || Array.isArray(value) ? value : new Map<string, JsonValue>(),
    scope,
  );
}

function parseScriptScore(body: KindBody, scope: ParseScope): ScoreFunction {
  const members = new ScriptMembers();
  for (const [name, value] of membersOf(body)) {
    if (!members.read(name, value))
      throw scope.error(`script_score query does not support [${name}]`);
  }
  const script = members.request();
  if (script === null) throw scope.error("script_score requires 'script' field");
  return scriptFunction(script, scope);
}

/** @throws EngineError QueryParsingException with the reason when the script does not exist or compile */
function scriptFunction(request: ScriptRequest, scope: ParseScope): ScoreFunction {
  const { mapping, indexName, types, now, scripts, meter } = scope.context;
  meter.add('scripts', 1);
  try {
    const script = scripts().resolve(request);
    return {
      kind: 'script',
      script: planScript(script, { mapping, indexName, types }),
      now: now(),
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw scope.error('script_score the script could not be loaded', error);
  }
}

function parseFieldValue(body: KindBody, scope: ParseScope): ScoreFunction {
  let name: string | null = null;
  let factor = 1;
  let modifier: Modifier = 'none';
  let missing: number | null = null;
  for (const [member, value] of membersOf(body)) {
    // compat: as if it were not there.
    if (value === null) continue;
    if (!isScalar(value)) {
      const text = `[field_value_factor] field '${member}' does not support lists or objects`;
      throw scope.error(text);
    }
    if (member === 'field') name = textOf(value);
    else if (member === 'factor') factor = floatOf(value);
    else if (member === 'modifier') modifier = modifierOf(textOf(value));
    else if (member === 'missing')
      missing = value instanceof JsonNumber ? value.value : floatOf(value);
    else throw scope.error(`field_value_factor query does not support [${member}]`);
  }
  if (name === null) {
    throw scope.error("[field_value_factor] required field 'field' missing");
  }
  const asked = resolveField(name, scope);
  // compat: of whatever type it is.
  const ref = { ...asked, mapped: asked.mapped ?? asked.foreign };
  if (ref.mapped?.field == null) {
    throw new EngineError(
      'ElasticsearchException',
      `Unable to find a field mapper for field [${name}]`,
      {
        status: 400,
      },
    );
  }
  if (!isNumeric(ref)) {
    const text = `field [${name}] cannot be cast to class org.elasticsearch.index.fielddata.IndexNumericFieldData`;
    throw new EngineError('ClassCastException', text, { status: 400 });
  }
  return { kind: 'fieldValue', field: ref.mapped.field.id, name, factor, modifier, missing };
}

function modifierOf(text: string): Modifier {
  const modifier = MODIFIERS.find((candidate) => candidate === text.toLowerCase());
  if (modifier !== undefined) return modifier;
  const type = 'org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier';
  throw new EngineError(
    'IllegalArgumentException',
    `No enum constant ${type}.${text.toUpperCase()}`,
    {
      status: 400,
    },
  );
}

function parseRandom(body: KindBody, scope: ParseScope): ScoreFunction {
  let seed: number | null = null;
  for (const [member, value] of membersOf(body)) {
    if (member !== 'seed' || !isScalar(value)) {
      throw scope.error(`random_score query does not support [${member}]`);
    }
    if (value instanceof JsonNumber && Number.isInteger(value.value)) {
      seed = Number(BigInt.asIntN(32, BigInt(value.value)));
    } else if (typeof value === 'string') seed = hashOf(value);
    else {
      const wanted = typeof value === 'boolean' ? 'int/long' : 'int, long';
      throw scope.error(
        `random_score seed must be an ${wanted} or string, not '${tokenName(value)}'`,
      );
    }
  }
  // Without a seed every search draws anew.
  return { kind: 'random', seed: seed ?? scope.context.now() | 0 };
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

function membersOf(body: KindBody): readonly (readonly [string, JsonValue])[] {
  return Array.isArray(body) ? [] : [...body];
}

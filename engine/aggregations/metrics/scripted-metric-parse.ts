// What a body of scripted_metric says (reference server).

import { EngineError } from '../../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index';
import { ElementFailure, type SearchContext, tokenName } from '../../query/index';
import {
  planScript,
  scriptName,
  type ScriptName,
  type ScriptParameter,
  type ScriptPlan,
} from '../../script/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { atRun, RunFailure, unknownMember } from '../contract/values';

/** The scripts of one aggregation. Plain data. */
export interface ScriptedSpec {
  readonly init: ScriptPlan | null;
  readonly map: ScriptPlan;
  readonly combine: ScriptPlan | null;
  readonly reduce: ScriptPlan | null;
  /** Epoch milliseconds that scripts take for the present. */
  readonly now: number;
  /** It is in no bucket of another aggregation. */
  readonly isTop: boolean;
}

const SCRIPTS = ['init_script', 'map_script', 'combine_script', 'reduce_script'] as const;
type Stage = Extract<ScriptParameter, (typeof SCRIPTS)[number]>;

/** @throws ElementFailure, EngineError, RunFailure for scripts that do not compile */
export function parseScriptedMetric(
  name: string,
  body: JsonObject,
  { search, parents }: AggregationParseContext,
): ScriptedSpec {
  const members = new Members(name);
  for (const [member, value] of body) members.read(member, value);
  const map = members.scripts.get('map_script');
  if (map === undefined) throw new ElementFailure(`map_script field is required in [${name}].`);
  const { lang, scripts } = members;
  const params = members.params ?? new Map([['_agg', new Map()]]);
  const planOf = (stage: Stage, of: JsonObject): ScriptPlan | null => {
    const script = scripts.get(stage);
    if (script === undefined) return null;
    if (lang === 'expression' && stage !== 'map_script') throw formulasGatherNothing();
    return atRun(() => planned(script, lang, of, search));
  };
  return {
    init: planOf('init_script', params),
    map: planOf('map_script', params)!,
    combine: planOf('combine_script', params),
    reduce: planOf('reduce_script', new Map([...(members.reduceParams ?? []), ['_aggs', null]])),
    now: search.services.now(),
    isTop: parents.length === 0,
  };
}

function planned(
  name: ScriptName,
  lang: string | null,
  params: JsonObject,
  search: SearchContext,
): ScriptPlan {
  search.meter.add('scripts', 1);
  const { index, mapping, types, services } = search;
  const script = services.scripts().resolve({ name, lang, params });
  return planScript(script, { indexName: index.name, mapping, types });
}

/** 500: a formula cannot assign. */
function formulasGatherNothing(): RunFailure {
  return new RunFailure(
    new EngineError('UnsupportedOperationException', 'Cannot use expressions for updates'),
  );
}

/** The members, as they are read one after the other. */
class Members {
  readonly scripts = new Map<Stage, ScriptName>();
  lang: string | null = null;
  params: JsonObject | null = null;
  reduceParams: JsonObject | null = null;

  constructor(private readonly name: string) {}

  read(member: string, value: JsonValue): void {
    if (value === null || Array.isArray(value)) {
      throw new ElementFailure(`Unexpected token ${tokenName(value)} in [${this.name}].`);
    }
    const isTaken = isJsonObject(value)
      ? this.readParams(member, value)
      : typeof value === 'string' && this.readText(member, value);
    if (!isTaken) throw unknownMember(this.name, member, value);
  }

  private readParams(member: string, value: JsonObject): boolean {
    switch (member) {
      case 'params':
        this.params = value;
        return true;
      case 'reduce_params':
      case 'reduceParams':
        this.reduceParams = value;
        return true;
      default:
        return false;
    }
  }

  private readText(member: string, text: string): boolean {
    if (member === 'lang' || member === 'script_lang') {
      this.lang = text;
      return true;
    }
    for (const stage of SCRIPTS) {
      const named = scriptName(stage, member, text);
      if (named === null) continue;
      if (this.scripts.has(stage)) {
        throw new EngineError(
          'ScriptParameterParseException',
          `Only one of [${stage}, ${stage}_file, ${stage}_id] is allowed.`,
          { status: 400 },
        );
      }
      this.scripts.set(stage, named);
      return true;
    }
    return false;
  }
}

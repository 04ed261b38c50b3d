// The element `rescore`: an object, or a list of stages that run one after the other (reference server).

import { EngineError, illegalArgument } from '../../errors';
import {
  isJsonObject,
  isScalar,
  type JsonObject,
  type JsonValue,
  lenientFloat,
  lenientInteger,
  writeJson,
} from '../../json/index';
import type { SearchContext } from '../../query/index';
import type { RescoreMode, RescorePlan } from '../plan/rescore-plan';

const DEFAULT_WINDOW = 10;
/** Stages of a search: each waits for the one before. */
const MAX_STAGES = 128;

const MODES: ReadonlyMap<string, RescoreMode> = new Map([
  ['total', 'total'],
  ['multiply', 'multiply'],
  ['avg', 'avg'],
  ['max', 'max'],
  ['min', 'min'],
]);

/**
 * The stages of rescoring.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException, ElasticsearchParseException, those of the query
 */
export function parseRescore(value: JsonValue, context: SearchContext): readonly RescorePlan[] {
  const stages = Array.isArray(value) ? value : [value];
  if (stages.length > MAX_STAGES) {
    throw illegalArgument(`rescore has more than [${MAX_STAGES}] stages`);
  }
  return stages.map((stage) => {
    if (!isJsonObject(stage)) throw illegalArgument("rescore doesn't support [null]");
    return parseStage(stage, context);
  });
}

function parseStage(stage: JsonObject, context: SearchContext): RescorePlan {
  let plan: Omit<RescorePlan, 'window'> | null = null;
  let window = DEFAULT_WINDOW;
  for (const [name, value] of stage) {
    if (name === 'query') {
      if (!isJsonObject(value)) {
        throw new EngineError(
          'ElasticsearchParseException',
          'rescore type malformed, must start with start_object',
        );
      }
      plan = parseQueryRescorer(value, context);
    } else if (name === 'window_size') window = lenientInteger(scalarIn(value, name), window);
    else scalarIn(value, name, true);
  }
  if (plan === null) throw illegalArgument('missing rescore type');
  if (window < 1) throw illegalArgument(`rescore window_size must be above 0, but was [${window}]`);
  context.meter.checkRescoreWindow(window);
  return { ...plan, window };
}

function parseQueryRescorer(body: JsonObject, context: SearchContext): Omit<RescorePlan, 'window'> {
  let query: RescorePlan['query'] | null = null;
  let queryWeight = 1;
  let rescoreWeight = 1;
  let mode: RescoreMode = 'total';
  for (const [name, value] of body) {
    switch (name) {
      case 'rescore_query':
        query = context.parseQuery(value);
        break;
      case 'query_weight':
        queryWeight = lenientFloat(scalarIn(value, name), null) ?? queryWeight;
        break;
      case 'rescore_query_weight':
        rescoreWeight = lenientFloat(scalarIn(value, name), null) ?? rescoreWeight;
        break;
      case 'score_mode':
        mode = modeOf(scalarIn(value, name)) ?? mode;
        break;
      default:
        scalarIn(value, name, true);
        break;
    }
  }
  if (query === null) {
    throw new EngineError('NullPointerException', 'rescore has no [rescore_query]');
  }
  const weights = {
    queryWeight: Math.fround(queryWeight),
    rescoreWeight: Math.fround(rescoreWeight),
  };
  return { query, mode, ...weights };
}

function modeOf(value: JsonValue): RescoreMode | null {
  if (value === null) return null;
  const mode = MODES.get(typeof value === 'string' ? value : '');
  if (mode !== undefined) return mode;
  throw illegalArgument(`[rescore] illegal score_mode [${writeJson(value).replaceAll('"', '')}]`);
}

/**
 * The value of a member: of a list the last one.
 *
 * @param isUnknown there is no such member
 */
function scalarIn(value: JsonValue, name: string, isUnknown = false): JsonValue {
  if (isJsonObject(value)) {
    const [member] = value.keys();
    if (member === undefined) return null;
    throw illegalArgument(`rescore doesn't support [${member}]`);
  }
  if (isUnknown && (isScalar(value) ? value !== null : value.length > 0)) {
    throw illegalArgument(`rescore doesn't support [${name}]`);
  }
  return Array.isArray(value) ? scalarIn(value[value.length - 1] ?? null, name) : value;
}

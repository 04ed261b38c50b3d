// Score functions of function_score. Those that read fields are scripts of our own: what OpenSearch has for
// them fails on fields that no document has. What users give is a parameter.

import type { JsonOutput } from '../../json/index';
import { reducedScale, type ScoreFunction, type QueryOf } from '../../query/index';
import { valueField } from '../layout/names';
import { clauseOf } from './clause';
import { at, type Clause, type ClauseContext } from './clause-context';
import { painlessScript, WITH_SCORE } from '../scripts/painless';
import { ARC_DISTANCE, POINT, POINTS } from '../scripts/distance';
import { pointParams } from './geo';

type FunctionScore = QueryOf<'functionScore'>;
type Of<Kind extends ScoreFunction['kind']> = Extract<ScoreFunction, { readonly kind: Kind }>;

/** The largest factor that is no bound. */
const NO_BOUND = 3.402_823e38;

/** How values change before they are factors. */
const MODIFIED: { readonly [Modifier in Of<'fieldValue'>['modifier']]: string } = {
  none: 'x',
  log: 'Math.log10(x)',
  log1p: 'Math.log10(x + 1)',
  log2p: 'Math.log10(x + 2)',
  ln: 'Math.log(x)',
  ln1p: 'Math.log1p(x)',
  ln2p: 'Math.log1p(x + 1)',
  square: 'x * x',
  sqrt: 'Math.sqrt(x)',
  reciprocal: '1 / x',
};

const DECAYED: { readonly [Shape in Of<'decay'>['shape']]: string } = {
  gauss: 'Math.exp(0.5 * d * d / params.scale)',
  exp: 'Math.exp(params.scale * d)',
  linear: 'Math.max(0, (params.scale - d) / params.scale)',
};

/** The documents of a clause, which has the boosts of the query, with functions. */
export function withFunctions(
  query: FunctionScore,
  clause: Clause,
  context: ClauseContext,
): Clause {
  const { functions, boost, maxBoost, minScore } = query;
  const least = minScore === null ? {} : { min_score: minScore };
  const own = Math.fround(boost);
  if (functions.length === 0) {
    return minScore === null && own === 1 ? clause : timesBoost(clause, own, least);
  }
  const scored = {
    query: clause,
    functions: functions.map(({ filter, weight, function: each }) => ({
      ...(filter === null ? {} : { filter: clauseOf(filter, context) }),
      ...functionOf(each, weight, context),
    })),
    score_mode: query.scoreMode,
    boost_mode: query.boostMode,
    ...(maxBoost < NO_BOUND ? { max_boost: maxBoost } : {}),
  };
  if (own === 1) return { function_score: { ...scored, ...least } };
  return timesBoost({ function_score: scored }, own, least);
}

function timesBoost(query: Clause, weight: number, least: object): Clause {
  return { function_score: { query, functions: [{ weight }], boost_mode: 'multiply', ...least } };
}

function functionOf(
  definition: ScoreFunction,
  weight: number | null,
  context: ClauseContext,
): Readonly<Record<string, JsonOutput>> {
  const weighs: Readonly<Record<string, JsonOutput>> = weight === null ? {} : { weight };
  switch (definition.kind) {
    case 'constant': {
      const { value = 1 } = definition;
      // As a weight it would count in averages.
      if (value === 1) return { weight: weight ?? 1 };
      return { ...weighs, ...scriptScore('params.value', { value }) };
    }
    case 'script':
      return {
        ...weighs,
        script_score: {
          script: painlessScript(
            { plan: definition.script, now: definition.now },
            'number',
            context,
            WITH_SCORE,
          ),
        },
      };
    case 'fieldValue':
      return {
        ...weighs,
        ...scriptScore(fieldValue(definition), valueParams(definition, context)),
      };
    case 'decay':
      return { ...weighs, ...decay(definition, context) };
    case 'random':
      return { ...weighs, ...scriptScore(RANDOM, { seed: definition.seed }) };
  }
}

function scriptScore(source: string, params: JsonOutput): Readonly<Record<string, JsonOutput>> {
  return { script_score: { script: { lang: 'painless', source, params } } };
}

function fieldValue({ modifier, missing }: Of<'fieldValue'>): string {
  const absent =
    missing === null
      ? "throw new IllegalArgumentException('Missing value for field [' + params.name + ']')"
      : 'x = params.missing';
  return (
    'double x; if (doc.containsKey(params.field) && doc[params.field].size() > 0) ' +
    `{ x = doc[params.field].get(0) } else { ${absent} } x *= params.factor; return ${MODIFIED[modifier]};`
  );
}

function valueParams(definition: Of<'fieldValue'>, context: ClauseContext): JsonOutput {
  const { field, name, factor, missing } = definition;
  return { field: at(context, valueField(field)), name, factor, missing };
}

function decay(
  definition: Of<'decay'>,
  context: ClauseContext,
): Readonly<Record<string, JsonOutput>> {
  const { shape, field, origin, offset, mode } = definition;
  const scale = reducedScale(shape, definition.scale, definition.decay);
  const joined = mode === 'min' ? 'Math.min(d, e)' : mode === 'max' ? 'Math.max(d, e)' : 'd + e';
  const average = mode === 'avg' ? 'if (n > 0) { d /= n } ' : '';
  const walk = (distance: string): string =>
    `double d = 0; for (int i = 0; i < n; i++) { double e = Math.max(0, ${distance} - params.offset); ` +
    `d = i == 0 ? e : ${joined} } ${average}return ${DECAYED[shape]};`;
  if (typeof origin === 'number') {
    const source =
      'int n = doc.containsKey(params.field) ? doc[params.field].size() : 0; ' +
      walk('Math.abs(doc[params.field].get(i) - params.origin)');
    return scriptScore(source, { field: at(context, valueField(field)), origin, scale, offset });
  }
  const { latitude, longitude } = origin;
  const source = `${ARC_DISTANCE}${POINTS}${walk(`arc(params.latitude, params.longitude, ${POINT})`)}`;
  const params = { ...pointParams(field, context), latitude, longitude, scale, offset };
  return scriptScore(source, params);
}

/** A hash of seed and place in the log, as in the embedded engine. */
const RANDOM =
  "int h = ((int) doc['_seq_no'].value ^ (int) params.seed) * (int) 0x9e3779b1L; " +
  'h = (h ^ (h >>> 15)) * (int) 0x85ebca6bL; h = (h ^ (h >>> 13)) * (int) 0xc2b2ae35L; ' +
  'return ((h ^ (h >>> 16)) >>> 8) / 16777216.0;';

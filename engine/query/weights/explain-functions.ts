// What score functions say of their values.

import { formatDouble, formatFloat, javaHashText, parseJsonObject } from '../../json/index';
import { firstIndex } from '../../script/index';
import type { SegmentReader } from '../../segment/index';
import type { FunctionMode, ScoreFunction, WeightedFunction } from '../ast/score-function';
import { type ExplainContext, type Explanation, factor, match } from '../scoring/explanation';
import { type OpenFunction, reducedScale } from './score-functions';

const f = Math.fround;

type Of<Kind extends ScoreFunction['kind']> = Extract<ScoreFunction, { kind: Kind }>;

/** A document whose functions are explained. */
interface ScoredDoc {
  readonly segment: SegmentReader;
  readonly doc: number;
  readonly context: ExplainContext;
  /** By the query. */
  readonly score: Explanation;
}

/** The value of a function with its weight. */
export function explainFunction<Filter>(
  entry: WeightedFunction<Filter>,
  apply: OpenFunction,
  doc: ScoredDoc,
): Explanation {
  const value = apply(doc.doc, doc.score.value);
  const plain = explainPlain(entry.function, value, doc);
  if (entry.weight === null) return plain;
  const weight = match(entry.weight, 'weight');
  return match(f(plain.value * weight.value), 'product of:', [plain, weight]);
}

function explainPlain(
  definition: ScoreFunction,
  value: number,
  { segment, doc, context, score }: ScoredDoc,
): Explanation {
  switch (definition.kind) {
    case 'constant':
      return definition.value === undefined
        ? match(1, 'constant score 1.0 - no function provided')
        : match(value, 'static boost factor', [factor(definition.value, 'boostFactor')]);
    case 'script': {
      const { source, params } = definition.script;
      const given = `" and parameters: \n${javaHashText(parseJsonObject(params))}`;
      const text = `script score function, computed with script:"${source}${params === '{}' ? '' : given}`;
      return match(value, text, [match(score.value, '_score: ', [score])]);
    }
    case 'fieldValue': {
      const { name, factor: by, modifier, missing } = definition;
      const other = missing === null ? '' : `?:${formatDouble(missing)}`;
      const inner = `doc['${name}'].value${other} * factor=${formatFloat(by)}`;
      return match(value, `field value function: ${modifier}(${inner})`);
    }
    case 'decay': {
      const name = context.nameOf(definition.field);
      const part = factor(value, decayText(definition, segment, doc));
      return match(value, `Function for field ${name}:`, [part]);
    }
    case 'random':
      return match(value, `random score function (seed: ${definition.seed})`);
  }
}

function decayText(definition: Of<'decay'>, segment: SegmentReader, doc: number): string {
  const { shape, scale, decay } = definition;
  const distances = distancesText(definition, segment, doc);
  const reduced = reducedScale(shape, scale, decay);
  switch (shape) {
    case 'gauss':
      return `exp(-0.5*pow(${distances},2.0)/${formatDouble(-reduced)})`;
    case 'exp':
      return `exp(- ${distances} * ${formatDouble(-reduced)})`;
    case 'linear':
      return `max(0.0, ((${formatDouble(reduced)} - ${distances})/${formatDouble(reduced)})`;
  }
}

/** The distances of all values, of which one counts. The odd brackets are the reference's. */
function distancesText(
  { origin, offset, mode, field }: Of<'decay'>,
  segment: SegmentReader,
  doc: number,
): string {
  const texts: string[] = [];
  const behind = ` - ${formatDouble(offset)}(=offset), 0)`;
  if (typeof origin === 'number') {
    const column = segment.numeric(field);
    const first = firstIndex(column, doc);
    if (column !== null && first >= 0) {
      const end = column.offsets === null ? first + 1 : column.offsets[doc + 1]!;
      for (let i = first; i < end; i++) {
        const value = `${formatDouble(column.valueAt(i))}(=doc value)`;
        texts.push(`Math.max(Math.abs(${value} - ${formatDouble(origin)}(=origin)))${behind}`);
      }
    }
    return `${mode.toUpperCase()}[${texts.join(', ') || '0.0'}]`;
  }
  const column = segment.geo(field);
  if (column !== null) {
    const to = `${pointText(origin)}(=origin)`;
    for (let i = column.offsets[doc]!; i < column.offsets[doc + 1]!; i++) {
      const point = { latitude: column.latitudes[i]!, longitude: column.longitudes[i]! };
      texts.push(`Math.max(arcDistance(${pointText(point)}(=doc value),${to})${behind}`);
    }
  }
  return `${mode.toUpperCase()} of: [${texts.join(', ') || '0.0'}]`;
}

function pointText(point: { readonly latitude: number; readonly longitude: number }): string {
  return `[${formatDouble(point.latitude)}, ${formatDouble(point.longitude)}]`;
}

/**
 * What the functions of a document come to.
 *
 * @param weights the sum of the weights of all functions. compat: also of those that do not apply
 */
export function joinFunctions(
  mode: FunctionMode,
  functions: readonly Explanation[],
  weights: number,
): Explanation {
  const values = functions.map(({ value }) => value);
  return match(joined(mode, values, weights), `function score, score mode [${mode}]`, functions);
}

function joined(mode: FunctionMode, values: readonly number[], weights: number): number {
  switch (mode) {
    case 'first':
      return values[0]!;
    case 'max':
      return values.reduce((a, b) => Math.max(a, b));
    case 'min':
      return values.reduce((a, b) => Math.min(a, b));
    case 'multiply':
      return values.reduce((a, b) => a * b);
    case 'sum':
      return values.reduce((a, b) => a + b);
    case 'avg':
      return values.reduce((a, b) => a + b) / weights;
  }
}

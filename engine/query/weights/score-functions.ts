// Running score functions on the documents of one segment.

import { EngineError } from '../../errors';
import { distanceFrom } from '../../geo/index';
import { formatDouble } from '../../json/index';
import { firstIndex, bindScript } from '../../script/index';
import type { GeoColumn, NumericColumn, SegmentReader } from '../../segment/index';
import type { DecayShape, Modifier, ScoreFunction, ValueMode } from '../ast/score-function';

/** The value of a function for a document of the segment it was opened on, given the query's score. */
export type OpenFunction = (doc: number, score: number) => number;

type Of<Kind extends ScoreFunction['kind']> = Extract<ScoreFunction, { kind: Kind }>;

/** @throws EngineError when a script does not compile */
export function openFunction(definition: ScoreFunction, segment: SegmentReader): OpenFunction {
  switch (definition.kind) {
    case 'constant': {
      const { value = 1 } = definition;
      return () => value;
    }
    case 'script':
      return openScript(definition, segment);
    case 'fieldValue':
      return openFieldValue(definition, segment.numeric(definition.field));
    case 'decay':
      return openDecay(definition, segment);
    case 'random':
      return openRandom(definition, segment);
  }
}

function openScript({ script, now }: Of<'script'>, segment: SegmentReader): OpenFunction {
  const bound = bindScript(script, { now, variables: ['_score'] });
  bound.open(segment);
  return (doc, score) => {
    bound.score = score;
    return bound.number(doc);
  };
}

const MODIFIERS: { readonly [modifier in Modifier]: (value: number) => number } = {
  none: (value) => value,
  log: (value) => Math.log10(value),
  log1p: (value) => Math.log10(value + 1),
  log2p: (value) => Math.log10(value + 2),
  ln: (value) => Math.log(value),
  ln1p: (value) => Math.log1p(value),
  ln2p: (value) => Math.log1p(value + 1),
  square: (value) => value * value,
  sqrt: (value) => Math.sqrt(value),
  reciprocal: (value) => 1 / value,
};

function openFieldValue(
  { name, factor, modifier, missing }: Of<'fieldValue'>,
  column: NumericColumn | null,
): OpenFunction {
  const modify = MODIFIERS[modifier];
  return (doc) => {
    const index = firstIndex(column, doc);
    if (index < 0 && missing === null) {
      throw new EngineError('ElasticsearchException', `Missing value for field [${name}]`);
    }
    const value = (index < 0 ? missing! : column!.valueAt(index)) * factor;
    const result = modify(value);
    if (Number.isFinite(result)) return result;
    const applied = `${modifier}(${formatDouble(value)})`;
    throw new EngineError(
      'ElasticsearchException',
      `Result of field modification [${applied}] must be a number`,
    );
  };
}

function openDecay(definition: Of<'decay'>, segment: SegmentReader): OpenFunction {
  const { origin, offset, mode, field } = definition;
  const shape = decayOf(definition);
  if (typeof origin === 'number') {
    const column = segment.numeric(field);
    if (column === null) return () => shape(0);
    return (doc) => shape(numberDistance(column, doc, origin, offset, mode));
  }
  const column = segment.geo(field);
  if (column === null) return () => shape(0);
  const measure = distanceFrom(origin, 'sloppy_arc', 1);
  return (doc) => shape(pointDistance(column, doc, measure, offset, mode));
}

/** How the value falls with distance; the scale is where it has fallen to `decay`. */
function decayOf({ shape, scale, decay }: Of<'decay'>): (distance: number) => number {
  const reduced = reducedScale(shape, scale, decay);
  switch (shape) {
    case 'gauss':
      return (distance) => Math.exp((0.5 * Math.pow(distance, 2)) / reduced);
    case 'exp':
      return (distance) => Math.exp(reduced * distance);
    case 'linear':
      return (distance) => Math.max(0, (reduced - distance) / reduced);
  }
}

/** The factor of a distance that makes the value what it is at the scale. */
export function reducedScale(shape: DecayShape, scale: number, decay: number): number {
  switch (shape) {
    case 'gauss':
      return (0.5 * Math.pow(scale, 2)) / Math.log(decay);
    case 'exp':
      return Math.log(decay) / scale;
    case 'linear':
      return scale / (1 - decay);
  }
}

/** Documents without a value are at no distance. */
function numberDistance(
  column: NumericColumn,
  doc: number,
  origin: number,
  offset: number,
  mode: ValueMode,
): number {
  const first = firstIndex(column, doc);
  if (first < 0) return 0;
  const end = column.offsets === null ? first + 1 : column.offsets[doc + 1]!;
  let result = Math.max(0, Math.abs(column.valueAt(first) - origin) - offset);
  for (let i = first + 1; i < end; i++) {
    result = joined(mode, result, Math.max(0, Math.abs(column.valueAt(i) - origin) - offset));
  }
  return mode === 'avg' ? result / (end - first) : result;
}

function pointDistance(
  column: GeoColumn,
  doc: number,
  measure: (latitude: number, longitude: number) => number,
  offset: number,
  mode: ValueMode,
): number {
  const first = column.offsets[doc]!;
  const end = column.offsets[doc + 1]!;
  let result = 0;
  for (let i = first; i < end; i++) {
    const distance = Math.max(0, measure(column.latitudes[i]!, column.longitudes[i]!) - offset);
    result = i === first ? distance : joined(mode, result, distance);
  }
  return mode === 'avg' && end > first ? result / (end - first) : result;
}

function joined(mode: ValueMode, a: number, b: number): number {
  if (mode === 'min') return Math.min(a, b);
  return mode === 'max' ? Math.max(a, b) : a + b;
}

/** A hash of seed and document, stable as long as the document is not written anew. */
function openRandom({ seed }: Of<'random'>, segment: SegmentReader): OpenFunction {
  return (doc) => {
    let hash = Math.imul(segment.sequenceOf(doc) ^ seed, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 8) / 2 ** 24;
  };
}

// The statistical facet: count, sum, extremes and spread of all numbers of one or more fields, or of a script
// (reference server). Sums are added up naively in document order.

import {
  foldNumbers,
  NO_NUMBERS,
  sumOf,
  type NumberSums,
  type ScoresOf,
  NumberSource,
  type NumberOrigin,
} from '../counting/index';
import { Double, type JsonObject, type JsonOutput, type JsonValue, isScalar } from '../json/index';
import { type ScriptName, scriptName } from '../script/index';
import type { Bitset, SegmentReader } from '../segment/index';
import type { FacetKind, FacetParseContext, ReusableCollector } from './contract/facet';
import { facetFailure, findLeaf, isNumberField } from './contract/number-field';
import { forgetful, readsOf, scriptNumbers } from './contract/number-source';

/** Whose numbers are added up. Plain data. */
export interface StatisticalSpec {
  readonly sources: readonly NumberOrigin[];
}

export const STATISTICAL_FACET: FacetKind<StatisticalSpec, NumberSums> = {
  type: 'statistical',
  names: ['statistical'],
  parse: parseStatistical,
  collector: (spec, { scoresOf }) => {
    const collector = new StatisticalCollector(spec, scoresOf);
    return spec.sources.some(({ kind }) => kind === 'script') ? forgetful(collector) : collector;
  },
  reads: ({ sources }) => readsOf(sources),
  reduce: (_specs, partials) => render(partials.reduce(sumOf)),
};

function parseStatistical(
  name: string,
  body: JsonObject,
  context: FacetParseContext,
): StatisticalSpec {
  const field = lastText(body.get('field') ?? null);
  const list = body.get('fields');
  const names = Array.isArray(list) ? list.map(String) : field === null ? null : [field];
  if (names !== null) {
    return { sources: names.map((path) => numberField(name, path, field, context)) };
  }
  let script: ScriptName | null = null;
  for (const [member, value] of body) {
    const text = lastText(value);
    if (text !== null) script = scriptName('script', member, text) ?? script;
  }
  if (script === null) {
    throw facetFailure(name, 'statistical facet requires either [script] or [field] to be set');
  }
  return { sources: [scriptNumbers(script, body, context, ['lang'])] };
}

/** The text of a scalar, or compat: of the last one in a list. */
function lastText(value: JsonValue): string | null {
  const last = Array.isArray(value) ? (value.flat(16).at(-1) ?? null) : value;
  return isScalar(last) && last !== null ? String(last) : null;
}

/**
 * The numbers of the field that `path` names.
 *
 * @param shown what the error text calls the field: compat, `field` also where `path` is one of `fields`
 */
function numberField(
  facet: string,
  path: string,
  shown: string | null,
  context: FacetParseContext,
): NumberOrigin {
  const mapped = findLeaf(path, context);
  if (mapped === null) {
    throw facetFailure(facet, `No mapping found for field [${path}]`);
  }
  const { field, type } = mapped;
  if (!isNumberField(mapped)) {
    const kind = type === 'boolean' || type === 'meta' ? textTypeOf(mapped.path) : type;
    throw facetFailure(facet, `field [${shown}] isn't a number field, but a ${kind}`);
  }
  return { kind: 'field', field: field?.id ?? null };
}

/** The reference's name for the type of a field that holds text without being mapped as a string. */
function textTypeOf(path: string): string {
  return path === '_parent' || path === '_index' ? path : 'string';
}

class StatisticalCollector implements ReusableCollector<NumberSums> {
  private sum = NO_NUMBERS;
  private readonly sources: readonly NumberSource[];

  constructor(
    readonly countKey: StatisticalSpec,
    scoresOf: ScoresOf,
  ) {
    this.sources = countKey.sources.map((origin) => new NumberSource(origin, scoresOf));
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    this.add(segment, this.count(segment, docs));
  }

  count(segment: SegmentReader, docs: Bitset | null): NumberSums {
    let sum = NO_NUMBERS;
    if (docs === null) return sum;
    for (const source of this.sources) {
      const reader = source.open(segment);
      if (reader !== null) sum = foldNumbers(sum, reader, docs);
    }
    return sum;
  }

  bytesOf(): number {
    return PARTIAL_BYTES;
  }

  add(_segment: SegmentReader, counts: NumberSums): void {
    this.sum = sumOf(this.sum, counts);
  }

  partial(): NumberSums {
    return this.sum;
  }
}

/** Roughly what an object with five numbers takes. */
const PARTIAL_BYTES = 64;

function render({ count, total, sumOfSquares, min, max }: NumberSums): JsonOutput {
  const variance = (sumOfSquares - (total * total) / count) / count;
  return {
    _type: 'statistical',
    count,
    total: new Double(total),
    min: new Double(min),
    max: new Double(max),
    mean: new Double(count === 0 ? 0 : total / count),
    sum_of_squares: new Double(sumOfSquares),
    variance: new Double(variance),
    std_deviation: new Double(Math.sqrt(variance)),
  };
}

// The statistical facet: count, sum, extremes and spread of all values of one or more numeric fields. Sums are added up naively in document order, as the reference adds them.

import { EngineError } from '../errors';
import { Double, type JsonObject, type JsonOutput, type JsonValue } from '../json/json';
import type { FieldId, FieldKind } from '../mapping/field';
import type { MappedTypeName } from '../mapping/index-mapping';
import { isScalar } from '../search/lenient';
import type { Bitset } from '../segment/bitset';
import type { NumericColumn, SegmentReader } from '../segment/reader';
import type { FacetCollector, FacetKind, FacetParseContext } from './facet';
import { scanNumbers } from './number-scan';

interface StatisticalSpec {
  readonly fields: readonly FieldId[];
}

interface StatisticalPartial {
  readonly count: number;
  readonly total: number;
  readonly sumOfSquares: number;
  readonly min: number;
  readonly max: number;
}

/** Mapping types whose values are numbers; metadata fields are told by how they are indexed. */
const NUMBER_TYPES: ReadonlySet<MappedTypeName> = new Set<MappedTypeName>([
  'byte',
  'short',
  'integer',
  'long',
  'float',
  'double',
  'date',
  'ip',
  'token_count',
  'murmur3',
]);

const SCRIPT_MEMBERS = ['script', 'script_id', 'script_file', 'file'];

export const STATISTICAL_FACET: FacetKind<StatisticalSpec, StatisticalPartial> = {
  type: 'statistical',
  names: ['statistical'],
  parse: parseStatistical,
  collector: ({ fields }) => new StatisticalCollector(fields),
  reduce: (_specs, partials) => render(partials.reduce(add)),
};

function parseStatistical(
  name: string,
  body: JsonObject,
  context: FacetParseContext,
): StatisticalSpec {
  const field = lastText(body.get('field') ?? null);
  const list = body.get('fields');
  const names = Array.isArray(list) ? list.map(String) : field === null ? null : [field];
  if (names === null) {
    const hasScript = SCRIPT_MEMBERS.some((member) => body.has(member));
    throw failure(
      name,
      hasScript
        ? 'scripts are not supported'
        : 'statistical facet requires either [script] or [field] to be set',
    );
  }
  return { fields: names.flatMap((path) => numberField(name, path, field, context) ?? []) };
}

/** The text of a scalar, or compat: of the last one in a list. */
function lastText(value: JsonValue): string | null {
  const last = Array.isArray(value) ? (value.flat(16).at(-1) ?? null) : value;
  return isScalar(last) && last !== null ? String(last) : null;
}

/**
 * The field that `path` names; null: a number field that indexes nothing.
 *
 * @param shown what the error text calls the field: compat, `field` also where `path` is one of `fields`
 */
function numberField(
  facet: string,
  path: string,
  shown: string | null,
  context: FacetParseContext,
): FieldId | null {
  const mapped = context.mapping.find(path, context.types)?.mapped;
  if (mapped === undefined || mapped.type === 'object' || mapped.type === 'nested') {
    throw failure(facet, `No mapping found for field [${path}]`);
  }
  const { field, type } = mapped;
  const isNumber = type === 'meta' ? isNumberKind(field?.kind) : NUMBER_TYPES.has(type);
  if (!isNumber) {
    const kind = type === 'boolean' || type === 'meta' ? textTypeOf(mapped.path) : type;
    throw failure(facet, `field [${shown}] isn't a number field, but a ${kind}`);
  }
  return field?.id ?? null;
}

function isNumberKind(kind: FieldKind | undefined): boolean {
  return kind !== undefined && kind !== 'string' && kind !== 'geo';
}

/** The reference's name for the type of a field that holds text without being mapped as a string. */
function textTypeOf(path: string): string {
  return path === '_parent' || path === '_index' ? path : 'string';
}

function failure(facet: string, message: string): EngineError {
  return new EngineError('FacetPhaseExecutionException', `Facet [${facet}]: ${message}`);
}

class StatisticalCollector implements FacetCollector {
  private count = 0;
  private total = 0;
  private sumOfSquares = 0;
  private min = Infinity;
  private max = -Infinity;

  constructor(private readonly fields: readonly FieldId[]) {}

  collect(segment: SegmentReader, docs: Bitset | null): void {
    if (docs === null) return;
    for (const field of this.fields) {
      const column = segment.numeric(field);
      if (column !== null) this.collectColumn(column, docs);
    }
  }

  partial(): StatisticalPartial {
    const { count, total, sumOfSquares, min, max } = this;
    return { count, total, sumOfSquares, min, max };
  }

  private collectColumn(column: NumericColumn, docs: Bitset): void {
    scanNumbers(column, docs, (portion) => {
      const { values, places } = portion;
      let { total, sumOfSquares, min, max } = this;
      for (let i = 0; i < portion.count; i++) {
        const value = values[places[i]!]!;
        total += value;
        sumOfSquares += value * value;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      this.count += portion.count;
      this.total = total;
      this.sumOfSquares = sumOfSquares;
      this.min = min;
      this.max = max;
    });
  }
}

function add(a: StatisticalPartial, b: StatisticalPartial): StatisticalPartial {
  return {
    count: a.count + b.count,
    total: a.total + b.total,
    sumOfSquares: a.sumOfSquares + b.sumOfSquares,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
}

function render({ count, total, sumOfSquares, min, max }: StatisticalPartial): JsonOutput {
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

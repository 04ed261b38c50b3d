// histogram: numbers by intervals of equal width (reference server). A number loses its fraction first,
// and is then rounded down.

import type { Rounding } from '../../counting/index';
import { parseInt64 } from '../../common/index';
import {
  isJsonObject,
  isScalar,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  lenientInteger,
} from '../../json/index';
import { booleanOf, ElementFailure, tokenName } from '../../query/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { unknownMember, ValuesMembers } from '../contract/values';
import { type BucketOrder, BY_KEY, parseOrder } from './bucket-order';
import { type Bounds, type HistogramSpec, histogramKind } from './histograms';

/** How numbers are rounded: they are moved, rounded down, and moved again. */
interface IntervalSpec {
  readonly interval: number;
  readonly preOffset: number;
  readonly postOffset: number;
}

/** Plain data. */
export interface NumberHistogramSpec extends HistogramSpec, IntervalSpec {}

export const HISTOGRAM_AGGREGATION = histogramKind<NumberHistogramSpec>('histogram', {
  parse,
  roundingKey: ({ interval, preOffset, postOffset }) => ({ interval, preOffset, postOffset }),
  rounding: (spec) => ({
    rounding: new IntervalRounding(spec),
    next: (key) => key + spec.interval,
  }),
});

/** Rounds down to multiples of an interval, with offsets. */
class IntervalRounding implements Rounding {
  readonly grain: number;
  readonly minShift: number;
  readonly maxShift: number;
  readonly isDistinct = true;
  private readonly postOffset: number;

  constructor({ interval, preOffset, postOffset }: IntervalSpec) {
    this.grain = interval;
    this.minShift = preOffset;
    this.maxShift = preOffset;
    this.postOffset = postOffset;
  }

  shiftWithin(): number {
    return this.minShift;
  }

  round(value: number): number {
    const quotient = Math.floor((Math.trunc(value) + this.minShift) / this.grain);
    return quotient * this.grain + this.postOffset + 0;
  }
}

function parse(
  name: string,
  body: JsonObject,
  context: AggregationParseContext,
): NumberHistogramSpec {
  const members = new ValuesMembers();
  let interval = 0;
  let preOffset = 0;
  let postOffset = 0;
  const common = new HistogramMembers(name);
  for (const [member, given] of body) {
    if (members.read(member, given)) continue;
    const value = plainValue(member, given);
    if (common.read(member, value)) continue;
    const number = wholeNumber(value);
    if (number !== null && member === 'interval') interval = number;
    else if (number !== null && /^pre_?offset$/i.test(member)) preOffset = number;
    else if (number !== null && /^post_?offset$/i.test(member)) postOffset = number;
    else throw unknownMember(name, member, given);
  }
  if (interval < 1)
    throw new ElementFailure(
      `Missing required field [interval] for histogram aggregation [${name}]`,
    );
  const values = members.resolve(name, 'numbers', context);
  const rest = common.result((bound) => numberBound(name, bound));
  return { values, interval, preOffset, postOffset, ...rest };
}

/** compat: here, and not in histograms of dates, texts are numbers and anything is true or false. */
function plainValue(member: string, value: JsonValue): JsonValue {
  if (value === null || !isScalar(value)) return value;
  if (member === 'keyed') return booleanOf(value);
  if (typeof value !== 'string' || !/^min_?doc_?count$/i.test(member)) return value;
  return new JsonNumber(String(parseInt64(value)));
}

/** Null for what is neither a number nor a text. @throws EngineError for a text that is no integer */
function wholeNumber(value: JsonValue): number | null {
  if (value instanceof JsonNumber) return Math.trunc(value.value);
  return typeof value === 'string' ? Number(parseInt64(value)) : null;
}

function numberBound(name: string, value: JsonValue): number {
  const number = wholeNumber(value);
  if (number !== null) return number;
  throw new ElementFailure(`[extended_bounds] of histogram aggregation [${name}] must be numbers`);
}

/** The members that histograms of numbers and of dates have in common. */
export class HistogramMembers {
  private keyed = false;
  private minDocCount = 1;
  private orders: readonly BucketOrder[] = [BY_KEY];
  private bounds: { min: JsonValue; max: JsonValue } | null = null;

  /** @param name of the aggregation, for errors */
  constructor(private readonly name: string) {}

  /** Takes a member if it is one of these. @throws ElementFailure */
  read(member: string, value: JsonValue): boolean {
    if (member === 'keyed' && typeof value === 'boolean') this.keyed = value;
    else if (/^min_?doc_?count$/i.test(member) && value instanceof JsonNumber)
      this.minDocCount = lenientInteger(value, 1);
    else if (member === 'order' && isJsonObject(value)) {
      this.orders = parseOrder(this.name, value, '_key');
    } else if (/^extended_?bounds$/i.test(member) && isJsonObject(value)) {
      this.bounds = { min: value.get('min') ?? null, max: value.get('max') ?? null };
      for (const [bound, given] of value) {
        if (bound === 'min' || bound === 'max') continue;
        throw new ElementFailure(
          `Unknown extended_bounds key for a ${tokenName(given)} in aggregation [${this.name}]: [${bound}].`,
        );
      }
    } else return false;
    return true;
  }

  /** @param bound reads one of the bounds @throws what it throws, and ElementFailure */
  result(
    bound: (value: JsonValue) => number,
  ): Pick<HistogramSpec, 'keyed' | 'minDocCount' | 'orders' | 'bounds'> {
    const { keyed, minDocCount, orders } = this;
    if (this.bounds === null) return { keyed, minDocCount, orders, bounds: null };
    const { min, max } = this.bounds;
    const bounds: Bounds = {
      min: min === null ? null : bound(min),
      max: max === null ? null : bound(max),
    };
    if (bounds.min !== null && bounds.max !== null && bounds.min > bounds.max) {
      throw new ElementFailure(
        `[extended_bounds.min][${bounds.min}] cannot be greater than [extended_bounds.max][${bounds.max}] for histogram aggregation [${this.name}]`,
      );
    }
    return { keyed, minDocCount, orders, bounds };
  }
}

// histogram: numbers by intervals of equal width (reference server). A number loses its fraction first,
// and is then rounded down.

import type { Rounding } from '../../counting/index';
import { parseInt64 } from '../../common/index';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  lenientInteger,
} from '../../json/index';
import { ElementFailure, tokenName } from '../../query/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { unknownMember, ValuesMembers } from '../contract/values';
import { type BucketOrder, BY_KEY, parseOrder } from './bucket-order';
import { type Bounds, type HistogramSpec, histogramKind } from './histograms';

interface NumberHistogramSpec extends HistogramSpec {
  readonly interval: number;
}

export const HISTOGRAM_AGGREGATION = histogramKind<NumberHistogramSpec>('histogram', {
  parse,
  roundingKey: ({ interval }) => interval,
  rounding: ({ interval }) => ({
    rounding: new IntervalRounding(interval),
    next: (key) => key + interval,
  }),
});

/** Rounds down to multiples of an interval. */
class IntervalRounding implements Rounding {
  readonly minShift = 0;
  readonly maxShift = 0;
  readonly isDistinct = true;

  constructor(readonly grain: number) {}

  shiftWithin(): number {
    return 0;
  }

  round(value: number): number {
    return Math.floor(Math.trunc(value) / this.grain) * this.grain + 0;
  }
}

function parse(
  name: string,
  body: JsonObject,
  context: AggregationParseContext,
): NumberHistogramSpec {
  const members = new ValuesMembers();
  let interval = 0;
  const common = new HistogramMembers(name);
  for (const [member, value] of body) {
    if (members.read(member, value) || common.read(member, value)) continue;
    if (member === 'interval' && value instanceof JsonNumber) interval = Math.trunc(value.value);
    else if (member === 'interval' && typeof value === 'string')
      interval = Number(parseInt64(value));
    else throw unknownMember(name, member, value);
  }
  if (interval < 1)
    throw new ElementFailure(
      `Missing required field [interval] for histogram aggregation [${name}]`,
    );
  const values = members.resolve(name, 'numbers', context);
  return { values, interval, ...common.result((bound) => numberBound(name, bound)) };
}

function numberBound(name: string, value: JsonValue): number {
  if (value instanceof JsonNumber) return Math.trunc(value.value);
  if (typeof value === 'string') return Number(parseInt64(value));
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

// date_histogram: instants by calendar units or fixed intervals, in a time zone (reference server).

import {
  DateRounding,
  type DateRoundingSpec,
  DEFAULT_DATE_ROUNDING,
  nextDateKey,
  parseDateInterval,
  parseDateOffset,
  parseZone,
} from '../../counting/index';
import { isScalar, javaText, JsonNumber, type JsonObject, type JsonValue } from '../../json/index';
import { DEFAULT_DATE_FORMAT, instantOf } from '../../mapping/index';
import { ElementFailure } from '../../query/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { unknownMember, ValuesMembers, type ValuesSpec } from '../contract/values';
import { HistogramMembers } from './histogram';
import { histogramKind, type HistogramSpec } from './histograms';

/** Plain data. */
export interface DateHistogramSpec extends HistogramSpec {
  readonly rounding: DateRoundingSpec;
}

export const DATE_HISTOGRAM_AGGREGATION = histogramKind<DateHistogramSpec>('date_histogram', {
  parse,
  roundingKey: ({ rounding }) => rounding,
  rounding: ({ rounding }) => ({
    rounding: new DateRounding(rounding),
    next: (key) => nextDateKey(rounding, key),
  }),
});

type Rounds = { -readonly [M in keyof DateRoundingSpec]: DateRoundingSpec[M] };

function parse(
  name: string,
  body: JsonObject,
  context: AggregationParseContext,
): DateHistogramSpec {
  const members = new ValuesMembers({ type: 'date' });
  const common = new HistogramMembers(name);
  let interval: string | null = null;
  const rounding: Rounds = { ...DEFAULT_DATE_ROUNDING };
  for (const [member, value] of body) {
    if (members.read(member, value) || common.read(member, value)) continue;
    if (member === 'interval' && typeof value === 'string') interval = value;
    else if (!readRounding(rounding, member, value)) throw unknownMember(name, member, value);
  }
  if (interval === null)
    throw new ElementFailure(
      `Missing required field [interval] for histogram aggregation [${name}]`,
    );
  rounding.interval = parseDateInterval(interval);
  const values = members.resolve(name, 'numbers', context);
  const { now } = context.search.services;
  return { values, rounding, ...common.result((bound) => dateBound(bound, values, now)) };
}

function readRounding(rounding: Rounds, member: string, value: JsonValue): boolean {
  if (!isScalar(value) || value === null) return false;
  switch (member) {
    case 'time_zone':
    case 'timeZone':
    case 'pre_zone':
    case 'preZone':
      if (typeof value === 'boolean') return false;
      rounding.preZone = parseZone(value);
      return true;
    case 'post_zone':
    case 'postZone':
      if (typeof value === 'boolean') return false;
      rounding.postZone = parseZone(value);
      return true;
    case 'pre_offset':
    case 'preOffset':
      if (typeof value !== 'string') return false;
      rounding.preOffset = parseDateOffset(value);
      return true;
    case 'post_offset':
    case 'postOffset':
      if (typeof value !== 'string') return false;
      rounding.postOffset = parseDateOffset(value);
      return true;
    case 'offset': {
      if (typeof value !== 'string') return false;
      const offset = parseDateOffset(value);
      rounding.preOffset = -offset;
      rounding.postOffset = offset;
      return true;
    }
    case 'pre_zone_adjust_large_interval':
    case 'preZoneAdjustLargeInterval':
      if (typeof value !== 'boolean') return false;
      rounding.adjustLargeInterval = value;
      return true;
    default:
      return false;
  }
}

function dateBound(value: JsonValue, { format }: ValuesSpec, now: () => number): number {
  if (value instanceof JsonNumber) return Math.trunc(value.value);
  const pattern = format.kind === 'date' ? format.pattern : DEFAULT_DATE_FORMAT;
  return instantOf(javaText(value), pattern, now);
}

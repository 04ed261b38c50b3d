// The date_histogram facet: instants by calendar units or fixed intervals, in a time zone (reference server).

import { RoundedBuckets } from '../buckets/bucketing';
import { DateRounding, type CalendarUnit, type DateRoundingSpec } from '../buckets/date-rounding';
import { memberLead } from '../json/entry-list';
import type { JsonObject, JsonOutput } from '../json/json';
import type { ScriptName } from '../script/library';
import { scriptName } from '../script/parse-script';
import { lenientBoolean, lenientFloat } from '../search/lenient';
import { parseDateInterval, parseDateOffset, parseZone } from './date-interval';
import type { FacetKind, FacetParseContext } from './facet';
import { NO_INTERVAL, NO_KEY, parseKeyedOrder } from './histogram';
import {
  keyedCollector,
  orderedBuckets,
  renderBuckets,
  type FoldedValues,
  type KeyedLayout,
  type KeyedOrder,
  type KeyedPartial,
} from './keyed-collector';
import { scalarMembers, type ScalarValue } from './members';
import { scriptNumbers, type NumberOrigin } from './number-source';
import { facetFailure, findLeaf, numbersOf } from './number-field';

interface DateHistogramSpec {
  readonly key: NumberOrigin;
  readonly values: FoldedValues;
  readonly rounding: DateRoundingSpec;
  readonly order: KeyedOrder;
}

export const DATE_HISTOGRAM_FACET: FacetKind<DateHistogramSpec, KeyedPartial> = {
  type: 'date_histogram',
  names: ['date_histogram', 'dateHistogram', 'date histogram'],
  parse: parseDateHistogram,
  collector: ({ key, values, rounding }) => {
    const rounds = new DateRounding(rounding);
    return keyedCollector(
      { key, values, rounding },
      key,
      values,
      (extent) => new RoundedBuckets(rounds, extent),
    );
  },
  reduce: (specs, partials) => render(specs[0]!, partials),
};

interface Members {
  field: string | null;
  valueField: string | null;
  interval: string | null;
  order: KeyedOrder;
  valueScript: ScriptName | null;
  preZone: string;
  postZone: string;
  adjustLargeInterval: boolean;
  preOffset: number;
  postOffset: number;
  factor: number;
}

function parseDateHistogram(
  name: string,
  body: JsonObject,
  context: FacetParseContext,
): DateHistogramSpec {
  const members: Members = {
    field: null,
    valueField: null,
    interval: null,
    order: 'key',
    valueScript: null,
    preZone: 'UTC',
    postZone: 'UTC',
    adjustLargeInterval: false,
    preOffset: 0,
    postOffset: 0,
    factor: 1,
  };
  for (const [member, value] of scalarMembers(body)) readMember(members, member, value);
  const { field, valueField, order, valueScript } = members;
  if (members.interval === null) throw facetFailure(name, NO_INTERVAL);
  if (field === null) throw facetFailure(name, NO_KEY);
  const key = numbersNamed(name, field, 'key', context);
  const interval: CalendarUnit | number = parseDateInterval(members.interval);
  const values = valuesOf(name, valueField, valueScript, body, context);
  const { preZone, postZone, adjustLargeInterval, preOffset, postOffset, factor } = members;
  const zones = { preZone, postZone, adjustLargeInterval };
  return { key, values, order, rounding: { interval, ...zones, preOffset, postOffset, factor } };
}

function valuesOf(
  facet: string,
  field: string | null,
  script: ScriptName | null,
  body: JsonObject,
  context: FacetParseContext,
): FoldedValues {
  if (script !== null) return scriptNumbers(script, body, context);
  return field === null ? { kind: 'none' } : numbersNamed(facet, field, 'value', context);
}

function readMember(members: Members, name: string, value: ScalarValue): void {
  switch (name) {
    case 'field':
    case 'key_field':
    case 'keyField':
      members.field = String(value);
      return;
    case 'value_field':
    case 'valueField':
      members.valueField = String(value);
      return;
    case 'interval':
      members.interval = String(value);
      return;
    case 'time_zone':
    case 'timeZone':
    case 'pre_zone':
    case 'preZone':
      members.preZone = parseZone(value);
      return;
    case 'post_zone':
    case 'postZone':
      members.postZone = parseZone(value);
      return;
    case 'pre_zone_adjust_large_interval':
    case 'preZoneAdjustLargeInterval':
      members.adjustLargeInterval = lenientBoolean(value, false);
      return;
    case 'pre_offset':
    case 'preOffset':
      members.preOffset = parseDateOffset(String(value));
      return;
    case 'post_offset':
    case 'postOffset':
      members.postOffset = parseDateOffset(String(value));
      return;
    case 'factor':
      members.factor = lenientFloat(value, 1) ?? 1;
      return;
    case 'order':
    case 'comparator':
      members.order = parseKeyedOrder(String(value), 'time');
      return;
    default:
      members.valueScript = scriptName('value_script', name, String(value)) ?? members.valueScript;
  }
}

function numbersNamed(
  facet: string,
  field: string,
  role: 'key' | 'value',
  context: FacetParseContext,
): NumberOrigin {
  const mapped = findLeaf(field, context);
  if (mapped === null) throw facetFailure(facet, `(${role}) field [${field}] not found`);
  return { kind: 'field', field: numbersOf(mapped) };
}

function render({ order }: DateHistogramSpec, partials: readonly KeyedPartial[]): JsonOutput {
  const entries = renderBuckets(orderedBuckets(partials, order), LAYOUT);
  return { _type: 'date_histogram', entries };
}

const LAYOUT: KeyedLayout = {
  keyLead: memberLead('{"time":'),
  writeKey: (list, time) => list.integer(time),
  emptyMean: 0,
};

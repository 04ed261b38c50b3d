// The date_histogram facet: instants by calendar units or fixed intervals, in a time zone (reference server).

import {
  RoundedBuckets,
  DateRounding,
  type CalendarUnit,
  type DateRoundingSpec,
  DEFAULT_DATE_ROUNDING,
  parseDateInterval,
  parseDateOffset,
  parseZone,
  type NumberOrigin,
} from '../../counting/index';
import {
  memberLead,
  type JsonObject,
  type JsonOutput,
  lenientBoolean,
  lenientFloat,
} from '../../json/index';
import type { ScriptName } from '../../script/index';
import type { FacetKind, FacetParseContext } from '../contract/facet';
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
import { KEY_AND_VALUE, MemberTable } from '../contract/members';
import { readsOf, scriptNumbers } from '../contract/number-source';
import { facetFailure, findLeaf, numbersOf } from '../contract/number-field';

/** What a date_histogram facet counts. Plain data. */
export interface DateHistogramSpec {
  readonly key: NumberOrigin;
  readonly values: FoldedValues;
  readonly rounding: DateRoundingSpec;
  readonly order: KeyedOrder;
}

export const DATE_HISTOGRAM_FACET: FacetKind<DateHistogramSpec, KeyedPartial> = {
  type: 'date_histogram',
  names: ['date_histogram', 'dateHistogram', 'date histogram'],
  parse: parseDateHistogram,
  collector: ({ key, values, rounding }, { scoresOf }) => {
    const rounds = new DateRounding(rounding);
    return keyedCollector(
      key,
      values,
      rounding,
      scoresOf,
      (extent) => new RoundedBuckets(rounds, extent),
    );
  },
  reads: ({ key, values }) => readsOf([key, values]),
  reduce: (specs, partials) => render(specs[0]!, partials),
};

interface Members {
  field: string | null;
  valueField: string | null;
  interval: string | null;
  order: KeyedOrder;
  valueScript: ScriptName | null;
  readonly rounding: { -readonly [M in keyof DateRoundingSpec]: DateRoundingSpec[M] };
}

const MEMBERS = new MemberTable<Members>(
  [
    ...KEY_AND_VALUE,
    [['interval'], (members, value) => (members.interval = String(value))],
    [['time_zone', 'pre_zone'], (members, value) => (members.rounding.preZone = parseZone(value))],
    [['post_zone'], (members, value) => (members.rounding.postZone = parseZone(value))],
    [
      ['pre_zone_adjust_large_interval'],
      (members, value) => (members.rounding.adjustLargeInterval = lenientBoolean(value, false)),
    ],
    [
      ['pre_offset'],
      (members, value) => (members.rounding.preOffset = parseDateOffset(String(value))),
    ],
    [
      ['post_offset'],
      (members, value) => (members.rounding.postOffset = parseDateOffset(String(value))),
    ],
    [['factor'], (members, value) => (members.rounding.factor = lenientFloat(value, 1) ?? 1)],
    [
      ['order', 'comparator'],
      (members, value) => (members.order = parseKeyedOrder(String(value), 'time')),
    ],
  ],
  [['value_script', (members, script) => (members.valueScript = script)]],
);

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
    rounding: { ...DEFAULT_DATE_ROUNDING },
  };
  MEMBERS.readAll(members, body);
  const { field, valueField, order, valueScript } = members;
  if (members.interval === null) throw facetFailure(name, NO_INTERVAL);
  if (field === null) throw facetFailure(name, NO_KEY);
  const key = numbersNamed(name, field, 'key', context);
  const interval: CalendarUnit | number = parseDateInterval(members.interval);
  const values = valuesOf(name, valueField, valueScript, body, context);
  return { key, values, order, rounding: { ...members.rounding, interval } };
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

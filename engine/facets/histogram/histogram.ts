// The histogram facet: values of a number field by intervals of equal width (reference server).

import { IntervalBuckets, type NumberOrigin } from '../../counting/index';
import { illegalArgument } from '../../errors';
import {
  memberLead,
  type EntryList,
  type JsonObject,
  type JsonOutput,
  lenientLong,
} from '../../json/index';
import type { ScriptName } from '../../script/index';
import { parseTimeValue } from '../../common/index';
import type { FacetKind, FacetParseContext } from '../contract/facet';
import {
  keyedCollector,
  orderedBuckets,
  renderBuckets,
  type FoldedValues,
  type KeyedOrder,
  type KeyedPartial,
} from './keyed-collector';
import { KEY_AND_VALUE, KEY_AND_VALUE_SCRIPTS, MemberTable } from '../contract/members';
import { readsOf, scriptNumbers } from '../contract/number-source';
import { facetFailure, findLeaf, numbersOf } from '../contract/number-field';

/** What a histogram facet counts. Plain data. */
export interface HistogramSpec {
  readonly key: NumberOrigin;
  readonly values: FoldedValues;
  readonly interval: number;
  readonly order: KeyedOrder;
}

export const HISTOGRAM_FACET: FacetKind<HistogramSpec, KeyedPartial> = {
  type: 'histogram',
  names: ['histogram'],
  parse: parseHistogram,
  collector: ({ key, values, interval }, { scoresOf }) =>
    keyedCollector(
      key,
      values,
      interval,
      scoresOf,
      (extent) => new IntervalBuckets(interval, extent),
    ),
  reads: ({ key, values }) => readsOf([key, values]),
  reduce: (specs, partials) => render(specs[0]!, partials),
};

interface Members {
  field: string | null;
  valueField: string | null;
  interval: number;
  order: KeyedOrder;
  keyScript: ScriptName | null;
  valueScript: ScriptName | null;
}

const MEMBERS = new MemberTable<Members>(
  [
    ...KEY_AND_VALUE,
    [['interval'], (members, value) => (members.interval = lenientLong(value))],
    [['time_interval'], (members, value) => (members.interval = parseTimeValue(String(value)))],
    [
      ['order', 'comparator'],
      (members, value) => (members.order = parseKeyedOrder(String(value), 'key')),
    ],
  ],
  KEY_AND_VALUE_SCRIPTS,
);

function parseHistogram(name: string, body: JsonObject, context: FacetParseContext): HistogramSpec {
  const members: Members = {
    field: null,
    valueField: null,
    interval: 0,
    order: 'key',
    keyScript: null,
    valueScript: null,
  };
  MEMBERS.readAll(members, body);
  const { field, valueField, interval, order, valueScript, keyScript } = members;
  const script = (source: ScriptName) => scriptNumbers(source, body, context);
  if (keyScript !== null && valueScript !== null) {
    // Without an interval every integer is a bucket.
    const width = interval <= 0 ? 1 : interval;
    return { key: script(keyScript), values: script(valueScript), interval: width, order };
  }
  if (field === null) throw facetFailure(name, NO_KEY);
  if (interval <= 0) throw facetFailure(name, NO_INTERVAL);
  const key = fieldNumbers(name, field, 'key_field', context);
  const isOwn = valueField === null || valueField === field;
  const other = isOwn ? null : fieldNumbers(name, valueField, 'value_field', context);
  if (valueScript !== null) return { key, values: script(valueScript), interval, order };
  const own: FoldedValues = { kind: valueField === null ? 'none' : 'keys' };
  return { key, values: other ?? own, interval, order };
}

/** What is said of a histogram without key. */
export const NO_KEY =
  'key field is required to be set for histogram facet, either using [field] or using [key_field]';
/** What is said of a histogram without interval. */
export const NO_INTERVAL = '[interval] is required to be set for histogram facet';

/**
 * An order of histogram entries.
 *
 * @param keyName what ordering by key is called
 */
export function parseKeyedOrder(text: string, keyName: 'key' | 'time'): KeyedOrder {
  if (text === keyName) return 'key';
  if (text === 'count' || text === 'total') return text;
  throw illegalArgument(`No type argument match for histogram comparator [${text}]`);
}

/**
 * The numbers of a field by name.
 *
 * @param role what the error text calls the field
 */
export function fieldNumbers(
  facet: string,
  field: string,
  role: 'key_field' | 'value_field',
  context: FacetParseContext,
): NumberOrigin {
  const mapped = findLeaf(field, context);
  if (mapped === null) throw facetFailure(facet, `No mapping found for ${role} [${field}]`);
  return { kind: 'field', field: numbersOf(mapped) };
}

function render({ order, interval }: HistogramSpec, partials: readonly KeyedPartial[]): JsonOutput {
  const entries = renderBuckets(orderedBuckets(partials, order), {
    keyLead: KEY,
    writeKey: (list, quotient) => writeKey(list, quotient, interval),
    // compat: not a number where there are no values.
    emptyMean: NaN,
  });
  return { _type: 'histogram', entries };
}

const LONG_LIMIT = 2 ** 63;
const LONG_MAX = 2n ** 63n - 1n;
const KEY = memberLead('{"key":');

/**
 * The key of a bucket in 64-bit arithmetic, as the reference multiplies; both factors are at most the
 * largest.
 */
function writeKey(list: EntryList, quotient: number, interval: number): void {
  const key = quotient * interval;
  if (Number.isSafeInteger(key)) list.integer(key);
  else {
    const [whole, width] = [quotient, interval].map((x) => (x < LONG_LIMIT ? BigInt(x) : LONG_MAX));
    list.text(BigInt.asIntN(64, whole! * width!).toString());
  }
}

// What all metrics have in common: where values come from, and how numbers are shown.

import { Double, writeJson, formatDouble, type JsonObject } from '../../json/index';
import type { AggregationKind, AggregationParseContext } from '../contract/aggregation';
import { formatValue, RAW, type ValueFormat } from '../contract/value-format';
import {
  leadOf,
  unknownMember,
  ValuesMembers,
  type ValuesSpec,
  type WantedValues,
  quickReads,
} from '../contract/values';
import { numbersOf } from '../contract/open-values';
import {
  type BucketNumbers,
  mergeNumbers,
  numbersAt,
  type NumbersByBucket,
  NumberTable,
} from './number-table';

/** A metric of values alone. Plain data. */
export interface MetricSpec {
  readonly values: ValuesSpec;
}

/**
 * Reads the members of a metric: those that name its values, and those that `read` knows.
 *
 * @throws ElementFailure for others
 */
export function metricValues(
  name: string,
  body: JsonObject,
  wanted: WantedValues,
  context: AggregationParseContext,
  read: (member: string, value: Parameters<ValuesMembers['read']>[1]) => boolean = () => false,
  options: ConstructorParameters<typeof ValuesMembers>[0] = {},
): ValuesSpec {
  const members = new ValuesMembers(options);
  for (const [member, value] of body) {
    if (members.read(member, value) || read(member, value)) continue;
    throw unknownMember(name, member, value);
  }
  const values = members.resolve(name, wanted, context);
  // compat: patterns of numbers are for fields.
  return values.field === null && values.format.kind === 'number'
    ? { ...values, format: RAW }
    : values;
}

/** `"name":value`, and `"name_as_string":…` where values are shown as texts; null: there is none. */
export function valueMembers(name: string, value: number | null, format: ValueFormat): string {
  if (value === null) return `"${name}":null`;
  const text = `"${name}":${formatDouble(value)}`;
  return format.kind === 'raw'
    ? text
    : `${text},"${name}_as_string":${writeJson(formatValue(format, value))}`;
}

/** A number as JSON. */
export function doubleJson(value: number): string {
  return writeJson(new Double(value));
}

/** A metric that is one number made of counts, sums and extremes. */
export function singleNumber(
  type: string,
  options: {
    /** What is shown; null: nothing. */
    readonly shown: (numbers: BucketNumbers) => number | null;
    /** What it is ordered by. */
    readonly ordered: (numbers: BucketNumbers) => number;
  },
): AggregationKind<MetricSpec, NumbersByBucket> {
  return {
    type,
    hasBuckets: false,
    parse: (name, body, context) => ({ values: metricValues(name, body, 'numbers', context) }),
    bind: ({ spec }, { scoresOf }) => {
      const open = numbersOf(spec.values, scoresOf);
      return (segment) => new NumberTable(open(segment), false);
    },
    merge: (parts, owners) => mergeNumbers(parts, owners),
    lead: leadOf,
    reads: quickReads,
    render: ({ spec, data }, owner) =>
      `{${valueMembers('value', options.shown(numbersAt(data, owner)), spec.values.format)}}`,
    order: {
      isSingleBucket: false,
      has: (_spec, member) => member === null || member === 'value',
      value: ({ data }, _member, owner) => options.ordered(numbersAt(data, owner)),
    },
  };
}

// range: numbers by ranges with bounds of the request (reference server).

import { parseDouble } from '../../common/index';
import {
  isJsonObject,
  javaText,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/index';
import { ElementFailure } from '../../query/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { numbersOf } from '../contract/open-values';
import { unknownMember, ValuesMembers, type ValuesSpec, readsOfValues } from '../contract/values';
import { type BucketRange, inOrder, type RangesSpec, rangesKind } from './ranges';

/** Ranges of the numbers of a field or script. Plain data. */
export interface NumberRangesSpec extends RangesSpec {
  readonly values: ValuesSpec;
}

export const RANGE_AGGREGATION = rangesKind<NumberRangesSpec>('range', {
  parse: (name, body, context) => {
    const { values, ranges, keyed } = parseRanges(name, body, context, (range) => ({
      key: range.key,
      from: bound(range.from, -Infinity),
      to: bound(range.to, Infinity),
    }));
    return { values, ranges, keyed, format: values.format, showsTexts: true };
  },
  numbers: ({ values }, scoresOf) => numbersOf(values, scoresOf),
  lead: leadOfRanges,
  reads: readsOfValues,
});

/** The first spec whose field is mapped: it knows how bounds look. */
export function leadOfRanges<S extends NumberRangesSpec>(specs: readonly S[]): S {
  return specs.find(({ values }) => values.isMapped) ?? specs[0]!;
}

function bound(value: JsonValue, open: number): number {
  if (value === null) return open;
  return value instanceof JsonNumber ? value.value : parseDouble(javaText(value));
}

/** A range as a request has it; null: that bound is not given. */
export interface AskedRange {
  readonly key: string | null;
  readonly from: JsonValue;
  readonly to: JsonValue;
  readonly mask: string | null;
}

/** The members that all aggregations over ranges of a field's numbers have. */
interface ParsedRanges {
  readonly values: ValuesSpec;
  readonly ranges: readonly BucketRange[];
  readonly keyed: boolean;
}

/**
 * Reads the body of an aggregation over ranges.
 *
 * @param read makes a range of what is asked for, once the field is known
 * @throws ElementFailure, EngineError
 */
export function parseRanges(
  name: string,
  body: JsonObject,
  context: AggregationParseContext,
  read: (range: AskedRange, values: ValuesSpec) => BucketRange,
): ParsedRanges {
  const members = new ValuesMembers();
  let asked: AskedRange[] | null = null;
  let keyed = false;
  for (const [member, value] of body) {
    if (members.read(member, value)) continue;
    if (member === 'ranges' && Array.isArray(value))
      asked = value.map((range) => askedRange(name, range));
    else if (member === 'keyed' && typeof value === 'boolean') keyed = value;
    else throw unknownMember(name, member, value);
  }
  if (asked === null) throw new ElementFailure(`Missing [ranges] in ranges aggregator [${name}]`);
  context.search.meter.add('ranges', asked.length);
  const values = members.resolve(name, 'numbers', context);
  return { values, ranges: inOrder(asked.map((range) => read(range, values))), keyed };
}

/** compat: what is no number, text or null in a range is passed over. */
export function askedRange(name: string, body: JsonValue): AskedRange {
  const range: { -readonly [M in keyof AskedRange]: AskedRange[M] } = {
    key: null,
    from: null,
    to: null,
    mask: null,
  };
  if (!isJsonObject(body)) throw new ElementFailure(`Unexpected range of aggregation [${name}]`);
  for (const [member, value] of body) {
    if (typeof value === 'string') {
      if (member === 'from') range.from = value;
      else if (member === 'to') range.to = value;
      else if (member === 'key') range.key = value;
      else if (member === 'mask') range.mask = value;
    } else if (value instanceof JsonNumber) {
      if (member === 'from') range.from = value;
      else if (member === 'to') range.to = value;
    }
  }
  return range;
}

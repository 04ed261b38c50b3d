// Ranges of the numbers of a field or script: what range, date_range and ip_range have in common (reference
// server). How texts are read as bounds, and how bounds are shown, goes by the field.

import { parseDouble } from '../../common/index';
import type { JsonObject } from '../../json/index';
import { instantOf, parseIp } from '../../mapping/index';
import { ElementFailure } from '../../query/index';
import type { AggregationKind, AggregationParseContext } from '../contract/aggregation';
import type { DocCounts } from '../contract/merging';
import { numbersOf } from '../contract/open-values';
import type { ValueFormat } from '../contract/value-format';
import {
  leadOf,
  atRun,
  quickReads,
  unknownMember,
  ValuesMembers,
  type ValuesSpec,
} from '../contract/values';
import {
  askedRange,
  type AskedRange,
  type BucketRange,
  inOrder,
  type RangesSpec,
  rangesKind,
} from './ranges';

/** Plain data. */
export interface NumberRangesSpec extends RangesSpec {
  readonly values: ValuesSpec;
}

/** What kinds of ranges differ in. */
interface NumberRangesOptions {
  /** The type of values that have none by a field. */
  readonly type?: 'date' | 'ip';
  readonly takesFormat?: boolean;
  /** How bounds are shown; absent: as the values are. */
  readonly format?: ValueFormat;
  /** Reads a `mask`; absent: there are none. @throws ElementFailure, EngineError */
  readonly masked?: (name: string, mask: string) => Pick<AskedRange, 'from' | 'to'>;
  /** The complaint about an unknown member. */
  readonly unknown?: typeof unknownMember;
}

/** A kind of ranges of numbers. */
export function numberRangesKind(
  type: string,
  options: NumberRangesOptions,
): AggregationKind<NumberRangesSpec, DocCounts> {
  const { masked = null, unknown = unknownMember } = options;
  const parse = (name: string, body: JsonObject, context: AggregationParseContext) => {
    const members = new ValuesMembers(options);
    let asked: AskedRange[] | null = null;
    let keyed = false;
    for (const [member, value] of body) {
      if (members.read(member, value)) continue;
      if (member === 'ranges' && Array.isArray(value))
        asked = value.map((range) => askedRange(name, range, -Infinity, type === 'date_range'));
      else if (member === 'keyed' && typeof value === 'boolean') keyed = value;
      else throw unknown(name, member, value);
    }
    if (asked === null) throw new ElementFailure(`Missing [ranges] in ranges aggregator [${name}]`);
    context.search.meter.add('ranges', asked.length);
    const values = members.resolve(name, 'numbers', context);
    const { now } = context.search.services;
    if (masked !== null)
      asked = asked.map((range) =>
        range.mask === null
          ? range
          : { ...range, ...masked(name, range.mask), key: range.key ?? range.mask },
      );
    const given = asked;
    const ranges = atRun(() => readBounds(given, values.format, now));
    const format = options.format ?? values.format;
    return { values, ranges, keyed, format, showsTexts: true };
  };
  return rangesKind<NumberRangesSpec>(type, {
    parse,
    numbers: ({ values }, scoresOf) => numbersOf(values, scoresOf),
    field: ({ values }) => (values.script === null ? values.field : null),
    reads: quickReads,
    lead: leadOf,
  });
}

/** @throws EngineError for texts that are no bounds */
function readBounds(
  asked: readonly AskedRange[],
  format: ValueFormat,
  now: () => number,
): readonly BucketRange[] {
  const read = (text: string | null, number: number) =>
    text === null ? number : boundOf(text, format, now);
  const ranges = asked.map(({ key, fromText, from, toText, to }) => ({
    key,
    from: read(fromText, from),
    to: read(toText, to),
  }));
  return inOrder(ranges);
}

function boundOf(text: string, format: ValueFormat, now: () => number): number {
  switch (format.kind) {
    case 'raw':
      return parseDouble(text);
    case 'number':
      return parseDouble(text.replaceAll(',', ''));
    case 'date':
      return instantOf(text, format.pattern, now);
    case 'ip':
      return parseIp(text);
  }
}

// stats and extended_stats: counts, sums, extremes and spread at once (reference server).

import { leadOf, quickReads } from '../contract/values';
import { formatDouble, type JsonObject, JsonNumber, writeJson } from '../../json/index';
import { formatValue, type ValueFormat } from '../contract/value-format';
import type { AggregationKind, AggregationParseContext } from '../contract/aggregation';
import { numbersOf } from '../contract/open-values';
import { ElementFailure } from '../../query/index';
import { type MetricSpec, metricValues } from './metric';
import {
  type BucketNumbers,
  mergeNumbers,
  numbersAt,
  type NumbersByBucket,
  NumberTable,
} from './number-table';

/** Plain data. */
export interface StatsSpec extends MetricSpec {
  /** Standard deviations between the mean and its bounds; null: only stats. */
  readonly sigma: number | null;
}

interface StatsMember {
  readonly name: string;
  /** What stands before its value. */
  readonly lead: string;
  readonly of: (numbers: BucketNumbers) => number;
}

/** In the order in which they are shown; the count comes first. */
type StatsMembers = readonly StatsMember[];

const STATS: StatsMembers = [
  member('count', ({ count }) => count),
  member('min', ({ min }) => min),
  member('max', ({ max }) => max),
  member('avg', ({ count, sum }) => sum / count),
  member('sum', ({ sum }) => sum),
];

const EXTENDED_STATS: StatsMembers = [
  ...STATS,
  member('sum_of_squares', ({ squares }) => squares),
  member('variance', varianceOf),
  member('std_deviation', (numbers) => Math.sqrt(varianceOf(numbers))),
];

function member(name: string, of: StatsMember['of']): StatsMember {
  return { name, lead: `,"${name}":`, of };
}

/** Of all values, not of a sample. */
function varianceOf({ count, sum, squares }: BucketNumbers): number {
  return (squares - (sum * sum) / count) / count;
}

export const STATS_AGGREGATION = statsKind('stats', STATS, (name, body, context) => ({
  values: metricValues(name, body, 'numbers', context),
  sigma: null,
}));

export const EXTENDED_STATS_AGGREGATION = statsKind(
  'extended_stats',
  EXTENDED_STATS,
  parseExtended,
);

const DEFAULT_SIGMA = 2;

function parseExtended(
  name: string,
  body: JsonObject,
  context: AggregationParseContext,
): StatsSpec {
  let sigma = DEFAULT_SIGMA;
  const values = metricValues(name, body, 'numbers', context, (member, value) => {
    if (member !== 'sigma' || !(value instanceof JsonNumber)) return false;
    if (value.value < 0) {
      throw new ElementFailure(
        `[sigma] must not be negative. Value provided was${formatDouble(value.value)}`,
      );
    }
    sigma = value.value;
    return true;
  });
  return { values, sigma };
}

function statsKind(
  type: string,
  members: StatsMembers,
  parse: AggregationKind<StatsSpec>['parse'],
): AggregationKind<StatsSpec, NumbersByBucket> {
  return {
    type,
    hasBuckets: false,
    parse,
    bind: ({ spec }, { scoresOf }) => {
      const open = numbersOf(spec.values, scoresOf);
      return (segment) => new NumberTable(open(segment), spec.sigma !== null);
    },
    merge: (parts, owners) => mergeNumbers(parts, owners),
    lead: leadOf,
    reads: quickReads,
    render: ({ spec, data }, owner) => render(spec, members, numbersAt(data, owner)),
    order: {
      isSingleBucket: false,
      has: (_spec, asked) => members.some(({ name }) => name === asked),
      value: ({ data }, asked, owner) =>
        members.find(({ name }) => name === asked)!.of(numbersAt(data, owner)),
    },
  };
}

function render(
  { sigma, values }: StatsSpec,
  members: StatsMembers,
  numbers: BucketNumbers,
): string {
  const { format } = values;
  const isEmpty = numbers.count === 0;
  if (members === STATS && !isEmpty && format.kind === 'raw') return plainStats(numbers);
  let text = `{"count":${numbers.count}`;
  for (let m = 1; m < members.length; m++) {
    const { lead, of } = members[m]!;
    text += isEmpty ? `${lead}null` : lead + formatDouble(of(numbers));
  }
  if (sigma !== null) text += bounds(sigma, numbers, isEmpty, null);
  if (!isEmpty && format.kind !== 'raw') {
    for (let m = 1; m < members.length; m++) {
      const { name, of } = members[m]!;
      text += `,"${name}_as_string":${writeJson(formatValue(format, of(numbers)))}`;
    }
    if (sigma !== null) text += bounds(sigma, numbers, isEmpty, format);
  }
  return text + '}';
}

/** As {@link render} writes what most buckets show, of which answers of several levels have thousands. */
function plainStats({ count, min, max, sum }: BucketNumbers): string {
  const ends = `"min":${formatDouble(min)},"max":${formatDouble(max)}`;
  return `{"count":${count},${ends},"avg":${formatDouble(sum / count)},"sum":${formatDouble(sum)}}`;
}

/** The bounds around the mean. @param format null: as numbers */
function bounds(
  sigma: number,
  numbers: BucketNumbers,
  isEmpty: boolean,
  format: ValueFormat | null,
): string {
  const mean = numbers.sum / numbers.count;
  const distance = sigma * Math.sqrt(varianceOf(numbers));
  const shown = (value: number): string => {
    if (isEmpty) return 'null';
    return format === null ? formatDouble(value) : writeJson(formatValue(format, value));
  };
  const name = format === null ? 'std_deviation_bounds' : 'std_deviation_bounds_as_string';
  return `,"${name}":{"upper":${shown(mean + distance)},"lower":${shown(mean - distance)}}`;
}

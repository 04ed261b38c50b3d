// percentiles and percentile_ranks (reference server): exact as long as a bucket has few distinct values, by
// a t-digest of many.

import {
  type DocBuckets,
  endOf,
  loadWindow,
  type NumberReader,
  startOf,
} from '../../counting/index';
import { EngineError, illegalArgument } from '../../errors';
import {
  formatDouble,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  writeJson,
} from '../../json/index';
import { ElementFailure, tokenName } from '../../query/index';
import type {
  AggregationKind,
  AggregationParseContext,
  AggregationPartial,
  Aggregator,
  ReducedAggregation,
} from '../contract/aggregation';
import { numbersOf } from '../contract/open-values';
import { formatValue } from '../contract/value-format';
import { leadOf, RunFailure, readsOfValues } from '../contract/values';
import {
  type DigestData,
  digestLimits,
  type DigestLimits,
  DigestTable,
  mergeDigests,
} from './digest-table';
import { doubleJson, type MetricSpec, metricValues } from './metric';
import { quantileOf, rankOf } from './quantiles';

/** Plain data. */
export interface PercentilesSpec extends MetricSpec {
  /** Percents, or values to be ranked; ascending. */
  readonly keys: readonly number[];
  readonly keyed: boolean;
  readonly limits: DigestLimits;
}

const DEFAULT_PERCENTS: readonly number[] = [1, 5, 25, 50, 75, 95, 99];
const DEFAULT_COMPRESSION = 100;
const MAX_KEYS = 10_000;

export const PERCENTILES_AGGREGATION = distributionKind('percentiles', {
  parse: (name, body, context) => {
    const { keys, ...rest } = parseMembers(name, body, 'percents', context);
    const percents = keys ?? DEFAULT_PERCENTS;
    for (const percent of percents) {
      if (!(percent >= 0 && percent <= 100)) throw new RunFailure(outOfRange(percent));
    }
    return { ...rest, keys: percents };
  },
  valueOf: (data, owner, percent) => quantileOf(data, owner, percent / 100),
});

export const PERCENTILE_RANKS_AGGREGATION = distributionKind('percentile_ranks', {
  parse: (name, body, context) => {
    const format = body.get('format');
    if (typeof format === 'string') throw unexpectedToken(name, format);
    const { keys, ...rest } = parseMembers(name, body, 'values', context);
    if (keys === null) throw new ElementFailure(`Missing token values in [${name}].`);
    return { ...rest, keys };
  },
  valueOf: (data, owner, value) => 100 * rankOf(data, owner, value),
});

function outOfRange(percent: number): EngineError {
  return new EngineError(
    'IllegalArgumentException',
    `q should be in [0,1], got ${formatDouble(percent / 100)}`,
  );
}

function unexpectedToken(name: string, value: JsonValue): ElementFailure {
  return new ElementFailure(`Unexpected token ${tokenName(value)} in [${name}].`);
}

function parseMembers(
  name: string,
  body: JsonObject,
  listName: string,
  context: AggregationParseContext,
) {
  let keys: readonly number[] | null = null;
  let keyed = true;
  let compression = DEFAULT_COMPRESSION;
  const values = metricValues(name, body, 'numbers', context, (member, value) => {
    if (Array.isArray(value)) {
      if (member !== listName) return false;
      context.search.meter.add('facets', value.length);
      keys = numbersIn(name, value);
      return true;
    }
    if (typeof value === 'boolean' && member === 'keyed') {
      keyed = value;
      return true;
    }
    if (value instanceof JsonNumber && member === 'compression') {
      if (value.value < 0) throw illegalArgument('[compression] must not be negative');
      compression = value.value;
      return true;
    }
    if (typeof value === 'string') throw unexpectedToken(name, value);
    return false;
  });
  return { values, keys, keyed, limits: digestLimits(compression) };
}

/** Ascending. */
function numbersIn(name: string, list: readonly JsonValue[]): readonly number[] {
  if (list.length > MAX_KEYS) {
    throw new ElementFailure(`more than [${MAX_KEYS}] numbers in [${name}]`);
  }
  const numbers = list.map((value) => {
    if (value instanceof JsonNumber) return value.value;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
    if (Number.isNaN(number)) {
      const text = typeof value === 'string' ? value : tokenName(value);
      throw new EngineError('NumberFormatException', `For input string: "${text}"`, {
        status: 400,
      });
    }
    return number;
  });
  return numbers.sort((a, b) => a - b);
}

function distributionKind(
  type: string,
  options: {
    readonly parse: AggregationKind<PercentilesSpec>['parse'];
    /** What is shown for a percent, or a value. */
    readonly valueOf: (data: DigestData, owner: number, key: number) => number;
  },
): AggregationKind<PercentilesSpec, DigestData> {
  const { parse, valueOf } = options;
  const keyNamed = ({ keys }: PercentilesSpec, member: string | null) =>
    member === null ? undefined : keys.find((key) => key === Number(member));
  return {
    type,
    hasBuckets: false,
    parse,
    bind: ({ spec }, { scoresOf }) => {
      const open = numbersOf(spec.values, scoresOf);
      return (segment) => new Digests(open(segment), spec.limits);
    },
    merge: (parts, owners) => {
      const limits = parts[0]?.spec.limits ?? digestLimits(DEFAULT_COMPRESSION);
      return { data: mergeDigests(parts, owners, limits), size: 0, maps: [] };
    },
    lead: leadOf,
    reads: readsOfValues,
    render: (node, owner) => render(node, (key) => valueOf(node.data, owner, key)),
    order: {
      isSingleBucket: false,
      has: (spec, member) => keyNamed(spec, member) !== undefined,
      value: ({ spec, data }, member, owner) => valueOf(data, owner, keyNamed(spec, member)!),
    },
  };
}

function render(
  { spec }: ReducedAggregation<PercentilesSpec, DigestData>,
  valueOf: (key: number) => number,
): string {
  const { keys, keyed, values } = spec;
  const { format } = values;
  const members = keys.map((key) => {
    const value = valueOf(key);
    // compat: what is not there is shown as if it were 0.
    const text =
      format.kind === 'raw'
        ? null
        : writeJson(
            formatValue(format, Number.isNaN(value) && format.kind !== 'number' ? 0 : value),
          );
    const name = formatDouble(key).replaceAll('"', '');
    if (keyed) {
      const shown = `"${name}":${doubleJson(value)}`;
      return text === null ? shown : `${shown},"${name}_as_string":${text}`;
    }
    const shown = `{"key":${doubleJson(key)},"value":${doubleJson(value)}`;
    return text === null ? `${shown}}` : `${shown},"value_as_string":${text}}`;
  });
  return keyed ? `{"values":{${members.join(',')}}}` : `{"values":[${members.join(',')}]}`;
}

/** Hot: every value of every document in scope. */
class Digests implements Aggregator {
  private readonly table: DigestTable;

  /** @param values null: there are none */
  constructor(
    private readonly values: NumberReader | null,
    limits: DigestLimits,
  ) {
    this.table = new DigestTable(limits);
  }

  collect(window: DocBuckets): void {
    const { values: reader, table } = this;
    if (reader === null) return;
    loadWindow(reader, window);
    const { from, size, docs, buckets } = window;
    const { values, present, offsets } = reader;
    for (let i = 0; i < size; i++) {
      const local = docs[i]!;
      if (present !== null && ((present[from + (local >>> 5)]! >>> (local & 31)) & 1) === 0)
        continue;
      const doc = (from << 5) + local;
      const end = offsets === null ? local + 1 : endOf(reader, doc);
      for (let v = offsets === null ? local : startOf(reader, doc); v < end; v++)
        table.add(buckets[i]!, values[v]!);
    }
  }

  get bytes(): number {
    return this.table.bytes;
  }

  partial(owners: number): AggregationPartial<DigestData> {
    return { data: this.table.data(owners), size: 0, subs: [] };
  }
}

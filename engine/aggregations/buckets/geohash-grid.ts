// geohash_grid: documents by the geohash cells that their points lie in (reference server).

import { GeohashKeys, textAt } from '../../counting/index';
import { EngineError } from '../../errors';
import { JsonNumber, type JsonObject, lenientInteger, writeJson } from '../../json/index';
import {
  type AggregationKind,
  type AggregationParseContext,
  type AggregationPartial,
  type Aggregator,
  EMPTY_BUCKET,
} from '../contract/aggregation';
import { bindSubs } from '../contract/sub-aggregators';
import { readsOfValues, RunFailure, ValuesMembers, type ValuesSpec } from '../contract/values';
import type { DocBuckets } from '../../counting/index';
import { BY_COUNT, bucketComparator, firstBuckets } from './bucket-order';
import { KeyedCounts } from './keyed-aggregator';
import {
  bucketsOf,
  byOwner,
  chained,
  keepBuckets,
  keyComparator,
  type KeyedBuckets,
  mergeKeyedBuckets,
  noBuckets,
} from './keyed-buckets';

/** Plain data. */
export interface GeohashGridSpec {
  readonly values: ValuesSpec;
  /** Characters of a geohash. */
  readonly precision: number;
  /** How many cells are shown; Infinity: all. */
  readonly size: number;
}

/** The cells. Plain data. */
export interface Cells extends KeyedBuckets {
  readonly ownerCount: number;
}

const DEFAULT_PRECISION = 5;
const MAX_PRECISION = 12;
const DEFAULT_SIZE = 10_000;

export const GEOHASH_GRID_AGGREGATION: AggregationKind<GeohashGridSpec, Cells> = {
  type: 'geohash_grid',
  hasBuckets: true,
  parse,
  bind: ({ name, spec, subs: plans }, shard) => {
    const subs = bindSubs(plans, shard);
    const hold = shard.holding(name);
    const { field } = spec.values;
    return (segment) => {
      const column = field === null ? null : segment.geo(field);
      if (column === null) return NO_POINTS;
      const cells = new GeohashKeys(column, spec.precision);
      return new GridAggregator(cells, new KeyedCounts(segment, cells, subs(segment), null, hold));
    };
  },
  merge: (parts, owners, { isFinal }) => {
    const { data, maps } = mergeKeyedBuckets(parts, 'string');
    const size = parts[0]?.spec.size ?? DEFAULT_SIZE;
    if (!isFinal) return { data: { ...data, ownerCount: owners }, size: data.counts.length, maps };
    const kept = firstCells(data, owners, size);
    const { data: left, became } = keepBuckets(data, kept);
    return {
      data: { ...left, ownerCount: owners },
      size: kept.length,
      maps: maps.map((map) => chained(map, became)),
    };
  },
  reads: readsOfValues,
  render: (node, owner, context) => {
    const { data } = node;
    if (owner === EMPTY_BUCKET) return '{"buckets":[]}';
    const own = bucketsOf(data, owner, data.ownerCount);
    context.countBuckets(own.length);
    const keys = data.keys as Extract<KeyedBuckets['keys'], { type: 'string' }>;
    const texts = Array.from(
      own,
      (bucket) =>
        `{"key":${writeJson(textAt(keys, data.keyOf[bucket]!))},"doc_count":${data.counts[bucket]!}${context.subs(node, bucket)}}`,
    );
    return `{"buckets":[${texts.join()}]}`;
  },
};

/** compat: members that it does not know are passed over. */
function parse(name: string, body: JsonObject, context: AggregationParseContext): GeohashGridSpec {
  const members = new ValuesMembers({ takesScripts: false, takesFormat: false });
  let precision = DEFAULT_PRECISION;
  let size = DEFAULT_SIZE;
  for (const [member, value] of body) {
    if (members.read(member, value) || !(value instanceof JsonNumber)) continue;
    if (member === 'precision') precision = lenientInteger(value, 0);
    else if (member === 'size') size = lenientInteger(value, 0);
  }
  const values = members.resolve(name, 'points', context);
  if (precision < 1 || precision > MAX_PRECISION) {
    throw new RunFailure(
      new EngineError(
        'ElasticsearchIllegalArgumentException',
        `Illegal precision length of ${precision}. Long-based geohashes only support precisions between 1 and ${MAX_PRECISION}`,
        { status: 500 },
      ),
    );
  }
  return { values, precision, size: size === 0 ? Infinity : Math.max(size, 0) };
}

const NO_POINTS: Aggregator = {
  collect: () => undefined,
  partial: (owners) => ({
    data: { ...noBuckets('string'), ownerCount: owners },
    size: 0,
    subs: [],
  }),
};

class GridAggregator implements Aggregator {
  constructor(
    private readonly cells: GeohashKeys,
    private readonly keyed: KeyedCounts,
  ) {}

  collect(docs: DocBuckets): void {
    this.keyed.collect(docs);
  }

  partial(owners: number): AggregationPartial<Cells> {
    const { ids, subs } = this.keyed;
    const data = { ...this.keyed.buckets(this.cells.keys()), ownerCount: owners };
    return { data, size: ids.size, subs: subs.partials(ids.size) };
  }
}

/** The cells with most documents, owner by owner; of equal ones the last geohash stands first. */
function firstCells(data: KeyedBuckets, owners: number, size: number): Uint32Array {
  const { starts, list } = byOwner(data, owners);
  const keys = keyComparator(data);
  const compare = bucketComparator([BY_COUNT], data.counts, (a, b) => keys(b, a), null);
  const all: number[] = [];
  for (let o = 0; o < owners; o++) {
    for (const cell of firstBuckets(list.subarray(starts[o], starts[o + 1]), size, compare))
      all.push(cell);
  }
  return Uint32Array.from(all);
}

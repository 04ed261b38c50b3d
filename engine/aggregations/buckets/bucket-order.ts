// The order of buckets: by count, by key, or by what aggregations below them say (reference server).

import { EngineError } from '../../errors';
import { isJsonObject, type JsonValue } from '../../json/index';
import { ElementFailure } from '../../query/index';
import { PositionHeap } from '../../counting/index';
import type { AggregationPlan, KindOf, ReducedAggregation } from '../contract/aggregation';

/** One criterion. Plain data. */
export interface BucketOrder {
  readonly by: 'count' | 'key' | 'sub';
  readonly ascending: boolean;
  /** Aggregations below, from the top down, and the value of the last one (null: its only one). */
  readonly path: readonly string[];
  readonly member: string | null;
  /** As the request has it. */
  readonly text: string;
}

/** The criterion of counts. */
export const BY_COUNT: BucketOrder = {
  by: 'count',
  ascending: false,
  path: [],
  member: null,
  text: '_count',
};

/** The criterion of keys. */
export const BY_KEY: BucketOrder = {
  by: 'key',
  ascending: true,
  path: [],
  member: null,
  text: '_key',
};

/**
 * Reads `order`.
 *
 * @param keyName how the key is called: `_term` or `_key`
 * @throws ElementFailure
 */
export function parseOrder(
  name: string,
  value: JsonValue,
  keyName: string,
): readonly BucketOrder[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) => parseCriterion(name, entry, keyName));
}

function parseCriterion(name: string, value: JsonValue, keyName: string): BucketOrder {
  if (!isJsonObject(value))
    throw new ElementFailure(`Order elements must be of type object in [${name}].`);
  let order: BucketOrder | null = null;
  for (const [key, direction] of value) {
    if (typeof direction !== 'string') continue;
    const ascending = direction.toLowerCase() === 'asc';
    if (!ascending && direction.toLowerCase() !== 'desc')
      throw new ElementFailure(
        `Unknown terms order direction [${direction}] in terms aggregation [${name}]`,
      );
    if (key === '_count') order = { ...BY_COUNT, ascending };
    else if (key === keyName) order = { ...BY_KEY, ascending };
    else order = { by: 'sub', ascending, ...pathOf(key), text: key };
  }
  if (order === null)
    throw new ElementFailure(`Must specify at least one field for [order] in [${name}]`);
  return order;
}

/** `a>b>c.max`, `a[max]`. */
function pathOf(text: string): Pick<BucketOrder, 'path' | 'member'> {
  const path = text.split('>');
  const last = path.at(-1)!;
  const bracket = /^([^[\]]+)\[([^\]]+)\]$/.exec(last);
  const point = last.lastIndexOf('.');
  if (bracket !== null) return { path: [...path.slice(0, -1), bracket[1]!], member: bracket[2]! };
  if (point < 0) return { path, member: null };
  return { path: [...path.slice(0, -1), last.slice(0, point)], member: last.slice(point + 1) };
}

/** Why an order cannot be carried out; null: it can. */
export function checkOrder(
  orders: readonly BucketOrder[],
  plan: AggregationPlan,
  problems: OrderProblems,
  kindOf: KindOf,
): EngineError | null {
  for (const order of orders) {
    const failure = order.by === 'sub' ? failureOf(order, plan, problems, kindOf) : null;
    if (failure !== null) return failure;
  }
  return null;
}

/** How what is wrong with an order is told. */
export interface OrderProblems {
  unknown(order: BucketOrder, name: string): EngineError;
  /** Neither has one bucket nor is a metric. */
  unordered(order: BucketOrder, name: string): EngineError;
  noMember(order: BucketOrder, name: string): EngineError;
  unknownMember(order: BucketOrder, name: string): EngineError;
}

/** As terms tell it. */
export const TERMS_ORDER_PROBLEMS: OrderProblems = {
  unknown: ({ text }, name) =>
    termsFailure(`Invalid term-aggregator order path [${text}]. Unknown aggregation [${name}]`),
  unordered: ({ text }, name) =>
    termsFailure(
      `Invalid terms aggregation order path [${text}]. Terms buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end. ` +
        `Sub-path [${name}] points to non single-bucket aggregation`,
    ),
  noMember: ({ text }) =>
    termsFailure(
      `Invalid terms aggregation order path [${text}]. When ordering on a multi-value metrics aggregation a metric name must be specified`,
    ),
  unknownMember: ({ text, member }, name) =>
    termsFailure(
      `Invalid terms aggregation order path [${text}]. Unknown metric name [${member}] on multi-value metrics aggregation [${name}]`,
    ),
};

function termsFailure(message: string): EngineError {
  return new EngineError('AggregationExecutionException', message);
}

/** As histograms tell it. */
export const HISTOGRAM_ORDER_PROBLEMS: OrderProblems = {
  unknown: ({ text }, name) =>
    histogramFailure(`Invalid order path [${text}]. Cannot find aggregation named [${name}]`),
  unordered: missingKey,
  noMember: missingKey,
  unknownMember: ({ text, member }, name) =>
    histogramFailure(
      `Invalid order path [${text}]. Unknown value key [${member}] for metric aggregation [${name}]`,
    ),
};

function missingKey({ text }: BucketOrder, name: string): EngineError {
  return histogramFailure(
    `Invalid order path [${text}]. Missing value key in [${name}] which refers to a multi-value metric aggregation`,
  );
}

function histogramFailure(message: string): EngineError {
  return new EngineError('ElasticsearchIllegalArgumentException', message);
}

function failureOf(
  order: BucketOrder,
  plan: AggregationPlan,
  problems: OrderProblems,
  kindOf: KindOf,
): EngineError | null {
  const { path, member } = order;
  let at: Pick<AggregationPlan, 'subs'> = plan;
  for (let i = 0; i < path.length; i++) {
    const name = path[i]!;
    const found: AggregationPlan | undefined = at.subs.find((sub) => sub.name === name);
    if (found === undefined) return problems.unknown(order, name);
    const ordering = kindOf(found.type).order;
    const isLast = i === path.length - 1;
    if (ordering === undefined || (!isLast && !ordering.isSingleBucket))
      return problems.unordered(order, name);
    if (isLast) {
      if (ordering.has(found.spec, member)) return null;
      return member === null ? problems.noMember(order, name) : problems.unknownMember(order, name);
    }
    at = found;
  }
  return null;
}

/** Whether buckets are ordered by what is below them. */
export function ordersBySubs(orders: readonly BucketOrder[]): boolean {
  return orders.some(({ by }) => by === 'sub');
}

/** Compares two buckets; negative where the first one stands first. */
export type CompareBuckets = (a: number, b: number) => number;

/**
 * The order of the buckets of a node.
 *
 * @param keys compares two buckets by their keys, ascending
 * @param node with what is below them; null: nothing orders by that
 * @param bucketOf where not buckets but other things are compared: the bucket of one
 */
export function bucketComparator(
  orders: readonly BucketOrder[],
  counts: Float64Array,
  keys: CompareBuckets,
  node: ReducedAggregation | null,
  bucketOf: (item: number) => number = (item) => item,
): CompareBuckets {
  const criteria = orders.map((order): CompareBuckets => {
    const sign = order.ascending ? 1 : -1;
    if (order.by === 'key') return (a, b) => sign * keys(a, b);
    if (order.by === 'count') return (a, b) => sign * (counts[a]! - counts[b]!);
    const values = new Map<number, number>();
    const valueOf = (bucket: number): number => {
      let value = values.get(bucket);
      if (value === undefined)
        values.set(bucket, (value = orderValue(node!, order, bucketOf(bucket))));
      return value;
    };
    return (a, b) => compareValues(valueOf(a), valueOf(b), sign);
  });
  return (a, b) => {
    for (let i = 0; i < criteria.length; i++) {
      const order = criteria[i]!(a, b);
      if (order !== 0) return order;
    }
    return keys(a, b);
  };
}

/** What is not a number stands last in either direction. */
function compareValues(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -sign : a > b ? sign : 0;
}

/**
 * The first `limit` buckets of a list, in order.
 *
 * @param counts by bucket, where those with more stand first; null: it is not known what comes first
 */
export function firstBuckets(
  buckets: Uint32Array,
  limit: number,
  compare: CompareBuckets,
  counts: Float64Array | null = null,
): readonly number[] {
  const best = new PositionHeap(limit, (a, b) => compare(b, a));
  let bar = -Infinity;
  for (let i = 0; i < buckets.length; i++) {
    const bucket = buckets[i]!;
    if (counts !== null && counts[bucket]! < bar) continue;
    best.offer(bucket);
    if (counts !== null && limit > 0 && best.isFull) bar = counts[best.last]!;
  }
  return best.drain();
}

/** The value that a bucket of `node` is ordered by. */
function orderValue(
  node: ReducedAggregation,
  { path, member }: BucketOrder,
  bucket: number,
): number {
  let at = node;
  for (const name of path) at = at.subs.find((sub) => sub.name === name)!;
  return at.kind.order!.value(at, member, bucket);
}

// What histograms of numbers and of dates have in common: buckets by rounded value, empty ones between
// them, and their order (reference server).

import {
  type BucketColumn,
  bucketColumn,
  type Bucketing,
  countUsed,
  type DocBuckets,
  type KeyList,
  type KeyColumn,
  type KeyReader,
  NumberKeys,
  type NumberReader,
  picked,
  RoundedBuckets,
  type Rounding,
} from '../../counting/index';
import { EngineError } from '../../errors';
import { writeJson } from '../../json/index';
import { canonicalText } from '../../query/index';
import type { Bitset } from '../../segment/index';
import {
  type AggregationKind,
  type AggregationPartial,
  type Aggregator,
  EMPTY_BUCKET,
  type Merged,
  type MergePart,
  type ReducedAggregation,
  type RenderContext,
} from '../contract/aggregation';
import { extentOf, numbersOf } from '../contract/open-values';
import { bindSubs } from '../contract/sub-aggregators';
import { formatValue } from '../contract/value-format';
import { leadOf, quickReads, type ValuesSpec } from '../contract/values';
import {
  bucketComparator,
  type BucketOrder,
  checkOrder,
  HISTOGRAM_ORDER_PROBLEMS,
} from './bucket-order';
import { KeyedCounts } from './keyed-aggregator';
import {
  allUpTo,
  bucketsOf,
  keyComparator,
  type KeyedBuckets,
  mergeKeyedBuckets,
  noBuckets,
} from './keyed-buckets';

/** Buckets that are shown at least; null: nothing is said of that end. */
export interface Bounds {
  readonly min: number | null;
  readonly max: number | null;
}

/** Plain data. */
export interface HistogramSpec {
  readonly values: ValuesSpec;
  readonly keyed: boolean;
  /** 0: empty buckets are shown as well. */
  readonly minDocCount: number;
  readonly orders: readonly BucketOrder[];
  readonly bounds: Bounds | null;
}

/** How values become keys. */
export interface HistogramRounding {
  readonly rounding: Rounding;
  /** The key after one. */
  readonly next: (key: number) => number;
}

/** A kind of histogram, given how it parses and rounds. */
export function histogramKind<S extends HistogramSpec>(
  type: string,
  kind: {
    readonly parse: AggregationKind<S>['parse'];
    readonly rounding: (spec: S) => HistogramRounding;
    /** What the keys of values depend on besides the values. Plain data. */
    readonly roundingKey: (spec: S) => object | number;
  },
): AggregationKind<S, KeyedBuckets & HistogramEnds> {
  return {
    type,
    hasBuckets: true,
    parse: kind.parse,
    check: (plan, _parents, kindOf) =>
      checkOrder(plan.spec.orders, plan, HISTOGRAM_ORDER_PROBLEMS, kindOf),
    bind: (plan, shard) => {
      const subs = bindSubs(plan.subs, shard);
      const hold = shard.holding(plan.name);
      const open = numbersOf(plan.spec.values, shard.scoresOf, true);
      const { rounding } = kind.rounding(plan.spec);
      const name = canonicalText([type, kind.roundingKey(plan.spec)]);
      return (segment) => {
        const numbers = open(segment);
        if (numbers === null) return NO_NUMBERS;
        const { field, script } = plan.spec.values;
        const column =
          field === null || script !== null
            ? null
            : bucketColumn(segment, field, name, null, (extent) => {
                return new RoundedBuckets(rounding, extent);
              });
        const bucketing = new RoundedBuckets(rounding, extentOf(plan.spec.values, segment));
        const keys = column === null ? keysOf(numbers, bucketing) : keysOfColumn(column);
        const keyed = new KeyedCounts(segment, keys.numbers, subs(segment), null, hold);
        return new HistogramAggregator(keys, column, keyed);
      };
    },
    merge,
    reads: quickReads,
    lead: leadOf,
    render: (node, owner, context) => render(node, owner, context, kind.rounding(node.spec)),
  };
}

/** How many buckets the parent has. */
export interface HistogramEnds {
  readonly ownerCount: number;
}

const NO_NUMBERS: Aggregator = {
  collect: () => undefined,
  partial: (owners) => ({
    data: { ...noBuckets('double'), ownerCount: owners },
    size: 0,
    subs: [],
  }),
};

/** Keys by numbers, and the keys that have them. */
interface HistogramKeys {
  readonly numbers: KeyReader | KeyColumn;
  list(): Float64Array;
}

function keysOf(numbers: NumberReader, bucketing: Bucketing): HistogramKeys {
  return { numbers: new NumberKeys(numbers, bucketing), list: () => bucketing.keys() };
}

/** Where the bucket of each value is known. */
function keysOfColumn({ offsets, slots, keys }: BucketColumn): HistogramKeys {
  const mayRepeat = offsets !== null;
  return {
    numbers: { offsets, ordinals: slots, size: keys.length, mayRepeat },
    list: () => keys,
  };
}

class HistogramAggregator implements Aggregator {
  /** All documents at once were counted. */
  private whole: ReturnType<typeof countUsed> | null = null;

  /** @param column the buckets of the values, where it is at hand */
  constructor(
    private readonly keys: HistogramKeys,
    private readonly column: BucketColumn | null,
    private readonly keyed: KeyedCounts,
  ) {}

  collectSet(docs: Bitset): boolean {
    const { column } = this;
    // Several values of a document in one bucket count once, which counting values does not tell.
    if (column === null || column.offsets !== null) return false;
    const { subs } = this.keyed;
    const size = column.keys.length + 1;
    if (!subs.takeSlots(docs, size)) return false;
    this.whole = countUsed(column, docs);
    subs.collectSlots(docs, { slots: column.slots, size, used: this.whole.used });
    return true;
  }

  collect(docs: DocBuckets): void {
    this.keyed.collect(docs);
  }

  partial(owners: number): AggregationPartial<KeyedBuckets & HistogramEnds> {
    const { ids, subs } = this.keyed;
    if (this.whole !== null) return this.ofWhole(this.whole, owners);
    const keys: KeyList = { type: 'double', values: this.keys.list() };
    const data = { ...this.keyed.buckets(keys), ownerCount: owners };
    return { data, size: ids.size, subs: subs.partials(ids.size) };
  }

  private ofWhole(
    { used, counts }: ReturnType<typeof countUsed>,
    owners: number,
  ): AggregationPartial<KeyedBuckets & HistogramEnds> {
    const size = used.length;
    const data = {
      keys: { type: 'double', values: picked(this.column!.keys, used) } as const,
      owners: new Uint32Array(size),
      keyOf: allUpTo(size),
      counts,
      ownerCount: owners,
    };
    return { data, size, subs: this.keyed.subs.partials(size) };
  }
}

function merge(
  parts: readonly MergePart<HistogramSpec, KeyedBuckets & HistogramEnds>[],
  owners: number,
): Merged<KeyedBuckets & HistogramEnds> {
  const { data, maps } = mergeKeyedBuckets(parts, 'double');
  return { data: { ...data, ownerCount: owners }, size: data.counts.length, maps };
}

/**
 * A bucket that is shown: its key, and what it is numbered, {@link EMPTY_BUCKET} where it has no
 * documents.
 */
interface ShownBucket {
  readonly key: number;
  readonly bucket: number;
}

function render(
  node: ReducedAggregation<HistogramSpec, KeyedBuckets & HistogramEnds>,
  owner: number,
  context: RenderContext,
  rounding: HistogramRounding,
): string {
  const { spec, data } = node;
  const own = owner === EMPTY_BUCKET ? [] : [...bucketsOf(data, owner, data.ownerCount)];
  own.sort(keyComparator(data));
  let shown: ShownBucket[] = own
    .filter((bucket) => data.counts[bucket]! >= spec.minDocCount)
    .map((bucket) => ({ key: keyOf(data, bucket), bucket }));
  if (spec.minDocCount === 0 && spec.values.isMapped) {
    shown = withEmpty(shown, spec.bounds, rounding, (count) => context.countEmptyBuckets(count));
  }
  context.countBuckets(shown.length);
  const [order] = spec.orders;
  if (order?.by !== 'key') shown = ordered(shown, node);
  else if (!order.ascending) shown.reverse();
  const texts = listText(shown.length, (i) => bucketText(shown[i]!, node, context));
  return spec.keyed ? `{"buckets":{${texts}}}` : `{"buckets":[${texts}]}`;
}

/** Longer lists are put together in parts, which take less than half of the memory until they are sent. */
const IN_ONE_PART = 4096;

/** Texts with commas between them. */
function listText(count: number, textOf: (i: number) => string): string {
  let texts = '';
  if (count <= IN_ONE_PART) {
    // Texts that are joined would be copied here, and once more as part of the answer.
    for (let i = 0; i < count; i++) texts += (i === 0 ? '' : ',') + textOf(i);
    return texts;
  }
  for (let from = 0; from < count; from += IN_ONE_PART) {
    const part: string[] = [];
    const to = Math.min(count, from + IN_ONE_PART);
    for (let i = from; i < to; i++) part.push(textOf(i));
    texts += (from === 0 ? '' : ',') + part.join();
  }
  return texts;
}

function keyOf({ keys, keyOf: of }: KeyedBuckets, bucket: number): number {
  return (keys as Extract<KeyList, { type: 'double' }>).values[of[bucket]!]!;
}

/** Adds the empty buckets between those that are there, and up to the bounds. */
function withEmpty(
  shown: readonly ShownBucket[],
  bounds: Bounds | null,
  { rounding, next }: HistogramRounding,
  count: (buckets: number) => void,
): ShownBucket[] {
  const first = shown[0];
  const last = shown.at(-1);
  const min = bounds?.min ?? null;
  const max = bounds?.max ?? null;
  if (first === undefined && (min === null || max === null)) return [];
  let key = Math.min(first?.key ?? Infinity, min === null ? Infinity : rounding.round(min));
  const end = Math.max(last?.key ?? -Infinity, max === null ? -Infinity : rounding.round(max));
  const all: ShownBucket[] = [];
  for (let at = 0; key <= end;) {
    const here = shown[at];
    if (here !== undefined && here.key <= key) {
      all.push(here);
      at++;
      key = Math.max(next(here.key), key);
      if (key <= here.key) throw endless();
      continue;
    }
    count(1);
    all.push({ key, bucket: EMPTY_BUCKET });
    const following = next(key);
    if (following <= key) throw endless();
    key = following;
  }
  return all;
}

function endless(): EngineError {
  return new EngineError(
    'AggregationExecutionException',
    'the interval is too small for such keys',
  );
}

/** Sorts by count or by what is below; buckets that are equal stay in the order of their keys. */
function ordered(
  shown: readonly ShownBucket[],
  node: ReducedAggregation<HistogramSpec, KeyedBuckets & HistogramEnds>,
): ShownBucket[] {
  const positions = shown.map((_, i) => i);
  const counts = Float64Array.from(shown, ({ bucket }) => node.data.counts[bucket] ?? 0);
  const compare = bucketComparator(
    node.spec.orders,
    counts,
    (a, b) => a - b,
    node,
    (position) => shown[position]!.bucket,
  );
  return positions.sort(compare).map((i) => shown[i]!);
}

/** With all digits. */
function wholeText(key: number): string {
  return Number.isInteger(key) && !Number.isSafeInteger(key) ? BigInt(key).toString() : String(key);
}

function bucketText(
  { key, bucket }: ShownBucket,
  node: ReducedAggregation<HistogramSpec, KeyedBuckets & HistogramEnds>,
  context: RenderContext,
): string {
  const { format } = node.spec.values;
  const keyText = wholeText(key);
  const text = format.kind === 'raw' ? null : formatValue(format, key);
  const members =
    text === null ? `"key":${keyText}` : `"key_as_string":${writeJson(text)},"key":${keyText}`;
  const body = `{${members},"doc_count":${node.data.counts[bucket] ?? 0}${context.subs(node, bucket)}}`;
  return node.spec.keyed ? `${writeJson(text ?? keyText)}:${body}` : body;
}

// terms: a bucket for each term of a field, or for what a script gives (reference server). Counts are
// exact over any number of shards, so what the reference reports as possible error is 0.

import {
  type DocBuckets,
  type KeyList,
  MOST_SMALL_ENTRIES,
  type OrdinalCounts,
  type Term,
  usedSlots,
} from '../../counting/index';
import { EngineError } from '../../errors';
import { formatDouble, isJsonObject, type JsonObject, writeJson } from '../../json/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import {
  type AggregationKind,
  type AggregationParseContext,
  type AggregationPartial,
  type AggregationPlan,
  type Aggregator,
  type HoldMemory,
  EMPTY_BUCKET,
  NO_BUCKET,
  type Merged,
  type MergeOptions,
  type MergePart,
  type ReducedAggregation,
  type RenderContext,
  type ShardBinding,
} from '../contract/aggregation';
import { addByOwner } from '../contract/merging';
import { bindSubs, type SubAggregators } from '../contract/sub-aggregators';
import { formatValue } from '../contract/value-format';
import {
  leadOf,
  RunFailure,
  unknownMember,
  ValuesMembers,
  type ValuesSpec,
  quickReads,
} from '../contract/values';
import {
  bucketComparator,
  type BucketOrder,
  BY_COUNT,
  checkOrder,
  firstBuckets,
  ordersBySubs,
  parseOrder,
  TERMS_ORDER_PROBLEMS,
} from './bucket-order';
import { joinKeys, withEveryKey } from './every-key';
import { testedKeys } from './include-exclude';
import { choiceTest, shardSizeOf, type TermsLimits, TermsMembers } from './terms-members';
import { KeyedCounts } from './keyed-aggregator';
import {
  allUpTo,
  bucketsOf,
  byOwner,
  chained,
  commonKeyType,
  keepBuckets,
  keyAt,
  keyComparator,
  type KeyedBuckets,
  mergeKeyedBuckets,
  noBuckets,
} from './keyed-buckets';
import { listed } from '../contract/bucket-keys';
import {
  type FieldTerms,
  type KeySource,
  keySource,
  type KeyType,
  keyTypeOf,
} from '../contract/key-source';

/** Plain data. */
export interface TermsSpec extends TermsLimits {
  readonly values: ValuesSpec;
  readonly orders: readonly BucketOrder[];
  /** Every bucket says how far off its count may be. */
  readonly showsError: boolean;
}

/** The buckets that may be shown. Plain data. */
export interface TermsData extends KeyedBuckets {
  /** By bucket of the parent: documents in buckets that were dropped. */
  readonly others: Float64Array;
  /** By bucket of the parent: whether the reference would not know all counts of its shards. */
  readonly isCut: Uint8Array;
  /** How many buckets each shard of the reference would return; known when all is added up. */
  readonly shardSize: number;
  /** Keys that are shown without documents, and that no bucket has yet; null: there are none. */
  readonly unused: KeyList | null;
}

const HINTS = ['map', 'global_ordinals', 'global_ordinals_hash', 'global_ordinals_low_cardinality'];

export const TERMS_AGGREGATION: AggregationKind<TermsSpec, TermsData> = {
  type: 'terms',
  hasBuckets: true,
  parse,
  check: (plan, _parents, kindOf) =>
    checkOrder(plan.spec.orders, plan, TERMS_ORDER_PROBLEMS, kindOf),
  bind: bindTerms,
  merge,
  reads: (spec) => {
    const reads = quickReads(spec);
    return reads === null || spec.size <= MOST_SMALL_ENTRIES ? reads : { ...reads, fields: null };
  },
  lead: leadOf,
  render,
};

function parse(name: string, body: JsonObject, context: AggregationParseContext): TermsSpec {
  const members = new ValuesMembers();
  const common = new TermsMembers(name, 1, HINTS);
  let orders: readonly BucketOrder[] = [BY_COUNT];
  let showsError = false;
  for (const [member, value] of body) {
    if (members.read(member, value)) continue;
    if (typeof value === 'boolean') {
      // compat: here, and in no other aggregation, those that mean nothing are passed over.
      if (/^show_?term_?doc_?count_?error$/i.test(member)) showsError = value;
    } else if (common.read(member, value)) continue;
    else if (member === 'order' && (Array.isArray(value) || isJsonObject(value))) {
      const asked = parseOrder(name, value, '_term');
      if (asked.length > 0) orders = asked;
    } else throw unknownMember(name, member, value);
  }
  const values = members.resolve(name, 'any', context);
  if (values.kind === 'points') throw new RunFailure(pointsFailure(name));
  return { values, ...common.resolve(values, context), orders, showsError };
}

function pointsFailure(name: string): EngineError {
  return new EngineError(
    'AggregationExecutionException',
    `terms aggregation [${name}] cannot be applied to field of type geo_point. It can only be applied to numeric or string fields.`,
  );
}

function bindTerms(plan: AggregationPlan<TermsSpec>, shard: ShardBinding) {
  const { spec } = plan;
  const subs = bindSubs(plan.subs, shard);
  const open = keySource(spec.values, shard.scoresOf, shard.segments);
  const type = keyTypeOf(spec.values);
  const test = choiceTest(spec, spec.values);
  const hold = shard.holding(plan.name);
  return (segment: SegmentReader): Aggregator => {
    const source = open(segment);
    return source === null
      ? new NoTerms(type)
      : new TermsAggregator(segment, source, subs(segment), test, spec.minDocCount === 0, hold);
  };
}

class NoTerms implements Aggregator {
  constructor(private readonly type: KeyType) {}

  collect(_docs: DocBuckets): void {
    // No document has a term.
  }

  partial(owners: number): AggregationPartial<TermsData> {
    return { data: withNothingCut(noBuckets(this.type), owners), size: 0, subs: [] };
  }
}

function withNothingCut(
  buckets: KeyedBuckets,
  owners: number,
  unused: KeyList | null = null,
): TermsData {
  const others = new Float64Array(owners);
  return { ...buckets, others, isCut: new Uint8Array(owners), shardSize: Infinity, unused };
}

class TermsAggregator implements Aggregator {
  /** All documents at once were counted. */
  private whole: OrdinalCounts | null = null;
  private opened: KeyedCounts | null = null;

  constructor(
    private readonly segment: SegmentReader,
    private readonly source: KeySource,
    private readonly subs: SubAggregators,
    private readonly test: ((term: Term) => boolean) | null,
    private readonly includesEmpty: boolean,
    private readonly hold: HoldMemory,
  ) {}

  collectSet(docs: Bitset): boolean {
    const { terms } = this.source;
    if (terms === null) return false;
    if (this.subs.isEmpty) this.whole = terms.count(docs);
    else this.whole = this.countSlots(terms, docs);
    return this.whole !== null;
  }

  /** Counts documents of one term at most, with what is below; null: they have to be handed on. */
  private countSlots(terms: FieldTerms, docs: Bitset): OrdinalCounts | null {
    const { offsets, ordinals: slots } = terms.keys;
    const size = terms.size + 1;
    if (offsets !== null || this.test !== null || this.includesEmpty) return null;
    if (!this.subs.takeSlots(docs, size)) return null;
    const counted = terms.count(docs);
    const used = counted.ordinals ?? usedSlots(counted.counts, 0, terms.size);
    this.subs.collectSlots(docs, { slots, size, used });
    return counted;
  }

  collect(docs: DocBuckets): void {
    this.keyed().collect(docs);
  }

  partial(owners: number): AggregationPartial<TermsData> {
    if (this.whole !== null) return this.ofWhole(this.whole, owners);
    const { source } = this;
    const { terms } = source;
    if (this.includesEmpty && terms !== null && owners === 0) return this.ofNothing(terms);
    const keyed = this.keyed();
    if (this.includesEmpty && terms !== null) this.addEmpty(keyed, terms, owners);
    const { size } = keyed.ids;
    const data =
      terms === null
        ? keyed.buckets(source.listOf(allUpTo(source.reader.size)))
        : keyed.bucketsAt((ordinals) => terms.keysAt(ordinals.slice()));
    return { data: withNothingCut(data, owners), size, subs: this.subs.partials(size) };
  }

  private keyed(): KeyedCounts {
    if (this.opened === null) {
      const { segment, source, subs, test, hold } = this;
      const { terms } = source;
      const accepts = testedKeys(test, (key) => terms?.termAt(key) ?? source.keyAt(key));
      this.opened = new KeyedCounts(segment, terms?.keys ?? source.reader, subs, accepts, hold);
    }
    return this.opened;
  }

  /** compat: with `min_doc_count` 0 every term of the field has a bucket, whatever documents are in scope. */
  private addEmpty(keyed: KeyedCounts, terms: FieldTerms, owners: number): void {
    for (const ordinal of this.acceptedOf(terms)) keyed.ensure(ordinal, owners);
  }

  /** The same where the parent has no buckets: other segments may have some. */
  private ofNothing(terms: FieldTerms): AggregationPartial<TermsData> {
    const { keys } = listed(terms.keysAt(this.acceptedOf(terms)));
    const data = withNothingCut(noBuckets(keys.type), 0, keys);
    return { data, size: 0, subs: this.subs.partials(0) };
  }

  private acceptedOf(terms: FieldTerms): Uint32Array<ArrayBuffer> {
    const { test } = this;
    const all = allUpTo(terms.size);
    return test === null ? all : all.filter((ordinal) => test(terms.termAt(ordinal)));
  }

  /** What was counted, where all terms with documents have a bucket. */
  private ofUsed(
    terms: FieldTerms,
    { counts, ordinals }: OrdinalCounts,
    owners: number,
  ): AggregationPartial<TermsData> {
    const used = ordinals ?? usedSlots(counts, 0, terms.size);
    const size = used.length;
    const ofUsed = new Float64Array(size);
    for (let i = 0; i < size; i++) ofUsed[i] = counts[ordinals === null ? used[i]! : i]!;
    const data = { ...terms.keysAt(used), owners: new Uint32Array(size), counts: ofUsed };
    return { data: withNothingCut(data, owners), size, subs: this.subs.partials(size) };
  }

  private ofWhole(whole: OrdinalCounts, owners: number): AggregationPartial<TermsData> {
    const terms = this.source.terms!;
    const { counts, ordinals } = whole;
    const { includesEmpty, test } = this;
    if (!includesEmpty && test === null) return this.ofUsed(terms, whole, owners);
    const size = includesEmpty ? terms.size : counts.length;
    const kept = new Uint32Array(size);
    const ofKept = new Float64Array(size);
    let n = 0;
    let at = 0;
    for (let i = 0; i < size; i++) {
      // Sparse counts are of some ordinals only.
      const ordinal = ordinals === null || includesEmpty ? i : ordinals[i]!;
      let count = 0;
      if (ordinals === null) count = counts[i]!;
      else if (!includesEmpty) count = counts[i]!;
      else if (at < ordinals.length && ordinals[at] === ordinal) count = counts[at++]!;
      if (count === 0 && !includesEmpty) continue;
      if (test !== null && !test(terms.termAt(ordinal))) continue;
      kept[n] = ordinal;
      ofKept[n++] = count;
    }
    const data = {
      ...terms.keysAt(kept.slice(0, n)),
      owners: new Uint32Array(n),
      counts: ofKept.slice(0, n),
    };
    return { data: withNothingCut(data, owners), size: n, subs: [] };
  }
}

function merge(
  parts: readonly MergePart<TermsSpec, TermsData>[],
  owners: number,
  { isFinal, shards }: MergeOptions,
): Merged<TermsData> {
  let isCut = new Uint8Array(owners);
  const type = commonKeyType(parts);
  const { data: own, maps } = mergeKeyedBuckets(parts, type);
  const others = new Float64Array(owners);
  for (const part of parts) addByOwner(others, part.data.others, part.owners);
  const spec = parts[0]?.spec;
  const unused =
    spec?.minDocCount === 0 ? unusedKeys(parts, own.counts.length === 0 ? null : type) : null;
  if (!isFinal) {
    const data = { ...own, ...listed(own), others, isCut, shardSize: Infinity, unused };
    return { data, size: own.counts.length, maps };
  }
  const data = spec?.minDocCount === 0 ? withEveryKey(own, unused, owners) : own;
  const shardSize =
    spec === undefined ? Infinity : shardSizeOf(spec, isByKeyOnly(spec.orders), shards);
  if (spec !== undefined && (spec.minDocCount > 1 || !hasKnownError(spec.orders)))
    isCut = cutOwners(parts, { data: own, maps }, owners, shardSize);
  if (spec === undefined || ordersBySubs(spec.orders)) {
    const all = { ...data, ...listed(data), others, isCut, shardSize, unused: null };
    return { data: all, size: data.counts.length, maps };
  }
  const { orders } = spec;
  const compare = bucketComparator(orders, data.counts, keyComparator(data), null);
  const returned = Array.from(isCut, (cut) => (cut === 1 ? shardSize : Infinity));
  const kept = select(spec, returned, data, owners, others, compare);
  const { data: left, became } = keepBuckets(data, kept);
  return {
    data: { ...left, ...listed(left), others, isCut, shardSize, unused: null },
    size: kept.length,
    maps: maps.map((map) => chained(map, became)),
  };
}

/** @param type of keys that there are buckets of; null: there are none */
function unusedKeys(
  parts: readonly MergePart<TermsSpec, TermsData>[],
  type: KeyList['type'] | null,
): KeyList | null {
  const lists = parts.map(({ data }) => data.unused);
  return joinKeys(lists, type ?? lists.find((list) => list !== null)?.type ?? 'string');
}

/** By bucket of the parent: whether a shard has as many buckets as the reference asks it for, or more. */
function cutOwners(
  parts: readonly MergePart<TermsSpec, TermsData>[],
  { data, maps }: Pick<Merged<KeyedBuckets>, 'data' | 'maps'>,
  owners: number,
  shardSize: number,
): Uint8Array<ArrayBuffer> {
  const isCut = new Uint8Array(owners);
  // Where all buckets together are not too many, those of one owner are not.
  if (data.counts.length < shardSize) return isCut;
  // By merged bucket: 1 + the shard that has been seen to have it. Parts of a shard stand together.
  const seen = new Uint32Array(data.counts.length);
  let counted = new Uint32Array(owners);
  parts.forEach(({ shard, data: { counts } }, p) => {
    if (p > 0 && parts[p - 1]!.shard !== shard) counted = new Uint32Array(owners);
    const map = maps[p] ?? null;
    for (let i = 0; i < counts.length; i++) {
      const bucket = map === null ? i : map[i]!;
      if (bucket === NO_BUCKET || seen[bucket] === shard + 1) continue;
      seen[bucket] = shard + 1;
      const owner = data.owners[bucket]!;
      if (++counted[owner]! >= shardSize) isCut[owner] = 1;
    }
  });
  return isCut;
}

/**
 * The buckets that are shown, owner by owner and in order; the documents of the others are counted.
 *
 * @param returned by bucket of the parent: how many the shards of the reference would return
 */
function select(
  spec: TermsSpec,
  returned: readonly number[],
  data: KeyedBuckets,
  owners: number,
  others: Float64Array,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const { size, minDocCount, orders } = spec;
  const { starts, list } = byOwner(data, owners);
  const [first] = orders;
  const ranked = first?.by === 'count' && !first.ascending ? data.counts : null;
  const all: number[] = [];
  for (let o = 0; o < owners; o++) {
    const own = list.subarray(starts[o], starts[o + 1]);
    const candidates =
      minDocCount <= 1 ? own : own.filter((bucket) => data.counts[bucket]! >= minDocCount);
    const shown = firstBuckets(candidates, size, compare, ranked);
    let sum = 0;
    for (let i = 0; i < own.length; i++) sum += data.counts[own[i]!]!;
    sum -= unshown(spec, returned[o]!, data, own, compare);
    for (const bucket of shown) {
      sum -= data.counts[bucket]!;
      all.push(bucket);
    }
    others[o]! += sum;
  }
  return Uint32Array.from(all);
}

/**
 * Documents of buckets that have too few and are not counted as others. compat: these are the ones that
 * the reference's shards would still return.
 */
function unshown(
  { minDocCount }: TermsSpec,
  shardSize: number,
  { counts }: KeyedBuckets,
  own: Uint32Array,
  compare: (a: number, b: number) => number,
): number {
  let sum = 0;
  if (minDocCount <= 1) return sum;
  const returned = own.length <= shardSize ? own : firstBuckets(own, shardSize, compare);
  for (const bucket of returned) if (counts[bucket]! < minDocCount) sum += counts[bucket]!;
  return sum;
}

function render(
  node: ReducedAggregation<TermsSpec, TermsData>,
  owner: number,
  context: RenderContext,
): string {
  const { spec, data } = node;
  const isCut = owner !== EMPTY_BUCKET && data.isCut[owner] === 1;
  const error = isCut && !hasKnownError(spec.orders) ? -1 : 0;
  let buckets: ArrayLike<number> = [];
  let others = 0;
  if (owner !== EMPTY_BUCKET) {
    const own = bucketsOf(data, owner, data.others.length);
    // Where no index has documents the parent has no buckets that parts could be by.
    others = data.others[owner] ?? 0;
    if (ordersBySubs(spec.orders)) {
      const compare = bucketComparator(spec.orders, data.counts, keyComparator(data), node);
      const candidates = own.filter((bucket) => data.counts[bucket]! >= spec.minDocCount);
      const shown = firstBuckets(candidates, spec.size, compare);
      for (const bucket of own) others += data.counts[bucket]!;
      others -= unshown(spec, isCut ? data.shardSize : Infinity, data, own, compare);
      for (const bucket of shown) others -= data.counts[bucket]!;
      buckets = shown;
    } else buckets = own;
  }
  context.countBuckets(buckets.length);
  let text = `{"doc_count_error_upper_bound":${error},"sum_other_doc_count":${others},"buckets":[`;
  const texts = textsOfKeys(data);
  const shown = spec.showsError ? `,"doc_count_error_upper_bound":${error}` : '';
  for (let i = 0; i < buckets.length; i++) {
    const bucket = buckets[i]!;
    const key = (texts[data.keyOf[bucket]!] ??= keyMembers(spec, data, bucket));
    text += `${i === 0 ? '{' : ',{'}${key},"doc_count":${data.counts[bucket]!}${shown}${context.subs(node, bucket)}}`;
  }
  return `${text}]}`;
}

/** By the number of a key, what buckets show of it: below other buckets the same keys come again. */
function textsOfKeys(data: KeyedBuckets): (string | undefined)[] {
  let texts = keyTexts.get(data);
  if (texts === undefined) keyTexts.set(data, (texts = []));
  return texts;
}

const keyTexts = new WeakMap<KeyedBuckets, (string | undefined)[]>();

/** compat: whether the reference says how far off counts may be. It does not look into orders of several. */
function hasKnownError(orders: readonly BucketOrder[]): boolean {
  const [first] = orders;
  return isByKeyOnly(orders) || (orders.length === 1 && first?.by === 'count' && !first.ascending);
}

function isByKeyOnly(orders: readonly BucketOrder[]): boolean {
  return orders.length === 1 && orders[0]!.by === 'key';
}

/** `"key":…`, and `"key_as_string":…` where keys are shown as texts. */
export function keyMembers(
  { values: { format } }: Pick<TermsSpec, 'values'>,
  data: KeyedBuckets,
  bucket: number,
): string {
  const key = keyAt(data, bucket);
  if (typeof key === 'string') return `"key":${writeJson(key)}`;
  const text = `"key":${typeof key === 'bigint' ? key.toString() : formatDouble(key)}`;
  return format.kind === 'raw'
    ? text
    : `${text},"key_as_string":${writeJson(formatValue(format, Number(key)))}`;
}

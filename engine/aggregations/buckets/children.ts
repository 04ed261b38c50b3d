// children: the documents of a type whose parents are in a bucket (reference server). Parents and children
// are joined by the numbers of their families; children may lie in any segment of the shard.

import { type DocBuckets, doubled, WindowWriter } from '../../counting/index';
import type { JsonObject } from '../../json/index';
import { bindFilter, ElementFailure, type Weight } from '../../query/index';
import { Families, keepLiveRoots, type SegmentReader } from '../../segment/index';
import type {
  AggregationParseContext,
  AggregationPartial,
  AggregationPlan,
  Aggregator,
  ParentAggregation,
  ShardBinding,
} from '../contract/aggregation';
import { bindSubs, type OpenSubs } from '../contract/sub-aggregators';
import { unknownMember } from '../contract/values';
import { BucketCounts, boundBucket } from './single-bucket';

interface ChildrenSpec {
  readonly type: string;
  /** Null: there is no such type here, so that there are no children. */
  readonly parentType: string | null;
}

export const CHILDREN_AGGREGATION = boundBucket<ChildrenSpec>('children', parse, (plan, shard) => {
  const join = new FamilyJoin(plan, shard);
  return (segment) => new ChildrenAggregator(join, segment);
});

/** The type of the documents that an aggregation below these gets; null: those of the search. */
export function childTypeAround(parents: readonly ParentAggregation[]): string | null {
  const nearest = parents.findLast(({ type }) => type === CHILDREN_AGGREGATION.type);
  return nearest === undefined ? null : (nearest.spec as ChildrenSpec).type;
}

function parse(name: string, body: JsonObject, { search }: AggregationParseContext): ChildrenSpec {
  let type: string | null = null;
  for (const [member, value] of body) {
    if (member !== 'type' || typeof value !== 'string') throw unknownMember(name, member, value);
    type = value;
  }
  if (type === null)
    throw new ElementFailure(`Missing [child_type] field for children aggregation [${name}]`);
  if (!search.mapping.types.includes(type)) return { type, parentType: null };
  const parentType = search.mapping.parentType(type);
  if (parentType === null) throw new ElementFailure('[children] _parent field not configured');
  return { type, parentType };
}

/** The parents and children of one shard. */
class FamilyJoin {
  /** What the parents are numbered by; made when it is first needed. */
  private families: Families | null = null;
  private children: Weight | null = null;
  private readonly openSubs: OpenSubs;

  constructor(
    readonly plan: AggregationPlan<ChildrenSpec>,
    readonly shard: ShardBinding,
  ) {
    this.openSubs = bindSubs(plan.subs, shard);
  }

  /** The families of the parents in a segment, plus 1 each; null: there are none. */
  parentsIn(segment: SegmentReader): Uint32Array | null {
    return this.all()?.in(segment).ofParents ?? null;
  }

  /** Family numbers are below this. */
  get size(): number {
    return this.all()?.size ?? 0;
  }

  /**
   * Hands the children in a segment on to what is below the aggregation.
   *
   * @param parents the buckets of families
   */
  collect(segment: SegmentReader, parents: FamilyBuckets, owners: number): AggregationPartial {
    const kept = new BucketCounts(this.openSubs(segment));
    const numbers = this.all()?.in(segment).ofChildren ?? null;
    if (numbers !== null) this.feed(segment, numbers, parents, kept, owners);
    return kept.partial(owners);
  }

  private feed(
    segment: SegmentReader,
    numbers: Uint32Array,
    parents: FamilyBuckets,
    kept: BucketCounts,
    owners: number,
  ): void {
    const { shard, plan } = this;
    this.children ??= bindFilter(
      { kind: 'types', types: [plan.spec.type], boost: 1 },
      shard.segments,
    );
    const docs = keepLiveRoots(segment, this.children.matches(segment));
    if (docs === null) return;
    const out = new WindowWriter(segment.docCount);
    for (let from = 0; from < docs.words.length; from += WINDOW_WORDS) {
      const to = Math.min(from + WINDOW_WORDS, docs.words.length);
      out.begin(from, to);
      for (let w = from; w < to; w++) {
        let word = docs.words[w]!;
        while (word !== 0) {
          const bit = word & -word;
          word ^= bit;
          const doc = (w << 5) + 31 - Math.clz32(bit);
          const number = numbers[doc]!;
          if (number > 0) parents.write(number - 1, doc - (from << 5), out);
        }
      }
      if (out.size === 0) continue;
      kept.takeWritten(out, owners);
    }
  }

  private all(): Families | null {
    const { parentType } = this.plan.spec;
    if (parentType === null) return null;
    return (this.families ??= Families.of(this.shard.segments, parentType));
  }
}

/** Words of the windows that are handed on. */
const WINDOW_WORDS = 128;

/** The buckets of families: those of a family are a chain. */
class FamilyBuckets {
  /** By family: the entry that begins its chain, plus 1; 0: it has none. */
  private readonly first: Uint32Array;
  private next = new Uint32Array(64);
  private buckets = new Uint32Array(64);
  private size = 0;

  constructor(families: number) {
    this.first = new Uint32Array(families);
  }

  get bytes(): number {
    return this.first.byteLength + this.next.byteLength + this.buckets.byteLength;
  }

  add(family: number, bucket: number): void {
    if (this.size === this.next.length) {
      this.next = doubled(this.next);
      this.buckets = doubled(this.buckets);
    }
    this.next[this.size] = this.first[family]!;
    this.buckets[this.size++] = bucket;
    this.first[family] = this.size;
  }

  /** Adds an entry for each bucket of a family. */
  write(family: number, doc: number, out: WindowWriter): void {
    for (let entry = this.first[family]!; entry !== 0; entry = this.next[entry - 1]!) {
      out.reserve(out.size + 1);
      out.add(doc, this.buckets[entry - 1]!);
    }
  }
}

/** Notes which parents of one segment are in which buckets; then finds their children in all segments. */
class ChildrenAggregator implements Aggregator {
  private parents: FamilyBuckets | null = null;
  private readonly numbers: Uint32Array | null;

  constructor(
    private readonly join: FamilyJoin,
    segment: SegmentReader,
  ) {
    this.numbers = join.parentsIn(segment);
  }

  get bytes(): number {
    return this.parents?.bytes ?? 0;
  }

  collect({ from, size, docs, buckets }: DocBuckets): void {
    const { numbers } = this;
    if (numbers === null) return;
    const base = from << 5;
    for (let i = 0; i < size; i++) {
      const number = numbers[base + docs[i]!]!;
      if (number === 0) continue;
      this.parents ??= new FamilyBuckets(this.join.size);
      this.parents.add(number - 1, buckets[i]!);
    }
  }

  partial(owners: number): AggregationPartial {
    const { join, parents } = this;
    const { plan, shard } = join;
    if (parents === null) return shard.merge(plan, [], owners);
    const partials = shard.segments.map((segment) => join.collect(segment, parents, owners));
    return shard.merge(plan, partials, owners);
  }
}

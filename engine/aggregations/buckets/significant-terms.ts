// significant_terms: terms that are more frequent in a bucket than in the background (reference server).
// Shards give all their terms, so that their scores are exact.

import type { DocBuckets, Term } from '../../counting/index';
import { EngineError } from '../../errors';
import { formatDouble, isJsonObject, type JsonObject, writeJson } from '../../json/index';
import type { Query } from '../../query/index';
import {
  type AggregationKind,
  type AggregationParseContext,
  type AggregationPartial,
  type Aggregator,
  EMPTY_BUCKET,
  type Merged,
  type MergeOptions,
  type MergePart,
  type ReducedAggregation,
  type RenderContext,
} from '../contract/aggregation';
import { type KeySource, keySource, keyTypeOf } from '../contract/key-source';
import { forOwners, grown, sized } from '../contract/merging';
import { bindSubs } from '../contract/sub-aggregators';
import { formatValue } from '../contract/value-format';
import {
  leadOf,
  RunFailure,
  unknownMember,
  ValuesMembers,
  type ValuesSpec,
} from '../contract/values';
import { firstBuckets } from './bucket-order';
import { testedKeys } from './include-exclude';
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
import { DEFAULT_HEURISTIC, type Heuristic, parseHeuristic, termScorer } from './significance';
import { TermBackground } from './term-background';
import { choiceTest, type TermsLimits, TermsMembers } from './terms-members';

/** Plain data. */
interface SignificantSpec extends TermsLimits {
  readonly values: ValuesSpec;
  readonly heuristic: Heuristic;
  /** Null: all documents. */
  readonly background: Query | null;
}

/** Plain data. */
interface SignificantData extends KeyedBuckets {
  /** The shard that all this is of; -1: of several. */
  readonly shard: number;
  /** By bucket: documents in the background. */
  readonly background: Float64Array;
  /** By bucket of the parent: its documents, and those in the background. */
  readonly subset: Float64Array;
  readonly superset: Float64Array;
  /** By bucket, once nothing will be added any more. */
  readonly scores: Float64Array;
}

const DEFAULT_MIN_DOC_COUNT = 3;
const HINTS = ['map', 'global_ordinals', 'global_ordinals_hash'];
const NONE = new Float64Array(0);

export const SIGNIFICANT_TERMS_AGGREGATION: AggregationKind<SignificantSpec, SignificantData> = {
  type: 'significant_terms',
  hasBuckets: true,
  parse,
  bind: ({ name, spec, subs: plans }, shard) => {
    const { values } = spec;
    const subs = bindSubs(plans, shard);
    const open = keySource(values, shard.scoresOf);
    const test = choiceTest(spec, values);
    const hold = shard.holding(name);
    const background = new TermBackground(shard.segments, values, spec.background);
    return (segment) => {
      const source = open(segment);
      const keyed =
        source === null
          ? null
          : new KeyedCounts(
              segment,
              source.reader,
              subs(segment),
              testedKeys(test, (key) => source.keyAt(key)),
              hold,
            );
      return new SignificantAggregator(spec, shard.position, background, source, keyed);
    };
  },
  merge,
  lead: leadOf,
  render,
};

function parse(name: string, body: JsonObject, context: AggregationParseContext): SignificantSpec {
  const members = new ValuesMembers({ takesScripts: false });
  const common = new TermsMembers(name, DEFAULT_MIN_DOC_COUNT, HINTS);
  let heuristic = DEFAULT_HEURISTIC;
  let background: Query | null = null;
  let hasField = false;
  for (const [member, value] of body) {
    if (members.read(member, value)) hasField ||= member === 'field';
    else if (common.read(member, value)) continue;
    else if (!isJsonObject(value)) throw unknownMember(name, member, value);
    else if (member === 'background_filter' || member === 'backgroundFilter') {
      background = context.search.parseFilter(value, null);
      if (background === null) throw new EngineError('NullPointerException', 'an empty filter');
    } else {
      const found = parseHeuristic(member, value, context);
      if (found === null) throw unknownMember(name, member, value);
      heuristic = found;
    }
  }
  if (!hasField) throw new EngineError('NullPointerException', `no field in [${name}]`);
  const values = members.resolve(name, 'any', context);
  refuseValues(values);
  return { values, ...common.resolve(values, context), heuristic, background };
}

function refuseValues({ kind, fieldKind }: ValuesSpec): void {
  if (kind === 'points') {
    throw new RunFailure(
      new EngineError(
        'AggregationExecutionException',
        'significant_terms aggregation cannot be applied to points. It can only be applied to numeric or string fields.',
      ),
    );
  }
  if (kind === 'numbers' && (fieldKind === 'float' || fieldKind === 'double')) {
    throw new RunFailure(
      new EngineError(
        'UnsupportedOperationException',
        'No support for examining floating point numerics',
      ),
    );
  }
}

class SignificantAggregator implements Aggregator {
  private subset = new Float64Array(16);

  /** @param keyed null, as `source` is: no document has a term */
  constructor(
    private readonly spec: SignificantSpec,
    private readonly shard: number,
    private readonly background: TermBackground,
    private readonly source: KeySource | null,
    private readonly keyed: KeyedCounts | null,
  ) {}

  collect(docs: DocBuckets): void {
    this.subset = grown(this.subset, docs.bucketCount);
    const { subset } = this;
    const { size, buckets } = docs;
    for (let i = 0; i < size; i++) subset[buckets[i]!]!++;
    this.keyed?.collect(docs);
  }

  partial(owners: number): AggregationPartial<SignificantData> {
    const { spec, shard, background, source, keyed } = this;
    const { values } = spec;
    const superset = new Float64Array(values.isMapped ? owners : 0).fill(background.size);
    const common = {
      shard,
      // compat: an index without the field does not count.
      subset: values.isMapped ? sized(this.subset, owners) : NONE,
      superset,
      scores: NONE,
    };
    if (source === null || keyed === null) {
      const data = { ...noBuckets(keyTypeOf(values)), ...common, background: NONE };
      return { data, size: 0, subs: [] };
    }
    const keys = source.reader.size;
    const counts = Float64Array.from({ length: keys }, (_, key) =>
      background.countOf(source.keyAt(key)),
    );
    const buckets = keyed.buckets(source.listOf(allUpTo(keys)));
    const size = buckets.counts.length;
    const data = {
      ...buckets,
      ...common,
      background: Float64Array.from(buckets.keyOf, (key) => counts[key]!),
    };
    return { data, size, subs: keyed.subs.partials(size) };
  }
}

/** The parts of one shard after another. */
function byShard(
  parts: readonly MergePart<SignificantSpec, SignificantData>[],
): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  parts.forEach(({ data: { shard } }, p) => {
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [p]);
    else group.push(p);
  });
  return [...groups.values()];
}

function merge(
  parts: readonly MergePart<SignificantSpec, SignificantData>[],
  owners: number,
  { isFinal }: MergeOptions,
): Merged<SignificantData> {
  const merged = mergeKeyedBuckets(parts, commonKeyType(parts));
  const { maps } = merged;
  const size = merged.data.counts.length;
  const background = new Float64Array(size);
  const subset = new Float64Array(owners);
  const superset = new Float64Array(owners);
  const groups = byShard(parts);
  for (const group of groups) {
    // What the parts of a shard say of the background is the same, if they say anything.
    const backgroundHere = groups.length === 1 ? background : new Float64Array(size);
    const supersetHere = groups.length === 1 ? superset : new Float64Array(owners);
    for (const p of group) {
      const { data, owners: map } = parts[p]!;
      forOwners(maps[p]!, data.background.length, (from, to) => {
        backgroundHere[to] = Math.max(backgroundHere[to]!, data.background[from]!);
      });
      forOwners(map, data.superset.length, (from, to) => {
        supersetHere[to] = Math.max(supersetHere[to]!, data.superset[from]!);
        subset[to]! += data.subset[from]!;
      });
    }
    if (groups.length === 1) continue;
    for (let i = 0; i < size; i++) background[i]! += backgroundHere[i]!;
    for (let o = 0; o < owners; o++) superset[o]! += supersetHere[o]!;
  }
  const shard = groups.length === 1 ? parts[0]!.data.shard : -1;
  const data = { ...merged.data, shard, background, subset, superset, scores: NONE };
  const spec = parts.find((part) => part.spec.values.isMapped)?.spec;
  return isFinal && spec !== undefined ? selected(spec, data, maps) : { data, size, maps };
}

/** Keeps the buckets that are shown, owner by owner and in order. */
function selected(
  { heuristic, size, minDocCount }: SignificantSpec,
  data: SignificantData,
  maps: Merged['maps'],
): Merged<SignificantData> {
  const { counts, owners, background, subset, superset } = data;
  const score = termScorer(heuristic);
  const scores = new Float64Array(counts.length);
  for (let i = 0; i < counts.length; i++) {
    const owner = owners[i]!;
    scores[i] = score({
      subsetFreq: counts[i]!,
      subsetSize: subset[owner]!,
      supersetFreq: background[i]!,
      supersetSize: superset[owner]!,
    });
  }
  const { starts, list } = byOwner(data, subset.length);
  const keys = keyComparator(data);
  const compare = (a: number, b: number) => scores[b]! - scores[a]! || keys(a, b);
  const all: number[] = [];
  for (let o = 0; o < subset.length; o++) {
    const own = list
      .subarray(starts[o], starts[o + 1])
      .filter((bucket) => counts[bucket]! >= minDocCount && scores[bucket]! > 0);
    for (const bucket of firstBuckets(own, size, compare)) all.push(bucket);
  }
  const kept = Uint32Array.from(all);
  const { data: left, became } = keepBuckets(data, kept);
  const pick = (from: Float64Array) => Float64Array.from(kept, (bucket) => from[bucket]!);
  return {
    data: { ...data, ...left, background: pick(background), scores: pick(scores) },
    size: kept.length,
    maps: maps.map((map) => chained(map, became)),
  };
}

function render(
  node: ReducedAggregation<SignificantSpec, SignificantData>,
  owner: number,
  context: RenderContext,
): string {
  const { spec, data } = node;
  if (!spec.values.isMapped) return '{"buckets":[]}';
  if (owner === EMPTY_BUCKET) return '{"doc_count":0,"buckets":[]}';
  const own = bucketsOf(data, owner, data.subset.length);
  context.countBuckets(own.length);
  const texts = Array.from(
    own,
    (bucket) =>
      `{${keyMembers(spec, data, bucket)},"doc_count":${data.counts[bucket]!},"score":${formatDouble(data.scores[bucket]!)},"bg_count":${data.background[bucket]!}${context.subs(node, bucket)}}`,
  );
  return `{"doc_count":${data.subset[owner]!},"buckets":[${texts.join()}]}`;
}

/** compat: numbers are always shown as texts, too. */
function keyMembers({ values }: SignificantSpec, data: KeyedBuckets, bucket: number): string {
  const key: Term = keyAt(data, bucket);
  if (typeof key === 'string') return `"key":${writeJson(key)}`;
  const { format } = values;
  const text = format.kind === 'raw' ? key.toString() : formatValue(format, Number(key));
  return `"key":${key.toString()},"key_as_string":${writeJson(text)}`;
}

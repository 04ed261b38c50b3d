// filters: a bucket for each of several filters, named or in order (reference server).

import { WindowWriter, type DocBuckets } from '../../counting/index';
import { isJsonObject, type JsonObject, writeJson } from '../../json/index';
import { bindFilter, ElementFailure, type Query } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import type { AggregationKind, AggregationParseContext, Aggregator } from '../contract/aggregation';
import type { DocCounts } from '../contract/merging';
import { bindSubs, type SubAggregators } from '../contract/sub-aggregators';
import { unknownMember } from '../contract/values';
import { parseFilter } from './filter';
import { fixedBucket, mergeFixed } from './fixed-buckets';
import { BucketCounts } from './single-bucket';

/** Plain data. */
export interface FiltersSpec {
  readonly queries: readonly Query[];
  /** Null: buckets have no names. */
  readonly names: readonly string[] | null;
}

export const FILTERS_AGGREGATION: AggregationKind<FiltersSpec, DocCounts> = {
  type: 'filters',
  hasBuckets: true,
  parse,
  bind: (plan, shard) => {
    const subs = bindSubs(plan.subs, shard);
    const weights = plan.spec.queries.map((query) => bindFilter(query, shard.segments));
    return (segment) =>
      new FiltersAggregator(
        segment,
        subs(segment),
        weights.map((weight) => weight.matches(segment)?.words ?? null),
      );
  },
  reads: ({ queries }) => ({ queries, fields: [] }),
  fixedBuckets: ({ queries }) => queries.length,
  merge: (parts, owners) => mergeFixed(parts, owners, parts[0]?.spec.queries.length ?? 0),
  render: (node, owner, context) => {
    const { queries, names } = node.spec;
    context.countBuckets(queries.length);
    const texts = queries.map((_, b) => {
      const bucket = fixedBucket(owner, queries.length, b);
      const text = `{"doc_count":${node.data.counts[bucket] ?? 0}${context.subs(node, bucket)}}`;
      return names === null ? text : `${writeJson(names[b]!)}:${text}`;
    });
    return names === null ? `{"buckets":[${texts.join()}]}` : `{"buckets":{${texts.join()}}}`;
  },
};

function parse(name: string, body: JsonObject, context: AggregationParseContext): FiltersSpec {
  const queries: Query[] = [];
  let names: string[] | null = null;
  let isGiven = false;
  for (const [member, value] of body) {
    if (member !== 'filters' || !(isJsonObject(value) || Array.isArray(value)))
      throw unknownMember(name, member, value);
    isGiven = true;
    if (Array.isArray(value)) {
      for (const filter of value) queries.push(parseFilter(filter, context));
      continue;
    }
    names = [];
    for (const [key, filter] of value) {
      names.push(key);
      queries.push(parseFilter(filter, context));
    }
  }
  if (!isGiven) throw new ElementFailure('[filters] cannot be empty.');
  context.search.meter.add('ranges', queries.length);
  return { queries, names };
}

class FiltersAggregator implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter;

  /** @param sets by filter: the words of its documents; null: none */
  constructor(
    segment: SegmentReader,
    subs: SubAggregators,
    private readonly sets: readonly (Uint32Array | null)[],
  ) {
    this.kept = new BucketCounts(subs);
    this.out = new WindowWriter(segment.docCount);
  }

  collect(window: DocBuckets): void {
    const { from, to, size, docs, buckets } = window;
    const { sets, out } = this;
    const width = sets.length;
    out.begin(from, to);
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      const word = from + (doc >>> 5);
      const bit = doc & 31;
      const first = buckets[i]! * width;
      if (out.isFullBefore(doc)) this.kept.takeWritten(out, window.bucketCount * width);
      out.reserve(out.size + width);
      for (let b = 0; b < width; b++) {
        const words = sets[b]!;
        if (words === null || ((words[word]! >>> bit) & 1) === 0) continue;
        out.add(doc, first + b);
      }
    }
    this.kept.takeWritten(out, window.bucketCount * width);
  }

  partial(owners: number) {
    return this.kept.partial(owners * this.sets.length);
  }
}

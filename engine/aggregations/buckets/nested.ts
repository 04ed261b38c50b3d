// nested and reverse_nested: from documents to their nested objects at a path, and back to the objects or
// documents around them (reference server).

import type { JsonObject } from '../../json/index';
import { ElementFailure } from '../../query/index';
import { type Bitset, NO_MORE_DOCS, previousMember, type SegmentReader } from '../../segment/index';
import { type DocBuckets, WindowWriter } from '../../counting/index';
import type { Aggregator } from '../contract/aggregation';
import { type NestedSpec, nestedPathAround } from '../contract/nested-path';
import { unknownMember } from '../contract/values';
import type { SubAggregators } from '../contract/sub-aggregators';
import { BucketCounts, singleBucket } from './single-bucket';

export const NESTED_AGGREGATION = singleBucket<NestedSpec>('nested', {
  parse: (name, body, context) => {
    const asked = parsePath(name, body);
    if (asked === null)
      throw new ElementFailure(`Missing [path] field for nested aggregation [${name}]`);
    const found = context.search.mapping.nestedObject(asked, context.search.types);
    const path = found === null || found === 'plain' ? null : found.path;
    return { path, from: nestedPathAround(context.parents), isNowhere: path === null };
  },
  reads: () => ({ queries: [], fields: null }),
  open:
    ({ spec }) =>
    (segment, subs) => {
      const docs = spec.path === null ? null : segment.nestedDocs(spec.path);
      const around = spec.from === null ? segment.roots : segment.nestedDocs(spec.from);
      return docs === null || around === null
        ? new NoDocuments(subs)
        : new NestedAggregator(segment, subs, docs, around);
    },
});

export const REVERSE_NESTED_AGGREGATION = singleBucket<NestedSpec>('reverse_nested', {
  parse: (name, body, context) => {
    const asked = parsePath(name, body);
    const from = nestedPathAround(context.parents);
    if (!context.parents.some(({ type }) => type === 'nested')) {
      throw new ElementFailure(
        'Reverse nested aggregation [' + name + '] can only be used inside a [nested] aggregation',
      );
    }
    if (asked === null) return { path: null, from, isNowhere: from === null };
    const found = context.search.mapping.nestedObject(asked, context.search.types);
    const path = found === null || found === 'plain' ? null : found.path;
    const isAround =
      path !== null && from !== null && (path === from || from.startsWith(`${path}.`));
    return { path, from, isNowhere: !isAround };
  },
  reads: () => ({ queries: [], fields: null }),
  open:
    ({ spec }) =>
    (segment, subs) => {
      const around = spec.path === null ? segment.roots : segment.nestedDocs(spec.path);
      return spec.isNowhere || around === null
        ? new NoDocuments(subs)
        : new ReverseAggregator(segment, subs, around);
    },
});

function parsePath(name: string, body: JsonObject): string | null {
  let path: string | null = null;
  for (const [member, value] of body) {
    if (member !== 'path' || typeof value !== 'string') throw unknownMember(name, member, value);
    path = value;
  }
  return path;
}

class NoDocuments implements Aggregator {
  private readonly none: BucketCounts;

  constructor(subs: SubAggregators) {
    this.none = new BucketCounts(subs);
  }

  collect(_docs: DocBuckets): void {
    // There are none.
  }

  partial(owners: number) {
    return this.none.partial(owners);
  }
}

/** Words of the windows that are handed on: nested objects are many. */
const WINDOW_WORDS = 128;

/** From objects or documents to the nested objects within: these stand between the one before and itself. */
class NestedAggregator implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter;

  constructor(
    segment: SegmentReader,
    subs: SubAggregators,
    private readonly nested: Bitset,
    private readonly around: Bitset,
  ) {
    this.kept = new BucketCounts(subs);
    this.out = new WindowWriter(segment.docCount);
  }

  collect(docs: DocBuckets): void {
    const { out, nested } = this;
    const base = docs.from << 5;
    let isOpen = false;
    for (let i = 0; i < docs.size;) {
      const doc = base + docs.docs[i]!;
      let end = i + 1;
      while (end < docs.size && docs.docs[end] === docs.docs[i]) end++;
      const before = previousMember(this.around, doc);
      for (let child = nested.next(before + 1); child < doc; child = nested.next(child + 1)) {
        const word = child >>> 5;
        if (!isOpen || word >= out.to) {
          if (isOpen) this.kept.takeWritten(out, docs.bucketCount);
          out.begin(word, Math.min(word + WINDOW_WORDS, out.wordCount));
          isOpen = true;
        }
        if (out.isFullBefore(child - (out.from << 5))) this.kept.takeWritten(out, docs.bucketCount);
        out.reserve(out.size + end - i);
        for (let e = i; e < end; e++) out.add(child - (out.from << 5), docs.buckets[e]!);
      }
      i = end;
    }
    if (isOpen) this.kept.takeWritten(out, docs.bucketCount);
  }

  partial(owners: number) {
    return this.kept.partial(owners);
  }
}

/** From nested objects to what is around them, once per bucket. */
class ReverseAggregator implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter;
  /** By bucket: the document that it was last given. */
  private last = new Int32Array(0);

  constructor(
    segment: SegmentReader,
    subs: SubAggregators,
    private readonly around: Bitset,
  ) {
    this.kept = new BucketCounts(subs);
    this.out = new WindowWriter(segment.docCount);
  }

  collect(docs: DocBuckets): void {
    const { out, around } = this;
    this.reserve(docs.bucketCount);
    const { last } = this;
    const base = docs.from << 5;
    let isOpen = false;
    for (let i = 0; i < docs.size; i++) {
      const doc = around.next(base + docs.docs[i]!);
      if (doc === NO_MORE_DOCS) break;
      const bucket = docs.buckets[i]!;
      if (last[bucket] === doc) continue;
      last[bucket] = doc;
      const word = doc >>> 5;
      if (!isOpen || word >= out.to) {
        if (isOpen) this.kept.takeWritten(out, docs.bucketCount);
        out.begin(word, Math.min(word + WINDOW_WORDS, out.wordCount));
        isOpen = true;
      }
      out.reserve(out.size + 1);
      out.add(doc - (out.from << 5), bucket);
    }
    if (isOpen) this.kept.takeWritten(out, docs.bucketCount);
  }

  partial(owners: number) {
    return this.kept.partial(owners);
  }

  private reserve(size: number): void {
    const old = this.last.length;
    if (size <= old) return;
    const last = new Int32Array(Math.max(size, 2 * old)).fill(-1);
    last.set(this.last);
    this.last = last;
  }
}

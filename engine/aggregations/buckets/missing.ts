// missing: the documents of a bucket without a value (reference server).

import { Bitset, type SegmentReader } from '../../segment/index';
import { type DocBuckets, type NumberReader, WindowWriter } from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import type { Aggregator } from '../contract/aggregation';
import { numbersOf } from '../contract/open-values';
import { type ValuesSpec, readsOfValues } from '../contract/values';
import { metricValues } from '../metrics/metric';
import type { SubAggregators } from '../contract/sub-aggregators';
import { BucketCounts, SetAggregator, singleBucket } from './single-bucket';

interface MissingSpec {
  readonly values: ValuesSpec;
}

export const MISSING_AGGREGATION = singleBucket<MissingSpec>('missing', {
  parse: (name, body, context) => ({ values: metricValues(name, body, 'any', context) }),
  reads: readsOfValues,
  open: ({ spec: { values } }, { scoresOf }) => {
    if (values.script !== null && values.kind === 'numbers') {
      const open = numbersOf(values, scoresOf);
      return (segment, subs) => new NoNumbers(segment, subs, open(segment));
    }
    return (segment, subs) => new SetAggregator(segment, subs, withoutValue(values, segment).words);
  },
});

function withoutValue(values: ValuesSpec, segment: SegmentReader): Bitset {
  const { field, fieldKind, constant } = values;
  if (constant !== null) return new Bitset(segment.docCount);
  if (field !== null && fieldKind === 'string') return withoutTerm(field, segment);
  const present = field === null ? null : segment.presence(field);
  return present === null ? Bitset.full(segment.docCount) : present.clone().not();
}

/** compat: a text of which analysis leaves nothing is no value, though the field is there. */
function withoutTerm(field: FieldId, segment: SegmentReader): Bitset {
  const column = segment.ordinals(field);
  if (column === null) return Bitset.full(segment.docCount);
  const { offsets, ordinals } = column;
  const without = new Bitset(segment.docCount);
  for (let doc = 0; doc < segment.docCount; doc++) {
    const isEmpty = offsets === null ? ordinals[doc] === 0 : offsets[doc] === offsets[doc + 1];
    if (isEmpty) without.add(doc);
  }
  return without;
}

/** Keeps the documents for which a script gives no number. */
class NoNumbers implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter;

  constructor(
    segment: SegmentReader,
    subs: SubAggregators,
    private readonly values: NumberReader | null,
  ) {
    this.kept = new BucketCounts(subs);
    this.out = new WindowWriter(segment.docCount);
  }

  collect(docs: DocBuckets): void {
    const { values, out } = this;
    if (values === null) {
      this.kept.take(docs);
      return;
    }
    values.load(docs.words, docs.from, docs.to);
    const offsets = values.offsets!;
    out.begin(docs.from, docs.to);
    out.reserve(docs.size);
    for (let i = 0; i < docs.size; i++) {
      const doc = (docs.from << 5) + docs.docs[i]!;
      if (offsets[doc] === offsets[doc + 1]) out.add(docs.docs[i]!, docs.buckets[i]!);
    }
    out.end(docs.bucketCount);
    this.kept.take(out);
  }

  partial(owners: number) {
    return this.kept.partial(owners);
  }
}

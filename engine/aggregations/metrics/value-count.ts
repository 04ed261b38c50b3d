// value_count: how many values documents have, each as often as it is there for a document (reference
// server).

import {
  type DocBuckets,
  endOf,
  loadWindow,
  type KeyReader,
  type NumberReader,
  startOf,
} from '../../counting/index';
import type { GeoColumn, SegmentReader } from '../../segment/index';
import { writeJson } from '../../json/index';
import { formatValue } from '../contract/value-format';
import { keySource } from '../contract/key-source';
import type {
  AggregationKind,
  AggregationPartial,
  Aggregator,
  ShardBinding,
} from '../contract/aggregation';
import { type DocCounts, grown, mergeCounts, sized } from '../contract/merging';
import { numbersOf } from '../contract/open-values';
import { leadOf, type ValuesSpec, readsOfValues } from '../contract/values';
import { type MetricSpec, metricValues } from './metric';

export const VALUE_COUNT_AGGREGATION: AggregationKind<MetricSpec, DocCounts> = {
  type: 'value_count',
  hasBuckets: false,
  parse: (name, body, context) => ({
    values: metricValues(name, body, 'any', context, undefined, { takesFormat: false }),
  }),
  bind: ({ spec }, shard) => {
    const open = counters(spec.values, shard);
    return (segment) => new ValueCounts(open(segment));
  },
  merge: (parts, owners) => ({ ...mergeCounts(parts, owners), size: 0, maps: [] }),
  lead: leadOf,
  reads: readsOfValues,
  render: ({ spec, data }, owner) => {
    const { format } = spec.values;
    const count = data.counts[owner] ?? 0;
    // compat: the count of dates is shown as a date, too.
    const isShown = format.kind === 'date' || format.kind === 'ip';
    const text = isShown ? `,"value_as_string":${writeJson(formatValue(format, count))}` : '';
    return `{"value":${count}${text}}`;
  },
  order: {
    isSingleBucket: false,
    has: (_spec, member) => member === null || member === 'value',
    value: ({ data }, _member, owner) => data.counts[owner] ?? 0,
  },
};

/** Adds the values of the documents of a window to the counts of their buckets. */
type CountValues = (docs: DocBuckets, counts: Float64Array) => void;

function counters(
  values: ValuesSpec,
  { scoresOf }: ShardBinding,
): (segment: SegmentReader) => CountValues | null {
  switch (values.kind) {
    case 'numbers': {
      const open = numbersOf(values, scoresOf);
      return (segment) => {
        const reader = open(segment);
        return reader === null ? null : (docs, counts) => countNumbers(reader, docs, counts);
      };
    }
    case 'texts': {
      const open = keySource(values, scoresOf);
      return (segment) => {
        const source = open(segment);
        return source === null ? null : (docs, counts) => countKeys(source.reader, docs, counts);
      };
    }
    case 'points':
      return (segment) => {
        const column = values.field === null ? null : segment.geo(values.field);
        return column === null ? null : (docs, counts) => countPoints(column, docs, counts);
      };
  }
}

function countNumbers(reader: NumberReader, docs: DocBuckets, counts: Float64Array): void {
  const { from, size, docs: list, buckets } = docs;
  loadWindow(reader, docs);
  const { offsets, present } = reader;
  for (let i = 0; i < size; i++) {
    const doc = list[i]!;
    if (offsets === null) {
      if (present === null || ((present[from + (doc >>> 5)]! >>> (doc & 31)) & 1) === 1)
        counts[buckets[i]!]!++;
    } else {
      const absolute = (from << 5) + doc;
      counts[buckets[i]!]! += endOf(reader, absolute) - startOf(reader, absolute);
    }
  }
}

function countKeys(keys: KeyReader, docs: DocBuckets, counts: Float64Array): void {
  const n = keys.load(docs.words, docs.from, docs.to);
  let first = 0;
  for (let i = 0; i < docs.size; i++) {
    const doc = docs.docs[i]!;
    while (first < n && keys.docs[first]! < doc) first++;
    for (let k = first; k < n && keys.docs[k] === doc; k++) counts[docs.buckets[i]!]!++;
  }
}

function countPoints({ offsets }: GeoColumn, docs: DocBuckets, counts: Float64Array): void {
  for (let i = 0; i < docs.size; i++) {
    const doc = (docs.from << 5) + docs.docs[i]!;
    counts[docs.buckets[i]!]! += offsets[doc + 1]! - offsets[doc]!;
  }
}

class ValueCounts implements Aggregator {
  private counts = new Float64Array(16);

  /** @param count null: there are no values */
  constructor(private readonly count: CountValues | null) {}

  collect(docs: DocBuckets): void {
    if (this.count === null) return;
    this.counts = grown(this.counts, docs.bucketCount);
    this.count(docs, this.counts);
  }

  get bytes(): number {
    return this.counts.byteLength;
  }

  partial(owners: number): AggregationPartial<DocCounts> {
    return { data: { counts: sized(this.counts, owners) }, size: 0, subs: [] };
  }
}

// cardinality: how many distinct values documents have (reference server), exact up to a number that
// `precision_threshold` sets. Hot: every value of every document in scope; texts are hashed once for each
// term of a segment.

import {
  type DocBuckets,
  endOf,
  loadWindow,
  type KeyList,
  type NumberReader,
  startOf,
} from '../../counting/index';
import { isScalar, JsonNumber, type JsonObject, lenientInteger, writeJson } from '../../json/index';
import { booleanOf } from '../../query/index';
import type { Bitset, GeoColumn, NumericColumn, SegmentReader } from '../../segment/index';
import { EngineError } from '../../errors';
import type {
  AggregationKind,
  AggregationParseContext,
  AggregationPartial,
  Aggregator,
  Merged,
  MergePart,
  ParentAggregation,
  ReducedAggregation,
  ShardBinding,
} from '../contract/aggregation';
import { type FieldTerms, type KeySource, keySource } from '../contract/key-source';
import { numbersOf } from '../contract/open-values';
import { formatValue } from '../contract/value-format';
import { leadOf, RunFailure, unknownMember, quickReads, readsOfValues } from '../contract/values';
import {
  type DistinctData,
  DistinctTable,
  MAX_PRECISION,
  mergeDistinct,
  MIN_PRECISION,
} from './distinct-table';
import { hashBits, hashDouble, hashed, hashInteger, hashPoint, hashText } from './hashes';
import { type MetricSpec, metricValues } from './metric';
import { type TermHashes, termHashes, textsOf } from './term-hashes';

/** Plain data. */
export interface CardinalitySpec extends MetricSpec {
  /** Registers of a bucket, as a power of two. */
  readonly precision: number;
}

export const CARDINALITY_AGGREGATION: AggregationKind<CardinalitySpec, DistinctData> = {
  type: 'cardinality',
  hasBuckets: false,
  parse,
  bind: ({ spec }, shard) => {
    const open = collectors(spec, shard);
    return (segment) => new DistinctValues(spec.precision, open(segment));
  },
  merge,
  lead: leadOf,
  // Texts are hashed by term.
  reads: (spec) => (spec.values.kind === 'texts' ? quickReads(spec) : readsOfValues(spec)),
  render,
  order: {
    isSingleBucket: false,
    has: (_spec, member) => member === null || member === 'value',
    value: ({ data }, _member, owner) => data.values[owner] ?? 0,
  },
};

function parse(name: string, body: JsonObject, context: AggregationParseContext): CardinalitySpec {
  let threshold = -1;
  let rehash = true;
  for (const member of ['format', 'script_values_sorted']) {
    const value = body.get(member);
    if (value !== undefined) throw unknownMember(name, member, value);
  }
  const values = metricValues(name, body, 'any', context, (member, value) => {
    if (member === 'rehash') {
      if (value === null || !isScalar(value)) return false;
      rehash = booleanOf(value);
      return true;
    }
    if (!/^precision_?threshold$/i.test(member)) return false;
    if (typeof value !== 'string' && !(value instanceof JsonNumber)) return false;
    threshold = lenientInteger(value, 0);
    return true;
  });
  if (!rehash && values.kind !== 'numbers') throw new RunFailure(needsHashes(name));
  return {
    values,
    precision: threshold < 0 ? defaultPrecision(context.parents) : precisionFor(threshold),
  };
}

function needsHashes(name: string): EngineError {
  return new EngineError(
    'AggregationExecutionException',
    `Turning off rehashing for cardinality aggregation [${name}] on non-numeric values in not allowed`,
  );
}

const TOP_PRECISION = 14;
const PRECISION_IN_BUCKETS = 9;
/** Kinds around it that do not make any number of buckets (reference server). */
const FEW_BUCKETS: ReadonlySet<string> = new Set([
  'children',
  'date_range',
  'filter',
  'filters',
  'geo_distance',
  'global',
  'ip_range',
  'missing',
  'nested',
  'range',
  'reverse_nested',
]);

function defaultPrecision(parents: readonly ParentAggregation[]): number {
  return parents.every(({ type }) => FEW_BUCKETS.has(type)) ? TOP_PRECISION : PRECISION_IN_BUCKETS;
}

/** The least precision of which counts are exact up to a number (reference server). */
function precisionFor(threshold: number): number {
  const bytes = Math.ceil(threshold / 0.75) * 4;
  const precision = bytes < 1 ? 0 : Math.floor(Math.log2(bytes)) + 1;
  return Math.min(MAX_PRECISION, Math.max(MIN_PRECISION, precision));
}

function merge(
  parts: readonly MergePart<CardinalitySpec, DistinctData>[],
  owners: number,
): Merged<DistinctData> {
  const [only] = parts;
  if (parts.length === 1 && only!.owners === null) return { data: only!.data, size: 0, maps: [] };
  const precision = only?.spec.precision ?? MIN_PRECISION;
  return { data: mergeDistinct(precision, parts, owners).data(owners), size: 0, maps: [] };
}

function render(
  { spec, data }: ReducedAggregation<CardinalitySpec, DistinctData>,
  owner: number,
): string {
  const value = data.values[owner] ?? 0;
  const { format } = spec.values;
  // compat: the count is shown in the format of the values.
  return format.kind === 'raw'
    ? `{"value":${value}}`
    : `{"value":${value},"value_as_string":${writeJson(formatValue(format, value))}}`;
}

/** Adds the values of documents to a table. */
interface ValueCollector {
  collect(docs: DocBuckets, table: DistinctTable): void;
  /** Adds those of a set at once; false: there is no quicker way. Absent: there never is. */
  collectSet?(docs: Bitset, table: DistinctTable): boolean;
}

function collectors(
  { values }: CardinalitySpec,
  { scoresOf }: ShardBinding,
): (segment: SegmentReader) => ValueCollector | null {
  const { field, script } = values;
  switch (values.kind) {
    case 'numbers': {
      const open = numbersOf(values, scoresOf);
      return (segment) => {
        const column = script !== null || field === null ? null : segment.numeric(field);
        if (column !== null && column.high !== null) return new LongCollector(column, column.high);
        const reader = open(segment);
        const isInteger = column?.kind === 'int' || column?.kind === 'long';
        return reader === null ? null : new NumberCollector(reader, isInteger);
      };
    }
    case 'texts': {
      const open = keySource(values, scoresOf);
      return (segment) => {
        const source = open(segment);
        if (source === null) return null;
        const { terms } = source;
        const hashes = terms === null ? null : termHashes(segment, field!, terms);
        return hashes === null ? new TextCollector(source) : new TermCollector(terms!, hashes);
      };
    }
    case 'points':
      return (segment) => {
        const column = field === null ? null : segment.geo(field);
        return column === null ? null : new PointCollector(column);
      };
  }
}

class NumberCollector implements ValueCollector {
  constructor(
    private readonly reader: NumberReader,
    private readonly isInteger: boolean,
  ) {}

  collect(window: DocBuckets, table: DistinctTable): void {
    const { reader, isInteger } = this;
    loadWindow(reader, window);
    const { from, size, docs, buckets } = window;
    const { values, present, offsets } = reader;
    for (let i = 0; i < size; i++) {
      const local = docs[i]!;
      if (present !== null && ((present[from + (local >>> 5)]! >>> (local & 31)) & 1) === 0)
        continue;
      const doc = (from << 5) + local;
      const end = offsets === null ? local + 1 : endOf(reader, doc);
      for (let v = offsets === null ? local : startOf(reader, doc); v < end; v++) {
        if (isInteger) hashInteger(values[v]!);
        else hashDouble(values[v]!);
        table.add(buckets[i]!, hashed.high, hashed.low);
      }
    }
  }
}

/** Integers that doubles do not hold exactly. */
class LongCollector implements ValueCollector {
  constructor(
    private readonly column: NumericColumn,
    private readonly high: Int32Array,
  ) {}

  collect({ from, size, docs, buckets }: DocBuckets, table: DistinctTable): void {
    const { high } = this;
    const { offsets, present, values } = this.column;
    for (let i = 0; i < size; i++) {
      const doc = (from << 5) + docs[i]!;
      if (present !== null && !present.has(doc)) continue;
      const end = offsets === null ? doc + 1 : offsets[doc + 1]!;
      for (let v = offsets === null ? doc : offsets[doc]!; v < end; v++) {
        hashBits(high[v]!, values[v]!);
        table.add(buckets[i]!, hashed.high, hashed.low);
      }
    }
  }
}

class PointCollector implements ValueCollector {
  constructor(private readonly column: GeoColumn) {}

  collect({ from, size, docs, buckets }: DocBuckets, table: DistinctTable): void {
    const { offsets, latitudes, longitudes } = this.column;
    for (let i = 0; i < size; i++) {
      const doc = (from << 5) + docs[i]!;
      for (let p = offsets[doc]!; p < offsets[doc + 1]!; p++) {
        hashPoint(latitudes[p]!, longitudes[p]!);
        table.add(buckets[i]!, hashed.high, hashed.low);
      }
    }
  }
}

/** Terms whose hashes are at hand. */
class TermCollector implements ValueCollector {
  constructor(
    private readonly terms: FieldTerms,
    private readonly hashes: TermHashes,
  ) {}

  collect({ from, size, docs, buckets }: DocBuckets, table: DistinctTable): void {
    const { offsets, ordinals } = this.terms.keys;
    const { high, low } = this.hashes;
    const first = from << 5;
    for (let i = 0; i < size; i++) {
      const doc = first + docs[i]!;
      if (offsets === null) {
        const slot = ordinals[doc]!;
        if (slot !== 0) table.add(buckets[i]!, high[slot - 1]!, low[slot - 1]!);
        continue;
      }
      for (let v = offsets[doc]!; v < offsets[doc + 1]!; v++)
        table.add(buckets[i]!, high[ordinals[v]!]!, low[ordinals[v]!]!);
    }
  }

  collectSet(docs: Bitset, table: DistinctTable): boolean {
    const { high, low } = this.hashes;
    const { counts, ordinals } = this.terms.count(docs);
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] === 0) continue;
      const ordinal = ordinals === null ? i : ordinals[i]!;
      table.add(0, high[ordinal]!, low[ordinal]!);
    }
    return true;
  }
}

/** Terms that are hashed at once. */
const BATCH = 4096;

class TextCollector implements ValueCollector {
  /** Keys whose hashes are known. */
  private known = 0;
  private high = new Uint32Array(64);
  private low = new Uint32Array(64);

  constructor(private readonly source: KeySource) {}

  collect({ words, from, to, size, docs, buckets }: DocBuckets, table: DistinctTable): void {
    const { reader } = this.source;
    const n = reader.load(words, from, to);
    this.hashKeys();
    const { high, low } = this;
    const { docs: keyDocs, buckets: keys } = reader;
    let first = 0;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      while (first < n && keyDocs[first]! < doc) first++;
      for (let k = first; k < n && keyDocs[k] === doc; k++) {
        const key = keys[k]!;
        table.add(buckets[i]!, high[key]!, low[key]!);
      }
    }
  }

  collectSet(docs: Bitset, table: DistinctTable): boolean {
    const { terms } = this.source;
    if (terms === null) return false;
    const { counts, ordinals } = terms.count(docs);
    const batch = new Uint32Array(BATCH);
    let n = 0;
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] === 0) continue;
      batch[n++] = ordinals === null ? i : ordinals[i]!;
      if (n < BATCH) continue;
      addTexts(terms.termsAt(batch), table);
      n = 0;
    }
    addTexts(terms.termsAt(batch.subarray(0, n)), table);
    return true;
  }

  /** Hashes the keys that were handed out since. */
  private hashKeys(): void {
    const { source, known } = this;
    const { size } = source.reader;
    if (size === known) return;
    const keys = new Uint32Array(size - known);
    for (let i = 0; i < keys.length; i++) keys[i] = known + i;
    const list = textsOf(source.listOf(keys));
    if (size > this.high.length) {
      const room = Math.max(size, 2 * this.high.length);
      const { high, low } = this;
      this.high = new Uint32Array(room);
      this.high.set(high);
      this.low = new Uint32Array(room);
      this.low.set(low);
    }
    for (let i = 0; i < keys.length; i++) {
      hashText(list.text, list.starts[i]!, list.starts[i + 1]!);
      this.high[known + i] = hashed.high;
      this.low[known + i] = hashed.low;
    }
    this.known = size;
  }
}

function addTexts(list: KeyList, table: DistinctTable): void {
  const { text, starts } = textsOf(list);
  for (let i = 0; i + 1 < starts.length; i++) {
    hashText(text, starts[i]!, starts[i + 1]!);
    table.add(0, hashed.high, hashed.low);
  }
}

class DistinctValues implements Aggregator {
  private readonly table: DistinctTable;

  /** @param values null: there are none */
  constructor(
    precision: number,
    private readonly values: ValueCollector | null,
  ) {
    this.table = new DistinctTable(precision);
  }

  collect(docs: DocBuckets): void {
    this.table.reserve(docs.bucketCount);
    this.values?.collect(docs, this.table);
  }

  collectSet(docs: Bitset): boolean {
    const { values, table } = this;
    if (values === null) return true;
    table.reserve(1);
    return values.collectSet?.(docs, table) ?? false;
  }

  get bytes(): number {
    return this.table.bytes;
  }

  partial(owners: number): AggregationPartial<DistinctData> {
    return { data: this.table.data(owners), size: 0, subs: [] };
  }
}

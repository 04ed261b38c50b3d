// Counting a terms_stats facet on one shard.

import {
  foldBuckets,
  selectStats,
  statsBytes,
  StatsTable,
  type BucketStats,
  foldSlots,
  isFoldable,
  usedSlots,
  DistinctBuckets,
  IntervalBuckets,
  LongKeys,
  NumberKeys,
  OrdinalKeys,
  ColumnReader,
  ConstantKeys,
  type KeyList,
  type NumberReader,
  NumberSource,
  textKeys,
  textsAt,
} from '../../counting/index';
import {
  NO_MORE_DOCS,
  type Bitset,
  type NumericColumn,
  type OrdinalColumn,
  type SegmentReader,
  type TermDictionary,
} from '../../segment/index';
import type { FacetCollectOptions, FacetCollector, ReusableCollector } from '../contract/facet';
import { refuseUnreadable } from '../contract/number-field';
import { forgetful } from '../contract/number-source';
import { PointKeys } from './text-keys';
import { StatsMerge } from './terms-stats-merge';
import { topStats } from './terms-stats-order';
import type { TermsStatsPartial, TermsStatsSpec } from './terms-stats-spec';
import type { FieldId } from '../../metadata/index';

/** What a segment contributes: statistics by term, or by ordinal (ascending) of its own dictionary. */
interface SegmentStats {
  readonly missing: number;
  readonly terms: KeyList | Uint32Array;
  readonly stats: BucketStats;
}

/** Counts a terms_stats facet on one shard. @throws EngineError for a key that terms cannot be read of */
export function termsStatsCollector(
  spec: TermsStatsSpec,
  options: FacetCollectOptions,
): FacetCollector {
  refuseUnreadable(spec.unreadable);
  const collector = new TermsStatsCollector(spec, options);
  return spec.value.kind === 'script' ? forgetful(collector) : collector;
}

class TermsStatsCollector implements ReusableCollector<SegmentStats> {
  readonly countKey: object;
  private missing = 0;
  private readonly soleShard: boolean;
  private readonly values: NumberSource;
  private readonly parts: { readonly segment: SegmentReader; readonly counts: SegmentStats }[] = [];

  constructor(
    private readonly spec: TermsStatsSpec,
    { soleShard, scoresOf }: FacetCollectOptions,
  ) {
    this.soleShard = soleShard;
    this.values = new NumberSource(spec.value, scoresOf);
    this.countKey = { key: spec.key, value: spec.value };
  }

  count(segment: SegmentReader, docs: Bitset | null): SegmentStats {
    return docs === null ? NOTHING : countSegment(this.spec, this.values, segment, docs);
  }

  bytesOf({ terms, stats }: SegmentStats): number {
    return statsBytes(stats) + (terms instanceof Uint32Array ? terms.byteLength : termBytes(terms));
  }

  add(segment: SegmentReader, counts: SegmentStats): void {
    this.missing += counts.missing;
    if (counts.stats.counts.length > 0) this.parts.push({ segment, counts });
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    this.add(segment, this.count(segment, docs));
  }

  partial(): TermsStatsPartial {
    const { missing, parts, spec } = this;
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return { missing, ...this.fromOne(first) };
    const merge = new StatsMerge(typeOf(spec));
    for (const { segment, counts } of parts) {
      if (counts.terms instanceof Uint32Array)
        merge.addOrdinals(this.dictionary(segment), counts.terms, counts.stats);
      else merge.add(counts.terms, counts.stats);
    }
    return { missing, ...merge.result() };
  }

  /** One segment: its terms in their order, just those that will be shown where the shard decides alone. */
  private fromOne({ segment, counts }: { segment: SegmentReader; counts: SegmentStats }): {
    terms: KeyList;
    stats: BucketStats;
  } {
    const { terms, stats } = counts;
    if (!(terms instanceof Uint32Array)) return { terms, stats };
    const { size, order } = this.spec;
    if (!this.soleShard || size === 0 || terms.length <= size) {
      return { terms: textsAt(this.dictionary(segment), terms), stats };
    }
    const shown = Uint32Array.from(topStats(null, stats, order, size)).sort();
    const ordinals = shown.map((i) => terms[i]!);
    return {
      terms: textsAt(this.dictionary(segment), ordinals),
      stats: selectStats(stats, shown),
    };
  }

  private dictionary(segment: SegmentReader): TermDictionary {
    const { key } = this.spec;
    return segment.terms((key as { field: FieldId }).field)!;
  }
}

const NOTHING: SegmentStats = {
  missing: 0,
  terms: new Uint32Array(0),
  stats: new StatsTable().first(0),
};

/** How the terms of a spec are kept and printed. */
function typeOf({ key }: TermsStatsSpec): KeyList['type'] {
  return key.kind === 'long' || key.kind === 'double' ? key.kind : 'string';
}

function termBytes(terms: KeyList): number {
  return terms.type === 'string'
    ? terms.text.byteLength + terms.starts.byteLength
    : terms.values.byteLength;
}

function countSegment(
  { key }: TermsStatsSpec,
  source: NumberSource,
  segment: SegmentReader,
  docs: Bitset,
): SegmentStats {
  if (key.kind === 'constant') {
    const keys = new ConstantKeys(segment.docCount);
    const stats = foldBuckets(keys, source.open(segment), docs).first(keys.size);
    return { missing: 0, terms: textKeys(keys.size === 0 ? [] : [key.term]), stats };
  }
  const { kind, field } = key;
  if (field === null) return nothing(kind, docs);
  const values = source.open(segment);
  if (kind === 'long' || kind === 'double') {
    const column = segment.numeric(field);
    return column === null ? nothing(kind, docs) : countNumbers(kind, column, values, docs);
  }
  if (kind === 'geo') {
    const column = segment.geo(field);
    if (column === null) return NOTHING;
    const keys = new PointKeys(column);
    const stats = foldBuckets(keys, values, docs);
    const { terms, buckets } = keys.inOrder();
    return { missing: 0, terms, stats: stats.select(buckets) };
  }
  const column = segment.ordinals(field);
  if (column === null) return NOTHING;
  return countTerms(column, values, docs);
}

function countTerms(
  column: OrdinalColumn,
  values: NumberReader | null,
  docs: Bitset,
): SegmentStats {
  const size = column.terms.size + 1;
  if (column.offsets === null && isFoldable(size, values, docs)) {
    const stats = foldSlots(column.ordinals, size, values, docs);
    const used = usedSlots(stats.counts, 1, size);
    return { missing: 0, terms: used.map((slot) => slot - 1), stats: stats.select(used) };
  }
  const keys = new OrdinalKeys(column, column.docCount, column.terms.size);
  const stats = foldBuckets(keys, values, docs);
  const { ordinals, buckets } = keys.inOrder();
  return { missing: 0, terms: ordinals, stats: stats.select(buckets) };
}

/** No document has a term. compat: only integers count the documents without. */
function nothing(kind: string, docs: Bitset): SegmentStats {
  return kind === 'long' ? { ...NOTHING, missing: docs.cardinality() } : NOTHING;
}

function countNumbers(
  kind: 'long' | 'double',
  column: NumericColumn,
  values: NumberReader | null,
  docs: Bitset,
): SegmentStats {
  if (kind === 'double') {
    const distinct = new DistinctBuckets();
    const keys = new NumberKeys(new ColumnReader(column), distinct);
    const stats = foldBuckets(keys, values, docs).first(keys.size);
    return { missing: 0, terms: { type: 'double', values: distinct.keys() }, stats };
  }
  const missing = docs.cardinality() - countPresent(column, docs);
  if (column.high !== null) {
    const keys = new LongKeys(column, column.high);
    const stats = foldBuckets(keys, values, docs).first(keys.size);
    return { missing, terms: { type: 'long', values: keys.keys() }, stats };
  }
  // Integers that doubles hold: each one is an interval of its own.
  const integers = new IntervalBuckets(1, column);
  const keys = new NumberKeys(new ColumnReader(column), integers);
  const stats = foldBuckets(keys, values, docs).first(keys.size);
  const terms = BigInt64Array.from(Array.from(integers.keys(), BigInt));
  return { missing, terms: { type: 'long', values: terms }, stats };
}

/** How many of the documents have a value. */
function countPresent({ offsets, present }: NumericColumn, docs: Bitset): number {
  if (offsets === null)
    return present === null ? docs.cardinality() : docs.clone().and(present).count();
  let n = 0;
  for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
    if (offsets[doc] !== offsets[doc + 1]) n++;
  }
  return n;
}

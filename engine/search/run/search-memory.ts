// What a search will hold in memory while it runs, told before it does: sets of documents, best hits, and
// what facets and aggregations count. Told too high it waits for others where it need not, told too low there
// are more at a time; what it answers never depends on it.

import { type AggregationPlan, kindOf } from '../../aggregations/index';
import { type FacetPlan, facetKind } from '../../facets/index';
import type { FieldId } from '../../metadata/index';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import type { SearchJob } from '../plan/executor';

/** A set of documents, of which a search that ranks, filters or counts makes a few. Bytes a document. */
const SETS = 4 / 8;
/** One of the best hits, until it is rendered, in bytes. */
const HIT = 200;
/** A term with its count, in a segment and again in what the shard contributes, in bytes. */
const COUNTED_TERM = 16;
/** The facet that does no more than that. */
const TERMS_FACET = 'terms';
/** The same with the sums of another field. */
const SUMMED_TERM = 96;
/** A bucket of an aggregation likewise, in bytes. */
const BUCKET = 64;
/** What is counted where that cannot be told (scripts), in bytes a document: texts in a hash. */
const UNTOLD = 96;
/** Values of columns by which numbers are counted, in bytes a document. */
const NUMBERS = 2;

/**
 * Bytes that a search holds at most at a time, as an estimate.
 *
 * @param open the segments of a shard
 * @throws CorruptionError as opening segments does
 */
export function searchMemory(
  job: SearchJob,
  open: (snapshot: ShardSnapshot) => readonly SegmentReader[],
): number {
  let bytes = 0;
  for (const { snapshot, planned } of job.shards) {
    const { window, facets, aggregations, facetMemory } = planned.plan;
    let docs = 0;
    for (const { docCount } of snapshot.segments) docs += docCount;
    bytes += docs * SETS + Math.min(window, docs) * HIT;
    if (facets.length === 0 && aggregations.length === 0) continue;
    const counted = new CountedMemory(open(snapshot), docs);
    let ofFacets = 0;
    for (const facet of facets) ofFacets += counted.ofFacet(facet);
    let ofAggregations = 0;
    for (const each of aggregations) ofAggregations += counted.ofAggregation(each, 1);
    // What holds more is refused.
    bytes += Math.min(ofFacets, facetMemory) + Math.min(ofAggregations, facetMemory);
  }
  return bytes;
}

/** What facets and aggregations hold on a shard. */
class CountedMemory {
  constructor(
    private readonly segments: readonly SegmentReader[],
    private readonly docs: number,
  ) {}

  ofFacet({ type, spec, filter }: FacetPlan): number {
    const kind = facetKind(type);
    const fields =
      kind.countedFields === undefined
        ? (kind.reads?.(spec)?.fields ?? null)
        : kind.countedFields(spec);
    let bytes = filter === null ? 0 : this.docs / 8;
    if (fields === null) return bytes + this.docs * UNTOLD;
    const each = type === TERMS_FACET ? COUNTED_TERM : SUMMED_TERM;
    for (const field of fields) {
      const terms = this.termsOf(field);
      bytes += terms === null ? this.docs * NUMBERS : terms * each;
    }
    return bytes;
  }

  /** @param owners buckets that it has one of its own in each */
  ofAggregation({ type, spec, subs }: AggregationPlan, owners: number): number {
    const fields = kindOf(type).reads?.(spec)?.fields ?? null;
    let buckets = owners;
    if (fields === null) buckets *= Math.max(1, (this.docs * UNTOLD) / BUCKET);
    else for (const field of fields) buckets *= Math.max(1, this.termsOf(field) ?? 1);
    // Where documents have several values there may be more, but not of all terms in one another.
    buckets = Math.min(buckets, Math.max(owners, this.valuesOf(fields ?? [])));
    let bytes = buckets * BUCKET + this.docs * NUMBERS;
    for (const sub of subs) bytes += this.ofAggregation(sub, buckets);
    return bytes;
  }

  /** Null: it is not a field of terms. */
  private termsOf(field: FieldId): number | null {
    let terms: number | null = null;
    for (const segment of this.segments) {
      const own = segment.terms(field)?.size;
      if (own !== undefined) terms = (terms ?? 0) + own;
    }
    return terms;
  }

  /** At least one for each document. */
  private valuesOf(fields: readonly FieldId[]): number {
    let most = this.docs;
    for (const field of fields) {
      let values = 0;
      for (const segment of this.segments) values += segment.terms(field)?.sumDocFreq ?? 0;
      most = Math.max(most, values);
    }
    return most;
  }
}

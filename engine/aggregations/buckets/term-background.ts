// How many documents of a shard have a term, and how many there are: what terms of a subset are compared
// with. Deleted documents do not count, so that merging segments changes nothing.

import {
  countOrdinals,
  type OrdinalCounts,
  type Term,
  termColumn,
  termKey,
  type TermList,
} from '../../counting/index';
import { bindFilter, type Query, type Weight } from '../../query/index';
import { Bitset, type SegmentReader } from '../../segment/index';
import type { ValuesSpec } from '../contract/values';

/** The terms of one segment with their counts. */
interface SegmentCounts {
  readonly terms: TermList;
  readonly counts: OrdinalCounts;
}

/** The background of one shard; counted when it is first asked for. */
export class TermBackground {
  private readonly weight: Weight | null;
  private readonly known = new Map<Term, number>();
  private counted: readonly SegmentCounts[] | null = null;
  private total = -1;

  /** @param filter restricts the background; null: all documents, nested ones included */
  constructor(
    private readonly segments: readonly SegmentReader[],
    private readonly values: Pick<ValuesSpec, 'field' | 'fieldKind'>,
    filter: Query | null,
  ) {
    this.weight = filter === null ? null : bindFilter(filter, segments);
  }

  /** Documents in the background. */
  get size(): number {
    if (this.total < 0) {
      this.total = 0;
      for (const segment of this.segments)
        this.total +=
          this.weight === null
            ? segment.docCount - segment.deletedCount
            : (this.docsIn(segment)?.count() ?? 0);
    }
    return this.total;
  }

  /** Documents in the background with a term. */
  countOf(term: Term): number {
    const key = termKey(term);
    let count = this.known.get(key);
    if (count === undefined) {
      count = 0;
      this.counted ??= this.countAll();
      for (const { terms, counts } of this.counted) {
        const ordinal = terms.ordinalOf(term);
        if (ordinal >= 0) count += countAt(counts, ordinal);
      }
      this.known.set(key, count);
    }
    return count;
  }

  private countAll(): SegmentCounts[] {
    const { field, fieldKind } = this.values;
    const all: SegmentCounts[] = [];
    if (field === null || fieldKind === null) return all;
    for (const segment of this.segments) {
      const column = termColumn(segment, field, fieldKind);
      const docs = column === null ? null : this.docsIn(segment);
      if (column === null || docs === null) continue;
      const { terms } = column;
      all.push({ terms, counts: countOrdinals(column, terms.size, docs) });
    }
    return all;
  }

  private docsIn(segment: SegmentReader): Bitset | null {
    const { liveDocs, docCount } = segment;
    if (this.weight === null) return liveDocs ?? Bitset.full(docCount);
    const docs = this.weight.matches(segment);
    return docs === null || liveDocs === null ? docs : docs.clone().and(liveDocs);
  }
}

function countAt({ ordinals, counts }: OrdinalCounts, ordinal: number): number {
  if (ordinals === null) return counts[ordinal]!;
  let low = 0;
  let high = ordinals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ordinals[middle]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return ordinals[low] === ordinal ? counts[low]! : 0;
}

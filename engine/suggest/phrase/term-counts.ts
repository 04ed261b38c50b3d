// How often terms occur in a field of a shard.

import type { FieldId } from '../../metadata/index';
import type { SegmentReader, TermDictionary } from '../../segment/index';

/** The terms of a field over all segments of a shard. */
export class TermCounts {
  private readonly dictionaries: readonly TermDictionary[];
  private readonly known = new Map<string, number>();
  /** Without frequencies in one of the segments documents are counted instead. */
  private readonly countsOccurrences: boolean;
  /** Occurrences of all terms; without frequencies the number of documents. */
  readonly total: number;
  /** Distinct terms; compat: -1 where they are in several segments. */
  readonly size: number;

  constructor(segments: readonly SegmentReader[], field: FieldId | null) {
    const found = field === null ? [] : segments.map((segment) => segment.terms(field));
    this.dictionaries = found.filter((terms) => terms !== null);
    const { dictionaries } = this;
    this.countsOccurrences = dictionaries.every((terms) => terms.sumTotalTermFreq >= 0);
    this.total = this.countsOccurrences
      ? dictionaries.reduce((sum, terms) => sum + terms.sumTotalTermFreq, 0)
      : segments.reduce((sum, { docCount }) => sum + docCount, 0);
    this.size = segments.length === 1 ? (dictionaries[0]?.size ?? -1) : -1;
  }

  /** No document has a term in the field. */
  get isEmpty(): boolean {
    return this.dictionaries.length === 0;
  }

  of(term: string): number {
    let count = this.known.get(term);
    if (count !== undefined) return count;
    count = 0;
    for (const terms of this.dictionaries) {
      const ordinal = terms.ordinalOf(term);
      if (ordinal < 0) continue;
      count += this.countsOccurrences ? terms.totalTermFreq(ordinal) : terms.docFreq(ordinal);
    }
    this.known.set(term, count);
    return count;
  }
}

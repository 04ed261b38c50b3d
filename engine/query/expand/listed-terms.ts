// Listed terms as a segment that no document is looked up in: what preparing a query reads of one. Queries
// find in a text, or in what another server told of a shard, what they would find in the shard.

import type { FieldId } from '../../metadata/index';
import { compareUtf8, type SegmentReader, type TermDictionary } from '../../segment/index';

type Listed = Pick<
  TermDictionary,
  | 'size'
  | 'sumTotalTermFreq'
  | 'hasFreqs'
  | 'ordinalOf'
  | 'ceiling'
  | 'termAt'
  | 'forEach'
  | 'docFreq'
  | 'totalTermFreq'
>;

/** Terms of a field in the order of dictionaries. */
export class ListedTerms implements Listed {
  readonly hasFreqs = false;
  private readonly terms: readonly string[];

  /**
   * @param docFreqs how many documents have each term
   * @param sumTotalTermFreq tokens in all documents; -1: they are not counted
   */
  constructor(
    private readonly docFreqs: ReadonlyMap<string, number>,
    readonly sumTotalTermFreq = -1,
  ) {
    this.terms = [...docFreqs.keys()].sort(compareUtf8);
  }

  get size(): number {
    return this.terms.length;
  }

  ordinalOf(term: string): number {
    return this.docFreqs.has(term) ? this.ceiling(term) : -1;
  }

  ceiling(term: string): number {
    let low = 0;
    let high = this.terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8(this.terms[middle]!, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  termAt(ordinal: number): string {
    return this.terms[ordinal]!;
  }

  docFreq(ordinal: number): number {
    return this.docFreqs.get(this.terms[ordinal]!)!;
  }

  totalTermFreq(): number {
    return -1;
  }

  forEach(
    from: number,
    to: number,
    visit: (term: string, ordinal: number) => boolean | void,
  ): void {
    for (let ordinal = from; ordinal < to; ordinal++) {
      if (visit(this.terms[ordinal]!, ordinal) === false) return;
    }
  }
}

/**
 * A segment that has nothing but terms.
 *
 * @param docCount how many documents it stands for, nested ones included
 * @param termsOf the terms of a field; null: it has none
 */
export function listedSegment(
  docCount: number,
  termsOf: (field: FieldId) => ListedTerms | null,
): SegmentReader {
  const segment: Pick<
    SegmentReader,
    'segmentId' | 'docCount' | 'deletedCount' | 'liveDocs' | 'roots' | 'fields' | 'numeric'
  > & { readonly terms: (field: FieldId) => Listed | null } = {
    segmentId: 0,
    docCount,
    deletedCount: 0,
    liveDocs: null,
    roots: null,
    fields: () => [],
    numeric: () => null,
    terms: termsOf,
  };
  // Preparing reads nothing else.
  return segment as unknown as SegmentReader;
}

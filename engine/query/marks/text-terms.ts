// The terms of one text as a segment of one document that has them in every field: what queries stand for in
// the text is found as it is in a shard.

import { compareUtf8, type SegmentReader } from '../../segment/index';

/** Distinct terms in the order of dictionaries. */
class TextDictionary {
  readonly size: number;
  readonly docCount = 1;
  private readonly terms: readonly string[];
  private readonly ordinals = new Map<string, number>();

  constructor(terms: ReadonlySet<string>) {
    this.terms = [...terms].sort(compareUtf8);
    this.size = this.terms.length;
    this.terms.forEach((term, ordinal) => this.ordinals.set(term, ordinal));
  }

  ordinalOf(term: string): number {
    return this.ordinals.get(term) ?? -1;
  }

  ceiling(term: string): number {
    let low = 0;
    let high = this.size;
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

  docFreq(): number {
    return 1;
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

/** A text as {@link expandQuery} and {@link termsOf} see a segment: they ask for terms and counts only. */
export function textSegment(terms: ReadonlySet<string>): SegmentReader {
  const dictionary = new TextDictionary(terms);
  return {
    docCount: 1,
    deletedCount: 0,
    liveDocs: null,
    roots: null,
    terms: () => dictionary,
  } as unknown as SegmentReader;
}

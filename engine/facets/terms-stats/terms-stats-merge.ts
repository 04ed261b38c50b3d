// Adding up statistics by term: of segments, and of shards.

import { StatsTable, type BucketStats, NumberIds } from '../../counting/index';
import { type TermDictionary, hashTerm, TermHash } from '../../segment/index';
import type { StatsTerms } from './terms-stats-spec';

/** Sums of statistics by term, added in the order in which they come. */
export class StatsMerge {
  private readonly texts = new TermHash({ bytes: 0 });
  private readonly numbers = new NumberIds();
  private readonly sums = new StatsTable();

  constructor(private readonly type: StatsTerms['type']) {}

  /** Adds terms of the same type. */
  add(terms: StatsTerms, stats: BucketStats): void {
    if (terms.type === 'string') {
      const { text, starts } = terms;
      for (let i = 0; i + 1 < starts.length; i++) {
        this.addText(text, starts[i]!, starts[i + 1]!, stats, i);
      }
      return;
    }
    const words = new Int32Array(
      terms.terms.buffer,
      terms.terms.byteOffset,
      terms.terms.length * 2,
    );
    for (let i = 0; i < terms.terms.length; i++) {
      const id = this.numbers.idOf(words[2 * i + 1]!, words[2 * i]!);
      this.sums.reserve(id + 1);
      this.sums.addBucket(id, stats, i);
    }
  }

  /** Adds terms of a dictionary. */
  addOrdinals(dictionary: TermDictionary, ordinals: Uint32Array, stats: BucketStats): void {
    for (let i = 0; i < ordinals.length; i++) {
      const { term, termLength } = dictionary.bytesAt(ordinals[i]!);
      this.addText(term, 0, termLength, stats, i);
    }
  }

  /** The sums; text in ascending order. */
  result(): { readonly terms: StatsTerms; readonly stats: BucketStats } {
    const { numbers, sums, type } = this;
    switch (type) {
      case 'long':
        return { terms: { type, terms: numbers.longs() }, stats: sums.first(numbers.size) };
      case 'double':
        return { terms: { type, terms: numbers.doubles() }, stats: sums.first(numbers.size) };
      case 'string': {
        const ids = this.texts.sorted();
        return { terms: this.sortedTexts(ids), stats: sums.select(ids) };
      }
    }
  }

  private addText(
    bytes: Uint8Array,
    from: number,
    to: number,
    stats: BucketStats,
    at: number,
  ): void {
    const id = this.texts.idOf(bytes, from, to, hashTerm(bytes, from, to));
    this.sums.reserve(id + 1);
    this.sums.addBucket(id, stats, at);
  }

  private sortedTexts(ids: Uint32Array): StatsTerms {
    const { arena, starts: from } = this.texts;
    const text = new Uint8Array(from[ids.length]!);
    const starts = new Uint32Array(ids.length + 1);
    let end = 0;
    for (let i = 0; i < ids.length; i++) {
      const last = from[ids[i]! + 1]!;
      for (let j = from[ids[i]!]!; j < last; j++) text[end++] = arena[j]!;
      starts[i + 1] = end;
    }
    return { type: 'string', text, starts };
  }
}

// A filter whose documents are kept per segment from its second use on.

import type { Bitset, SegmentReader } from '../../segment/index';
import { canonicalKey } from '../ast/canonical';
import { isSegmentLocal, isWorthKeeping } from '../ast/facts';
import type { Query } from '../ast/query';
import type { QueryWeight } from './query-weight';
import { BitsetScorer } from '../scorers/bitset-scorer';
import type { DocTest, Scorer } from '../scoring/weight';

/** Filters with longer keys (lists of very many terms) are not kept: reading the key costs as much. */
const MAX_KEY_LENGTH = 16_384;

/** The weight with its documents kept, if the filter is of a kind that is worth it. Bound without scores. */
export function keptFilter(query: Query, weight: QueryWeight): QueryWeight {
  if (!isWorthKeeping(query) || !isSegmentLocal(query)) return weight;
  const key = canonicalKey(query);
  return key.length > MAX_KEY_LENGTH ? weight : new KeptFilterWeight(weight, `filter/${key}`);
}

/** Documents of a filter in a segment, deleted ones included; null: none. */
interface Kept {
  readonly docs: Bitset | null;
}

class KeptFilterWeight implements QueryWeight {
  constructor(
    private readonly inner: QueryWeight,
    private readonly key: string,
  ) {}

  squaredWeights(): number {
    return this.inner.squaredWeights();
  }

  normalize(norm: number, topBoost: number): void {
    this.inner.normalize(norm, topBoost);
  }

  cost(segment: SegmentReader): number {
    return this.inner.cost(segment);
  }

  count(segment: SegmentReader): number {
    return this.inner.count?.(segment) ?? -1;
  }

  matches(segment: SegmentReader): Bitset | null {
    const kept = this.recall(segment);
    return kept === undefined ? this.inner.matches(segment) : kept.docs;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const kept = this.recall(segment);
    if (kept === undefined) this.inner.addMatches(segment, into);
    else if (kept.docs !== null) into.or(kept.docs);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const kept = segment.cache.get<Kept>(this.key, 'filter');
    if (kept === undefined) return this.inner.scorer(segment);
    return kept.docs === null ? null : new BitsetScorer(kept.docs, this.cost(segment), 0);
  }

  test(segment: SegmentReader): DocTest | null {
    const kept = this.recall(segment);
    return kept === undefined ? (this.inner.test?.(segment) ?? null) : kept.docs;
  }

  /** The documents if they are kept, which they are from the second time on; else undefined. */
  private recall(segment: SegmentReader): Kept | undefined {
    const { cache } = segment;
    const known = cache.get<Kept>(this.key, 'filter');
    if (known !== undefined || !cache.askedBefore(this.key)) return known;
    const docs = this.inner.matches(segment);
    const kept: Kept = { docs };
    const bytes = this.key.length + (docs === null ? 0 : docs.words.byteLength);
    cache.put(this.key, 'filter', kept, bytes);
    return kept;
  }
}

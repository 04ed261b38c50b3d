// A filter whose documents are cached per segment from its second use on.

import type { Bitset, SegmentReader } from '../../segment/index';
import { canonicalKey } from '../ast/canonical';
import { isSegmentLocal, isWorthKeeping } from '../ast/facts';
import type { Query } from '../ast/query';
import type { QueryWeight } from './query-weight';
import { BitsetScorer } from '../scorers/bitset-scorer';
import type { ExplainContext, Explanation } from '../scoring/explanation';
import type { DocTest, Scorer } from '../scoring/weight';

/** Filters with longer keys (lists of very many terms) are not cached: reading the key costs as much. */
const MAX_KEY_LENGTH = 16_384;

/** The weight with its documents cached, if the filter is of a kind worth caching. Bound without scores. */
export function cachedFilter(query: Query, weight: QueryWeight): QueryWeight {
  if (!isWorthKeeping(query) || !isSegmentLocal(query)) return weight;
  const key = canonicalKey(query);
  return key.length > MAX_KEY_LENGTH ? weight : new CachedFilterWeight(weight, `filter/${key}`);
}

/** Documents of a filter in a segment, deleted ones included; null: none. */
interface CachedDocs {
  readonly docs: Bitset | null;
}

class CachedFilterWeight implements QueryWeight {
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

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    return this.inner.explain(segment, doc, context);
  }

  cost(segment: SegmentReader): number {
    return this.inner.cost(segment);
  }

  count(segment: SegmentReader): number {
    return this.inner.count?.(segment) ?? -1;
  }

  matches(segment: SegmentReader): Bitset | null {
    const cached = this.recall(segment);
    return cached === undefined ? this.inner.matches(segment) : cached.docs;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const cached = this.recall(segment);
    if (cached === undefined) this.inner.addMatches(segment, into);
    else if (cached.docs !== null) into.or(cached.docs);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const cached = segment.cache.get<CachedDocs>(this.key, 'filter');
    if (cached === undefined) return this.inner.scorer(segment);
    return cached.docs === null ? null : new BitsetScorer(cached.docs, this.cost(segment), 0);
  }

  test(segment: SegmentReader, asked?: number): DocTest | null {
    const cached = this.recall(segment);
    return cached === undefined ? (this.inner.test?.(segment, asked) ?? null) : cached.docs;
  }

  /** The documents if they are cached, which they are from the second time on; else undefined. */
  private recall(segment: SegmentReader): CachedDocs | undefined {
    const { cache } = segment;
    const known = cache.get<CachedDocs>(this.key, 'filter');
    if (known !== undefined || !cache.askedBefore(this.key)) return known;
    const docs = this.inner.matches(segment);
    const cached: CachedDocs = { docs };
    const bytes = this.key.length + (docs === null ? 0 : docs.words.byteLength);
    cache.put(this.key, 'filter', cached, bytes);
    return cached;
  }
}

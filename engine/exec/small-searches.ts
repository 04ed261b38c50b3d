// Which searches are so small that handing them to another thread, and waking it, would cost more than
// running them. Waking a thread takes some 50 microseconds of processor time, twice per search.
//
// The estimate looks up document frequencies, which the search itself needs next and finds remembered. It
// decides where a search runs and never what it answers.

import type { FieldId } from '../mapping/field';
import { docFreqOf } from '../query/expand-frequencies';
import type { Query } from '../query/query';
import type { IndexPlan, ShardView, SortKey } from '../search/request';
import type { SegmentReader } from '../segment/reader';
import type { SearchJob } from './executor';

/** Postings read in about 0.2 ms: the most that a search may be expected to read to be called small. */
export const SMALL_SEARCH_POSTINGS = 32_768;

/** Documents of a search whose columns are small enough to be held by main besides the workers. */
const SMALL_COLUMN_DOCS = 131_072;
/** Reading a column, or marking documents in a set, compared with reading as many postings. */
const COLUMN_SHARE = 1 / 8;
/** Required terms are looked up about as often as the rarest of them has documents, a block at a time. */
const LOOKUP_COST = 16;
/** Reading the positions of a document compared with reading its posting. */
const POSITIONS_COST = 4;
/** More hits take long enough to be rendered elsewhere. */
const MAX_PAGE = 50;
/** Keeping more best hits is more work than reading the postings. */
const MAX_WINDOW = 2048;

/** Finds small searches. */
export class SmallSearches {
  /**
   * @param readers opens the segments of a shard
   * @param most postings a small search may be expected to read; 0: no search is small
   */
  constructor(
    private readonly readers: (view: ShardView) => readonly SegmentReader[],
    private readonly most: number,
  ) {}

  /** Whether a search is small. @throws CorruptionError as opening segments does */
  has(job: SearchJob): boolean {
    if (this.most === 0 || job.globalStatistics) return false;
    let docs = 0;
    for (const { view, planned } of job.shards) {
      if (planned.page.size > MAX_PAGE || !isPlain(planned.plan)) return false;
      if (planned.fetch.scriptFields.length > 0) return false;
      for (const segment of view.segments) docs += segment.docCount;
    }
    let postings = 0;
    for (const { view, planned } of job.shards) {
      const estimate = new Estimate(this.readers(view), docs);
      postings += estimate.ofPlan(planned.plan);
      if (postings > this.most) return false;
    }
    return true;
  }
}

/** What only looks at the best matches and their number. */
function isPlain(plan: IndexPlan): boolean {
  const { facets, sort, window } = plan;
  return facets.length === 0 && window <= MAX_WINDOW && (sort === null || sort.every(isPlainKey));
}

function isPlainKey(key: SortKey): boolean {
  return key.kind !== 'script' && key.kind !== 'distance' && key.nestedPath === null;
}

/** How many postings a search is expected to read on one shard; Infinity for what cannot be told. */
class Estimate {
  /** Reading a column of the shard. */
  private readonly column: number;

  /** @param docs documents of all shards of the search */
  constructor(
    private readonly segments: readonly SegmentReader[],
    docs: number,
  ) {
    this.column = docs > SMALL_COLUMN_DOCS ? Infinity : docs * COLUMN_SHARE;
  }

  ofPlan({ query, postFilter, sort }: IndexPlan): number {
    let postings = this.of(query);
    if (postFilter !== null) postings += this.of(postFilter);
    if (sort?.some(({ kind }) => kind === 'field')) postings += this.column;
    return postings;
  }

  private of(query: Query): number {
    switch (query.kind) {
      case 'matchNone':
      case 'uids':
        return 0;
      case 'matchAll':
      case 'types':
      case 'numericRange':
        return this.column;
      case 'prefix':
        return query.rewrite.method === 'constant' ? this.column : Infinity;
      case 'term':
        return this.ofTerm(query.field, query.term);
      case 'phrase': {
        const slots = query.slots.map(({ terms }) =>
          sumOf(terms, (term) => this.ofTerm(query.field, term)),
        );
        return required(slots) * POSITIONS_COST;
      }
      case 'bool':
        return this.ofBool(query);
      case 'filtered':
        return required([this.of(query.query), this.of(query.filter)]);
      case 'constantScore':
      case 'named':
        return this.of(query.query);
      default:
        return Infinity;
    }
  }

  private ofBool({ must, should, mustNot }: Extract<Query, { kind: 'bool' }>): number {
    const one = (query: Query) => this.of(query);
    const others = sumOf(should, one) + sumOf(mustNot, one);
    if (must.length === 0) return others;
    const costs = must.map(one);
    // Whatever else there is can only be asked about what the required clauses match.
    return required(costs) + (others === Infinity ? others : Math.min(others, lookups(costs)));
  }

  private ofTerm(field: FieldId, term: string): number {
    return docFreqOf(this.segments, field, term);
  }
}

/** Clauses that all must match: each is read or looked up, whichever is less. */
function required(costs: readonly number[]): number {
  const most = lookups(costs);
  return sumOf(costs, (cost) => (cost === Infinity ? cost : Math.min(cost, most)));
}

function lookups(costs: readonly number[]): number {
  return Math.min(...costs) * LOOKUP_COST;
}

function sumOf<T>(items: readonly T[], cost: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += cost(item);
  return sum;
}

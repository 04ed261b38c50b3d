// How much work a search is on one shard, told from document frequencies before it runs. The frequencies are
// those that the search itself looks up next, and finds remembered.

import { leastOf } from '../../common/index';
import { type AggregationPlan, kindOf } from '../../aggregations/index';
import { type FacetPlan, facetKind } from '../../facets/index';
import {
  allSpanTerms,
  children,
  docFreqOf,
  hasSpanTerms,
  type Query,
  readsOf,
  type SpanTree,
  type QueryOf,
} from '../../query/index';
import type { IndexPlan } from '../plan/search-plan';
import type { SegmentReader } from '../../segment/index';
import type { FieldId } from '../../metadata/index';

/**
 * Values of a column, or documents of a search, that a thread reads for the first time without delaying
 * others.
 */
const SMALL_COLUMN_DOCS = 131_072;
/** The same for columns of many values a document. */
const SMALL_COLUMN_VALUES = 4 * SMALL_COLUMN_DOCS;
/**
 * What a value of a larger column costs more, for that first time and the memory that another copy of it
 * takes.
 */
const LARGE_COLUMN_SHARE = 1 / 64;
/** Reading a column, or marking documents in a set, compared with reading as many postings. */
const COLUMN_SHARE = 1 / 8;
/** Looking through a set that is kept: 32 documents at a time. */
const KEPT_SET_SHARE = 1 / 32;
/** Counting a value in a facet, compared with reading a posting: 1 to 2 ns, up to 6 with statistics. */
const VALUE_COST = 1 / 4;
/** The same in an aggregation of several levels, 2 to 4 ns, and in one of a slower kind, 5 to 15 ns. */
const QUICK_VALUE_COST = 3 / 8;
const AGGREGATED_VALUE_COST = 2;
/** Making a bucket of a term, alone and with what is below it: 2 and 30 ns. */
const BUCKET_COST = 3 / 8;
const PARENT_BUCKET_COST = 5;
/** Required terms are looked up about as often as the rarest of them has documents, a block at a time. */
const LOOKUP_COST = 16;
/** Reading the positions of a document, in each place of a phrase, compared with reading its posting. */
const POSITIONS_COST = 8;

/** Running a function of a score, compared with reading a posting. */
const FUNCTION_COST = 4;

/** More terms take long to be looked up. */
const MAX_TERMS = 16;
const MAX_SLOTS = 64;

/** The cost of searches on one shard, in postings read; Infinity for what cannot be told. */
export class SearchCost {
  /** Reading a column of a number a document; of that what a large one costs more. */
  private readonly column: number;
  private readonly firstColumn: number;
  /** Documents of the shard; at least 1. */
  private readonly shardDocs: number;

  /**
   * @param docs documents of all shards of the search
   * @param readsColumns false: large columns would not stay in memory
   */
  constructor(
    private readonly segments: readonly SegmentReader[],
    private readonly docs: number,
    private readonly readsColumns: boolean,
  ) {
    this.shardDocs = Math.max(
      1,
      sumOf(segments, ({ docCount }) => docCount),
    );
    this.firstColumn = docs > SMALL_COLUMN_DOCS ? this.firstRead(docs) : 0;
    this.column = docs * COLUMN_SHARE + this.firstColumn;
  }

  ofPlan(plan: IndexPlan): number {
    const { query, postFilter, sort, facets, aggregations, rescores } = plan;
    let cost = isEverything(plan) ? this.firstColumn : this.of(query);
    if (postFilter !== null) cost += this.of(postFilter);
    if (sort?.some(({ kind }) => kind === 'field')) cost += this.column;
    if (rescores !== undefined) cost += sumOf(rescores, (stage) => this.of(stage.query));
    for (const facet of facets) {
      if (cost === Infinity) break;
      cost += this.ofFacet(facet, query);
    }
    if (aggregations.length === 0 || cost === Infinity) return cost;
    const share = this.matches(query) / this.shardDocs;
    return cost + sumOf(aggregations, (each) => this.ofAggregation(each, share, true));
  }

  private firstRead(values: number): number {
    return this.readsColumns ? values * LARGE_COLUMN_SHARE : Infinity;
  }

  private ofFacet(facet: FacetPlan, query: Query): number {
    const { spec, global, filter, nestedPath } = facet;
    const reads = facetKind(facet.type).reads?.(spec) ?? null;
    if (reads === null || nestedPath !== null) return Infinity;
    const own = facet.mainQuery;
    let cost = sumOf(reads.queries, (each) => this.ofSet(each));
    if (filter !== null) cost += this.ofSet(filter);
    if (own !== null) cost += this.ofSet(own);
    if (cost === Infinity) return cost;
    const base = own ?? query;
    const share =
      global || base.kind === 'matchAll' ? COLUMN_SHARE : this.matches(base) / this.shardDocs;
    return cost + sumOf(reads.fields, (field) => this.ofField(field, share * VALUE_COST));
  }

  /**
   * Of an aggregation and what is below it.
   *
   * @param share of the documents it counts; above 1 where they are in several buckets
   * @param isTop nothing is around it
   */
  private ofAggregation(
    { type, spec, subs }: AggregationPlan,
    share: number,
    isTop: boolean,
  ): number {
    const reads = kindOf(type).reads?.(spec) ?? null;
    if (reads === null || reads.fields === null) return Infinity;
    const counted = reads.global === true ? 1 : share;
    let cost = sumOf(reads.queries, (each) => this.ofSet(each));
    let buckets = Math.max(1, reads.queries.length);
    const isLeaf = subs.length === 0;
    let valueCost = AGGREGATED_VALUE_COST;
    if (reads.isQuick === true) valueCost = isTop && isLeaf ? VALUE_COST : QUICK_VALUE_COST;
    for (const field of reads.fields) {
      cost += this.ofField(field, counted * valueCost);
      const made = Math.min(this.termsOf(field), counted * this.valuesOf(field));
      cost += made * (isLeaf ? BUCKET_COST : PARENT_BUCKET_COST);
      buckets *= this.valuesOf(field) / this.shardDocs;
    }
    for (const sub of subs) {
      if (cost === Infinity) break;
      cost += this.ofAggregation(sub, counted * buckets, false);
    }
    return cost;
  }

  /** At least one for each document. */
  private valuesOf(field: FieldId): number {
    let values = 0;
    for (const segment of this.segments) {
      values += Math.max(segment.docCount, segment.terms(field)?.sumDocFreq ?? 0);
    }
    return values;
  }

  private termsOf(field: FieldId): number {
    return sumOf(this.segments, (segment) => segment.terms(field)?.size ?? 0);
  }

  /** Of counting the values of a field. @param each what one costs, times the share that is counted */
  private ofField(field: FieldId, each: number): number {
    const values = this.valuesOf(field);
    const isLarge = this.docs > SMALL_COLUMN_DOCS || values > SMALL_COLUMN_VALUES;
    return each * values + (isLarge ? this.firstRead(values) : 0);
  }

  /** Of documents without scores: those of frequent terms are kept as sets. */
  private ofSet(query: Query): number {
    const cost = this.of(query);
    const isOneTerm =
      query.kind === 'term' || (query.kind === 'termSet' && query.terms.length === 1);
    return isOneTerm ? Math.min(cost, this.docs * KEPT_SET_SHARE + this.firstColumn) : cost;
  }

  private of(query: Query): number {
    const reads = readsOf(query);
    switch (reads) {
      case 'nothing':
        return 0;
      case 'column':
        return this.column;
      case 'parts':
        return required(children(query).map((part) => this.of(part)));
      case 'own':
        return this.ofOwn(query);
      case 'unknown':
        return Infinity;
    }
  }

  /** Of kinds that read what no others do. */
  private ofOwn(query: Query): number {
    if (query.kind === 'bool') return this.ofBool(query);
    if (query.kind === 'term') return this.ofTerms(query.field, [query.term]);
    if (query.kind === 'termSet' && query.terms.length <= MAX_TERMS) {
      return this.ofTerms(query.field, query.terms);
    }
    if (query.kind === 'spans') return this.ofSpans(query.tree);
    if (query.kind === 'disMax') return sumOf(query.queries, (each) => this.of(each));
    if (query.kind === 'functionScore') return this.ofFunctions(query);
    if (query.kind !== 'phrase' || query.slots.length > MAX_SLOTS) return Infinity;
    const slots = query.slots.map(({ terms }) => this.ofTerms(query.field, terms));
    return required(slots) + leastOf(slots) * slots.length * POSITIONS_COST;
  }

  /** Of functions of each document that the query matches. */
  private ofFunctions({ query, functions }: QueryOf<'functionScore'>): number {
    const filters = functions.flatMap(({ filter }) => (filter === null ? [] : [filter]));
    const scored = this.matches(query) * functions.length * FUNCTION_COST;
    return this.of(query) + scored + sumOf(filters, (each) => this.ofSet(each));
  }

  private ofSpans(tree: SpanTree): number {
    if (hasSpanTerms(tree) || allSpanTerms(tree).length > MAX_TERMS) return Infinity;
    const { docs, cost } = this.ofSpanTree(tree);
    return tree.type === 'term' ? cost + docs * POSITIONS_COST : cost;
  }

  /** Documents that may have spans, and what finding them takes: positions are read in these. */
  private ofSpanTree(tree: SpanTree): { readonly docs: number; readonly cost: number } {
    switch (tree.type) {
      case 'term': {
        const docs = docFreqOf(this.segments, tree.field.id, tree.term);
        return { docs, cost: docs };
      }
      case 'near': {
        const parts = tree.clauses.map((clause) => this.ofSpanTree(clause));
        const docs = leastOf(parts.map((part) => part.docs));
        const costs = parts.map((part) => part.cost);
        return { docs, cost: required(costs) + docs * parts.length * POSITIONS_COST };
      }
      case 'masked':
        return this.ofSpanTree(tree.match);
      case 'first': {
        const { docs, cost } = this.ofSpanTree(tree.match);
        return { docs, cost: cost + docs * POSITIONS_COST };
      }
      case 'not': {
        const [kept, excluded] = [this.ofSpanTree(tree.include), this.ofSpanTree(tree.exclude)];
        const cost = kept.cost + excluded.cost + kept.docs * 2 * POSITIONS_COST;
        return { docs: kept.docs, cost };
      }
      case 'or': {
        const parts = tree.clauses.map((clause) => this.ofSpanTree(clause));
        const docs = sumOf(parts, (part) => part.docs);
        return { docs, cost: sumOf(parts, (part) => part.cost) + docs * POSITIONS_COST };
      }
      case 'multi':
        return { docs: Infinity, cost: Infinity };
    }
  }

  private ofTerms(field: FieldId, terms: readonly string[]): number {
    return sumOf(terms, (term) => docFreqOf(this.segments, field, term));
  }

  private ofBool({ must, should, mustNot }: QueryOf<'bool'>): number {
    const one = (query: Query) => this.of(query);
    const others = sumOf(should, one) + sumOf(mustNot, one);
    if (must.length === 0) return others;
    const costs = must.map(one);
    // Whatever else there is can only be asked about what the required clauses match.
    return required(costs) + (others === Infinity ? others : Math.min(others, lookups(costs)));
  }

  /** At most so many documents match. */
  private matches(query: Query): number {
    if (query.kind === 'matchNone') return 0;
    if (query.kind === 'term') {
      return Math.min(this.shardDocs, this.ofTerms(query.field, [query.term]));
    }
    const one = (each: Query) => this.matches(each);
    if (query.kind === 'bool') {
      const { must, should } = query;
      if (must.length > 0) return leastOf(must.map(one));
      return should.length === 0 ? this.shardDocs : Math.min(this.shardDocs, sumOf(should, one));
    }
    return readsOf(query) === 'parts' ? leastOf(children(query).map(one)) : this.shardDocs;
  }
}

/** Whether everything matches, and what is shown are the first documents. */
function isEverything({ query, postFilter, sort, minScore }: IndexPlan): boolean {
  return query.kind === 'matchAll' && postFilter === null && sort === null && minScore === null;
}

/** Clauses that all must match: each is read or looked up, whichever is less. */
function required(costs: readonly number[]): number {
  const most = lookups(costs);
  return sumOf(costs, (cost) => (cost === Infinity ? cost : Math.min(cost, most)));
}

function lookups(costs: readonly number[]): number {
  return leastOf(costs) * LOOKUP_COST;
}

function sumOf<T>(items: readonly T[], cost: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += cost(item);
  return sum;
}

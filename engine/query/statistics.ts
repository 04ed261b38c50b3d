// What scoring needs to know of a whole shard (or of all of them) before the first document is scored.

import type { SegmentReader } from '../segment/index';
import {
  type FieldFigures,
  needsTotals,
  type Similarities,
  similarityOf,
  STANDARD_SIMILARITIES,
} from '../similarity/index';
import { bindUnscored } from './weights/create-weight';
import { expandQuery } from './expand/expand';
import { docFreqOf, tokensOf, totalTermFreqOf } from './expand/expand-frequencies';
import { scoredChildren, unscoredChildren } from './ast/children';
import { isDecidedByScore } from './ast/facts';
import type { Query } from './ast/query';
import { fieldOfSpans, spanTerms, unmasked } from './ast/spans';
import type { SearchStatistics, TermCounts } from './scoring/weight';
import type { FieldId } from '../metadata/index';

/** A query whose terms are settled, and the statistics of those that are scored. */
export interface PreparedQuery {
  readonly query: Query;
  readonly statistics: SearchStatistics;
}

/** What {@link prepareQuery} looks at besides the query. */
export interface Preparation {
  /** Missing: the standard ones. */
  readonly similarities?: Similarities;
  /** Queries that score the hits of the first again. */
  readonly others?: readonly Query[];
  /** The statistics are going to be summed with those of other indices, which may score differently. */
  readonly forSum?: boolean;
  /** Documents are explained: what is prohibited has statistics, too. */
  readonly explains?: boolean;
}

/**
 * Expands what depends on the terms of a shard and collects the frequencies of all scored terms over its
 * segments. `segments` are all segments of the shard. What is prohibited is scored where documents are
 * explained.
 *
 * @throws EngineError TooManyClauses (500) when a scoring rewrite meets more than 1,024 terms
 */
export function prepareQuery(
  query: Query,
  segments: readonly SegmentReader[],
  {
    similarities = STANDARD_SIMILARITIES,
    others = [],
    forSum = false,
    explains = false,
  }: Preparation = {},
): PreparedQuery {
  const expansion = {
    segments,
    unscored: (part: Query) => bindUnscored(part, segments),
  };
  const expanded = expandQuery(query, expansion);
  const collector = new StatisticsCollector(segments, similarities, forSum, explains);
  collector.visit(expanded);
  for (const other of others) collector.visit(expandQuery(other, expansion));
  return { query: expanded, statistics: collector.finish() };
}

/**
 * Sums over shards of one index (dfs searches). A shard that did not ask for a term adds nothing.
 * @param list at least one
 */
export function mergeStatistics(list: readonly SearchStatistics[]): SearchStatistics {
  const sum = new StatisticsSum<FieldId>();
  for (const statistics of list) sum.add(statistics, (field) => field);
  const { maxDoc, docFreqs, totalTermFreqs, fields } = sum;
  const { similarities } = list[0]!;
  const merged = list.length > 1;
  return { similarities, maxDoc, docFreqs, totalTermFreqs, fields, merged };
}

/** Statistics of several shards, by what stands for fields in all of them. */
export class StatisticsSum<Field> {
  maxDoc = 0;
  readonly docFreqs = new Map<Field, Map<string, number>>();
  readonly totalTermFreqs = new Map<Field, Map<string, number>>();
  readonly fields = new Map<Field, FieldFigures>();

  add(statistics: SearchStatistics, fieldOf: (id: FieldId) => Field): void {
    this.maxDoc += statistics.maxDoc;
    addCounts(this.docFreqs, statistics.docFreqs, fieldOf);
    addCounts(this.totalTermFreqs, statistics.totalTermFreqs, fieldOf);
    for (const [id, figures] of statistics.fields) {
      const field = fieldOf(id);
      const sum = this.fields.get(field);
      this.fields.set(
        field,
        sum === undefined
          ? figures
          : {
              maxDoc: sum.maxDoc + figures.maxDoc,
              sumTotalTermFreq: knownSum(sum.sumTotalTermFreq, figures.sumTotalTermFreq),
            },
      );
    }
  }
}

function addCounts<Field>(
  sums: Map<Field, Map<string, number>>,
  counts: TermCounts,
  fieldOf: (id: FieldId) => Field,
): void {
  for (const [id, terms] of counts) {
    const field = fieldOf(id);
    const sum = sums.get(field);
    if (sum === undefined) sums.set(field, new Map(terms));
    else for (const [term, count] of terms) sum.set(term, knownSum(sum.get(term) ?? 0, count));
  }
}

/** The sum of two counts; -1 where one of them is not known. */
function knownSum(a: number, b: number): number {
  return a === -1 || b === -1 ? -1 : a + b;
}

class StatisticsCollector {
  private readonly docFreqs = new Map<FieldId, Map<string, number>>();
  private readonly totalTermFreqs = new Map<FieldId, Map<string, number>>();
  private readonly fields = new Map<FieldId, FieldFigures>();
  private readonly maxDoc: number;

  constructor(
    private readonly segments: readonly SegmentReader[],
    private readonly similarities: Similarities,
    private readonly forSum: boolean,
    private readonly explains: boolean,
  ) {
    this.maxDoc = segments.reduce((sum, { docCount }) => sum + docCount, 0);
  }

  finish(): SearchStatistics {
    const { similarities, maxDoc, docFreqs, totalTermFreqs, fields } = this;
    return { similarities, maxDoc, docFreqs, totalTermFreqs, fields };
  }

  /** Visits the parts whose scores count; filters and prohibited clauses have none. */
  visit(query: Query): void {
    if (query.kind === 'term') {
      if (query.scored) this.addTerm(query.field, query.term);
    } else if (query.kind === 'phrase') {
      for (const slot of query.slots) {
        for (const term of slot.terms) this.addTerm(query.field, term);
      }
    } else if (query.kind === 'spans') {
      const field = fieldOfSpans(unmasked(query).tree);
      if (field !== null) this.termsOf(field.id);
      for (const { field: id, term } of spanTerms(query.tree)) this.addTerm(id, term);
    } else {
      for (const child of scoredChildren(query)) this.visit(child);
      // Of others only the documents count, but where scores decide which these are.
      for (const child of unscoredChildren(query)) {
        if (isDecidedByScore(child)) this.visit(child);
      }
      if (this.explains && query.kind === 'bool') {
        for (const clause of query.mustNot) this.visit(clause);
      }
    }
  }

  private addTerm(field: FieldId, term: string): void {
    const { segments } = this;
    const terms = this.termsOf(field);
    if (terms.has(term)) return;
    terms.set(term, docFreqOf(segments, field, term));
    this.totalTermFreqs.get(field)?.set(term, totalTermFreqOf(segments, field, term));
  }

  /** The frequencies of the terms of a field, whose figures are there from then on. */
  private termsOf(field: FieldId): Map<string, number> {
    const known = this.docFreqs.get(field);
    if (known !== undefined) return known;
    const terms = new Map<string, number>();
    this.docFreqs.set(field, terms);
    const sumTotalTermFreq = tokensOf(this.segments, field);
    this.fields.set(field, { maxDoc: this.maxDoc, sumTotalTermFreq });
    if (this.forSum || needsTotals(similarityOf(this.similarities, field))) {
      this.totalTermFreqs.set(field, new Map());
    }
    return terms;
  }
}

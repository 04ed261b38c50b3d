// What scoring needs to know of a whole shard (or of all of them) before the first document is scored.

import type { SegmentReader } from '../segment/index';
import { bindUnscored } from './weights/create-weight';
import { expandQuery } from './expand/expand';
import { docFreqOf } from './expand/expand-frequencies';
import { scoredChildren } from './ast/children';
import type { Query } from './ast/query';
import type { SearchStatistics } from './scoring/weight';
import type { FieldId } from '../metadata/index';

/** A query whose terms are settled, and the statistics of those that are scored. */
export interface PreparedQuery {
  readonly query: Query;
  readonly statistics: SearchStatistics;
}

/**
 * Expands what depends on the terms of a shard and collects the document frequencies of all scored terms
 * over its segments. `segments` are all segments of the shard, `others` queries that score its hits again.
 *
 * @throws EngineError TooManyClauses (500) when a scoring rewrite meets more than 1,024 terms
 */
export function prepareQuery(
  query: Query,
  segments: readonly SegmentReader[],
  others: readonly Query[] = [],
): PreparedQuery {
  const expansion = {
    segments,
    unscored: (part: Query) => bindUnscored(part, segments),
  };
  const expanded = expandQuery(query, expansion);
  const collector = new StatisticsCollector(segments);
  collector.visit(expanded);
  for (const other of others) collector.visit(expandQuery(other, expansion));
  return { query: expanded, statistics: collector.finish() };
}

/** Sums over shards (dfs searches). A shard that did not ask for a term adds nothing. */
export function mergeStatistics(list: readonly SearchStatistics[]): SearchStatistics {
  let maxDoc = 0;
  const docFreqs = new Map<FieldId, Map<string, number>>();
  const fields = new Map<FieldId, { docCount: number; sumTotalTermFreq: number }>();
  for (const statistics of list) {
    maxDoc += statistics.maxDoc;
    for (const [field, terms] of statistics.docFreqs) addFreqs(docFreqs, field, terms);
    for (const [field, { docCount, sumTotalTermFreq }] of statistics.fields) {
      const sum = fields.get(field) ?? { docCount: 0, sumTotalTermFreq: 0 };
      sum.docCount += docCount;
      sum.sumTotalTermFreq += sumTotalTermFreq;
      fields.set(field, sum);
    }
  }
  return { maxDoc, docFreqs, fields, merged: list.length > 1 };
}

/** Adds the document frequencies of the terms of a field to what there is of it. */
export function addFreqs<Field>(
  sums: Map<Field, Map<string, number>>,
  field: Field,
  terms: ReadonlyMap<string, number>,
): void {
  const sum = sums.get(field);
  if (sum === undefined) sums.set(field, new Map(terms));
  else for (const [term, docFreq] of terms) sum.set(term, (sum.get(term) ?? 0) + docFreq);
}

class StatisticsCollector {
  private readonly docFreqs = new Map<FieldId, Map<string, number>>();
  private readonly fields = new Map<FieldId, { docCount: number; sumTotalTermFreq: number }>();

  constructor(private readonly segments: readonly SegmentReader[]) {}

  finish(): SearchStatistics {
    let maxDoc = 0;
    for (const segment of this.segments) maxDoc += segment.docCount;
    return { maxDoc, docFreqs: this.docFreqs, fields: this.fields };
  }

  /** Visits the parts whose scores count; filters and prohibited clauses have none. */
  visit(query: Query): void {
    if (query.kind === 'term') {
      if (query.scored) this.addTerm(query.field, query.term);
    } else if (query.kind === 'phrase') {
      for (const slot of query.slots) {
        for (const term of slot.terms) this.addTerm(query.field, term);
      }
    } else {
      for (const child of scoredChildren(query)) this.visit(child);
    }
  }

  private addTerm(field: FieldId, term: string): void {
    let terms = this.docFreqs.get(field);
    if (terms === undefined) {
      terms = new Map();
      this.docFreqs.set(field, terms);
      this.addField(field);
    }
    if (!terms.has(term)) terms.set(term, docFreqOf(this.segments, field, term));
  }

  private addField(field: FieldId): void {
    const sum = { docCount: 0, sumTotalTermFreq: 0 };
    for (const segment of this.segments) {
      const terms = segment.terms(field);
      if (terms === null) continue;
      sum.docCount += terms.docCount;
      sum.sumTotalTermFreq += Math.max(0, terms.sumTotalTermFreq);
    }
    this.fields.set(field, sum);
  }
}

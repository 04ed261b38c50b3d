// Why the documents of one shard have their scores.

import type { FieldId } from '../metadata/index';
import type { SegmentReader } from '../segment/index';
import type { Similarities } from '../similarity/index';
import { describeFilter, describeQuery, type TextContext } from './ast/describe';
import type { Query } from './ast/query';
import { simplify } from './ast/simplify';
import type { ExplainContext, Explanation } from './scoring/explanation';
import { prepareQuery, type PreparedQuery } from './statistics';
import { createWeight } from './weights/create-weight';
import { lookedUpTerms } from './weights/looked-up-terms';

/** Explains the scores of single documents. */
export interface Explainer {
  /** @param segment position of the segment in the shard */
  explain(segment: number, doc: number): Explanation;
}

/** What the scores of a query depend on besides the query. */
export interface ExplainedShard {
  readonly segments: readonly SegmentReader[];
  readonly similarities: Similarities;
  /** Names of fields by their ids. */
  readonly fieldNames: ReadonlyMap<FieldId, string>;
}

/** @param prepared with statistics of several shards; null: expanded and weighted by the shard's own terms */
export function explainQuery(
  query: Query,
  { segments, fieldNames, similarities }: ExplainedShard,
  prepared: PreparedQuery | null,
): Explainer {
  const { query: expanded, statistics } =
    prepared ?? prepareQuery(query, segments, { similarities, explains: true });
  const weight = createWeight(expanded, statistics, segments, true);
  const texts: TextContext = {
    nameOf: (field) => fieldNames.get(field) ?? '',
    termsOf: (selection) => lookedUpTerms(selection, segments),
  };
  const context: ExplainContext = {
    nameOf: texts.nameOf,
    textOf: (part) => describeQuery(simplify(part), texts),
    filterTextOf: (part) => describeFilter(part, texts),
    baseOf: (segment) => baseOf(segments, segment),
  };
  return { explain: (segment, doc) => weight.explain(segments[segment]!, doc, context) };
}

function baseOf(segments: readonly SegmentReader[], segment: SegmentReader): number {
  let base = 0;
  for (const each of segments) {
    if (each === segment) break;
    base += each.docCount;
  }
  return base;
}

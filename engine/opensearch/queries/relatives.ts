// Parents of children and children of parents. Documents are not joined in OpenSearch: those that match are
// asked for the ids of their parents, or for their own, and a list of these stands in place of the query. A
// family lies in one shard.

import { type JsonObject, JsonNumber, type JsonOutput } from '../../json/index';
import { META_FIELD } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import { children, mapChildren, type Query, type QueryOf } from '../../query/index';
import { termField } from '../layout/names';
import { bucketsOf, docCount, doubleAt, MOST_BUCKETS, partOf, textOf } from '../transport/answers';
import { type Clause } from './clause-context';
import { unsupported } from '../layout/unsupported';

/** A query of parents or children. */
export type RelativesQuery = QueryOf<'hasChild' | 'hasParent'>;

/** The scores of documents by those of their relatives. */
export interface RelativeScores {
  /** Says of which family a document is. */
  readonly field: FieldId;
  readonly scores: ReadonlyMap<string, JsonOutput>;
  /** Sum of squared weights of the query of the relatives. */
  readonly squared: number;
}

/** A query that stands for one of relatives and has their scores. */
type ScoredRelatives = Query & { readonly relatives: RelativeScores };

/** Null: it is not one that {@link foundRelatives} made with scores. */
export function relativesOf(query: Query): RelativeScores | null {
  return 'relatives' in query ? (query as ScoredRelatives).relatives : null;
}

/** The queries of relatives in a query that have none within them. */
export function innermostRelatives(query: Query): readonly RelativesQuery[] {
  const within = children(query).flatMap(innermostRelatives);
  if (within.length > 0) return within;
  return query.kind === 'hasChild' || query.kind === 'hasParent' ? [query] : [];
}

/** The query with some of its parts replaced. */
export function withReplaced(query: Query, replaced: ReadonlyMap<Query, Query>): Query {
  const now = replaced.get(query);
  return now ?? mapChildren(query, (child) => withReplaced(child, replaced));
}

/** Whether it takes the scores of relatives. */
export function takesScores(query: RelativesQuery): boolean {
  return query.kind === 'hasChild' ? query.scoreMode !== 'none' : query.scored;
}

/** Asks a shard for the families of documents. @param clause finds these, with scores if they are taken */
export function relativesRequest(query: RelativesQuery, clause: Clause): JsonOutput {
  const field = termField(query.kind === 'hasChild' ? META_FIELD._parent : META_FIELD._uid);
  const mode = query.kind === 'hasChild' ? query.scoreMode : 'max';
  const score = { [mode]: { script: { lang: 'painless', source: '_score' } } };
  const terms = { field, size: MOST_BUCKETS };
  const families = takesScores(query) ? { terms, aggs: { score } } : { terms };
  return { size: 0, query: clause, aggs: { families } };
}

/**
 * What stands for a query of relatives.
 *
 * @param squared what the query of the relatives weighs
 * @throws EngineError ElasticsearchIllegalArgumentException where there are too many
 */
export function foundRelatives(query: RelativesQuery, answer: JsonObject, squared: number): Query {
  const families = partOf(partOf(answer, 'aggregations'), 'families');
  if (doubleAt(families, 'sum_other_doc_count', 0) > 0) {
    const what = query.kind === 'hasChild' ? '[has_child]' : '[has_parent]';
    throw unsupported(`${what} of more than ${MOST_BUCKETS} parents`, 'they are listed');
  }
  const scores = new Map<string, JsonOutput>();
  for (const bucket of bucketsOf(families)) {
    if (query.kind === 'hasChild' && !isWithin(query, docCount(bucket))) continue;
    const value = partOf(bucket, 'score')?.get('value');
    scores.set(textOf(bucket.get('key') ?? null), value instanceof JsonNumber ? value : 0);
  }
  const alwaysWeighs = query.kind === 'hasChild' && query.alwaysWeighs;
  if (scores.size === 0 && !alwaysWeighs) return { kind: 'matchNone' };
  const { boost } = query;
  const field = query.kind === 'hasChild' ? META_FIELD._uid : META_FIELD._parent;
  const found: Query = { kind: 'termSet', field, terms: [...scores.keys()].sort(), boost };
  if (!takesScores(query)) return found;
  const scored: ScoredRelatives = { ...found, relatives: { field, scores, squared } };
  return scored;
}

function isWithin(
  { minChildren, maxChildren }: Extract<RelativesQuery, { kind: 'hasChild' }>,
  count: number,
): boolean {
  return count >= minChildren && count <= maxChildren;
}

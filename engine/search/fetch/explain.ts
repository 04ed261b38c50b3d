// Why hits have their scores, as a member of them.

import type { FetchJob, ExplainedSearch } from '../plan/executor';
import { Float, type JsonOutput } from '../../json/index';
import {
  type Explainer,
  explainQuery,
  type Explanation,
  prepareQuery,
  type Query,
} from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import { explainRescored } from './explain-rescored';

/** Explains the hits of a job; null: nobody asks. `segments` are all of the shard. */
export function explainHits(
  { fetch, explained }: FetchJob,
  segments: readonly SegmentReader[],
): Explainer | null {
  if (explained === null || fetch.explain === null) return null;
  const { query, prepared, similarities, rescores, rescoreStatistics: statistics } = explained;
  const shard = { segments, similarities, fieldNames: fetch.explain.fieldNames };
  const first = explainQuery(boosted(query, explained), shard, boostedToo(prepared, explained));
  return rescores.reduce<Explainer>((before, rescore) => {
    const own = prepareQuery(rescore.query, segments, { similarities });
    const second = explainQuery(
      rescore.query,
      shard,
      statistics === null ? own : { ...own, statistics },
    );
    return {
      explain: (segment, doc) =>
        explainRescored(before.explain(segment, doc), second.explain(segment, doc), rescore),
    };
  }, first);
}

function boostedToo(
  prepared: ExplainedSearch['prepared'],
  explained: ExplainedSearch,
): ExplainedSearch['prepared'] {
  return prepared === null ? null : { ...prepared, query: boosted(prepared.query, explained) };
}

/** compat: the boost of an index is a function of the score, within what restricts the documents. */
function boosted(query: Query, explained: ExplainedSearch): Query {
  const { indexBoost, isScoped } = explained;
  if (indexBoost === 1) return query;
  if (isScoped && query.kind === 'filtered') {
    return { ...query, query: boosted(query.query, { ...explained, isScoped: false }) };
  }
  return {
    kind: 'functionScore',
    query,
    functions: [{ filter: null, function: { kind: 'constant' }, weight: indexBoost }],
    scoreMode: 'multiply',
    boostMode: 'multiply',
    maxBoost: 3.4028234663852886e38,
    minScore: null,
    boost: 1,
  };
}

/** An explanation as clients get it. */
export function explanationOutput({ value, description, details }: Explanation): JsonOutput {
  return {
    value: new Float(value),
    description,
    details: details.length === 0 ? undefined : details.map(explanationOutput),
  };
}

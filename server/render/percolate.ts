// Answers to percolations, in the reference's member order.

import { Float, type JsonOutput, type PercolateResponse } from '../../engine/index';
import { shardsHeader } from './shards';

/**
 * The body of an answer.
 *
 * @param onlyIds the matches are ids instead of objects
 */
export function percolateBody(result: PercolateResponse, onlyIds: boolean): JsonOutput {
  const { tookMs, shards, total, matches, facets, aggregations } = result;
  return {
    took: tookMs,
    _shards: shardsHeader(shards),
    total,
    matches: matches?.map(({ index, id, score, highlight }) =>
      onlyIds
        ? id
        : {
            _index: index,
            _id: id,
            _score: score === null ? undefined : new Float(score),
            highlight: highlight ?? undefined,
          },
    ),
    facets,
    aggregations,
  };
}

// What a stage of rescoring makes of the hits of a shard, and the scores of its query.

import { bindPart } from '../../query/index';
import { NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { combinedScore, type RescorePlan } from '../plan/rescore-plan';
import type { RescoreJob } from '../plan/executor';
import type { ShardHit } from '../plan/search-plan';
import { compareHits } from '../sort/hit-order';

/** Hits scored between two steps. */
const HITS_PER_STEP = 4096;

/**
 * The scores of hits by a query, in the order of the hits; NaN: it does not match. A step per few hits.
 *
 * @param segments all segments of the shard
 */
export function* scoreHits(
  { hits, query, similarities, statistics }: RescoreJob,
  segments: readonly SegmentReader[],
): Generator<void, Float64Array<ArrayBuffer>, void> {
  const weight = bindPart(query, segments, similarities, statistics);
  const scores = new Float64Array(hits.length).fill(NaN);
  const order = Array.from(hits.keys()).sort((a, b) => {
    const [left, right] = [hits[a]!, hits[b]!];
    return left.segment - right.segment || left.doc - right.doc;
  });
  let segment = -1;
  let scorer: ReturnType<typeof weight.scorer> = null;
  let untilStep = HITS_PER_STEP;
  for (const i of order) {
    const hit = hits[i]!;
    if (hit.segment !== segment) {
      segment = hit.segment;
      scorer = weight.scorer(segments[segment]!);
    }
    if (--untilStep === 0) {
      untilStep = HITS_PER_STEP;
      yield;
    }
    if (scorer === null || scorer.doc === NO_MORE_DOCS) continue;
    const doc = scorer.doc < hit.doc ? scorer.advance(hit.doc) : scorer.doc;
    if (doc === hit.doc) scores[i] = scorer.score();
  }
  return scores;
}

/**
 * The hits of a shard after a stage: those of its window with both scores, others with their own weighted.
 *
 * @param hits best first
 * @param scores of the hits of the window by the stage's query
 */
export function rescored(
  hits: readonly ShardHit[],
  scores: Float64Array,
  { queryWeight, rescoreWeight, mode }: RescorePlan,
): readonly ShardHit[] {
  const result = hits.map((hit, i) => {
    const own = Math.fround(hit.score * queryWeight);
    const second = i < scores.length ? scores[i]! : NaN;
    const score = Number.isNaN(second)
      ? own
      : combinedScore(mode, own, Math.fround(second * rescoreWeight));
    return { ...hit, score };
  });
  return result.sort((a, b) => compareHits(null, a, b));
}

// What a stage of rescoring makes of the hits of a shard, and the scores of its query.

import { untilDeadline } from '../../common/index';
import { bindPart } from '../../query/index';
import { NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { combinedScore, type RescorePlan } from '../plan/rescore-plan';
import type { RescoreJob } from '../plan/executor';
import type { ShardHit } from '../plan/search-plan';
import { compareHits } from '../sort/hit-order';

type QueryWeight = ReturnType<typeof bindPart>;

/** Hits scored between two steps. */
const HITS_PER_STEP = 1024;

/**
 * The scores of hits by a query, in the order of the hits; NaN: it does not match. Null: there was not enough
 * time. A step per few hits.
 *
 * @param segments all segments of the shard
 * @param clock epoch milliseconds
 */
export function* scoreHits(
  { hits, query, similarities, statistics, deadline }: RescoreJob,
  segments: readonly SegmentReader[],
  clock: () => number,
): Generator<void, Float64Array<ArrayBuffer> | null, void> {
  const scores = new Float64Array(hits.length).fill(NaN);
  const order = Array.from(hits.keys()).sort((a, b) => {
    const [left, right] = [hits[a]!, hits[b]!];
    return left.segment - right.segment || left.doc - right.doc;
  });
  let weight: QueryWeight | null = null;
  let segment = -1;
  let scorer: ReturnType<QueryWeight['scorer']> = null;
  const score = (from: number, to: number): void => {
    weight ??= bindPart(query, segments, similarities, statistics);
    for (let place = from; place < to; place++) {
      const i = order[place]!;
      const hit = hits[i]!;
      if (hit.segment !== segment) {
        segment = hit.segment;
        scorer = weight.scorer(segments[segment]!);
      }
      if (scorer === null || scorer.doc === NO_MORE_DOCS) continue;
      const doc = scorer.doc < hit.doc ? scorer.advance(hit.doc) : scorer.doc;
      if (doc === hit.doc) scores[i] = scorer.score();
    }
  };
  for (let from = 0; from < order.length; from += HITS_PER_STEP) {
    if (from > 0) yield;
    if (deadline !== null && clock() > deadline) return null;
    const to = Math.min(order.length, from + HITS_PER_STEP);
    if (!untilDeadline(deadline, clock, () => score(from, to))) return null;
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

// What some kinds do once all segments of a shard, or all shards, have been added up: trees of partials gone
// through for those kinds, and left as they are where there are none.

import type {
  AggregationPartial,
  AggregationPlan,
  ReducedAggregation,
  ShardBinding,
  Steps,
} from './contract/aggregation';
import { kindOf } from './registry';

/** Whether all segments of a shard have to be counted in one place for an aggregation. */
export function needsWholeShard({ type, subs }: AggregationPlan): boolean {
  return kindOf(type).finish !== undefined || subs.some(needsWholeShard);
}

/**
 * Finishes what all segments of a shard contributed.
 *
 * @param owners buckets of the parent
 * @throws EngineError, RunFailure of scripts
 */
export function* finishPartial(
  plan: AggregationPlan,
  partial: AggregationPartial,
  owners: number,
  shard: ShardBinding,
): Steps<AggregationPartial> {
  if (!needsWholeShard(plan)) return partial;
  const kind = kindOf(plan.type);
  let { data } = partial;
  if (kind.finish !== undefined) data = yield* kind.finish(plan, data, owners, shard);
  const subs = [];
  for (let s = 0; s < plan.subs.length; s++) {
    subs.push(yield* finishPartial(plan.subs[s]!, partial.subs[s]!, partial.size, shard));
  }
  return { data, size: partial.size, subs };
}

/** Whether there is something to be done before an aggregation can be rendered. */
export function hasConclusion({ kind, subs }: ReducedAggregation): boolean {
  return kind.conclude !== undefined || subs.some(hasConclusion);
}

/** Concludes what all shards contributed. @throws EngineError of scripts */
export function* concluded(node: ReducedAggregation): Steps<ReducedAggregation> {
  if (!hasConclusion(node)) return node;
  const { kind, spec } = node;
  let { data } = node;
  if (kind.conclude !== undefined) data = yield* kind.conclude(spec, data);
  const subs = [];
  for (const sub of node.subs) subs.push(yield* concluded(sub));
  return { ...node, data, subs };
}

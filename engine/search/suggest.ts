// `_suggest`: suggestions without a search. What is wrong with them is a failure of every shard
// (reference server).

import { EngineError } from '../errors';
import type { JsonObject } from '../json/index';
import { isSlowSuggest, type PlannedSuggest, parseSuggest, reduceSuggest } from '../suggest/index';
import type { SearchContext } from '../query/index';
import type { ShardFailure } from '../api/index';
import { countPlan } from './count';
import { suggestFailure } from './plan/errors';
import type { SearchOutcome } from './plan/executor';
import type { PlannedIndex } from './plan/planned-index';
import type { Target } from './plan/targets';

/** What is suggested from one index; what is wrong with it becomes the failure of its shards. */
export function planSuggest(body: JsonObject, context: SearchContext): PlannedIndex {
  const { index, meter } = context;
  try {
    const suggest = parseSuggest(body, context);
    const isLarge = meter.isLarge || suggest.some(isSlowSuggest);
    const planned = countPlan(index.name, { kind: 'matchAll', boost: 1 }, null);
    return { ...planned, plan: { ...planned.plan, suggest, isLarge } };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { fail: (shard) => unplanned(index.name, shard, error) };
  }
}

/** The failure of a shard that was not asked. */
export function unplanned(index: string, shard: number, cause: EngineError): ShardFailure {
  return suggestFailure(index, shard, cause.toWireString());
}

/**
 * The suggestions of all shards put together.
 *
 * @throws EngineError ElasticsearchIllegalStateException where they do not fit together
 */
export function suggestionsOf(
  suggest: SearchOutcome['suggest'],
  targets: readonly Target[],
  plans: ReadonlyMap<string, PlannedIndex>,
): ReturnType<typeof reduceSuggest> {
  const shards: PlannedSuggest[] = [];
  for (const { position, partial } of suggest ?? []) {
    const planned = plans.get(targets[position]!.index.name);
    if (planned === undefined || 'fail' in planned) continue;
    shards.push({ specs: planned.plan.suggest ?? [], partial });
  }
  return reduceSuggest(shards);
}

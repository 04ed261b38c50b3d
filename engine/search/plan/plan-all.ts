// Planning a search for all of its indices, in slices: others get turns in between.

import { type CancelSignal, Slices } from '../../common/index';
import type { IndexMetadata } from '../../metadata/index';
import { cancelled } from './errors';
import type { PlannedIndex } from './planned-index';
import type { Target } from './targets';

/** What each index is asked. */
type Plans = ReadonlyMap<string, PlannedIndex>;

/**
 * Plans a search once for each index.
 *
 * @returns a promise where it takes so long that others should get turns in between
 * @throws EngineError what `planIndex` throws; when the request was cancelled
 */
export function planAll(
  targets: readonly Target[],
  planIndex: (index: IndexMetadata) => PlannedIndex,
  signal: CancelSignal | undefined,
): Plans | Promise<Plans> {
  const plans = new Map<string, PlannedIndex>();
  const slices = new Slices(1);
  for (const [i, { index }] of targets.entries()) {
    if (plans.has(index.name)) continue;
    if (i > 0 && slices.isOver())
      return planRest(targets.slice(i), planIndex, plans, slices, signal);
    plans.set(index.name, planIndex(index));
  }
  return plans;
}

async function planRest(
  targets: readonly Target[],
  planIndex: (index: IndexMetadata) => PlannedIndex,
  plans: Map<string, PlannedIndex>,
  slices: Slices,
  signal: CancelSignal | undefined,
): Promise<Plans> {
  for (const { index } of targets) {
    if (plans.has(index.name)) continue;
    if (slices.isOver()) {
      await slices.next();
      if (signal?.aborted === true) throw cancelled();
    }
    plans.set(index.name, planIndex(index));
  }
  return plans;
}

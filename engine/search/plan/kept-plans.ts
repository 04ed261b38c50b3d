// Plans of requests that come again and again: to read a small search, and to name its plan, costs more than
// to find that its answer is kept.
//
// A search is planned from the request and the cluster state; so plans are kept under the text of the
// request, and only as long as the state is the same object. A request that asks for anything else while it
// is read (the time, a script, a document) is not kept.

import { SeenKeys } from '../../common/index';
import type { ClusterState } from '../../metadata/index';
import type { PlannedIndex } from './planned-index';
import { planName } from './plan-name';
import { countsDocuments } from './search-plan';
import type { Target } from './targets';

/** A search as it is run. */
export interface KeptPlan {
  readonly targets: readonly Target[];
  readonly plans: ReadonlyMap<string, PlannedIndex>;
}

/** Longer requests are not kept, in characters. */
const LONGEST = 2048;
/** Characters of requests in one of the two generations; a plan takes some 25 bytes for each of them. */
const GENERATION = 262_144;
/** Requests that are remembered as seen once; a power of two. */
const SEEN_SLOTS = 8192;

/** Keeps plans from the second time on that they are asked for. */
export class KeptPlans {
  /** Those used since the other generation was full, and those used before that. */
  private young = new Map<string, KeptPlan>();
  private old = new Map<string, KeptPlan>();
  private youngChars = 0;
  private readonly seen = new SeenKeys(SEEN_SLOTS);
  private state: ClusterState | null = null;

  /** The plan of an equal request by the same state; null: it is not kept. */
  get(key: string, state: ClusterState): KeptPlan | null {
    if (this.state !== state) {
      this.clear();
      this.state = state;
      return null;
    }
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old === undefined) return null;
    this.add(key, old);
    return old;
  }

  /** Keeps what a repeatable request by `state` was planned to, if that is worth it. */
  keep(key: string, state: ClusterState, { targets, plans }: KeptPlan): void {
    if (this.state !== state || key.length > LONGEST || plans.size !== 1) return;
    if (!this.seen.add(key)) return;
    const named = new Map<string, PlannedIndex>();
    for (const [index, planned] of plans) {
      // What is large is read in no time beside what it takes to run; suggestions may be collated.
      if ('fail' in planned || planned.plan.isLarge === true) return;
      if (planned.plan.suggest !== undefined) return;
      // Only answers that count are kept by name.
      const name = countsDocuments(planned.plan) ? planName(planned.plan) : null;
      named.set(index, name === null ? planned : { ...planned, name });
    }
    this.add(key, { targets, plans: named });
  }

  private add(key: string, plan: KeptPlan): void {
    if (this.youngChars + key.length > GENERATION) {
      this.old = this.young;
      this.young = new Map();
      this.youngChars = 0;
    }
    this.young.set(key, plan);
    this.youngChars += key.length;
  }

  private clear(): void {
    this.young = new Map();
    this.old = new Map();
    this.youngChars = 0;
  }
}

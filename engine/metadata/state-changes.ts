// How whoever needs it sees and changes the cluster state, wherever it is kept.

import type { ClusterState } from './state';
import type { LogBatch } from '../../storage/index';

/** The cluster state and the way in which it changes. */
export interface StateChanges {
  /** The current state as readers see it. */
  state(): ClusterState;
  /** The state that writes being prepared must be checked against. */
  latest(): ClusterState;
  /** Calls `listener` with every state that becomes visible, in order. */
  onChange(listener: (state: ClusterState) => void): void;
  /**
   * Applies `compute` as one atomic, durable change. `compute` runs synchronously, again where somebody else
   * was faster, and returns the new state, or the same one for "nothing to do"; `also` may add operations to
   * the batch in which it is written, where there is one.
   *
   * @returns the state that became visible
   * @throws whatever `compute` throws: nothing is written then
   */
  change(
    compute: (state: ClusterState) => ClusterState,
    also?: (batch: LogBatch, before: ClusterState, after: ClusterState) => void,
  ): Promise<ClusterState>;
}

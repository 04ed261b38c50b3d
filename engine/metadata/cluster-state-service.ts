// The one queue through which cluster state changes.
//
// A change is computed against the newest prepared state, written with the document log's committer, and
// becomes visible to readers when its batch is synced. So a reader never sees a change that a crash could
// take back, and a change never builds on a state that is not in front of it in the log.

import { decodeState, encodeChanges } from './codec';
import { EMPTY_STATE } from './changes';
import { assertWithinLimits, type ClusterLimits } from './limits';
import type { ClusterState } from './state';
import type { StateChanges } from './state-changes';
import type { LogBatch, LogStore } from '../../storage/index';

/** Bytes a metadata change is assumed to add to its batch. */
const ESTIMATED_CHANGE_BYTES = 4096;

export class ClusterStateService implements StateChanges {
  /** What readers see: the newest synced state. */
  private visible: ClusterState = EMPTY_STATE;
  /** What the next change builds on: the newest prepared state, perhaps still on its way to the disk. */
  private prepared: ClusterState = EMPTY_STATE;
  private readonly listeners: ((state: ClusterState) => void)[] = [];

  /** @param limits of what changes may add */
  constructor(
    private readonly log: () => LogStore,
    private readonly limits: ClusterLimits,
  ) {}

  /** The current state as readers see it. */
  state(): ClusterState {
    return this.visible;
  }

  /** The state that writes being prepared must be checked against. */
  latest(): ClusterState {
    return this.prepared;
  }

  /** Calls `listener` with every state that becomes visible, in order. */
  onChange(listener: (state: ClusterState) => void): void {
    this.listeners.push(listener);
  }

  /** Replaces everything by what is on disk; used at start and after a storage failure. */
  async load(): Promise<ClusterState> {
    const state = decodeState(await this.log().readMetadata());
    this.visible = state;
    this.prepared = state;
    return state;
  }

  /**
   * Applies `compute` as one atomic, durable change. `compute` runs synchronously in the committer's turn
   * and returns the new state, or the same one for "nothing to do"; `also` may add operations to the batch.
   *
   * @returns the state that became visible.
   * @throws whatever `compute` throws (nothing is written then), EngineError (400) when the new state has
   *   more of something than it may, or StorageFailure.
   */
  async change(
    compute: (state: ClusterState) => ClusterState,
    also?: (batch: LogBatch, before: ClusterState, after: ClusterState) => void,
  ): Promise<ClusterState> {
    const after = await this.log().submit({
      estimatedBytes: ESTIMATED_CHANGE_BYTES,
      prepare: (batch) => {
        const before = this.prepared;
        const next = compute(before);
        assertWithinLimits(before, next, this.limits);
        also?.(batch, before, next);
        return this.stage(batch, next);
      },
    });
    this.publish(after);
    return after;
  }

  /**
   * Adds a new state to a batch that is being prepared (for documents whose mapping changes with them) and
   * numbers it. The caller hands the returned state to {@link publish} once the batch is synced. Nothing
   * may throw in this unit's preparation afterwards.
   */
  stage(batch: LogBatch, next: ClusterState): ClusterState {
    if (next === this.prepared) return next;
    const staged = { ...next, version: this.prepared.version + 1 };
    const { put, remove } = encodeChanges(this.prepared, staged);
    for (const [name, value] of put) batch.putMetadata(name, value);
    for (const name of remove) batch.removeMetadata(name);
    this.prepared = staged;
    return staged;
  }

  /** Makes a synced state visible; states that were overtaken by a newer one are ignored. */
  publish(state: ClusterState): void {
    if (state.version <= this.visible.version) return;
    this.visible = state;
    for (const listener of this.listeners) listener(state);
  }
}

// Snapshots that are being read, by a restore or a verification: they are not deleted meanwhile, their
// progress can be asked for, and closing the node ends them.

import type { RestoreProgress } from '../api/index';
import type { EngineError } from '../errors';

/** One restore or verification under way. */
export interface Reading {
  readonly repository: string;
  readonly snapshot: string;
  progress: RestoreProgress;
  readonly stopping: AbortController;
  finished: Promise<unknown>;
}

/** All restores and verifications under way. */
export class SnapshotReadings {
  private readonly all = new Set<Reading>();

  /** Begins a reading; it has to be given to {@link until} or {@link end}. */
  begin(repository: string, snapshot: string): Reading {
    const reading: Reading = {
      repository,
      snapshot,
      progress: { stage: 'verify', bytes: 0, processedBytes: 0 },
      stopping: new AbortController(),
      finished: Promise.resolve(),
    };
    this.all.add(reading);
    return reading;
  }

  /** The reading lasts as long as `work`. @returns what `work` comes to */
  until<T>(reading: Reading, work: Promise<T>): Promise<T> {
    const finished = work.finally(() => this.end(reading));
    reading.finished = finished;
    return finished;
  }

  /** Ends a reading. */
  end(reading: Reading): void {
    this.all.delete(reading);
  }

  /** Readings of a snapshot. */
  of(repository: string, snapshot: string): readonly Reading[] {
    return [...this.all].filter(
      (one) => one.repository === repository && one.snapshot === snapshot,
    );
  }

  /** Whether something of one of the repositories is being read. */
  useAnyOf(repositories: readonly string[]): boolean {
    return [...this.all].some(({ repository }) => repositories.includes(repository));
  }

  /** Aborts all; what they come to is to be waited for. */
  stop(reason: EngineError): readonly Promise<unknown>[] {
    for (const { stopping } of this.all) stopping.abort(reason);
    return [...this.all].map(({ finished }) => finished);
  }
}

// What the batches of the document log came to, over all sessions of a storage: counters do not begin anew
// when it is reopened.

import { Histogram, type HistogramStats } from './histogram';

const UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Batches of the document log since the storage was opened first. */
export interface CommitStats {
  /** Units acknowledged or refused in each batch that was synced. */
  readonly units: HistogramStats;
  /** Bytes of keys and values of each. */
  readonly bytes: HistogramStats;
  /** Seconds from handing each over until it was synced. */
  readonly syncSeconds: HistogramStats;
  /** Units whose own checks refused them: version conflicts and the like. */
  readonly refusedUnits: number;
}

/** Counts what a committer writes. */
export class CommitRecorder {
  readonly units = new Histogram(UNITS);
  readonly bytes = new Histogram(BYTES);
  readonly syncSeconds = new Histogram(SECONDS);
  refusedUnits = 0;

  /** The counters as they are now, as plain data. */
  stats(): CommitStats {
    return {
      units: this.units.stats(),
      bytes: this.bytes.stats(),
      syncSeconds: this.syncSeconds.stats(),
      refusedUnits: this.refusedUnits,
    };
  }
}

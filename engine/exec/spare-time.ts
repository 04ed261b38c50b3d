// Whether the calling thread has time to spare, told by how often its event loop had nothing to do lately.

import { performance } from 'node:perf_hooks';

/** Less is what asking for events takes where some are waiting already, in milliseconds. */
const LEAST_WAIT_MS = 0.02;
/** How much the last time counts, and the share of waits from which on there is time. */
const LAST = 1 / 8;
const ENOUGH = 1 / 4;

/** Notices whether a thread waits for work between the pieces of work that it asks about. */
export class SpareTime {
  private idle: number;
  /** Share of waits, the latest counting most. */
  private share = 1;

  /** @param idleMs milliseconds that the thread has waited since it started */
  constructor(private readonly idleMs = () => performance.eventLoopUtilization().idle) {
    this.idle = idleMs();
  }

  /** Whether there is time for another piece of work; asked once for each. */
  has(): boolean {
    const idle = this.idleMs();
    const waited = idle - this.idle >= LEAST_WAIT_MS ? 1 : 0;
    this.idle = idle;
    this.share += (waited - this.share) * LAST;
    return this.share >= ENOUGH;
  }
}

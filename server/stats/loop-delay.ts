// How late the event loop of the main thread is: a timer that should fire every few milliseconds tells by how
// much it was late. A histogram since the start, so that readers can compute any interval from it.

import { Histogram, type HistogramStats } from '../../engine/index';

const PERIOD_MS = 20;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Measures the delay of the event loop. */
export class LoopDelay {
  private readonly seconds = new Histogram(SECONDS);
  private timer: NodeJS.Timeout | null = null;
  private expected = 0;

  /** Begins to measure; the timer keeps no process alive. */
  start(): void {
    this.expected = performance.now() + PERIOD_MS;
    this.timer = setInterval(() => this.tick(), PERIOD_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Seconds of delay, as often as there should have been a look. */
  stats(): HistogramStats {
    return this.seconds.stats();
  }

  private tick(): void {
    const now = performance.now();
    // Timers are whole milliseconds and may fire a little early.
    const late = Math.max(0, now - this.expected);
    // While it was blocked it would have been late at every look in between, by less and less.
    for (let delay = late; ; delay -= PERIOD_MS) {
      this.seconds.add(delay / 1000);
      if (delay < PERIOD_MS) break;
    }
    this.expected = now + PERIOD_MS;
  }
}

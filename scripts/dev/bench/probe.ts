// Runs inside a server that the benchmark starts (node --require) and tells, when asked, how late its main
// thread was. The product itself knows nothing of it.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** How much later than planned the event loop came round, in ms. */
export interface LoopDelay {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

/** Each look wakes the process, which is measured: seldom enough not to matter. */
const RESOLUTION_MS = 10;

if (isMainThread && process.send !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  process.on('message', () => {
    const delay: LoopDelay = {
      median: late(histogram.percentile(50)),
      p99: late(histogram.percentile(99)),
      max: late(histogram.max),
    };
    histogram.reset();
    process.send!(delay);
  });
  // A benchmark that was killed leaves no server behind.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Asking must not keep a server alive that wants to end.
  process.channel?.unref();
}

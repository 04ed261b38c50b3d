// The threads of one pool together, as statistics and tables show them.

import type { ThreadStats } from '../../engine/index';

/** Threads, and the requests they have had. */
export interface PoolStats {
  readonly threads: number;
  readonly active: number;
  readonly queue: number;
  readonly largest: number;
  readonly completed: number;
  readonly replaced: number;
}

/** Adds up the threads of a pool; each works on one request, and the others wait. */
export function sumThreads(threads: readonly ThreadStats[]): PoolStats {
  const sum = (figure: (thread: ThreadStats) => number): number =>
    threads.reduce((total, thread) => total + figure(thread), 0);
  const active = threads.filter(({ pending }) => pending > 0).length;
  return {
    threads: threads.length,
    active,
    queue: Math.max(0, sum(({ pending }) => pending) - active),
    largest: sum(({ largest }) => largest),
    completed: sum(({ completed }) => completed),
    replaced: sum(({ replaced }) => replaced),
  };
}

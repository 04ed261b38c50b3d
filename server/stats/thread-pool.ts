// Threads by the reference's names of pools, as statistics and tables show them. Pools that nothing here is
// like are left out.

import type { ThreadPoolStats, ThreadStats } from '../../engine/index';
import type { RequestRecorder, RouteFamily } from '../request/index';

/** Threads, and the requests they have had. */
export interface PoolStats {
  readonly threads: number;
  readonly active: number;
  readonly queue: number;
  readonly largest: number;
  readonly completed: number;
  readonly replaced: number;
  readonly rejected: number;
  /** How many requests may wait; -1: any number. */
  readonly capacity: number;
}

/** Of queues that have no end: nothing is rejected. */
const ENDLESS = { rejected: 0, capacity: -1 } as const;

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
    ...ENDLESS,
  };
}

/** What the main thread does by itself, and the reference on a pool: by kinds of requests. */
const ON_MAIN: readonly (readonly [pool: string, families: readonly RouteFamily[]])[] = [
  ['bulk', ['bulk']],
  ['get', ['get', 'mget']],
  ['index', ['index', 'update', 'delete']],
  ['management', ['aliases', 'stats', 'admin']],
  ['refresh', ['refresh']],
  ['snapshot', ['snapshot']],
];

/**
 * The pools that there are: searches have workers, or main; everything that writes segments has one thread,
 * and the rest is done by the main thread, which is in no request while it counts.
 */
export function threadPools(
  { search, searches, indexer }: ThreadPoolStats,
  requests: RequestRecorder,
): ReadonlyMap<string, PoolStats> {
  const times = requests.stats();
  const onMain = ON_MAIN.map(([pool, families]): [string, PoolStats] => {
    const completed = times
      .filter(({ family }) => families.includes(family))
      .reduce((sum, { seconds }) => sum + seconds.count, 0);
    return [
      pool,
      { threads: 1, active: 0, queue: 0, largest: 1, completed, replaced: 0, ...ENDLESS },
    ];
  });
  return new Map([
    ...onMain,
    ['merge', sumThreads(indexer)],
    ['search', { ...searches, replaced: sumThreads(search).replaced }],
  ]);
}

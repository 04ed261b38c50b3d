// How long requests take, by kind of request and outcome, and how many are under way. Counting one allocates
// nothing.

import type { HistogramStats } from '../../engine/index';
import { ROUTE_FAMILIES, type RouteFamily } from './route-family';

const SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Outcomes: classes of status codes, and clients that went away before they were answered. */
const OUTCOMES = ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const;

/** Requests of one family with one outcome. */
interface RequestTimes {
  readonly family: RouteFamily;
  readonly outcome: (typeof OUTCOMES)[number];
  /** Seconds from the arrival of the headers until the answer was handed to the connection. */
  readonly seconds: HistogramStats;
}

/** A request that took long. */
export interface SlowRequest {
  /** When it ended, in epoch milliseconds. */
  readonly timestamp: number;
  readonly tookMs: number;
  readonly method: string;
  /** Without parameters, which may hold what somebody searched for. */
  readonly path: string;
  /** 0 when the client had disconnected. */
  readonly status: number;
}

/** Requests that take as long are remembered, in milliseconds. */
const SLOW_MS = 100;
/** The last ones that are. */
const MOST_SLOW = 32;
const LONGEST_PATH = 200;

/** Cells of one family with one outcome: how many in each bucket, and the sum of their seconds. */
const CELLS = SECONDS.length + 2;
const TIMES = ROUTE_FAMILIES.length * OUTCOMES.length * CELLS;
/** Where a thread counts: its times, and how many requests are under way. */
const ROW = TIMES + 1;

/** Memory for the counts of threads that take requests. */
export function requestTimes(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * ROW * Float64Array.BYTES_PER_ELEMENT);
}

/** Counts requests. */
export class RequestRecorder {
  private readonly lately: SlowRequest[] = [];
  private readonly cells: Float64Array;
  private readonly at: number;

  /**
   * @param times of all threads that take requests, from {@link requestTimes}
   * @param thread the place of this one among them; what one before it had under way is gone with it
   * @param tellSlow is called with slow requests instead of remembering them
   */
  constructor(
    times: SharedArrayBuffer = requestTimes(1),
    thread = 0,
    private readonly tellSlow: ((slow: SlowRequest) => void) | null = null,
  ) {
    this.cells = new Float64Array(times);
    this.at = thread * ROW;
    this.cells[this.at + TIMES] = 0;
  }

  /** Notes that a request has arrived; {@link end} must follow. */
  begin(): void {
    this.cells[this.at + TIMES]!++;
  }

  /** @param status of the answer; 0 when the client had disconnected */
  end(family: RouteFamily, status: number, ms: number): void {
    const { cells, at } = this;
    cells[at + TIMES]!--;
    const outcome = status === 0 ? OUTCOMES.length - 1 : Math.floor(status / 100) - 2;
    const first = at + (ROUTE_FAMILIES.indexOf(family) * OUTCOMES.length + outcome) * CELLS;
    const seconds = ms / 1000;
    let bucket = 0;
    while (bucket < SECONDS.length && seconds > SECONDS[bucket]!) bucket++;
    cells[first + bucket]!++;
    cells[first + CELLS - 1]! += seconds;
  }

  /** Remembers a request, from the arrival of its headers to the end of its answer, if it was slow. */
  noteSlow(method: string, target: string, status: number, tookMs: number, now: number): void {
    if (tookMs < SLOW_MS) return;
    const path = target.slice(0, LONGEST_PATH + 1).split('?', 1)[0]!;
    const shown = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
    const slow = { timestamp: now, tookMs, method, path: shown, status };
    if (this.tellSlow === null) this.remember(slow);
    else this.tellSlow(slow);
  }

  /** Remembers a slow request. */
  remember(slow: SlowRequest): void {
    this.lately.unshift(slow);
    if (this.lately.length > MOST_SLOW) this.lately.pop();
  }

  /** The last slow requests, newest first. */
  get slow(): readonly SlowRequest[] {
    return this.lately;
  }

  /** Requests not answered yet. */
  get current(): number {
    return this.sum(TIMES);
  }

  /** All families and outcomes that there were. */
  stats(): readonly RequestTimes[] {
    return ROUTE_FAMILIES.flatMap((family, i) =>
      OUTCOMES.flatMap((outcome, j) => {
        const first = (i * OUTCOMES.length + j) * CELLS;
        const counts = Array.from({ length: CELLS - 1 }, (_, bucket) => this.sum(first + bucket));
        const count = counts.reduce((sum, inBucket) => sum + inBucket, 0);
        if (count === 0) return [];
        const sum = this.sum(first + CELLS - 1);
        return [{ family, outcome, seconds: { bounds: SECONDS, counts, count, sum } }];
      }),
    );
  }

  private sum(cell: number): number {
    let sum = 0;
    for (let at = cell; at < this.cells.length; at += ROW) sum += this.cells[at]!;
    return sum;
  }
}

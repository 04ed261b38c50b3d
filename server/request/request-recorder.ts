// How long requests take, by kind of request and outcome, and how many are under way. Counting one allocates
// nothing.

import { Histogram, type HistogramStats } from '../../engine/index';
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

/** Counts requests. */
export class RequestRecorder {
  private readonly lately: SlowRequest[] = [];
  /** By family and outcome; made when needed first. */
  private readonly times: (Histogram | null)[];
  private underWay = 0;

  constructor() {
    this.times = Array.from({ length: ROUTE_FAMILIES.length * OUTCOMES.length }, () => null);
  }

  /** Notes that a request has arrived; {@link end} must follow. */
  begin(): void {
    this.underWay++;
  }

  /** @param status of the answer; 0 when the client had disconnected */
  end(family: RouteFamily, status: number, ms: number): void {
    this.underWay--;
    const outcome = status === 0 ? OUTCOMES.length - 1 : Math.floor(status / 100) - 2;
    const cell = ROUTE_FAMILIES.indexOf(family) * OUTCOMES.length + outcome;
    const times = (this.times[cell] ??= new Histogram(SECONDS));
    times.add(ms / 1000);
  }

  /** Remembers a request, from the arrival of its headers to the end of its answer, if it was slow. */
  noteSlow(method: string, target: string, status: number, tookMs: number, now: number): void {
    if (tookMs < SLOW_MS) return;
    const path = target.slice(0, LONGEST_PATH + 1).split('?', 1)[0]!;
    const shown = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
    this.lately.unshift({ timestamp: now, tookMs, method, path: shown, status });
    if (this.lately.length > MOST_SLOW) this.lately.pop();
  }

  /** The last slow requests, newest first. */
  get slow(): readonly SlowRequest[] {
    return this.lately;
  }

  /** Requests not answered yet. */
  get current(): number {
    return this.underWay;
  }

  /** All families and outcomes that there were. */
  stats(): readonly RequestTimes[] {
    return this.times.flatMap((times, cell) => {
      if (times === null) return [];
      const family = ROUTE_FAMILIES[Math.floor(cell / OUTCOMES.length)]!;
      const outcome = OUTCOMES[cell % OUTCOMES.length]!;
      return [{ family, outcome, seconds: times.stats() }];
    });
  }
}

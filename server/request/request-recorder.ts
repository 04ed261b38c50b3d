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

/** Counts requests. */
export class RequestRecorder {
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

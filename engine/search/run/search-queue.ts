// How many searches may be under way. Those that find no thread free wait; what comes when too many wait is
// refused, so that a node with more searches than it can carry out says so instead of growing slower for ever
// (reference server: the queue of the pool `search`).

import { EngineError } from '../../errors';
import type { SearchQueueStats } from '../../api/index';

/** Searches that may wait unless something else is set; the reference's default. */
export const DEFAULT_SEARCH_QUEUE = 1000;

/** Counts the searches of a node, and refuses those that are too many. */
export class SearchQueue {
  private underWay = 0;
  private largest = 0;
  private completed = 0;
  private rejected = 0;

  /**
   * @param threads how many searches are carried out at a time
   * @param capacity how many more may wait, asked when there are as many as threads; -1: any number
   */
  constructor(
    private readonly threads: number,
    private readonly capacity: () => number,
  ) {}

  /**
   * Counts in a search; {@link leave} must follow.
   * @returns null, or why it is refused: EsRejectedExecutionException (429), and nothing is counted in
   */
  enter(): EngineError | null {
    if (this.underWay >= this.threads) {
      const capacity = this.capacity();
      if (capacity >= 0 && this.underWay >= this.threads + capacity) {
        this.rejected++;
        const message = `rejected execution (queue capacity ${capacity}) on search`;
        return new EngineError('EsRejectedExecutionException', message);
      }
    }
    this.underWay++;
    if (this.underWay > this.largest) this.largest = this.underWay;
    return null;
  }

  /** Counts out a search. */
  leave(): void {
    this.underWay--;
    this.completed++;
  }

  stats(): SearchQueueStats {
    const { threads, underWay, rejected, completed } = this;
    const active = Math.min(underWay, threads);
    return {
      ...{ threads, active, queue: underWay - active, capacity: this.capacity(), rejected },
      ...{ largest: Math.min(this.largest, threads), completed },
    };
  }
}

/** A number of searches as settings say it: `200`, `1k`, `-1`; null when it says none. */
export function queueSizeOf(text: string | undefined): number | null {
  const parts = /^(-?\d{1,9})([km]?)$/i.exec(text?.trim() ?? '');
  if (parts === null) return null;
  const unit = parts[2]!.toLowerCase();
  return Math.max(-1, Number(parts[1]) * (unit === 'm' ? 1e6 : unit === 'k' ? 1e3 : 1));
}

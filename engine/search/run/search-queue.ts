// How many searches may be under way. Those that find no thread free wait; what comes when too many wait is
// refused, so that a node with more searches than it can carry out says so instead of growing slower for ever
// (reference server: the queue of the pool `search`).

import { EngineError } from '../../errors';
import type { SearchQueueStats } from '../../api/index';

/** Searches that may wait unless something else is set; the reference's default. */
export const DEFAULT_SEARCH_QUEUE = 1000;

/** Where the threads of a node count: a row of cells for each, which only it writes. */
const UNDER_WAY = 0;
const LARGEST = 1;
const COMPLETED = 2;
const REJECTED = 3;
const ROW = 4;

/** Memory for the counts of a node's searches. @param threads that let searches in */
export function searchCounts(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * ROW * Float64Array.BYTES_PER_ELEMENT);
}

/** Counts the searches of a node, and refuses those that are too many. */
export class SearchQueue {
  private readonly cells: Float64Array;
  private readonly at: number;

  /**
   * @param threads how many searches are carried out at a time
   * @param capacity how many more may wait, asked when there are as many as threads; -1: any number
   * @param counts of all threads that let searches in, from {@link searchCounts}
   * @param thread the place of this one among them; what one before it had under way is gone with it
   */
  constructor(
    private readonly threads: number,
    private readonly capacity: () => number,
    counts: SharedArrayBuffer = searchCounts(1),
    thread = 0,
  ) {
    this.cells = new Float64Array(counts);
    this.at = thread * ROW;
    this.cells[this.at + UNDER_WAY] = 0;
  }

  /**
   * Counts in a search; {@link leave} must follow.
   * @returns null, or why it is refused: EsRejectedExecutionException (429), and nothing is counted in
   */
  enter(): EngineError | null {
    const { cells, at } = this;
    const underWay = this.sum(UNDER_WAY);
    if (underWay >= this.threads) {
      const capacity = this.capacity();
      if (capacity >= 0 && underWay >= this.threads + capacity) {
        cells[at + REJECTED]!++;
        const message = `rejected execution (queue capacity ${capacity}) on search`;
        return new EngineError('EsRejectedExecutionException', message);
      }
    }
    cells[at + UNDER_WAY]!++;
    if (underWay >= cells[at + LARGEST]!) cells[at + LARGEST] = underWay + 1;
    return null;
  }

  /** Counts out a search. */
  leave(): void {
    this.cells[this.at + UNDER_WAY]!--;
    this.cells[this.at + COMPLETED]!++;
  }

  stats(): SearchQueueStats {
    const { threads } = this;
    const underWay = this.sum(UNDER_WAY);
    const active = Math.min(underWay, threads);
    let largest = 0;
    for (let at = LARGEST; at < this.cells.length; at += ROW) {
      largest = Math.max(largest, this.cells[at]!);
    }
    return {
      ...{ threads, active, queue: underWay - active, capacity: this.capacity() },
      ...{ rejected: this.sum(REJECTED), completed: this.sum(COMPLETED) },
      largest: Math.min(largest, threads),
    };
  }

  private sum(cell: number): number {
    let sum = 0;
    for (let at = cell; at < this.cells.length; at += ROW) sum += this.cells[at]!;
    return sum;
  }
}

/** A number of searches as settings say it: `200`, `1k`, `-1`; null when it says none. */
export function queueSizeOf(text: string | undefined): number | null {
  const parts = /^(-?\d{1,9})([km]?)$/i.exec(text?.trim() ?? '');
  if (parts === null) return null;
  const unit = parts[2]!.toLowerCase();
  return Math.max(-1, Number(parts[1]) * (unit === 'm' ? 1e6 : unit === 'k' ? 1e3 : 1));
}

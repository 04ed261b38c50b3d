// Connections of all threads that take requests.

import type { ConnectionStats } from './api';

/** Where a thread counts; only it writes there. */
const OPEN = 0;
const OPENED = 1;
const ROW = 2;

/** Memory for the counts of threads that take requests. */
export function connectionTotals(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * ROW * Float64Array.BYTES_PER_ELEMENT);
}

/** Counts connections. */
export class ConnectionCounts {
  private readonly cells: Float64Array;
  private readonly at: number;

  /**
   * @param totals of all threads that take requests, from {@link connectionTotals}
   * @param thread the place of this one among them; connections of one before it are gone with it
   */
  constructor(totals: SharedArrayBuffer = connectionTotals(1), thread = 0) {
    this.cells = new Float64Array(totals);
    this.at = thread * ROW;
    this.cells[this.at + OPEN] = 0;
  }

  /** Notes a new connection. */
  begin(): void {
    this.cells[this.at + OPEN]!++;
    this.cells[this.at + OPENED]!++;
  }

  /** Notes the end of one. */
  end(): void {
    this.cells[this.at + OPEN]!--;
  }

  /** Of all threads. */
  stats(): ConnectionStats {
    let open = 0;
    let opened = 0;
    for (let at = 0; at < this.cells.length; at += ROW) {
      open += this.cells[at + OPEN]!;
      opened += this.cells[at + OPENED]!;
    }
    return { open, opened };
  }
}

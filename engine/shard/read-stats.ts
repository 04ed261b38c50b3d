// How a shard has been read since the node started: counters and measured times, for `_stats`.

import type { ReadCount, ShardReadStats } from '../api/index';

class Counter implements ReadCount {
  total = 0;
  ms = 0;
  current = 0;

  absorb({ total, ms }: ReadCount): void {
    this.total += total;
    this.ms += ms;
  }
}

/** Of the reads that other threads serve, in the order of their cells. */
const SHARED = ['found', 'missed', 'searches'] as const;
/** Cells of each: total, milliseconds, under way. */
const CELLS = 3;
const ROW = SHARED.length * CELLS;

/** Counts for one shard, or for several together. */
export class ShardReadCounters implements ShardReadStats {
  readonly found = new Counter();
  readonly missed = new Counter();
  readonly searches = new Counter();
  readonly warmers = new Counter();
  openScrolls = 0;
  readonly percolations = new Counter();
  readonly suggests = new Counter();

  /** What other threads count, and what of it has been added here. */
  private shared: { readonly cells: Float64Array; readonly seen: Float64Array } | null = null;

  /** Where so many other threads count; made when first asked for, and the same from then on. */
  share(threads: number): SharedArrayBuffer {
    this.shared ??= {
      cells: new Float64Array(
        new SharedArrayBuffer(threads * ROW * Float64Array.BYTES_PER_ELEMENT),
      ),
      seen: new Float64Array(ROW),
    };
    return this.shared.cells.buffer as SharedArrayBuffer;
  }

  /** Adds what other threads have counted since the last time. */
  private collect(): void {
    if (this.shared === null) return;
    const { cells, seen } = this.shared;
    for (let cell = 0; cell < ROW; cell++) {
      let sum = 0;
      for (let at = cell; at < cells.length; at += ROW) sum += cells[at]!;
      const more = sum - seen[cell]!;
      seen[cell] = sum;
      const counter = this[SHARED[Math.floor(cell / CELLS)]!];
      if (cell % CELLS === 0) counter.total += more;
      else if (cell % CELLS === 1) counter.ms += more;
      else counter.current += more;
    }
  }

  /** Notes a get that took `ms`. */
  addGet(isFound: boolean, ms: number): void {
    const counter = isFound ? this.found : this.missed;
    counter.total++;
    counter.ms += ms;
  }

  /** Notes that a search has begun; {@link endSearch} must follow. */
  beginSearch(): void {
    this.searches.current++;
  }

  /** @param ms the shard's share of the time of its search */
  endSearch(ms: number): void {
    const { searches } = this;
    searches.current--;
    searches.total++;
    searches.ms += ms;
  }

  /** Notes that a document begins to be tried; {@link endPercolation} must follow. */
  beginPercolation(): void {
    this.percolations.current++;
  }

  /** @param ms the shard's share of the time that it took */
  endPercolation(ms: number): void {
    const { percolations } = this;
    percolations.current--;
    percolations.total++;
    percolations.ms += ms;
  }

  /** Notes that suggestions were asked for; {@link endSuggest} must follow. */
  beginSuggest(): void {
    this.suggests.current++;
  }

  /** @param ms the shard's share of the time that they took */
  endSuggest(ms: number): void {
    const { suggests } = this;
    suggests.current--;
    suggests.total++;
    suggests.ms += ms;
  }

  /** Adds how another shard was read; reads under way and open scrolls are not taken over. */
  absorb(other: ShardReadStats): void {
    if (other instanceof ShardReadCounters) other.collect();
    const { found, missed, searches, warmers, percolations, suggests } = other;
    this.found.absorb(found);
    this.missed.absorb(missed);
    this.searches.absorb(searches);
    this.warmers.absorb(warmers);
    this.percolations.absorb(percolations);
    this.suggests.absorb(suggests);
  }

  /** The counters as they are now, as plain data. */
  snapshot(): ShardReadStats {
    this.collect();
    return {
      found: { ...this.found },
      missed: { ...this.missed },
      searches: { ...this.searches },
      warmers: { ...this.warmers },
      openScrolls: this.openScrolls,
      percolations: { ...this.percolations },
      suggests: { ...this.suggests },
    };
  }
}

/** Counts how another thread than main reads a shard, where main finds it. */
export class SharedReadCounters extends ShardReadCounters {
  private readonly cells: Float64Array;

  /**
   * @param buffer from {@link ShardReadCounters.share}
   * @param thread its place among the threads; what one before it had under way is gone with it
   */
  constructor(buffer: SharedArrayBuffer, thread: number) {
    super();
    const rowBytes = ROW * Float64Array.BYTES_PER_ELEMENT;
    this.cells = new Float64Array(buffer, thread * rowBytes, ROW);
    for (let cell = CELLS - 1; cell < ROW; cell += CELLS) this.cells[cell] = 0;
  }

  override addGet(isFound: boolean, ms: number): void {
    const at = isFound ? 0 : CELLS;
    this.cells[at]!++;
    this.cells[at + 1]! += ms;
  }

  override beginSearch(): void {
    this.cells[2 * CELLS + 2]!++;
  }

  override endSearch(ms: number): void {
    const { cells } = this;
    cells[2 * CELLS]!++;
    cells[2 * CELLS + 1]! += ms;
    cells[2 * CELLS + 2]!--;
  }
}

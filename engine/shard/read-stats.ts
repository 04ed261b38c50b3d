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

/** Counts for one shard, or for several together. */
export class ShardReadCounters implements ShardReadStats {
  readonly found = new Counter();
  readonly missed = new Counter();
  readonly searches = new Counter();
  readonly warmers = new Counter();
  openScrolls = 0;
  readonly percolations = new Counter();
  readonly suggests = new Counter();

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
  absorb({ found, missed, searches, warmers, percolations, suggests }: ShardReadStats): void {
    this.found.absorb(found);
    this.missed.absorb(missed);
    this.searches.absorb(searches);
    this.warmers.absorb(warmers);
    this.percolations.absorb(percolations);
    this.suggests.absorb(suggests);
  }

  /** The counters as they are now, as plain data. */
  snapshot(): ShardReadStats {
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

// How a shard has been read since the node started: counters and measured times, for `_stats`.

/** Reads of one kind. */
export interface ReadCount {
  readonly total: number;
  /** Milliseconds. */
  readonly ms: number;
  /** Under way now. */
  readonly current: number;
}

/** Reads of one shard since the node started. */
export interface ReadActivity {
  /** Gets that found their document, and that did not. */
  readonly found: ReadCount;
  readonly missed: ReadCount;
  /** Searches and counts; the time of one is divided among its shards. */
  readonly searches: ReadCount;
  /** Warmers of the index that ran; counted at its first shard. */
  readonly warmers: ReadCount;
}

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
export class ReadCounters implements ReadActivity {
  readonly found = new Counter();
  readonly missed = new Counter();
  readonly searches = new Counter();
  readonly warmers = new Counter();

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

  /** Adds how another shard was read; reads under way are not taken over. */
  absorb({ found, missed, searches, warmers }: ReadActivity): void {
    this.found.absorb(found);
    this.missed.absorb(missed);
    this.searches.absorb(searches);
    this.warmers.absorb(warmers);
  }

  /** The counters as they are now, as plain data. */
  snapshot(): ReadActivity {
    return {
      found: { ...this.found },
      missed: { ...this.missed },
      searches: { ...this.searches },
      warmers: { ...this.warmers },
    };
  }
}

// Which search runs next when several share one thread.
//
// Between two turns the event loop looks after everything else (requests, writes). The turn goes to the
// search that has used the least time so far, so that a small search passes the large ones; waiting counts
// in favour of a search, so that large ones are not put off for ever.

/** How much waiting makes up for time used: a search that waited 16 seconds passes one that used 1 less. */
const WAITED_PER_USED = 16;

/** A search waiting for its turn. */
interface Waiter {
  /** Milliseconds of work done so far. */
  readonly used: number;
  readonly since: number;
  readonly go: () => void;
}

/** The queue of the searches that want to go on. */
export class SearchScheduler {
  private readonly waiters: Waiter[] = [];

  /** Resolves when it is a search's turn. @param used milliseconds of work that it has done so far */
  next(used: number): Promise<void> {
    return new Promise((go) => {
      this.waiters.push({ used, since: performance.now(), go });
      if (this.waiters.length === 1) setImmediate(() => this.give());
    });
  }

  private give(): void {
    const now = performance.now();
    let best = 0;
    let least = Infinity;
    this.waiters.forEach(({ used, since }, i) => {
      const claim = used - (now - since) / WAITED_PER_USED;
      if (claim < least) {
        least = claim;
        best = i;
      }
    });
    const [chosen] = this.waiters.splice(best, 1);
    // The chosen one works before the event loop comes back to this.
    if (this.waiters.length > 0) setImmediate(() => this.give());
    chosen?.go();
  }
}

/** Work done at a stretch before others get a turn, in milliseconds. */
const SLICE_MS = 3;

/** The work of one of several that take turns: `if (turn.isOver()) await turn.next();` after each step. */
export class SearchTurn {
  private used = 0;
  private started = performance.now();

  constructor(private readonly scheduler: SearchScheduler) {}

  /** Goes on with the work after a pause. */
  begin(): void {
    this.started = performance.now();
  }

  /** Pauses, while it waits for something other than its turn. */
  end(): void {
    this.used += performance.now() - this.started;
  }

  /** Whether another one should go on now. */
  isOver(): boolean {
    return performance.now() - this.started > SLICE_MS;
  }

  /** Resolves when it is the turn of this one again. */
  async next(): Promise<void> {
    this.end();
    await this.scheduler.next(this.used);
    this.begin();
  }
}

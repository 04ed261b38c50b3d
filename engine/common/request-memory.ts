// One budget for what all requests under way hold in memory: their bodies, what is parsed of them, and their
// answers until the client has them. What does not fit is refused, so that no number of requests ends the
// process. The reference calls this circuit breakers.

import { EngineError } from '../errors';

/** What the threads of a node hold: a row of cells for each, which only it writes. */
const HELD = 0;
const MOST = 1;
const REFUSALS = 2;
const REFUSALS_ALONE = 3;
const ROW = 4;

/** Memory for what the threads of a node hold. @param threads that take requests */
export function requestCounts(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * ROW * Float64Array.BYTES_PER_ELEMENT);
}

/** The budget of a node. */
export class RequestMemory {
  private readonly cells: Float64Array;
  private readonly at: number;

  /**
   * @param limit bytes that all requests may hold together
   * @param perRequest bytes that one may hold
   * @param counts of all threads that take requests, from {@link requestCounts}
   * @param thread the place of this one among them; what one before it held is gone with it
   */
  constructor(
    readonly limit: number,
    readonly perRequest: number,
    counts: SharedArrayBuffer = requestCounts(1),
    thread = 0,
  ) {
    this.cells = new Float64Array(counts);
    this.at = thread * ROW;
    this.cells[this.at + HELD] = 0;
  }

  /** Bytes held now, by all threads. */
  get used(): number {
    return this.sum(HELD);
  }

  /** The most bytes that were held at a time. */
  get largest(): number {
    let most = 0;
    for (let at = MOST; at < this.cells.length; at += ROW) most = Math.max(most, this.cells[at]!);
    return most;
  }

  /** Refusals since the start. */
  get tripped(): number {
    return this.sum(REFUSALS);
  }

  /** Of these, of requests that were too large whatever else there was. */
  get trippedAlone(): number {
    return this.sum(REFUSALS_ALONE);
  }

  /** The share of one request, which holds nothing yet. */
  lease(): MemoryLease {
    return new MemoryLease((before, bytes, isRefusable) => this.take(before, bytes, isRefusable));
  }

  private take(before: number, bytes: number, isRefusable: boolean): void {
    const { cells, at } = this;
    const isChecked = isRefusable && bytes > 0;
    if (isChecked && before + bytes > this.perRequest) {
      throw this.refusal('REQUEST', this.perRequest);
    }
    // Counted in before it is compared: other threads do the same at the same time.
    cells[at + HELD]! += bytes;
    const { used } = this;
    if (isChecked && used > this.limit) {
      cells[at + HELD]! -= bytes;
      throw this.refusal('PARENT', this.limit);
    }
    if (used > cells[at + MOST]!) cells[at + MOST] = used;
  }

  private sum(cell: number): number {
    const { cells } = this;
    let sum = 0;
    for (let at = cell; at < cells.length; at += ROW) sum += cells[at]!;
    return sum;
  }

  private refusal(breaker: 'REQUEST' | 'PARENT', limit: number): EngineError {
    this.cells[this.at + REFUSALS]!++;
    if (breaker === 'REQUEST') this.cells[this.at + REFUSALS_ALONE]!++;
    const message = `[${breaker}] Data too large, data for [<http_request>] would be larger than limit of [${limit}b]`;
    return new EngineError('CircuitBreakingException', message, { status: 503 });
  }
}

/** What the requests of one client hold together. */
export class MemoryShare {
  /** Bytes. */
  held = 0;

  /** @param limit bytes that they may hold */
  constructor(readonly limit: number) {}
}

/** What one request holds of the budget. */
export class MemoryLease {
  private held = 0;
  private share: MemoryShare | null = null;

  constructor(
    private readonly take: (before: number, bytes: number, isRefusable: boolean) => void,
  ) {}

  /** Bytes held. */
  get bytes(): number {
    return this.held;
  }

  /** Counts what is held, now and later, for the client whose request it is as well. */
  countFor(share: MemoryShare): void {
    this.share = share;
    share.held += this.held;
  }

  /**
   * Counts in more bytes.
   *
   * @throws EngineError CircuitBreakingException (503), or EsRejectedExecutionException (429) where it is the
   *   client that holds too much; nothing is counted in then
   */
  grow(bytes: number): void {
    const { share } = this;
    if (share !== null && bytes > 0 && share.held + bytes > share.limit) {
      throw new EngineError(
        'EsRejectedExecutionException',
        `the requests of the key hold more than [${share.limit}b] of memory, its limit`,
      );
    }
    this.count(bytes, true);
  }

  /** Counts in bytes that are there and have to stay, whether or not there is room for them. */
  hold(bytes: number): void {
    this.count(bytes, false);
  }

  /** Gives some of it back. @param bytes at most {@link bytes} */
  shrink(bytes: number): void {
    this.count(-bytes, false);
  }

  /** Gives all of it back; may be called again. */
  release(): void {
    this.count(-this.held, false);
  }

  private count(bytes: number, isRefusable: boolean): void {
    this.take(this.held, bytes, isRefusable);
    this.held += bytes;
    if (this.share !== null) this.share.held += bytes;
  }
}

/** The budget of the rendered hits of all threads. Plain data that threads share. */
export interface RenderedHitsBudget {
  /** In bytes. */
  readonly limit: number;
  /** What each thread holds, in bytes: a float64 that only it writes. */
  readonly held: SharedArrayBuffer;
}

/** A budget for a number of threads. @param limit in bytes */
export function renderedHitsBudget(limit: number, threads: number): RenderedHitsBudget {
  return { limit, held: new SharedArrayBuffer(threads * Float64Array.BYTES_PER_ELEMENT) };
}

/** Memory of rendered hits that a thread holds until they are sent, within the budget of all threads. */
export class RenderedHits {
  private readonly held: Float64Array;

  /** @param thread its place in the budget; what a thread before it held there is gone with it */
  constructor(
    private readonly budget: RenderedHitsBudget,
    private readonly thread: number,
  ) {
    this.held = new Float64Array(budget.held);
    this.held[thread] = 0;
  }

  /** Bytes that this thread holds now. */
  get bytes(): number {
    return this.held[this.thread]!;
  }

  /** Counts in what a hit takes. @throws EngineError CircuitBreakingException (503) */
  hold(bytes: number): void {
    const { held } = this;
    const { limit } = this.budget;
    held[this.thread]! += bytes;
    let sum = 0;
    for (let i = 0; i < held.length; i++) sum += held[i]!;
    if (sum <= limit) return;
    const message = `[REQUEST] Data too large, data for [hits] would be larger than limit of [${limit}b]`;
    throw new EngineError('CircuitBreakingException', message, { status: 503 });
  }

  /** Gives back what was held. */
  release(bytes: number): void {
    this.held[this.thread]! -= bytes;
  }
}

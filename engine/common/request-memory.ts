// One budget for what all requests under way hold in memory: their bodies, what is parsed of them, and their
// answers until the client has them. What does not fit is refused, so that no number of requests ends the
// process. The reference calls this circuit breakers.

import { EngineError } from '../errors';

/** The budget of a node. */
export class RequestMemory {
  private held = 0;
  private refusals = 0;
  private refusalsAlone = 0;
  private most = 0;

  /**
   * @param limit bytes that all requests may hold together
   * @param perRequest bytes that one may hold
   */
  constructor(
    readonly limit: number,
    readonly perRequest: number,
  ) {}

  /** Bytes held now. */
  get used(): number {
    return this.held;
  }

  /** The most bytes that were held at a time. */
  get largest(): number {
    return this.most;
  }

  /** Refusals since the start. */
  get tripped(): number {
    return this.refusals;
  }

  /** Of these, of requests that were too large whatever else there was. */
  get trippedAlone(): number {
    return this.refusalsAlone;
  }

  /** The share of one request, which holds nothing yet. */
  lease(): MemoryLease {
    return new MemoryLease((before, bytes) => this.take(before, bytes));
  }

  private take(before: number, bytes: number): void {
    if (bytes > 0 && before + bytes > this.perRequest)
      throw this.refusal('REQUEST', this.perRequest);
    if (bytes > 0 && this.held + bytes > this.limit) throw this.refusal('PARENT', this.limit);
    this.held += bytes;
    if (this.held > this.most) this.most = this.held;
  }

  private refusal(breaker: 'REQUEST' | 'PARENT', limit: number): EngineError {
    this.refusals++;
    if (breaker === 'REQUEST') this.refusalsAlone++;
    const message = `[${breaker}] Data too large, data for [<http_request>] would be larger than limit of [${limit}b]`;
    return new EngineError('CircuitBreakingException', message, { status: 503 });
  }
}

/** What one request holds of the budget. */
export class MemoryLease {
  private held = 0;

  constructor(private readonly take: (before: number, bytes: number) => void) {}

  /** Bytes held. */
  get bytes(): number {
    return this.held;
  }

  /** Counts in more bytes. @throws EngineError CircuitBreakingException (503); nothing is counted in then */
  grow(bytes: number): void {
    this.take(this.held, bytes);
    this.held += bytes;
  }

  /** Gives all of it back; may be called again. */
  release(): void {
    const { held } = this;
    this.held = 0;
    this.take(0, -held);
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

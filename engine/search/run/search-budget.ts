// How many searches may have begun at a time, by the memory that they are expected to hold. Searches on a
// thread take turns, so without this each of a thousand would hold what it has counted so far.
//
// Small searches have a part of the budget to themselves, so that large ones do not keep them out. What does
// not fit waits in the order of arrival; less demanding ones pass, until one that waits has done so for a
// while.

import type { CancelSignal } from '../../common/index';
import { cancelled } from '../plan/errors';

/** The part that small searches have, and what is small: fractions of the budget. */
const FOR_SMALL = 1 / 4;
const SMALL = 1 / 64;
/** Nothing passes a search that has waited so long, in milliseconds. */
const PATIENCE_MS = 2000;

interface Waiter {
  readonly bytes: number;
  readonly since: number;
  readonly enter: () => void;
  readonly giveUp: () => void;
}

/** When a search that waits need not wait any longer. */
interface Patience {
  /** Epoch milliseconds from which it will look at nothing any more; null: none. */
  readonly deadline: number | null;
  readonly signal: CancelSignal | undefined;
}

/** Lets searches begin while there is room for them. */
export class SearchBudget {
  private readonly small: Part;
  private readonly large: Part;

  /**
   * @param limit bytes that all searches under way may be expected to hold
   * @param now milliseconds
   */
  constructor(
    private readonly limit: number,
    now: () => number = () => performance.now(),
  ) {
    this.small = new Part(limit * FOR_SMALL, now);
    this.large = new Part(limit * (1 - FOR_SMALL), now);
  }

  /** Searches that wait. */
  get waiting(): number {
    return this.small.waiting + this.large.waiting;
  }

  /**
   * Runs a search as soon as there is room; one that is too large for any, when no other large one runs.
   *
   * @param bytes that it is expected to hold
   * @throws EngineError when it is cancelled while it waits; what `run` throws
   */
  async during<T>(bytes: number, patience: Patience, run: () => Promise<T>): Promise<T> {
    const part = bytes <= this.limit * SMALL ? this.small : this.large;
    await part.enter(bytes, patience);
    try {
      return await run();
    } finally {
      part.leave(bytes);
    }
  }

  /** Gives up all that wait. */
  giveUp(): void {
    this.small.giveUp();
    this.large.giveUp();
  }
}

class Part {
  private held = 0;
  private readonly waiters = new Set<Waiter>();

  constructor(
    private readonly limit: number,
    private readonly now: () => number,
  ) {}

  get waiting(): number {
    return this.waiters.size;
  }

  async enter(bytes: number, patience: Patience): Promise<void> {
    if (this.isKeptBack() || !this.fits(bytes)) await this.wait(bytes, patience);
    else this.held += bytes;
  }

  leave(bytes: number): void {
    this.held -= bytes;
    this.admit();
  }

  giveUp(): void {
    for (const { giveUp } of this.waiters) giveUp();
  }

  private wait(bytes: number, { deadline, signal }: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.waiters.delete(waiter);
      };
      const enter = (): void => {
        settle();
        this.held += bytes;
        resolve();
      };
      const giveUp = (): void => {
        settle();
        reject(cancelled());
      };
      const abort = (): void => {
        giveUp();
        // It may have kept others back.
        this.admit();
      };
      const waiter: Waiter = { bytes, since: this.now(), enter, giveUp };
      this.waiters.add(waiter);
      if (deadline !== null) timer = setTimeout(enter, Math.max(0, deadline - Date.now()));
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  private admit(): void {
    for (const waiter of this.waiters) {
      if (this.fits(waiter.bytes)) waiter.enter();
      else if (this.isLate(waiter)) break;
    }
  }

  /** Whether somebody has waited so long that nobody passes. */
  private isKeptBack(): boolean {
    for (const waiter of this.waiters) return this.isLate(waiter);
    return false;
  }

  private isLate({ since }: Waiter): boolean {
    return this.now() - since >= PATIENCE_MS;
  }

  private fits(bytes: number): boolean {
    return this.held === 0 || this.held + bytes <= this.limit;
  }
}

// What each key may use at a time, so that a busy client does not starve the others: requests under way, and
// requests begun, as many in a second on average as its role says, and memory that they hold.
//
// A client that goes on however often it is refused would keep the node busy with refusing. So a refusal is
// answered late, and those of one key one after the other: whoever waits for answers asks no more often.

import { type AccessKey, EngineError, type MemoryLease, MemoryShare } from '../../engine/index';

/** Seconds whose requests may come at once. */
const BURST_SECONDS = 10;
/** How late a refusal is answered at least and at most, and between two of one key. Milliseconds. */
const REFUSED_AFTER_MS = 100;
const REFUSED_WITHIN_MS = 5000;
const BETWEEN_REFUSALS_MS = 10;

/** What a key has used; kept as long as the key is the same. */
interface Use {
  inFlight: number;
  /** Requests that may begin now. */
  left: number;
  /** When `left` was worked out, in milliseconds. */
  at: number;
  /** When the last refusal is answered. */
  refusedAt: number;
  /** Null: as much as others. */
  readonly memory: MemoryShare | null;
}

/** A request that is not begun: 429. */
export class KeyLimitReached extends EngineError {
  /** @param waitMs how long the answer is held back, in milliseconds */
  constructor(
    message: string,
    readonly waitMs: number,
  ) {
    super('EsRejectedExecutionException', message);
  }
}

/** Counts the requests of keys. */
export class KeyLimits {
  private readonly uses = new WeakMap<AccessKey, Use>();

  /**
   * @param memoryBytes that all requests under way may hold
   * @param now milliseconds that never go back
   */
  constructor(
    private readonly memoryBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Lets a request begin.
   *
   * @param memory what it will hold
   * @returns to be called when it has ended; null: the key has no limits
   * @throws KeyLimitReached EsRejectedExecutionException (429)
   */
  begin(key: AccessKey, memory: MemoryLease): (() => void) | null {
    const { inFlight, perSecond, memoryPercent } = key.role.limits;
    if (inFlight === null && perSecond === null && memoryPercent === null) return null;
    const now = this.now();
    let use = this.uses.get(key);
    if (use === undefined) this.uses.set(key, (use = this.fresh(key, now)));
    if (inFlight !== null && use.inFlight >= inFlight) {
      throw rejected(use, now, `the key has [${inFlight}] requests under way, its limit`);
    }
    if (perSecond !== null) {
      const earned = ((now - use.at) / 1000) * perSecond;
      use.left = Math.min(perSecond * BURST_SECONDS, use.left + earned);
      use.at = now;
      if (use.left < 1) {
        const what = `the key has begun more than [${perSecond}] requests a second, its limit`;
        throw rejected(use, now, what);
      }
      use.left--;
    }
    if (use.memory !== null) memory.countFor(use.memory);
    const counted = use;
    counted.inFlight++;
    return () => void counted.inFlight--;
  }

  private fresh({ role }: AccessKey, now: number): Use {
    const { perSecond, memoryPercent } = role.limits;
    return {
      inFlight: 0,
      left: (perSecond ?? 0) * BURST_SECONDS,
      at: now,
      refusedAt: -Infinity,
      memory:
        memoryPercent === null
          ? null
          : new MemoryShare(Math.floor((this.memoryBytes * memoryPercent) / 100)),
    };
  }
}

function rejected(use: Use, now: number, message: string): KeyLimitReached {
  const turn = Math.max(now + REFUSED_AFTER_MS, use.refusedAt + BETWEEN_REFUSALS_MS);
  use.refusedAt = Math.min(turn, now + REFUSED_WITHIN_MS);
  return new KeyLimitReached(message, use.refusedAt - now);
}

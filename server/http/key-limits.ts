// What each key may use at a time, so that a busy client does not starve the others: requests under way, and
// requests begun, as many in a second on average as its role says.

import { type AccessKey, EngineError } from '../../engine/index';

/** Seconds whose requests may come at once. */
const BURST_SECONDS = 10;

/** What a key has used; kept as long as the key is the same. */
interface Use {
  inFlight: number;
  /** Requests that may begin now. */
  left: number;
  /** When `left` was worked out, in milliseconds. */
  at: number;
}

/** Counts the requests of keys. */
export class KeyLimits {
  private readonly uses = new WeakMap<AccessKey, Use>();

  /** @param now milliseconds that never go back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Lets a request begin.
   *
   * @returns to be called when it has ended; null: the key has no limits
   * @throws EngineError EsRejectedExecutionException (429)
   */
  begin(key: AccessKey): (() => void) | null {
    const { inFlight, perSecond } = key.role.limits;
    if (inFlight === null && perSecond === null) return null;
    const now = this.now();
    let use = this.uses.get(key);
    if (use === undefined) {
      use = { inFlight: 0, left: (perSecond ?? 0) * BURST_SECONDS, at: now };
      this.uses.set(key, use);
    }
    if (inFlight !== null && use.inFlight >= inFlight) {
      throw rejected(`the key has [${inFlight}] requests under way, its limit`);
    }
    if (perSecond !== null) {
      const earned = ((now - use.at) / 1000) * perSecond;
      use.left = Math.min(perSecond * BURST_SECONDS, use.left + earned);
      use.at = now;
      if (use.left < 1) {
        throw rejected(`the key has begun more than [${perSecond}] requests a second, its limit`);
      }
      use.left--;
    }
    const counted = use;
    counted.inFlight++;
    return () => void counted.inFlight--;
  }
}

function rejected(message: string): EngineError {
  return new EngineError('EsRejectedExecutionException', message);
}

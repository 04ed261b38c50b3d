// What is known of something that a server holds and that one client changes, one change after the other.

/** After a crash it is in the state of the last acknowledged change, or of one sent after it. */
export class AcknowledgedState<T extends number | string | null> {
  /** States that changes sent since may have led to. */
  private possible: T[] = [];

  constructor(private acknowledged: T) {}

  /** The state of the last acknowledged change, or what a crash left. */
  get value(): T {
    return this.acknowledged;
  }

  /** A change to this state is about to be sent. */
  sending(state: T): void {
    this.possible.push(state);
  }

  /** It was acknowledged. */
  settle(state: T): void {
    this.acknowledged = state;
    this.possible = [];
  }

  /**
   * What is there after a crash, and is the state to continue from.
   * @returns what is wrong with it, or null
   */
  found(state: T): string | null {
    const allowed = [this.acknowledged, ...this.possible];
    this.settle(state);
    return allowed.includes(state) ? null : `found ${state}, expected one of ${allowed.join(', ')}`;
  }
}

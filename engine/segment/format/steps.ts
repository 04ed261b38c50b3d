// Long work cut into steps: a generator yields where its turn is over, so that the caller can let others run
// in between.

/** Says when a step has lasted long enough. Ask every few thousand operations. */
export interface StepClock {
  /** Whether the turn is over; if so the next one begins now. */
  over(): boolean;
}

/** Turns of a fixed length. */
export class Turns implements StepClock {
  private until: number;

  constructor(private readonly milliseconds: number) {
    this.until = performance.now() + milliseconds;
  }

  over(): boolean {
    const now = performance.now();
    if (now < this.until) return false;
    this.until = now + this.milliseconds;
    return true;
  }
}

/** For small work: a turn without an end. */
export const ENDLESS: StepClock = { over: () => false };

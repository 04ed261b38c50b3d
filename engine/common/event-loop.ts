// Giving the event loop a turn.

/** Lets timers, messages and acknowledgements run before the next turn of work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Longest stretch of work before other requests get a turn, in milliseconds. */
const SLICE_MS = 3;

/**
 * Long work of many steps, divided into slices of a few milliseconds:
 * `if (slices.isOver()) await slices.next();` after each step.
 */
export class Slices {
  private steps = 0;
  private end = performance.now() + SLICE_MS;

  /** @param stepsPerLook steps between two looks at the clock: 1 where one may take long */
  constructor(private readonly stepsPerLook: number) {}

  /** Whether the others should get a turn now. */
  isOver(): boolean {
    if (++this.steps < this.stepsPerLook) return false;
    this.steps = 0;
    return performance.now() >= this.end;
  }

  /** Gives them one. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.end = performance.now() + SLICE_MS;
  }
}

// Waiting for something to come true. How long that takes depends on the machine and on what else it does, so
// that the limit is there for what never comes true, not for what comes late.

/** After this many milliseconds it will not come true any more. */
export const PATIENCE_MS = 120_000;

// Those of the machine, also where a test has a clock of its own.
const { setTimeout: later } = globalThis;
const now = performance.now.bind(performance);

/** Lets everything else go on for a while. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void later(resolve, ms));
}

/** Waits until a condition holds. @throws Error when it does not come to that */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string = () => 'it did not come to that',
): Promise<void> {
  const end = now() + PATIENCE_MS;
  while (!(await condition())) {
    if (now() > end) throw new Error(describe());
    await pause(5);
  }
}

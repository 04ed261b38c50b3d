// Long work cut into steps, by a generator that yields where others may run in between.

import { Slices } from './event-loop';

/** Runs all steps and returns the result. @throws what a step throws */
export function atOnce<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/**
 * Runs the steps in slices of a few milliseconds.
 * @param slices whose first one has begun already
 * @throws what a step throws
 */
export async function inSlices<T>(steps: Generator<void, T>, slices = new Slices(1)): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slices.isOver()) await slices.next();
  }
}

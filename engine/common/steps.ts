// Long work cut into steps, by a generator that yields where others may run in between.

/** Runs all steps and returns the result. @throws what a step throws */
export function atOnce<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

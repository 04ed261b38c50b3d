// What loops ask now and then that take long at a stretch: does anybody still wait, and is there time left?
//
// A thread does one piece of work at a time, so what the piece at hand must not outlast is known to the
// thread, and no loop has to be told. Looking at it costs as much as looking at a clock: loops do so once for
// some hundred or thousand documents.

/** Calls of {@link tick} between two looks. */
const TICKS = 256;

/** Thrown out of a loop that nobody waits for. It is no EngineError: handlers of failures let it pass. */
export class WorkGivenUp extends Error {}

class TimeIsUp extends Error {}

/** Null: nobody can give up what is at hand. */
let isGivenUp: (() => boolean) | null = null;
/** Milliseconds of `clock`. */
let end = Infinity;
let clock: () => number = Date.now;
let ticks = 0;

/** Does a piece of work that may be given up. @throws WorkGivenUp out of a loop, and what `work` throws */
export function untilGivenUp<T>(isCancelled: () => boolean, work: () => T): T {
  const outer = isGivenUp;
  isGivenUp = isCancelled;
  try {
    return work();
  } finally {
    isGivenUp = outer;
  }
}

/**
 * Does a piece of work while there is time.
 *
 * @param deadline in milliseconds of `now`; null: there is no end
 * @returns whether the work was done; if not, it was left where a loop looked
 */
export function untilDeadline(
  deadline: number | null,
  now: () => number,
  work: () => void,
): boolean {
  if (deadline === null) {
    work();
    return true;
  }
  [end, clock] = [deadline, now];
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof TimeIsUp) return false;
    throw error;
  } finally {
    [end, clock] = [Infinity, Date.now];
  }
}

/** Leaves the loop when the work at hand is not to go on. For every few thousand steps of a loop. */
export function checkTurn(): void {
  if (isGivenUp?.() === true) throw new WorkGivenUp();
  if (end !== Infinity && clock() > end) throw new TimeIsUp();
}

/** The same for a step that is small at times and large at others, as running a script is. */
export function tick(): void {
  if (++ticks % TICKS === 0) checkTurn();
}

// How fast the machine is at this moment, so that what is judged by time is judged by the same measure
// everywhere.

/** Milliseconds that the work below takes on one core of a server of 2020 at rest. */
const REFERENCE_MS = 25;
const TRIES = 5;

/** How many times slower than that server this machine is; never below 1. */
export function slowness(): number {
  let best = Infinity;
  for (let n = 0; n < TRIES; n++) best = Math.min(best, workMs());
  return Math.max(1, best / REFERENCE_MS);
}

function workMs(): number {
  const began = process.cpuUsage();
  let state = 1;
  const seen = new Map<number, number>();
  for (let n = 0; n < 300_000; n++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + n;
    seen.set(state & 0xffff, n);
  }
  const { user, system } = process.cpuUsage(began);
  return seen.size === 0 ? 0 : (user + system) / 1000;
}

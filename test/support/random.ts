// Repeatable randomness for tests that run random sequences: the same seed gives the same sequence, and a
// failure names its seed.

declare global {
  /** The seeds that the random tests of this file took. */
  var testSeeds: number[] | undefined;
}

/** The seed of a random test: the environment variable `TEST_SEED`, or the given one. */
export function testSeed(standard: number): number {
  const given = process.env['TEST_SEED'];
  const seed = given === undefined || given === '' ? standard : Number(given);
  // A test that fails tells them (test/support/environment.js).
  (globalThis.testSeeds ??= []).push(seed);
  return seed;
}

/**
 * How often something is repeated: the environment variable of that name, or the form that `LONG` asks for: 1
 * is that of `npm run reliability`, of minutes, 2 that of `npm run reliability -- --long`, of hours.
 */
export function repetitions(
  variable: string,
  short: number,
  long: number,
  longest: number = long,
): number {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return Number(given);
  switch (process.env['LONG']) {
    case '1':
      return long;
    case '2':
      return longest;
    case undefined:
    default:
      return short;
  }
}

/** How often a random test runs: the environment variable `PROPERTY_RUNS`, or the given number of times. */
export function propertyRuns(standard: number): number {
  return repetitions('PROPERTY_RUNS', standard, standard * 10, standard * 100);
}

/** As {@link propertyRuns}, with the number of times of the long form. */
export function rounds(short: number, long: number): number {
  return repetitions('PROPERTY_RUNS', short, long, long * 10);
}

// Test runners look globals up anew each time, which takes longer than the arithmetic.
const { floor, imul } = Math;

/** A source of random numbers (mulberry32). */
export class Random {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed | 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    const { state } = this;
    let t = imul(state ^ (state >>> 15), state | 1);
    t ^= t + imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return floor(this.next() * limit);
  }

  /** An integer in [from, to], both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

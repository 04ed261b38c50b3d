// How much a chain makes of a text: grams, shingles and paths of a text can be thousands of times as large as
// the text. Estimates are on the safe side, but not so far that ordinary texts would look large.

/** Tokens on their way through a chain, at most. */
export interface Volume {
  readonly tokens: number;
  /** UTF-16 units of all of them. */
  readonly units: number;
  /** UTF-16 units of the longest. */
  readonly longest: number;
}

/** What a component makes of what it gets; missing where that is not more. */
export interface Expanding {
  readonly expand?: ((volume: Volume) => Volume) | undefined;
}

/** The sum of the whole numbers from `min` to `max`. */
const sumOf = (min: number, max: number): number => ((max - min + 1) * (min + max)) / 2;

/** All grams of tokens. */
export function grams(min: number, max: number): (volume: Volume) => Volume {
  return ({ units, longest }) => {
    const largest = Math.max(min, Math.min(max, longest));
    return {
      tokens: units * (largest - min + 1),
      units: units * sumOf(min, largest),
      longest: largest,
    };
  };
}

/** The grams at one end of each token. */
export function edgeGrams(min: number, max: number): (volume: Volume) => Volume {
  return ({ tokens, units, longest }) => {
    const largest = Math.max(min, Math.min(max, longest));
    return {
      tokens: Math.min(units, tokens * (largest - min + 1)),
      units: Math.min(units * largest, tokens * sumOf(min, largest)),
      longest: largest,
    };
  };
}

/** Tokens of which each becomes several, whose units are `factor` times as many. */
export function multiplied(factor: number, added = 0): (volume: Volume) => Volume {
  return ({ tokens, units, longest }) => ({
    tokens: tokens * factor,
    units: units * factor + tokens * added,
    longest: longest * factor + added,
  });
}

/** Tokens that are cut in parts, which are kept beside what they come from. */
export function cut({ tokens, units, longest }: Volume): Volume {
  return { tokens: 2 * tokens + units / 4, units: 3 * units, longest };
}

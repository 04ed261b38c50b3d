// What is found of a pattern in a text.

/** Goes from match to match of a pattern in one text. */
export interface PatternMatcher {
  /** Moves to the next match; false when there is none. */
  find(): boolean;
  /** The start of a group of the current match (0: all of it), or -1 when the group has no part in it. */
  start(group: number): number;
  /** The end of a group, or -1. */
  end(group: number): number;
}

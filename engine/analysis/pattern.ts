// Regular expressions in analysis settings. They run on a linear-time engine, so that no pattern can stall
// indexing; look-around and back references are therefore refused when the index is created.

import { RE2JS } from 're2js';
import { EngineError, illegalArgument } from '../errors';

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['CASE_INSENSITIVE', RE2JS.CASE_INSENSITIVE],
  ['MULTILINE', RE2JS.MULTILINE],
  ['DOTALL', RE2JS.DOTALL],
  // Character classes are ASCII and case folding is by Unicode with or without these.
  ['UNICODE_CASE', 0],
  ['UNICODE_CHAR_CLASS', 0],
  ['UNICODE_CHARACTER_CLASS', 0],
]);

/** Goes from match to match of a pattern in one text. */
export interface PatternMatcher {
  /** Moves to the next match; false when there is none. */
  find(): boolean;
  /** The start of a group of the current match (0: all of it), or -1 when the group has no part in it. */
  start(group: number): number;
  /** The end of a group, or -1. */
  end(group: number): number;
}

/** A compiled pattern; it may be shared. */
export interface TextPattern {
  /** Number of groups that capture. */
  readonly groupCount: number;
  matcher(text: string): PatternMatcher;
}

/**
 * Compiles a pattern with `flags` such as `CASE_INSENSITIVE|DOTALL` (null: none).
 * @throws EngineError PatternSyntaxException for a pattern that cannot be compiled,
 *   ElasticsearchIllegalArgumentException for an unknown flag.
 */
export function compilePattern(pattern: string, flags: string | null): TextPattern {
  let bits = 0;
  for (const flag of (flags ?? '').split('|').filter((part) => part !== '')) {
    const bit = FLAGS.get(flag);
    if (bit === undefined) throw illegalArgument(`Unknown regex flag [${flag}]`);
    bits |= bit;
  }
  try {
    const compiled = RE2JS.compile(pattern, bits);
    return { groupCount: compiled.groupCount(), matcher: (text) => compiled.matcher(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('PatternSyntaxException', reason);
  }
}

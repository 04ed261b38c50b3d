// Regular expressions in analysis settings, in the syntax of the reference server's platform. They run in
// linear time, so that no pattern can stall indexing; back references are therefore refused when the index
// is created.

import { illegalArgument } from '../../errors';
import { ProgramMatcher, type StepBudget } from './matcher';
import { parseRegex } from './parse';
import type { PatternMatcher } from './pattern-matcher';
import { compileProgram } from './program';

/** Letters of inline flags by name; normalization of equivalent characters is not supported. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['CASE_INSENSITIVE', 'i'],
  ['MULTILINE', 'm'],
  ['DOTALL', 's'],
  ['UNICODE_CASE', 'u'],
  ['UNIX_LINES', 'd'],
  ['COMMENTS', 'x'],
  ['UNICODE_CHAR_CLASS', 'U'],
  ['UNICODE_CHARACTER_CLASS', 'U'],
]);

/** A compiled pattern; it may be shared. */
export interface TextPattern {
  /** Number of groups that capture. */
  readonly groupCount: number;
  /** @param budget is asked while the text is read; missing: anything goes */
  matcher(text: string, budget?: StepBudget): PatternMatcher;
}

/**
 * Compiles a pattern with `flags` such as `CASE_INSENSITIVE|DOTALL` (null: none).
 * @throws EngineError PatternSyntaxException for a pattern that cannot be compiled,
 *   ElasticsearchIllegalArgumentException for an unknown flag.
 */
export function compilePattern(pattern: string, flags: string | null): TextPattern {
  const letters: string[] = [];
  for (const flag of (flags ?? '').split('|').filter((part) => part !== '')) {
    const letter = FLAGS.get(flag);
    if (letter === undefined) throw illegalArgument(`Unknown regex flag [${flag}]`);
    letters.push(letter);
  }
  const program = compileProgram(parseRegex(pattern, letters));
  return {
    groupCount: program.groupCount,
    matcher: (text, budget) => new ProgramMatcher(program, text, budget),
  };
}

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

/**
 * Compiles a pattern with `flags` such as `CASE_INSENSITIVE|DOTALL` (null: none).
 * @throws EngineError PatternSyntaxException for a pattern that cannot be compiled,
 *   ElasticsearchIllegalArgumentException for an unknown flag.
 */
export function compilePattern(pattern: string, flags: string | null): RE2JS {
  let bits = 0;
  for (const flag of (flags ?? '').split('|').filter((part) => part !== '')) {
    const bit = FLAGS.get(flag);
    if (bit === undefined) throw illegalArgument(`Unknown regex flag [${flag}]`);
    bits |= bit;
  }
  try {
    return RE2JS.compile(pattern, bits);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('PatternSyntaxException', reason);
  }
}
